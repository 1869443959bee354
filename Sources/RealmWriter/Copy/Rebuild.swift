internal import RealmLayout
public import RealmReader

/// Writes the content of a file of any format, or of a part of its tables, into a new file of format 24.
public struct Rebuild: Sendable {
    private let source: Snapshot

    /// Prepares for writing the content of `source`.
    public init(_ source: Snapshot) { self.source = source }

    /// Writes the file.
    ///
    /// - Throws: what is wrong with the source, or that another process changed it meanwhile, what the format cannot hold, or
    ///   what the system refuses. Nothing has changed at the path then.
    public func write(to file: NewFile) throws(WriteError) {
        if let damage = source.damage.first { throw .source(damage) }
        try file.write { output throws(WriteError) in
            let new = try FileWriter(SchemaDefinition(source.schema.tables.map { TableDefinition($0) }), output)
            try SnapshotCopy(source, tables: Array(source.cores.indices), to: new).run()
            let header = try new.end()
            try checked { () throws(FormatError) in try source.checkUnchanged() }
            return header
        }
    }
}
