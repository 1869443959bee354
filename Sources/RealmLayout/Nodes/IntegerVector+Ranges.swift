// Compares packed integers without unpacking them: all elements of a word at once (Spec 20).
extension IntegerVector {
    /// Returns one bit for each of `count` elements from `first` on, at most 256: 1 for those in the range. The caller
    /// has proven that the elements exist.
    package func rows(in range: ClosedRange<Int64>, unchecked first: Int, count: Int) -> SIMD4<UInt64> {
        let domain = possibleElements
        guard range.lowerBound <= domain.upperBound, range.upperBound >= domain.lowerBound else { return .zero }
        let isAll = range.lowerBound <= domain.lowerBound && range.upperBound >= domain.upperBound
        let isOfBytes = width == 8 && first & 7 == 0 && !isAll
        let (low, high) = (max(range.lowerBound, domain.lowerBound), min(range.upperBound, domain.upperBound))
        // Separate variables, since a vector filled by index is written to memory and stalls the load that follows.
        func rows(_ word: Int) -> UInt64 {
            let start = first &+ word &* 64
            let length = min(64, count &- word &* 64)
            guard length > 0 else { return 0 }
            let wanted = UInt64.max &>> UInt64(truncatingIfNeeded: 64 &- length)
            if isAll { return wanted }
            if isOfBytes { return bytes(from: low, through: high, start, length) & wanted }
            return bits(in: low...high, unchecked: start, count: length)
        }
        return SIMD4(rows(0), rows(1), rows(2), rows(3))
    }

    /// The number of elements in the range among `count` from `first` on, which the caller has proven to exist.
    package func count(in range: ClosedRange<Int64>, unchecked first: Int, count: Int) -> Int {
        let domain = possibleElements
        guard range.lowerBound <= domain.upperBound, range.upperBound >= domain.lowerBound else { return 0 }
        if range.lowerBound <= domain.lowerBound, range.upperBound >= domain.upperBound { return count }
        let (low, high) = (max(range.lowerBound, domain.lowerBound), min(range.upperBound, domain.upperBound))
        var found = 0
        var place = 0
        if width == 8, first & 7 == 0 {
            // Each of the sixteen sums is one byte.
            while count &- place >= 16 {
                let length = min((count &- place) & ~15, 255 &* 16)
                found &+= byteCount(from: low, through: high, first &+ place, length)
                place &+= length
            }
        }
        while place < count {
            let length = min(64, count &- place)
            found &+= bits(in: low...high, unchecked: first &+ place, count: length).nonzeroBitCount
            place &+= length
        }
        return found
    }

    /// - Parameter count: a multiple of 16, at most 255 * 16.
    @inline(__always)
    private func byteCount(from low: Int64, through high: Int64, _ first: Int, _ count: Int) -> Int {
        let lows = SIMD16<UInt8>(repeating: UInt8(truncatingIfNeeded: low))
        let lengths = SIMD16<UInt8>(repeating: UInt8(truncatingIfNeeded: high &- low))
        var sums = SIMD16<UInt8>.zero
        var place = 0
        while place < count {
            let pair = SIMD2<UInt64>(words[first &+ place], words[first &+ place &+ 8])
            let elements = unsafe unsafeBitCast(pair, to: SIMD16<UInt8>.self)
            sums &+= SIMD16<UInt8>.zero.replacing(with: 1, where: (elements &- lows) .<= lengths)
            place &+= 16
        }
        let words = unsafe unsafeBitCast(sums, to: SIMD2<UInt64>.self)
        let everySecond = SIMD2<UInt64>(repeating: 0x00FF_00FF_00FF_00FF)
        let pairs = (words & everySecond) &+ ((words &>> SIMD2<UInt64>(repeating: 8)) & everySecond)
        return Int(truncatingIfNeeded: ((pairs[0] &+ pairs[1]) &* 0x0001_0001_0001_0001) &>> 48)
    }

    /// Returns the bits for up to 64 bytes that begin with a word, sixteen at a time. Bytes past the last element
    /// belong to its word.
    @inline(__always)
    private func bytes(from low: Int64, through high: Int64, _ first: Int, _ count: Int) -> UInt64 {
        let lows = SIMD16<UInt8>(repeating: UInt8(truncatingIfNeeded: low))
        let lengths = SIMD16<UInt8>(repeating: UInt8(truncatingIfNeeded: high &- low))
        var bits: UInt64 = 0
        var place = 0
        while place < count {
            // The last pair may consist of a single word.
            let second = place &+ 8 < count ? words[first &+ place &+ 8] : 0
            let elements = unsafe unsafeBitCast(SIMD2<UInt64>(words[first &+ place], second), to: SIMD16<UInt8>.self)
            // An element is in the range if its distance from the low end, modulo 256, is at most the length of the range.
            let isIn = (elements &- lows) .<= lengths
            let flags = unsafe unsafeBitCast(
                SIMD16<UInt8>.zero.replacing(with: Self.bitOfByte, where: isIn), to: SIMD2<UInt64>.self)
            // Sums up the bytes: each has a bit of its own.
            let sums = (flags &* SIMD2<UInt64>(repeating: 0x0101_0101_0101_0101)) &>> SIMD2<UInt64>(repeating: 56)
            bits |= (sums[0] | sums[1] &<< 8) &<< UInt64(truncatingIfNeeded: place)
            place &+= 16
        }
        return bits
    }

    private static var bitOfByte: SIMD16<UInt8> {
        SIMD16<UInt8>(1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128)
    }

    /// Returns one bit for each of `count` elements from `first` on, at most 64: 1 for those in the range. The caller
    /// has proven that the elements exist.
    package func bits(in range: ClosedRange<Int64>, unchecked first: Int, count: Int) -> UInt64 {
        guard count > 0 else { return 0 }
        let wanted = UInt64.max &>> UInt64(truncatingIfNeeded: 64 &- count)
        let domain = possibleElements
        guard range.lowerBound <= domain.upperBound, range.upperBound >= domain.lowerBound else { return 0 }
        if range.lowerBound <= domain.lowerBound, range.upperBound >= domain.upperBound { return wanted }
        guard width < 64 else {
            var bits: UInt64 = 0
            for index in 0..<count {
                let element = int64(unchecked: first &+ index)
                let isIn = element >= range.lowerBound && element <= range.upperBound
                bits |= (isIn ? 1 : 0) &<< UInt64(truncatingIfNeeded: index)
            }
            return bits
        }
        let low = max(range.lowerBound, domain.lowerBound)
        if width == 32 {
            // At two elements per word the word-wise comparison does not pay off.
            let length = UInt32(truncatingIfNeeded: min(range.upperBound, domain.upperBound) &- low)
            var bits: UInt64 = 0
            for index in 0..<count {
                let distance = UInt32(truncatingIfNeeded: int32(unchecked: first &+ index) &- low)
                bits |= (distance <= length ? 1 : 0) &<< UInt64(truncatingIfNeeded: index)
            }
            return bits
        }
        return words(from: low, through: min(range.upperBound, domain.upperBound), first, count) & wanted
    }

    /// The numbers that elements of this width can hold.
    package var possibleElements: ClosedRange<Int64> {
        switch width {
        case 0: 0...0
        case 1, 2, 4: 0...((1 &<< Int64(width)) &- 1)
        default: (Int64.min &>> Int64(64 &- width))...(Int64.max &>> Int64(64 &- width))
        }
    }

    /// - Parameter low: within the domain of the width, like `high`; the two must not both be its ends.
    private func words(from low: Int64, through high: Int64, _ first: Int, _ count: Int) -> UInt64 {
        let width = UInt64(truncatingIfNeeded: self.width)
        // An element is in the range if its distance from the low end, modulo 2^width, is at most the length of the range.
        let ones = Self.ones(width)
        let element: UInt64 = (1 &<< width) &- 1
        let lows = (UInt64(bitPattern: low) & element) &* ones
        let lengths = (UInt64(bitPattern: high &- low) & element) &* ones
        let tops = ones &<< (width &- 1)
        var bit = (first &* self.width) & ~63
        let end = (first &+ count) &* self.width
        var place = (bit &- first &* self.width) / self.width
        let perWord = 64 / self.width
        var bits: UInt64 = 0
        while bit < end {
            let word = words[bit &>> 3]
            let distances = ((word | tops) &- (lows & ~tops)) ^ ((word ^ ~lows) & tops)
            let differences = (lengths | tops) &- (distances & ~tops)
            let inside = ((lengths & ~distances) | (~(lengths ^ distances) & differences)) & tops
            let found = Self.gathered(inside &>> (width &- 1), width)
            // The first word may contain elements before `first`.
            bits |=
                place < 0 ? found &>> UInt64(truncatingIfNeeded: -place) : found &<< UInt64(truncatingIfNeeded: place)
            bit &+= 64
            place &+= perWord
        }
        return bits
    }

    /// The lowest bit of each element.
    @inline(__always)
    private static func ones(_ width: UInt64) -> UInt64 {
        switch width {
        case 1: .max
        case 2: 0x5555_5555_5555_5555
        case 4: 0x1111_1111_1111_1111
        case 8: 0x0101_0101_0101_0101
        case 16: 0x0001_0001_0001_0001
        default: 0x0000_0001_0000_0001
        }
    }

    /// Gathers the lowest bit of each element, side by side.
    @inline(__always)
    private static func gathered(_ bits: UInt64, _ width: UInt64) -> UInt64 {
        var bits = bits
        switch width {
        case 8: return (bits &* 0x0102_0408_1020_4080) &>> 56
        case 16: return (bits | bits &>> 15 | bits &>> 30 | bits &>> 45) & 0xF
        case 32: return (bits | bits &>> 31) & 3
        case 4:
            bits = (bits | bits &>> 3) & 0x0303_0303_0303_0303
            bits = (bits | bits &>> 6) & 0x000F_000F_000F_000F
            bits = (bits | bits &>> 12) & 0x0000_00FF_0000_00FF
            return (bits | bits &>> 24) & 0xFFFF
        case 2:
            bits = (bits | bits &>> 1) & 0x3333_3333_3333_3333
            bits = (bits | bits &>> 2) & 0x0F0F_0F0F_0F0F_0F0F
            bits = (bits | bits &>> 4) & 0x00FF_00FF_00FF_00FF
            bits = (bits | bits &>> 8) & 0x0000_FFFF_0000_FFFF
            return (bits | bits &>> 16) & 0xFFFF_FFFF
        default: return bits
        }
    }
}
