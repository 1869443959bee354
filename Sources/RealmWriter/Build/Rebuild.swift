public import RealmReader
public import RealmStorage

/// Writes the content of a file of any format, or of a part of its tables, into a new file of format 24.
public struct Rebuild: Sendable {
    private let source: Snapshot

    /// Prepares for writing the content of `source`.
    public init(_ source: Snapshot) { self.source = source }

    /// Writes the file.
    ///
    /// - Parameters:
    ///   - path: where the file is to be.
    ///   - overwrite: whether it may replace what is there.
    ///   - key: what to encrypt it with; nil for a plain file.
    /// - Throws: what is wrong with the source, what the format cannot hold, or what the system refuses. Nothing has
    ///   changed at `path` then.
    public func write(to path: String, overwrite: Bool = false, key: EncryptionKey? = nil) throws(WriteError) {
        if let damage = source.damage.first { throw .source(damage) }
        let output: DatabaseOutput
        do throws(StorageError) {
            output = try DatabaseOutput(path: path, overwrite: overwrite, key: key)
        } catch {
            throw .storage(error)
        }
        do throws(WriteError) {
            let file = try FileWriter(SchemaDefinition(source.schema.tables.map { TableDefinition($0) }), output)
            try SnapshotCopy(source, tables: Array(source.cores.indices), to: file).run()
            try file.end()
        } catch {
            output.discard()
            throw error
        }
    }
}
