internal import RealmLayout

/// A string or binary of an older format.
enum LegacyBytes {
    case null
    /// Bytes without a terminating zero.
    case bytes(ByteView)
    /// A node in the file that can stay where it is: with the terminating zero, if it is a string.
    case node(Ref)
}

extension OverlayWriter {
    /// Appends a node of plain bytes.
    mutating func blob(_ parts: [ByteView], terminated: Bool = false) throws(FormatError) -> Ref {
        let count = parts.reduce(terminated ? parts.count : 0) { $0 + $1.count }
        let ref = try begin(0, .ignore, width: 1, count: count, words: (count + 7) / 8)
        var packer = BytePacker()
        for part in parts {
            pack(part, &packer)
            if terminated { pack(0, &packer) }
        }
        if packer.shift > 0 { append(packer.word) }
        return ref
    }

    /// Bytes that are not a whole word yet.
    private struct BytePacker {
        var word: UInt64 = 0
        var shift: UInt64 = 0
    }

    private mutating func pack(_ byte: UInt8, _ packer: inout BytePacker) {
        packer.word |= UInt64(byte) << packer.shift
        packer.shift += 8
        if packer.shift == 64 {
            append(packer.word)
            packer = BytePacker()
        }
    }

    private mutating func pack(_ bytes: ByteView, _ packer: inout BytePacker) {
        var offset = 0
        if packer.shift == 0 {
            while offset + 8 <= bytes.count {
                append(bytes.uint64(unchecked: offset))
                offset += 8
            }
        }
        while offset < bytes.count {
            pack(bytes.byte(unchecked: offset), &packer)
            offset += 1
        }
    }

    /// Appends a leaf of strings.
    ///
    /// - Parameter isLegacy: whether flags of medium strings say "not null", as before format 10, or "null".
    mutating func strings(_ values: [LegacyBytes], isLegacy: Bool) throws(FormatError) -> Ref {
        guard let longest = Self.longest(values) else { return try big(values, terminated: true) }
        switch BytesForm.ofStrings(longest: longest) {
        case .big: return try big(values, terminated: true)
        case .medium: return try medium(values, terminated: true, isLegacy: isLegacy)
        case .short: return try shortStrings(values, longest: longest)
        }
    }

    /// Appends a leaf of binaries.
    mutating func binaries(_ values: [LegacyBytes]) throws(FormatError) -> Ref {
        guard let longest = Self.longest(values), BytesForm.ofBinaries(longest: longest) == .medium else {
            return try big(values, terminated: false)
        }
        return try medium(values, terminated: false, isLegacy: false)
    }

    /// The length of the longest value; nil when there is one that has to stay where it is.
    private static func longest(_ values: [LegacyBytes]) -> Int? {
        var longest = 0
        for value in values {
            switch value {
            case .null: continue
            case .bytes(let bytes): longest = max(longest, bytes.count)
            case .node: return nil
            }
        }
        return longest
    }

    private mutating func shortStrings(_ values: [LegacyBytes], longest: Int) throws(FormatError) -> Ref {
        let width = ShortString.width(forLongest: longest)
        let words = (values.count * width + 7) / 8
        let ref = try begin(0, .multiply, width: width, count: values.count, words: words)
        var packer = BytePacker()
        for value in values {
            if case .bytes(let bytes) = value {
                pack(bytes, &packer)
                for _ in bytes.count..<(width - 1) { pack(0, &packer) }
                pack(ShortString.lastByte(length: bytes.count, width: width), &packer)
            } else {
                for _ in 1..<width { pack(0, &packer) }
                pack(ShortString.lastByte(length: ShortString.nullLength, width: width), &packer)
            }
        }
        if packer.shift > 0 { append(packer.word) }
        return ref
    }

    private mutating func medium(
        _ values: [LegacyBytes], terminated: Bool, isLegacy: Bool
    ) throws(FormatError) -> Ref {
        var parts: [ByteView] = []
        var ends: [Int64] = []
        var flags: [Int64] = []
        let (value, null) = (MediumValues.valueFlag, MediumValues.nullFlag)
        let (valueFlag, nullFlag) = isLegacy ? (null, value) : (value, null)
        for value in values {
            var part = ByteView.empty
            if case .bytes(let bytes) = value { part = bytes }
            parts.append(part)
            ends.append((ends.last ?? 0) + Int64(part.count) + (terminated ? 1 : 0))
            if case .null = value { flags.append(nullFlag) } else { flags.append(valueFlag) }
        }
        let slots = [try integers(ends), try blob(parts, terminated: terminated), try integers(flags)]
        return try refs(slots.map { Int64($0.offset) })
    }

    private mutating func big(_ values: [LegacyBytes], terminated: Bool) throws(FormatError) -> Ref {
        var slots: [Int64] = []
        for value in values {
            switch value {
            case .null: slots.append(0)
            case .bytes(let bytes): slots.append(Int64(try blob([bytes], terminated: terminated).offset))
            case .node(let ref): slots.append(Int64(ref.offset))
            }
        }
        return try integers(slots, flags: NodeHeader.Mask.hasRefs | NodeHeader.Mask.context)
    }
}
