internal import RealmLayout

// Values of rows, for data that must be rewritten.
extension LegacyTables {
    /// Returns elements as stored: numbers, refs, object keys plus one; floats and doubles as bits.
    mutating func integers(_ rows: Range<Int>, _ tree: LegacyTree) throws(FormatError) -> [Int64] {
        var values: [Int64] = []
        try tree.read(rows, in: space, &budget) { leaf, range throws(FormatError) in
            for index in range {
                switch leaf.encoding {
                case .floats: values.append(Int64(leaf.storedFloatBits(at: index)))
                case .doubles: values.append(Int64(bitPattern: leaf.storedDoubleBits(at: index)))
                default: values.append(leaf.rawElement(at: index))
                }
            }
        }
        return values
    }

    /// Returns the integers of leaves that begin with a null sentinel.
    mutating func nullableIntegers(_ rows: Range<Int>, _ tree: LegacyTree) throws(FormatError) -> [Int64?] {
        var values: [Int64?] = []
        try tree.read(rows, in: space, &budget) { leaf, range throws(FormatError) in
            for index in range { values.append(leaf.nullableInt(at: index)) }
        }
        return values
    }

    /// Returns strings or binaries. Long ones stay in place in the file.
    mutating func bytes(_ rows: Range<Int>, _ tree: LegacyTree) throws(FormatError) -> [LegacyBytes] {
        var values: [LegacyBytes] = []
        let space = space
        try tree.read(rows, in: space, &budget) { leaf, range throws(FormatError) in
            for index in range { values.append(try leaf.legacyBytes(at: index, in: space)) }
        }
        return values
    }

    /// Returns the strings for the indexes of an enumerated column.
    mutating func enumerated(_ rows: Range<Int>, _ source: LegacySource) throws(FormatError) -> [LegacyBytes] {
        guard let root = source.column.distinct else {
            throw FormatError(.badSpec, "an enumerated column has no distinct strings")
        }
        let type = LeafType.legacyString(nullable: source.column.isNullable)
        let distinct = try LegacyTree(root: root, as: type, in: space, &budget)
        var values: [LegacyBytes] = []
        for number in try integers(rows, source.trees[0]) {
            guard number >= 0, number < distinct.count else {
                throw FormatError(.badLeaf, at: root.offset, "no such distinct string: \(number)")
            }
            let index = Int(number)
            values += try bytes(index..<(index + 1), distinct)
        }
        return values
    }
}

extension ColumnLeaf {
    /// The bits of a Float, including the null pattern.
    fileprivate func storedFloatBits(at index: Int) -> UInt32 { bytes.uint32(unchecked: index * 4) }

    /// The bits of a Double, including the null pattern.
    fileprivate func storedDoubleBits(at index: Int) -> UInt64 { bytes.uint64(unchecked: index * 8) }

    /// Returns a string or binary of an older format.
    func legacyBytes(at index: Int, in space: NodeSpace) throws(FormatError) -> LegacyBytes {
        switch encoding {
        case .bigStrings, .bigBinaries:
            guard case .ref(let ref) = Slot(rawElement(at: index)) else {
                if rawElement(at: index) == 0 { return nullIsEmpty ? .bytes(.empty) : .null }
                throw bad(index, "a number where the ref of a blob should be")
            }
            return .node(ref)
        case .mediumBinaries:
            return try binary(at: index, in: space).map { .bytes($0.view) } ?? .null
        default:
            return try string(at: index, in: space).map { .bytes($0) } ?? .null
        }
    }
}
