public import RealmCore
public import RealmLayout

extension Snapshot {
    /// Returns the changes in this snapshot since an earlier one of the same store.
    ///
    /// Only nodes that commits have rewritten are visited: the time is proportional to these, not to the size of the
    /// database, unless the database was compacted in between.
    ///
    /// - Parameter earlier: a snapshot of the same `RealmStore`, or of the same opened file. If it is the later one,
    ///   the result describes how to go back.
    /// - Throws: `otherDatabase` for snapshots of different stores; errors of reading a damaged file.
    public func changes(since earlier: Snapshot) throws(FormatError) -> SnapshotChanges {
        guard hasHistory(of: earlier) else {
            throw FormatError(
                .otherDatabase,
                "the snapshots are of different stores or opened files: only those of one can be compared node by node")
        }
        return try reading { () throws(FormatError) in
            try earlier.reading { () throws(FormatError) in try differences(from: earlier) }
        }
    }

    private func differences(from earlier: Snapshot) throws(FormatError) -> SnapshotChanges {
        let nodes = SharedNodes(earlier, self)
        let oldKeys = Set(earlier.cores.map(\.schema.key))
        let newKeys = Set(cores.map(\.schema.key))
        var changed: [ChangedTable] = []
        for table in tables {
            guard let position = earlier.position(of: table.schema.key) else { continue }
            let old = earlier.table(at: position)
            let hasSameName = table.schema.tableName == old.schema.tableName
            if hasSameName, nodes.isShared(old.core.topRef, table.core.topRef) { continue }
            var result = ChangedTable(
                name: table.name, formerName: hasSameName ? nil : old.name,
                schema: SchemaComparison.differences(old.schema, table.schema))
            let (before, after) = (old.core.objects, table.core.objects)
            if !nodes.isShared(before.root, after.root) {
                var comparison = TreeComparison(before, after, nodes, RowComparison(old, table, nodes), result)
                do throws(FormatError) { result = try comparison.run() } catch {
                    throw error.at(table: table.schema.tableName)
                }
            }
            if !result.isEmpty { changed.append(result) }
        }
        return SnapshotChanges(
            schemaVersions: earlier.schema.version == schema.version
                ? nil : DifferingValues(earlier.schema.version, schema.version),
            addedTables: tables.filter { !oldKeys.contains($0.schema.key) }.map(\.name),
            removedTables: earlier.tables.filter { !newKeys.contains($0.schema.key) }.map(\.name),
            tables: changed)
    }
}
