internal import RealmCore
internal import RealmLayout
public import RealmStorage

/// Imports documents into a new database file.
///
/// ```swift
/// let report = try await Importer(["dump"]).run(to: "kennel.realm")
/// for table in report.tables { print(table) }
/// ```
public struct Importer: Sendable {
    /// Files and folders with documents.
    public let paths: [String]
    /// The options of the import.
    public var options: ImportOptions
    /// Called with the progress from time to time.
    public var progress: (@Sendable (ImportProgress) -> Void)?
    /// Inputs that are not files.
    private let streams: [ImportStream]

    /// Prepares an import of files and folders.
    public init(_ paths: [String], _ options: ImportOptions = ImportOptions()) {
        (self.paths, streams) = (paths, [])
        self.options = options
    }

    /// Prepares an import of documents from memory or streams. No accompanying files are read: without
    /// `ImportOptions.schema` or `ImportOptions.schemaPath`, the classes are inferred from the documents.
    public init(_ streams: [ImportStream], _ options: ImportOptions = ImportOptions()) {
        (paths, self.streams) = ([], streams)
        self.options = options
    }

    /// Writes the new file.
    ///
    /// - Parameters:
    ///   - path: The path of the new file.
    ///   - overwrite: Whether an existing file may be replaced.
    ///   - key: The encryption key; nil for a plain file.
    /// - Throws: `ImportError` if the documents are invalid, the file cannot hold them, or the system refuses;
    ///   `ImportError.cancelled` if the task was cancelled. In these cases `path` is unchanged. Streams require the
    ///   asynchronous form.
    public func run(
        to path: String, overwrite: Bool = false, key: EncryptionKey? = nil
    ) throws(ImportError) -> ImportReport {
        guard streams.isEmpty else {
            throw .document(DocumentError(.noDocuments, "documents that come from streams have to be awaited"))
        }
        return try write(to: path, overwrite: overwrite, key: key, SpilledInputs())
    }

    /// Writes the new file. If the task is cancelled, no file is written.
    ///
    /// ```swift
    /// var importer = Importer(["dump"])
    /// importer.progress = { print($0) }
    /// let report = try await importer.run(to: "kennel.realm")
    /// print(report.losses.count)
    /// ```
    ///
    /// - Throws: The errors of the synchronous form, and `ImportError.stream` with an error thrown by a stream.
    public func run(
        to path: String, overwrite: Bool = false, key: EncryptionKey? = nil
    ) async throws(ImportError) -> ImportReport {
        var spilled = SpilledInputs()
        for stream in streams {
            let bytes = SpilledBytes(SpillFile(in: ScratchFolder(beside: path)))
            do {
                try await stream.spill(bytes)
                try bytes.end()
            } catch let error as StorageError {
                throw .storage(error)
            } catch is CancellationError {
                throw .cancelled
            } catch {
                throw .stream(error)
            }
            spilled.add(stream.name, bytes)
        }
        return try write(to: path, overwrite: overwrite, key: key, spilled)
    }

    private func write(
        to path: String, overwrite: Bool, key: EncryptionKey?, _ streamed: SpilledInputs
    ) throws(ImportError) -> ImportReport {
        // Documents are read more than once, which pipes do not allow.
        var spilled = streamed
        for input in self.paths where spilled[input] == nil && !Folder.exists(input) {
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
        var studio = StudioLinks()
        var paths: [String] = []
        for input in self.paths {
            let isJSON = options.format == nil || options.format == .json || options.format == .extendedJSON
            guard options.className == nil, isJSON, !Folder.exists(input), input == "-" || input.hasSuffix(".json"),
                let parts = try studio.add(input, &spilled, in: ScratchFolder(beside: path))
            else {
                paths.append(input)
                continue
            }
            paths += parts
        }
        let names = streams.map(\.name)
        guard Set(names).count == names.count else {
            throw .document(DocumentError(.noDocuments, "two streams have one name"))
        }
        guard !paths.isEmpty || !names.isEmpty else {
            let files = self.paths.map { NativePath.shown($0).singleLine }.joined(separator: ", ")
            throw .document(DocumentError(.noDocuments, "there are no documents in \(files)"))
        }
        let catalog = try ImportCatalog(paths + names, options, spilled: spilled, studio)
        for other in catalog.readPaths + self.paths where OutputFile.isSameFile(path, other) {
            throw .storage(.isRead(path))
        }
        let run = try ImportRun(catalog, options, to: path, progress)
        return try run.write(overwrite: overwrite, key: key)
    }
}
