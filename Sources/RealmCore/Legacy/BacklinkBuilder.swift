internal import RealmLayout

/// Rebuilds the backlink columns from the links.
///
/// An interrupted upgrade leaves them in several states: in columns, in clusters, half written, or with keys of other
/// columns.
struct BacklinkBuilder {
    private let space: NodeSpace
    private var budget: WorkBudget

    /// - Parameter space: the file with an overlay that is complete except for the backlink columns.
    init(_ space: NodeSpace) {
        self.space = space
        budget = WorkBudget(for: space, passes: 4)
    }

    /// Replaces the backlink columns of all tables, in the order of their origin tables and columns.
    ///
    /// - Throws: errors from reading links, `sharedNodes` when there is too much to write.
    mutating func replaceAll(of tables: inout ByTable<TableLayout>, _ writer: OverlayWriter) throws(FormatError) {
        for index in tables.indices { tables[index].columns.removeAll { $0.type == .backLink } }
        let resolver = TableResolver(tables)
        // Errors in other columns are reported by the final resolution.
        var ignored: [FormatError] = []
        let cores = tables.mapped { resolver.core(of: $0, in: space, &ignored) }
        for target in tables.indices {
            var columns: [ColumnLayout] = []
            var origins: [[Int64: [Int64]]] = []
            var index = tables[target].columns.map(\.index).max()?.next ?? ColumnIndex(0)
            for (origin, core) in cores.indexed {
                for (property, column) in zip(core.schema.properties, core.columns) where column.target == target {
                    let source = (tables[origin].key, property.columnKey)
                    columns.append(LegacyTables.backlinks(index, from: source, in: tables[target].key))
                    origins.append(try links(of: core, column))
                    index = index.next
                }
            }
            guard !columns.isEmpty else { continue }
            tables[target].columns += columns
            tables[target].clusterTree = try writer.clusters(of: cores[target].objects) {
                cluster throws(FormatError) in
                try Self.leaves(of: cluster, columns, origins, writer)
            }
        }
    }

    /// The origins of links by target key, one entry per link.
    private mutating func links(of table: TableDescription, _ column: Column) throws(FormatError) -> [Int64: [Int64]] {
        var origins: [Int64: [Int64]] = [:]
        var cursor = ClusterCursor(table.objects)
        while let cluster = try cursor.next() {
            let leaf = try cluster.leaf(of: column, in: space)
            try budget.spend(cluster.count, at: cluster.ref)
            for row in 0..<cluster.count {
                let origin = cluster.key(unchecked: row).value
                if leaf.encoding == .links {
                    if let target = leaf.link(at: row) { origins[target.value, default: []].append(origin) }
                } else if let root = try leaf.collection(at: row) {
                    for list in try BPlusTree(root: root, of: column.elementType, in: space).leaves(&budget) {
                        for index in 0..<list.count { origins[list.int(at: index), default: []].append(origin) }
                    }
                }
            }
        }
        return origins
    }

    /// Writes the backlink leaves of a cluster.
    private static func leaves(
        of cluster: Cluster, _ columns: [ColumnLayout], _ origins: [[Int64: [Int64]]],
        _ writer: OverlayWriter
    ) throws(FormatError) -> [(column: ColumnIndex, leaf: Ref)] {
        var leaves: [(column: ColumnIndex, leaf: Ref)] = []
        for (column, origins) in zip(columns, origins) {
            var leaf: [Int64] = []
            for row in 0..<cluster.count {
                leaf.append(try backlinks(origins[cluster.key(unchecked: row).value] ?? [], writer))
            }
            leaves.append((column.index, try writer.refs(leaf)))
        }
        return leaves
    }

    private static func backlinks(_ origins: [Int64], _ writer: OverlayWriter) throws(FormatError) -> Int64 {
        if origins.isEmpty { return 0 }
        if origins.count == 1, origins[0] >= 0 { return origins[0] << 1 | 1 }
        let root = try writer.tree(of: origins.indices) { part throws(FormatError) in try writer.integers(origins[part])
        }
        return Int64(root?.offset ?? 0)
    }
}
