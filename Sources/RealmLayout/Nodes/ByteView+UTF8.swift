extension ByteView {
    /// Whether every byte is below 0x80.
    @inlinable @inline(__always)
    package var isASCII: Bool {
        let high: UInt64 = 0x8080_8080_8080_8080
        if count >= 16 {
            var bits = words(unchecked: count &- 16)
            var offset = 0
            while offset &+ 16 < count {
                bits |= words(unchecked: offset)
                offset &+= 16
            }
            return !Self.isAnyHigh(bits)
        }
        if count >= 8 {
            return (uint64(unchecked: 0) | uint64(unchecked: count &- 8)) & high == 0
        }
        if count >= 4 {
            return UInt64(uint32(unchecked: 0) | uint32(unchecked: count &- 4)) & high == 0
        }
        guard count > 0 else { return true }
        // For one, two or three bytes, the first, middle and last cover all of them.
        return (byte(unchecked: 0) | byte(unchecked: count &>> 1) | byte(unchecked: count &- 1)) < 0x80
    }

    /// Whether the bytes are well-formed UTF-8 (Unicode, table 3-7).
    package var isValidUTF8: Bool {
        if count >= Self.leastWide { return isValidWideUTF8 }
        var offset = 0
        while offset < count {
            let lead = byte(unchecked: offset)
            if lead < 0x80 {
                if offset &+ 16 <= count,
                    (uint64(unchecked: offset) | uint64(unchecked: offset &+ 8)) & 0x8080_8080_8080_8080 == 0
                {
                    offset &+= 16
                    continue
                }
                guard offset &+ 8 <= count else {
                    offset &+= 1
                    continue
                }
                // Skips the ASCII bytes before the next non-ASCII one: 8 when there is none.
                offset &+= (uint64(unchecked: offset) & 0x8080_8080_8080_8080).trailingZeroBitCount &>> 3
                continue
            }
            // Two-byte and three-byte sequences, at once where a word can be loaded: no overlong form, no surrogate.
            // First two three-byte ones.
            if offset &+ 8 <= count {
                let word = uint64(unchecked: offset)
                let first = word & 0x200F
                let second = (word &>> 24) & 0x200F
                if word & 0xC0C0_F0C0_C0F0 == 0x8080_E080_80E0, first != 0, first != 0x200D, second != 0,
                    second != 0x200D
                {
                    offset &+= 6
                    continue
                }
            }
            if offset &+ 4 <= count {
                let word = uint32(unchecked: offset)
                let form = word & 0x200F
                if word & 0xC0_C0F0 == 0x80_80E0, form != 0, form != 0x200D {
                    offset &+= 3
                    continue
                }
                if word & 0xC0E0 == 0x80C0, word & 0x1E != 0 {
                    offset &+= 2
                    continue
                }
            }
            let length: Int
            var second: ClosedRange<UInt8> = 0x80...0xBF
            switch lead {
            case 0xC2...0xDF: length = 2
            case 0xE0: (length, second) = (3, 0xA0...0xBF)
            case 0xED: (length, second) = (3, 0x80...0x9F)
            case 0xE1...0xEF: length = 3
            case 0xF0: (length, second) = (4, 0x90...0xBF)
            case 0xF1...0xF3: length = 4
            case 0xF4: (length, second) = (4, 0x80...0x8F)
            default: return false
            }
            guard count &- offset >= length, second.contains(byte(unchecked: offset &+ 1)) else { return false }
            var next = 2
            while next < length {
                guard byte(unchecked: offset &+ next) & 0xC0 == 0x80 else { return false }
                next &+= 1
            }
            offset &+= length
        }
        return true
    }

    /// The length from which sixteen bytes at a time are faster than one character at a time.
    private static var leastWide: Int { 64 }

    /// The same check for many bytes, without a branch per byte.
    @inline(never)
    private var isValidWideUTF8: Bool {
        var errors = SIMD2<UInt64>()
        var offset = 3
        if uint32(unchecked: 0) & 0x80_8080 != 0 {
            let first = words(unchecked: 0)
            errors = Self.errors(
                in: first, after: Self.shifted(first, 8), Self.shifted(first, 16), Self.shifted(first, 24))
            offset = 16
        }
        while offset &+ 16 < count {
            errors |= self.errors(at: offset)
            offset &+= 16
        }
        // The last sixteen bytes overlap the previous ones.
        errors |= self.errors(at: count &- 16)
        // No character may be incomplete at the end: a lead byte needs as many bytes as it has leading ones after the
        // first.
        let isOpen =
            byte(unchecked: count &- 1) >= 0xC0 || byte(unchecked: count &- 2) >= 0xE0
            || byte(unchecked: count &- 3) >= 0xF0
        return !Self.isAnyHigh(errors) && !isOpen
    }

    /// The errors in the sixteen bytes at `offset`, which must be at least 3.
    @inline(__always)
    private func errors(at offset: Int) -> SIMD2<UInt64> {
        let (bytes, third) = (words(unchecked: offset), words(unchecked: offset &- 3))
        guard Self.isAnyHigh(bytes | third) else { return SIMD2() }
        return Self.errors(
            in: bytes, after: words(unchecked: offset &- 1), words(unchecked: offset &- 2), third)
    }

    @inlinable @inline(__always)
    func words(unchecked offset: Int) -> SIMD2<UInt64> {
        SIMD2(uint64(unchecked: offset), uint64(unchecked: offset &+ 8))
    }

    /// The sixteen bytes that begin `bits` bits before a text, with zeros before its first byte.
    @inline(__always)
    private static func shifted(_ words: SIMD2<UInt64>, _ bits: UInt64) -> SIMD2<UInt64> {
        SIMD2(words[0] &<< bits, words[1] &<< bits | words[0] &>> (64 &- bits))
    }

    @inlinable @inline(__always)
    static func isAnyHigh(_ words: SIMD2<UInt64>) -> Bool {
        (words[0] | words[1]) & 0x8080_8080_8080_8080 != 0
    }

    /// The highest bit of each byte that may not follow its predecessors; the other bits are meaningless.
    ///
    /// Every bit of a byte is examined in the position of the highest one: it is shifted there, by the number in the
    /// variable's name, for all bytes at once. The highest bit always receives a bit of the same byte.
    ///
    /// - Parameters:
    ///   - bytes: sixteen bytes.
    ///   - first: the bytes before each of them.
    ///   - second: those before `first`.
    ///   - third: those before `second`.
    @inline(__always)
    private static func errors(
        in bytes: SIMD2<UInt64>, after first: SIMD2<UInt64>, _ second: SIMD2<UInt64>, _ third: SIMD2<UInt64>
    ) -> SIMD2<UInt64> {
        // Shifted by addition: vector shifts are compiled to separate code for each half.
        let first1 = first &+ first
        let first2 = first1 &+ first1
        let first3 = first2 &+ first2
        let first4 = first3 &+ first3
        let first5 = first4 &+ first4
        let first6 = first5 &+ first5
        let first7 = first6 &+ first6
        let second1 = second &+ second
        let second2 = second1 &+ second1
        let third1 = third &+ third
        let third2 = third1 &+ third1
        let third3 = third2 &+ third2
        let bytes1 = bytes &+ bytes
        let bytes2 = bytes1 &+ bytes1
        let bytes3 = bytes2 &+ bytes2
        let isTrail = bytes & ~bytes1
        let isLead = first & first1
        let mustBeTrail = isLead | (second & second1 & second2) | (third & third1 & third2 & third3)
        let isSmall = ~(first4 | first5 | first6)
        // C0 and C1.
        let two = ~first2 & ~first3 & isSmall
        // E0 before less than A0, ED before A0 and above.
        let three = first2 & ~first3 & ((isSmall & ~first7 & ~bytes2) | (first4 & first5 & ~first6 & first7 & bytes2))
        // F0 before less than 90, F4 before 90 and above, F5 and above.
        let four =
            first2 & first3
            & ((isSmall & ~first7 & ~bytes2 & ~bytes3) | first4 | (first5 & (first6 | first7 | bytes2 | bytes3)))
        return (mustBeTrail ^ isTrail) | (isLead & (two | three | four))
    }
}
