internal import RealmLayout

/// A Mixed value to be written.
enum LegacyMixedValue {
    case value(MixedValue)
    /// A string or binary. Strings that are nodes of the file stay in place.
    case bytes(LegacyBytes, ColumnType)
}

extension OverlayWriter {
    /// Appends a leaf of Mixed values, in the form of format 24 (Spec 30).
    func mixed(_ values: [LegacyMixedValue]) throws(FormatError) -> Ref {
        var leaf = OverlayPayloads()
        for value in values { leaf.append(value) }
        var record = RecordBuilder<MixedSlot>()
        record[.composites] = .ref(try integers(leaf.composites))
        if !leaf.integers.isEmpty { record[.integers] = .ref(try integers(leaf.integers)) }
        if !leaf.pairs.isEmpty { record[.pairs] = .ref(try integers(leaf.pairs)) }
        if !leaf.strings.isEmpty { record[.strings] = .ref(try strings(leaf.strings, isLegacy: false)) }
        if !leaf.collections.isEmpty { record[.collections] = .ref(try refs(leaf.collections)) }
        return try refs(record.elements)
    }
}

/// The contents of the slots of a Mixed leaf.
private struct OverlayPayloads {
    var composites: [Int64] = []
    var integers: [Int64] = []
    var pairs: [Int64] = []
    var strings: [LegacyBytes] = []
    var collections: [Int64] = []

    mutating func append(_ value: LegacyMixedValue) {
        switch value {
        case .bytes(let bytes, let type):
            add(type, .strings, Int64(strings.count))
            strings.append(bytes)
        case .value(let value):
            append(value)
        }
    }

    private mutating func append(_ value: MixedValue) {
        switch value {
        case .null: composites.append(0)
        case .int(let number):
            if MixedComposite.isInline(number) { add(.int, .composites, number) } else { add(.int, integer: number) }
        case .bool(let value): add(.bool, .composites, value ? 1 : 0)
        case .float(let bits): add(.float, integer: Int64(bits))
        case .double(let bits): add(.double, integer: Int64(bitPattern: bits))
        case .timestamp(let time):
            let pair = MixedPair(time)
            add(.timestamp, .pairs, Int64(pairs.count / 2))
            pairs += [pair.first, pair.second]
        case .list(let root): add(.list, root)
        case .dictionary(let root): add(.dictionary, root)
        case .string(let bytes): append(.bytes(.bytes(bytes), .string))
        case .binary(let bytes): append(.bytes(.bytes(bytes), .binary))
        case .decimal128, .objectId, .uuid, .link:
            // No format before 10 has these.
            composites.append(0)
        }
    }

    private mutating func add(_ type: ColumnType, integer: Int64) {
        add(type, .integers, Int64(integers.count))
        integers.append(integer)
    }

    private mutating func add(_ type: ColumnType, _ root: Ref?) {
        add(type, .collections, Int64(collections.count))
        collections.append(Int64(root?.offset ?? 0))
    }

    private mutating func add(_ type: ColumnType, _ slot: MixedSlot, _ payload: Int64) {
        composites.append(MixedComposite(type, slot, payload).element)
    }
}
