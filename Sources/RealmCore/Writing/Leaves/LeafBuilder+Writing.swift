package import RealmLayout

extension LeafBuilder {
    /// Writes the leaf and clears it.
    ///
    /// - Parameter flags: Additional flags, for lists of links with unresolved ones (Spec 40).
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
        case .objectId: try blocks(.objectIds)
        case .uuid: try blocks(.uuids)
        case .mixed: try mixedValues()
        }
    }

    private func nullableIntegers() throws(WriteError) -> Ref {
        var range = ValueRange()
        for index in 0..<count where !nulls[index] { range.add(numbers[index]) }
        let (width, sentinel) = NullableIntegers.form(of: nullCount < count ? range : nil) { numbers.contains($0) }
        let values = nodes.scratch
        values.removeAll()
        values.append(sentinel)
        for index in 0..<count { values.append(nulls[index] ? sentinel : numbers[index]) }
        return try nodes.packed(values, width: width, flags: 0)
    }

    private func strings() throws(WriteError) -> Ref {
        switch BytesForm.ofStrings(longest: longest) {
        case .big: try bigBlobs(terminated: true)
        case .medium: try mediumBlobs()
        case .short: try shortStrings()
        }
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

    /// Returns `size` bytes at an offset as a number; at most eight.
    @inline(__always)
    private func word(_ start: Int, _ size: Int) -> UInt64 {
        let word = bytes.word(reserved: start)
        return size >= 8 ? word : word & (1 &<< UInt64(truncatingIfNeeded: 8 &* size) &- 1)
    }

    /// Writes offsets, bytes and null flags.
    private func mediumBlobs() throws(WriteError) -> Ref {
        let offsets = try nodes.integers(ends)
        let blob = try nodes.blob(bytes.view, terminated: false)
        let numbers = nodes.scratch
        numbers.removeAll()
        for isNull in nulls { numbers.append(isNull ? MediumValues.nullFlag : MediumValues.valueFlag) }
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

    private func blocks(_ blocks: FixedBlocks) throws(WriteError) -> Ref {
        let total = blocks.size(of: count)
        // A leaf without values has width 0.
        return try nodes.node(.multiply, width: total == 0 ? 0 : 1, count: total, payloadSize: total) { payload in
            for block in stride(from: 0, to: count, by: 8) {
                let last = min(block + 8, count)
                var bits: UInt8 = 0
                if nullCount > 0 {
                    for index in block..<last where nulls[index] { bits |= blocks.nullBit(of: index) }
                }
                payload.store(bits, at: blocks.nullByte(of: block))
                payload.copy(bytes.view((block * blocks.width)..<(last * blocks.width)), to: blocks.offset(of: block))
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
    /// Writes decimals in the narrowest width that holds all of them (Spec 30).
    private func decimals() throws(WriteError) -> Ref {
        var width = 0
        for index in 0..<count where !nulls[index] {
            width = max(width, decimal(index).narrowestWidth)
            if width == 16 { break }
        }
        switch width {
        case 4:
            return try decimals(of: 4) { payload, index in
                payload.store(StoredDecimal.bits32(nulls[index] ? nil : decimal(index)), at: index &* 4)
            }
        case 8:
            return try decimals(of: 8) { payload, index in
                payload.store(StoredDecimal.bits64(nulls[index] ? nil : decimal(index)), at: index &* 8)
            }
        case 16:
            return try decimals(of: 16) { payload, index in
                let bits = nulls[index] ? .nullPattern : decimal(index)
                payload.store(bits.low, at: index &* 16)
                payload.store(bits.high, at: index &* 16 &+ 8)
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
