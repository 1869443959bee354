internal import RealmLayout

/// A string or binary of an older format.
enum LegacyBytes {
    case null
    /// Bytes without a terminating zero.
    case bytes(ByteView)
    /// A node in the file that can stay in place: with the terminating zero, if it is a string.
    case node(Ref)
}

extension OverlayWriter {
    /// Appends a node with the bytes of all parts, each followed by a zero if they are strings.
    func blob(_ parts: [ByteView], terminated: Bool = false) throws(FormatError) -> Ref {
        let count = parts.reduce(terminated ? parts.count : 0) { $0 + $1.count }
        return try node(.ignore, width: 1, count: count, payloadSize: count) { payload in
            var end = 0
            for part in parts {
                payload.copy(part, to: end)
                // The zero is already there, since the payload is zero-initialised.
                end += part.count + (terminated ? 1 : 0)
            }
        }
    }

    /// Appends a leaf of strings.
    ///
    /// - Parameter isLegacy: whether flags of medium strings mean "not null", as before format 10, or "null".
    func strings(_ values: [LegacyBytes], isLegacy: Bool) throws(FormatError) -> Ref {
        guard let longest = Self.longest(values) else { return try big(values, terminated: true) }
        switch BytesForm.ofStrings(longest: longest) {
        case .big: return try big(values, terminated: true)
        case .medium: return try medium(values, terminated: true, isLegacy: isLegacy)
        case .short: return try shortStrings(values, longest: longest)
        }
    }

    /// Appends a leaf of binaries.
    func binaries(_ values: [LegacyBytes]) throws(FormatError) -> Ref {
        guard let longest = Self.longest(values), BytesForm.ofBinaries(longest: longest) == .medium else {
            return try big(values, terminated: false)
        }
        return try medium(values, terminated: false, isLegacy: false)
    }

    /// The length of the longest value; nil when one of them must stay in place.
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

    private func shortStrings(_ values: [LegacyBytes], longest: Int) throws(FormatError) -> Ref {
        let width = ShortString.width(forLongest: longest)
        return try node(.multiply, width: width, count: values.count, payloadSize: values.count * width) { payload in
            for (index, value) in values.enumerated() {
                var length = ShortString.nullLength
                if case .bytes(let bytes) = value {
                    payload.copy(bytes, to: index * width)
                    length = bytes.count
                }
                payload.store(ShortString.lastByte(length: length, width: width), at: (index + 1) * width - 1)
            }
        }
    }

    private func medium(
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

    private func big(_ values: [LegacyBytes], terminated: Bool) throws(FormatError) -> Ref {
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
