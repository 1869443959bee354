package import RealmLayout

/// Finds objects of a table by position, without a search if they are in the same cluster as the last one.
package struct PositionLookup {
    private let table: Table
    /// The most recently found cluster, and the position of its first object.
    private var last: (home: OpenedCluster, first: Int)?

    /// - Parameter table: the table of the objects.
    package init(_ table: Table) { self.table = table }

    /// Returns the object at a position; nil when there is none.
    ///
    /// - Throws: `FormatError` when the objects' tree is damaged.
    package mutating func object(at position: Int) throws(FormatError) -> StoredObject? {
        guard position >= 0 else { return nil }
        do throws(FormatError) {
            return try table.snapshot.reading { () throws(FormatError) in
                if let (home, first) = last, position >= first, position - first < home.cluster.count {
                    return try home.object(inRow: position - first)
                }
                guard let (cluster, row) = try table.tree.find(position: position) else { return nil }
                let home = OpenedCluster(table, cluster)
                last = (home, position - row)
                return try home.object(inRow: row)
            }
        } catch {
            throw error.at(table: table.schema.tableName)
        }
    }
}
