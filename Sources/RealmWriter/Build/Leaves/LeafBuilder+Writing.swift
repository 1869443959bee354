package import RealmLayout
internal import RealmReader

extension LeafBuilder {
    /// Writes the leaf and begins anew.
    ///
    /// - Parameter flags: further flags: that of a list of links with unresolved ones (Spec 40).
    package func write(flags: UInt8 = 0) throws(WriteError) -> Ref {
        defer { removeAll() }
        return switch type {
        case .int(nullable: false), .bool: try nodes.integers(numbers)
        case .link: try nodes.integers(numbers, flags: flags)
        case .collections, .backlinks: try nodes.integers(numbers, flags: NodeOutput.hasRefs)
        case .int(nullable: true): try nullableIntegers()
        case .float: try nodes.bits(numbers, bytes: 4)
        case .double: try nodes.bits(numbers, bytes: 8)
        case .string, .legacyString: try strings()
        case .binary, .legacyBinary: try binaries()
        case .timestamp: try timestamps()
        case .decimal128: try decimals()
        case .objectId: try blocks(of: 12)
        case .uuid: try blocks(of: 16)
        case .mixed: try mixedValues()
        }
    }

    /// Integers after a null sentinel: the largest number of the width, so that Realm Core can tell by its bounds whether
    /// another value fits (Spec 30).
    private func nullableIntegers() throws(WriteError) -> Ref {
        var width = 0
        var sentinel: Int64 = 0
        var range = ValueRange()
        for index in 0..<count where !nulls[index] { range.add(numbers[index]) }
        if nullCount < count {
            for (bits, limit) in [(1, 1), (2, 3), (4, 15), (8, 0x7F), (16, 0x7FFF), (32, 0x7FFF_FFFF)] as [(Int, Int64)]
            {
                let lowest: Int64 = bits < 8 ? 0 : -limit - 1
                if range.lowest >= lowest, range.highest < limit {
                    (width, sentinel) = (bits, limit)
                    break
                }
            }
            if width == 0 { (width, sentinel) = (64, unusedNumber(range)) }
        }
        let values = nodes.scratch
        values.removeAll()
        values.append(sentinel)
        for index in 0..<count { values.append(nulls[index] ? sentinel : numbers[index]) }
        return try nodes.packed(values, width: width, flags: 0)
    }

    private func unusedNumber(_ range: ValueRange) -> Int64 {
        var number = Int64.max
        while range.highest >= number, numbers.contains(number) { number -= 1 }
        return number
    }

    private func strings() throws(WriteError) -> Ref {
        if longest > Self.longestMediumString { return try bigBlobs(terminated: true) }
        if longest > 15 { return try mediumBlobs() }
        return try shortStrings()
    }

    private func binaries() throws(WriteError) -> Ref {
        writtenBlobs > 0 ? try bigBlobs(terminated: false) : try mediumBlobs()
    }

    private func shortStrings() throws(WriteError) -> Ref {
        let wide = nullCount < count ? ShortString.width(forLongest: longest) : 0
        bytes.reserve(16)
        return try nodes.node(.multiply, width: wide, count: count, payloadSize: count * wide) { payload in
            guard wide > 0 else { return }
            var start = 0
            for index in 0..<count {
                let end = Int(truncatingIfNeeded: ends[index]) &- 1
                let size = end &- start
                let length = nulls[index] ? ShortString.nullLength : size
                let left = ShortString.lastByte(length: length, width: wide)
                let offset = index &* wide
                if wide == 8 {
                    payload.store(word(start, size) | UInt64(truncatingIfNeeded: left) &<< 56, at: offset)
                } else if wide == 16 {
                    payload.store(word(start, size), at: offset)
                    let second = size > 8 ? word(start &+ 8, size &- 8) : 0
                    payload.store(second | UInt64(truncatingIfNeeded: left) &<< 56, at: offset &+ 8)
                } else {
                    for byte in 0..<wide &- 1 {
                        payload.store(byte < size ? bytes[start &+ byte] : 0, at: offset &+ byte)
                    }
                    payload.store(UInt8(truncatingIfNeeded: left), at: offset &+ wide &- 1)
                }
                start = end &+ 1
            }
        }
    }

    /// The bytes from an offset on as a number: `size` of them, at most eight.
    @inline(__always)
    private func word(_ start: Int, _ size: Int) -> UInt64 {
        let word = bytes.word(reserved: start)
        return size >= 8 ? word : word & (1 &<< UInt64(truncatingIfNeeded: 8 &* size) &- 1)
    }

    /// Offsets, bytes, null flags.
    private func mediumBlobs() throws(WriteError) -> Ref {
        let offsets = try nodes.integers(ends)
        let blob = try nodes.blob(bytes.view, terminated: false)
        let numbers = nodes.scratch
        numbers.removeAll()
        for isNull in nulls { numbers.append(isNull ? 1 : 0) }
        let flags = try nodes.integers(numbers)
        numbers.removeAll()
        numbers.append(Int64(offsets.offset))
        numbers.append(Int64(blob.offset))
        numbers.append(Int64(flags.offset))
        return try nodes.refs(numbers)
    }

    private func bigBlobs(terminated: Bool) throws(WriteError) -> Ref {
        var refs: [Int64] = []
        refs.reserveCapacity(count)
        var start = 0
        for index in 0..<count {
            let end = Int(truncatingIfNeeded: ends[index])
            if nulls[index] {
                refs.append(0)
            } else if index < numbers.count, numbers[index] != 0 {
                refs.append(numbers[index])
            } else {
                refs.append(Int64(try nodes.blob(bytes.view(start..<end), terminated: false).offset))
            }
            start = end
        }
        return try nodes.integers(refs, flags: NodeOutput.hasRefs | NodeHeader.Mask.context)
    }

    private func timestamps() throws(WriteError) -> Ref {
        let first = try nullableIntegers()
        let second = try nodes.integers(seconds)
        return try nodes.refs(Int64(first.offset), Int64(second.offset))
    }

    /// Values of `size` bytes in blocks of eight, each after a byte of null bits (Spec 30).
    private func blocks(of size: Int) throws(WriteError) -> Ref {
        let total = count * size + (count + 7) / 8
        // A leaf without values has no width.
        return try nodes.node(.multiply, width: total == 0 ? 0 : 1, count: total, payloadSize: total) { payload in
            var offset = 0
            for block in stride(from: 0, to: count, by: 8) {
                let last = min(block + 8, count)
                var bits: UInt8 = 0
                if nullCount > 0 {
                    for index in block..<last where nulls[index] { bits |= 1 << UInt8(index - block) }
                }
                payload.store(bits, at: offset)
                payload.copy(bytes.view((block * size)..<(last * size)), to: offset + 1)
                offset += 1 + (last - block) * size
            }
        }
    }

    private func mixedValues() throws(WriteError) -> Ref {
        let composites = try nodes.integers(numbers)
        let integers = mixed.integers.isEmpty ? nil : try nodes.integers(mixed.integers)
        let pairs = mixed.pairs.isEmpty ? nil : try nodes.integers(mixed.pairs)
        var strings: Ref?
        if mixed.strings.count > 0 {
            strings = try mixed.strings.with(0) { leaf throws(WriteError) in leaf.count > 0 ? try leaf.write() : nil }
        }
        let collections = mixed.collections.isEmpty ? nil : try nodes.refs(mixed.collections)
        mixed.fillKeys(count: count)
        let collectionKeys = mixed.collectionKeys.isEmpty ? nil : try nodes.integers(mixed.collectionKeys)
        let slots = nodes.scratch
        slots.removeAll()
        slots.append(repeating: 0, count: MixedSlot.allCases.count)
        func set(_ slot: MixedSlot, _ ref: Ref?) { slots[slot.rawValue] = Int64(ref?.offset ?? 0) }
        set(.composites, composites)
        set(.integers, integers)
        set(.pairs, pairs)
        set(.strings, strings)
        set(.collections, collections)
        set(.collectionKeys, collectionKeys)
        return try nodes.refs(slots)
    }
}

// Decimals.
extension LeafBuilder {
    /// Decimals in the narrowest of the widths that hold all of them (Spec 30).
    private func decimals() throws(WriteError) -> Ref {
        var width = 0
        for index in 0..<count where !nulls[index] {
            width = max(width, decimal(index).narrowestWidth)
            if width == 16 { break }
        }
        switch width {
        case 4:
            return try decimals(of: 4) { payload, index in
                payload.store(nulls[index] ? NullPattern.decimal32 : decimal(index).bid32, at: index &* 4)
            }
        case 8:
            return try decimals(of: 8) { payload, index in
                payload.store(nulls[index] ? NullPattern.decimal64 : decimal(index).bid64, at: index &* 8)
            }
        case 16:
            return try decimals(of: 16) { payload, index in
                let isNull = nulls[index]
                payload.store(isNull ? NullPattern.decimal128Low : UInt64(bitPattern: numbers[index]), at: index &* 16)
                payload.store(
                    isNull ? NullPattern.decimal128High : UInt64(bitPattern: seconds[index]), at: index &* 16 &+ 8)
            }
        default: return try decimals(of: 0) { _, _ in }
        }
    }

    @inline(__always)
    private func decimals(of size: Int, _ store: (NodePayload, Int) -> Void) throws(WriteError) -> Ref {
        try nodes.node(.multiply, width: size, count: count, payloadSize: count &* size) { payload in
            for index in 0..<count { store(payload, index) }
        }
    }

    @inline(__always)
    private func decimal(_ index: Int) -> Decimal128Bits {
        Decimal128Bits(high: UInt64(bitPattern: seconds[index]), low: UInt64(bitPattern: numbers[index]))
    }
}

extension Decimal128Bits {
    /// 4, 8 or 16: the bytes that hold sign, exponent and coefficient as they are.
    @inline(__always) fileprivate var narrowestWidth: Int {
        // The other form, infinity and NaN are only written whole.
        guard high & 0x6000_0000_0000_0000 != 0x6000_0000_0000_0000, high & 0x1_FFFF_FFFF_FFFF == 0 else { return 16 }
        let exponent = Int((high >> 49) & 0x3FFF) - Self.bias
        if low < 1 << 23, exponent > -91, exponent < 91 { return 4 }
        return low < 1 << 53 && exponent > -370 && exponent < 370 ? 8 : 16
    }

    fileprivate var bid32: UInt32 {
        let exponent = UInt32(truncatingIfNeeded: Int((high >> 49) & 0x3FFF) - Self.bias + Self.bias32)
        return UInt32(truncatingIfNeeded: high >> 63) << 31 | exponent << 23 | UInt32(truncatingIfNeeded: low)
    }

    fileprivate var bid64: UInt64 {
        let exponent = UInt64(truncatingIfNeeded: Int((high >> 49) & 0x3FFF) - Self.bias + Self.bias64)
        return high & 0x8000_0000_0000_0000 | exponent << 53 | low
    }
}
