package import RealmLayout

/// Writes the content of a file of any format, or of some of its tables, into a new file of format 24.
package struct Rebuild: Sendable {
    private let source: Snapshot
    private let selection: TableSelection

    /// Prepares to write the content of `source`.
    package init(_ source: Snapshot) {
        self.source = source
        selection = TableSelection(source)
    }

    /// Prepares to write some classes, the objects embedded in them, and the schema version. Classes that they link to
    /// stay in the schema without objects.
    ///
    /// - Throws: `noSuchTable`, also for an embedded class without any of its owners.
    package init(_ source: Snapshot, classes: [String]) throws(FormatError) {
        self.source = source
        var chosen: [TableSchema] = []
        for name in classes { chosen.append(try source.table(named: name).schema) }
        selection = TableSelection(source, tables: Set(chosen.filter { $0.kind != .embedded }.map(\.tableName)))
        for table in chosen {
            guard let position = source.cores.firstIndex(named: table.tableName, { $0.schema.tableName }),
                !selection.keeps(position)
            else { continue }
            throw FormatError(
                .noSuchTable, "\(table.name) is embedded: choose a class that its objects belong to as well")
        }
    }

    /// Writes the file.
    ///
    /// - Returns: The links that were omitted because their targets are not selected.
    /// - Throws: Errors of the source, also when another process changed it meanwhile; errors for content that the
    ///   format cannot hold; errors of the system. The file at the path is then unchanged.
    @discardableResult
    package func write(to file: NewFile) throws(WriteError) -> [OmittedLinks] {
        if let damage = source.damage.first { throw .source(damage) }
        var leftOut: [OmittedLinks] = []
        try file.write { output throws(WriteError) in
            let definitions = selection.tables.map { TableDefinition(source.cores[$0].schema) }
            let new = try FileWriter(SchemaDefinition(definitions), output)
            leftOut = try SnapshotCopy(source, selection, to: new).run()
            let header = try new.end()
            try checked { () throws(FormatError) in try source.checkUnchanged() }
            return header
        }
        return leftOut
    }
}
