internal import RealmLayout

// Values of old Mixed columns. A table in a Mixed becomes a list of dictionaries, one per row, keyed by column name.
extension LegacyTables {
    /// Returns the values of an old Mixed column.
    ///
    /// - Parameter depth: the number of enclosing tables.
    mutating func mixedValues(
        _ rows: Range<Int>, _ source: LegacySource, depth: Int
    ) throws(FormatError) -> [LegacyMixedValue] {
        let types = try integers(rows, source.trees[0])
        let data = try integers(rows, source.trees[1])
        var values: [LegacyMixedValue] = []
        values.reserveCapacity(rows.count)
        for (type, element) in zip(types, data) {
            values.append(try mixedValue(type, element, source.trees, depth: depth))
        }
        return values
    }

    private mutating func mixedValue(
        _ type: Int64, _ element: Int64, _ trees: [LegacyTree], depth: Int
    ) throws(FormatError) -> LegacyMixedValue {
        let number = UInt64(bitPattern: element) >> 1
        // The highest bit comes from the type, since the lowest bit of the data marks a number.
        let highestBit: UInt64 = 1 << 63
        switch LegacyMixedType(rawValue: Int(truncatingIfNeeded: type)) {
        case .negativeInt: return .value(.int(Int64(bitPattern: number | highestBit)))
        case .negativeDouble: return .value(.double(bits: number | highestBit))
        case .int: return .value(.int(Int64(bitPattern: number)))
        case .bool: return .value(.bool(number != 0))
        case .float: return .value(.float(bits: UInt32(truncatingIfNeeded: number)))
        case .double: return .value(.double(bits: number))
        case .oldDateTime:
            let time = oldDate(Int64(bitPattern: number))
            return .value(time.map { .timestamp($0) } ?? .null)
        case .string: return .bytes(try mixedString(number, trees), .string)
        case .binary: return .bytes(try mixedBytes(number, trees), .binary)
        case .timestamp: return .value(try mixedTimestamp(number, trees))
        case .subtable:
            guard element != 0 else { return .value(.list(nil)) }
            guard case .ref(let ref) = Slot(element) else {
                throw FormatError(.badLeaf, "a number where the ref of a table should be")
            }
            return .value(.list(try table(at: ref, depth: depth + 1)))
        case nil:
            throw FormatError(.badLeaf, at: trees[0].pieces.first?.ref.offset, "an old Mixed of the type \(type)")
        }
    }

    /// Returns an element of the binaries of an old Mixed column.
    private mutating func payload(_ number: UInt64, _ trees: [LegacyTree]) throws(FormatError) -> LegacyBytes {
        guard trees.count > 2, number < UInt64(trees[2].count) else {
            throw FormatError(.badLeaf, at: trees[0].pieces.first?.ref.offset, "no such binary: \(number)")
        }
        let index = Int(number)
        let value = try bytes(index..<(index + 1), trees[2])[0]
        // An intact file stores each value once.
        if case .bytes(let bytes) = value { try budget.spend(bytes: bytes.count, at: trees[2].pieces[0].ref) }
        return value
    }

    private mutating func mixedBytes(
        _ number: UInt64, _ trees: [LegacyTree]
    ) throws(FormatError) -> LegacyBytes {
        let value = try payload(number, trees)
        guard case .node(let ref) = value else { return value }
        return try unterminated(ref)
    }

    /// Returns the bytes of a binary's node. They cannot stay in place, since binaries of the current Mixed have a
    /// terminating zero. A split binary is returned as a node, since Mixed cannot represent it.
    mutating func unterminated(_ ref: Ref) throws(FormatError) -> LegacyBytes {
        let node = try space.node(at: ref)
        guard !node.header.isContext else { return .node(ref) }
        guard node.isBlob else { throw node.unexpected("a blob") }
        try budget.spend(bytes: node.count, at: ref)
        return .bytes(node.payload)
    }

    /// Returns a string, stored as a binary with a terminating zero.
    private mutating func mixedString(
        _ number: UInt64, _ trees: [LegacyTree]
    ) throws(FormatError) -> LegacyBytes {
        let value = try payload(number, trees)
        guard case .bytes(let bytes) = value else { return value }
        return .bytes(bytes.slice(unchecked: 0, count: max(0, bytes.count - 1)))
    }

    private mutating func mixedTimestamp(
        _ number: UInt64, _ trees: [LegacyTree]
    ) throws(FormatError) -> MixedValue {
        guard trees.count > 4, number < UInt64(trees[3].count) else {
            throw FormatError(.badLeaf, at: trees[0].pieces.first?.ref.offset, "no such timestamp: \(number)")
        }
        let index = Int(number)
        let seconds = try nullableIntegers(index..<(index + 1), trees[3])
        let nanoseconds = try integers(index..<(index + 1), trees[4])
        return try Self.mixedTimestamp(seconds[0], nanoseconds[0])
    }

    static func mixedTimestamp(_ seconds: Int64?, _ nanoseconds: Int64) throws(FormatError) -> MixedValue {
        guard let seconds else { return .null }
        guard let time = Timestamp(seconds: seconds, nanoseconds: nanoseconds) else {
            throw FormatError(.badLeaf, "nanoseconds out of range")
        }
        return .timestamp(time)
    }
}
