internal import RealmLayout

// The leaf of a column for the rows of a cluster.
extension LegacyTables {
    /// Returns the leaf with exactly these rows of a column of the table at `position`; uses the leaf in the file if
    /// possible.
    ///
    /// - Throws: errors from reading leaves, `sharedNodes` when there is too much to write.
    mutating func leaf(
        _ rows: Range<Int>, _ source: LegacySource, _ index: Int, of position: Int
    ) throws(FormatError) -> Ref {
        if let child = tables[position].children[index] {
            return try subtables(rows, source, firstOwner: tables[position].rowCount + rows.lowerBound, in: child)
        }
        return try plainLeaf(rows, source)
    }

    /// Returns the leaf for columns other than subtables with several columns.
    @inline(never)
    private mutating func plainLeaf(_ rows: Range<Int>, _ source: LegacySource) throws(FormatError) -> Ref {
        switch source.column.type {
        case .subtable:
            guard let element = source.column.listElement else {
                throw FormatError(.badSpec, "the subtables have no columns")
            }
            return try lists(integers(rows, source.trees[0]), of: element)
        case .link:
            guard let keys = source.column.table.flatMap({ rowKeys[$0] }) else { return try valueLeaf(rows, source) }
            return try writer.integers(links(rows, source, keys))
        case .linkList:
            guard let keys = source.column.table.flatMap({ rowKeys[$0] }) else { return try valueLeaf(rows, source) }
            return try writer.refs(linkLists(rows, source, keys))
        default:
            return try valueLeaf(rows, source)
        }
    }

    /// Returns the leaf for values, of a table or of a list.
    private mutating func valueLeaf(_ rows: Range<Int>, _ source: LegacySource) throws(FormatError) -> Ref {
        switch source.column.type {
        case .bool where source.column.isNullable:
            let values = try nullableIntegers(rows, source.trees[0])
            return try writer.integers(values.map { NullPattern.element($0.map { $0 != 0 }) })
        case .timestamp:
            let seconds = try storedLeaf(rows, source.trees[0])
            let nanoseconds = try storedLeaf(rows, source.trees[1])
            return try writer.refs([Int64(seconds.offset), Int64(nanoseconds.offset)])
        case .oldDateTime where hasMillisecondDates:
            let numbers =
                source.column.isNullable
                ? try nullableIntegers(rows, source.trees[0])
                : try integers(rows, source.trees[0]).map { Optional($0) }
            let times = numbers.map { $0.map(Self.secondsAndNanoseconds) }
            let seconds = try writer.nullableIntegers(times.map { $0?.seconds })
            let nanoseconds = try writer.integers(times.map { $0?.nanoseconds ?? 0 })
            return try writer.refs([Int64(seconds.offset), Int64(nanoseconds.offset)])
        case .oldDateTime:
            let seconds =
                source.column.isNullable
                ? try storedLeaf(rows, source.trees[0])
                : try writer.nullableIntegers(integers(rows, source.trees[0]).map { Optional($0) })
            let nanoseconds = try writer.integers(Array(repeating: 0, count: rows.count))
            return try writer.refs([Int64(seconds.offset), Int64(nanoseconds.offset)])
        case .mixed:
            return try writer.mixed(mixedValues(rows, source, depth: 1))
        default:
            return try storedLeaf(rows, source.trees[0])
        }
    }

    /// Splits a time in milliseconds. Both parts have its sign, as in all timestamps.
    static func secondsAndNanoseconds(_ milliseconds: Int64) -> (seconds: Int64, nanoseconds: Int64) {
        (milliseconds / 1000, milliseconds % 1000 * 1_000_000)
    }

    /// A date of an old Mixed.
    func oldDate(_ number: Int64) -> Timestamp? {
        guard hasMillisecondDates else { return Timestamp(seconds: number, nanoseconds: 0) }
        let time = Self.secondsAndNanoseconds(number)
        return Timestamp(seconds: time.seconds, nanoseconds: Int64(time.nanoseconds))
    }

    /// Returns the leaf in the file with exactly these rows, or a copy of the rows in the same form.
    private mutating func storedLeaf(_ rows: Range<Int>, _ tree: LegacyTree) throws(FormatError) -> Ref {
        if let leaf = tree.leaf(of: rows) { return leaf }
        switch tree.type {
        case .int(nullable: true): return try writer.nullableIntegers(nullableIntegers(rows, tree))
        case .float: return try writer.bits(integers(rows, tree), bytes: 4)
        case .double: return try writer.bits(integers(rows, tree), bytes: 8)
        case .legacyString: return try writer.strings(bytes(rows, tree), isLegacy: true)
        case .legacyBinary: return try writer.binaries(bytes(rows, tree))
        case .collections, .backlinks: return try writer.refs(integers(rows, tree))
        default: return try writer.integers(integers(rows, tree))
        }
    }

    /// Returns the leaf of distinct strings of an enumerated column, which must be a single leaf.
    mutating func distinctStrings(_ root: Ref, _ column: LegacySpec.Column) throws(FormatError) -> Ref {
        let type = LeafType.legacyString(nullable: column.isNullable)
        let tree = try LegacyTree(root: root, as: type, in: space, &budget)
        if let leaf = tree.leaf(of: 0..<tree.count) { return leaf }
        return try writer.strings(bytes(0..<tree.count, tree), isLegacy: true)
    }
}

// Subtables.
extension LegacyTables {
    /// Makes a leaf of lists of values from the cells of a column of single-column subtables.
    private mutating func lists(
        _ cells: [Int64], of element: LegacySpec.Column
    ) throws(FormatError) -> Ref {
        var roots: [Int64] = []
        for cell in cells {
            guard cell != 0 else {
                roots.append(0)
                continue
            }
            roots.append(Int64(try list(Self.subtable(cell), of: element)?.offset ?? 0))
        }
        return try writer.refs(roots)
    }

    /// Returns the B+tree of a list of values, in the file or rewritten; nil for an empty list.
    mutating func list(_ columns: Ref, of element: LegacySpec.Column) throws(FormatError) -> Ref? {
        let record = try Record<LegacyListSlot>(at: columns, in: space)
        try budget.spend(record.node, elements: record.slots.count)
        guard record.slots.count == (element.isIndexed ? 2 : 1) else {
            throw record.node.wrongCount("columns of a list", record.slots.count, element.isIndexed ? 2 : 1)
        }
        let root = try record.requiredRef(.values)
        switch element.type {
        case .bool where element.isNullable: break
        case .timestamp, .oldDateTime, .mixed, .enumeratedString: break
        default: return root
        }
        let source = try LegacySource(element, root: root, in: space, &budget)
        // Two parallel leaves already form a leaf of timestamps.
        if element.type == .timestamp, source.trees.allSatisfy(\.isLeaf) { return root }
        if element.type == .enumeratedString { return try strings(source) }
        return try writer.tree(of: 0..<source.count) { rows throws(FormatError) in try valueLeaf(rows, source) }
    }

    /// Writes the strings for the indexes of an enumerated column.
    private mutating func strings(_ source: LegacySource) throws(FormatError) -> Ref? {
        try writer.tree(of: 0..<source.count) { rows throws(FormatError) in
            try writer.strings(enumerated(rows, source), isLegacy: true)
        }
    }

    /// Makes a leaf of lists of embedded objects; appends the rows of the cells to the table of these objects.
    private mutating func subtables(
        _ rows: Range<Int>, _ source: LegacySource, firstOwner: Int, in child: Int
    ) throws(FormatError) -> Ref {
        var cells = try integers(rows, source.trees[0])
        for offset in cells.indices where cells[offset] != 0 {
            let first = tables[child].rowCount
            try append(Self.subtable(cells[offset]), to: child, owner: firstOwner + offset)
            cells[offset] = Int64(try keys(first..<tables[child].rowCount)?.offset ?? 0)
        }
        return try writer.refs(cells)
    }

    private static func subtable(_ cell: Int64) throws(FormatError) -> Ref {
        guard case .ref(let ref) = Slot(cell) else {
            throw FormatError(.badLeaf, "a number where the ref of a subtable should be")
        }
        return ref
    }

    /// Writes a list of object keys; nil for an empty one.
    private mutating func keys(_ keys: Range<Int>) throws(FormatError) -> Ref? {
        try writer.tree(of: keys) { part throws(FormatError) in try writer.integers(part.map { Int64($0) }) }
    }
}
