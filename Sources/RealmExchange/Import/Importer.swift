internal import RealmLayout
internal import RealmReader
public import RealmStorage
internal import RealmWriter

/// Imports documents into a new database file.
///
/// ```swift
/// let report = try Importer(["dump"]).run(to: "kennel.realm")
/// for table in report.tables { print(table) }
/// ```
public struct Importer: Sendable {
    /// Files and folders with documents.
    public let paths: [String]
    /// What is allowed to be lost.
    public var options: ImportOptions
    /// Hears how far it is, from time to time.
    public var progress: (@Sendable (ImportProgress) -> Void)?

    /// Prepares an import.
    public init(_ paths: [String], _ options: ImportOptions = ImportOptions()) {
        self.paths = paths
        self.options = options
    }

    /// Writes the new file.
    ///
    /// - Parameters:
    ///   - path: where it is to be.
    ///   - overwrite: whether it may replace what is there.
    ///   - key: what to encrypt it with; nil for a plain file.
    /// - Throws: what is wrong with the documents, what the file cannot hold, or what the system refuses. Nothing has
    ///   changed at `path` then.
    public func run(
        to path: String, overwrite: Bool = false, key: EncryptionKey? = nil
    ) throws(ImportError) -> ImportReport {
        // Documents are read more than once, which pipes are not.
        var spilled: [String: SpilledBytes] = [:]
        for input in paths where spilled[input] == nil && !Folder.exists(input) {
            spilled[input] = try importing { () throws(StorageError) -> SpilledBytes? in
                let file: OpenedFile
                if input == "-" {
                    file = try .standardInput()
                } else {
                    file = try OpenedFile(path: input)
                    if try file.isMappable() { return nil }
                }
                let bytes = SpilledBytes(SpillFile(in: ScratchFolder(beside: path)))
                try bytes.append(contentsOf: file)
                try bytes.end()
                return bytes
            }
        }
        let catalog = try ImportCatalog(paths, options, spilled: spilled)
        for other in catalog.readPaths where OutputFile.isSameFile(path, other) { throw .storage(.isRead(path)) }
        let run = try ImportRun(catalog, options, to: path, progress)
        return try run.write(overwrite: overwrite, key: key)
    }
}
