internal import RealmLayout

// Interrupted upgrades to format 10 and up: some tables are converted to clusters, some are not, and some lack only
// their links (Spec 120).
extension LegacyTables {
    /// The column that an upgrade adds when object keys differ from row numbers.
    static let rowIndexColumn = "!ROW_INDEX"

    /// Records the keys of a table's objects by row, if an upgrade has changed them.
    ///
    /// - Throws: errors from reading clusters, `wrongCount` when objects cannot be matched to rows.
    mutating func noteRowKeys(of table: TableLayout, slot: Int) throws(FormatError) {
        guard let column = table.columns.first(where: { $0.name == Self.rowIndexColumn && $0.type == .int }) else {
            return
        }
        let tree = ClusterTree(root: table.clusterTree, in: space)
        // Some releases gave the column the key of another one; in clusters it is always the last.
        let last = ColumnIndex(try tree.firstCluster().map { $0.slots.columnCount - 1 } ?? 0)
        for index in Set([column.index, last]).inOrder() {
            if let keys = try rowKeys(in: tree, column: index) {
                rowKeys[slot] = keys
                return
            }
        }
        throw FormatError(.wrongCount, at: table.clusterTree.offset, "the objects do not tell which rows they were")
    }

    /// Returns the object keys ordered by the numbers in a column; nil unless these are 0, 1, 2, …, each once.
    private mutating func rowKeys(in tree: ClusterTree, column index: ColumnIndex) throws(FormatError) -> [Int64]? {
        let type = LeafType.int(nullable: false)
        let column = Column(index: index, leafType: type, elementType: type, distinct: nil, target: nil)
        var cursor = ClusterCursor(tree)
        var keys: [Int64: Int64] = [:]
        var count = 0
        while let cluster = try cursor.next() {
            let leaf = try cluster.leaf(of: column, in: space)
            try budget.spend(cluster.count, at: cluster.ref)
            for row in 0..<cluster.count { keys[leaf.int(at: row)] = cluster.key(unchecked: row).value }
            count += cluster.count
        }
        var rowKeys: [Int64] = []
        for row in 0..<count {
            guard let key = keys[Int64(row)] else { return nil }
            rowKeys.append(key)
        }
        return rowKeys
    }

    /// Completes the clusters of a table whose links have not been moved yet.
    ///
    /// - Returns: the table, with clusters that include the links.
    /// - Throws: errors from reading columns and clusters.
    mutating func complete(
        _ table: TableLayout, slot: Int, _ spec: LegacySpec, columns: Ref
    ) throws(FormatError) -> TableLayout {
        let roots = try space.node(at: columns).refs()
        guard roots.count == spec.columns.count else {
            throw FormatError(.badTable, at: columns.offset, "\(roots.count) roots of \(spec.columns.count) columns")
        }
        var leaves: [(column: ColumnIndex, isList: Bool, values: [Int64])] = []
        for (position, column) in spec.columns.enumerated() {
            guard case .ref(let root) = Slot(roots[unchecked: position]), column.type != .backLink else {
                continue
            }
            if let problem = column.problem { throw problem.at(property: column.name) }
            guard [.link, .linkList].contains(column.type), let index = column.key?.index else {
                throw FormatError(.badTable, at: root.offset, "a column of values is half moved")
                    .at(property: column.name)
            }
            let source = try LegacySource(column, root: root, in: space, &budget)
            let keys = column.table.flatMap { rowKeys[$0] }
            let rows = 0..<source.count
            let isList = column.type == .linkList
            let values = isList ? try linkLists(rows, source, keys) : try links(rows, source, keys)
            leaves.append((index, isList, values))
        }
        let rows = rowKeys[slot].map { keys in
            Dictionary(keys.enumerated().map { ($0.element, Int64($0.offset)) }) { first, _ in first }
        }
        var table = table
        table.clusterTree = try writer.clusters(of: ClusterTree(root: table.clusterTree, in: space)) {
            cluster throws(FormatError) in
            var written: [(column: ColumnIndex, leaf: Ref)] = []
            for (index, isList, values) in leaves {
                var leaf: [Int64] = []
                for row in 0..<cluster.count {
                    let key = cluster.key(unchecked: row)
                    let number = rows.map { $0[key.value] ?? -1 } ?? key.value
                    guard let value = Int(exactly: number).flatMap({ values[safe: $0] }) else {
                        throw FormatError(.wrongCount, at: cluster.ref.offset, "there is no row of the object \(key)")
                    }
                    leaf.append(value)
                }
                written.append((index, try isList ? writer.refs(leaf) : writer.integers(leaf)))
            }
            return written
        }
        return table
    }

    /// Returns the links of a column as object keys plus one.
    mutating func links(
        _ rows: Range<Int>, _ source: LegacySource, _ keys: [Int64]?
    ) throws(FormatError) -> [Int64] {
        var links = try integers(rows, source.trees[0])
        guard let keys else { return links }
        for index in links.indices where links[index] != 0 {
            links[index] = try Self.key(of: links[index] &- 1, keys) &+ 1
        }
        return links
    }

    /// Returns the roots of the lists in a column of link lists.
    mutating func linkLists(
        _ rows: Range<Int>, _ source: LegacySource, _ keys: [Int64]?
    ) throws(FormatError) -> [Int64] {
        var roots = try integers(rows, source.trees[0])
        guard let keys else { return roots }
        for index in roots.indices {
            guard case .ref(let root) = Slot(roots[index]) else { continue }
            let list = try LegacyTree(root: root, as: .link(biased: false), in: space, &budget)
            let written = try writer.tree(of: 0..<list.count) { rows throws(FormatError) in
                var links = try integers(rows, list)
                for link in links.indices { links[link] = try Self.key(of: links[link], keys) }
                return try writer.integers(links)
            }
            roots[index] = Int64(written?.offset ?? 0)
        }
        return roots
    }

    private static func key(of row: Int64, _ keys: [Int64]) throws(FormatError) -> Int64 {
        guard let key = Int(exactly: row).flatMap({ keys[safe: $0] }) else {
            throw FormatError(.badLink, "a link leads to the row \(row), which does not exist")
        }
        return key
    }
}
