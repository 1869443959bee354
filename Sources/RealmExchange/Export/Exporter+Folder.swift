internal import RealmCore
internal import RealmLayout
internal import RealmStorage

extension Exporter {
    /// Writes one file per class to `folder/database`, like `mongodump`, together with metadata files. The exact
    /// schema, document schemas and losses go to a subfolder `_realm`.
    ///
    /// Everything is written under a temporary name, which is replaced by the final one when the export is complete.
    /// The folder then has only this export, and nothing of earlier ones. A class that cannot be read gets no file, and
    /// is listed in the report's `damage`.
    ///
    /// - Parameters:
    ///   - folder: The parent folder of the export, created if necessary.
    ///   - database: The name of the MongoDB database, which is also the name of the document folder.
    ///   - compressing: Whether documents and metadata are compressed with gzip.
    ///   - replacing: Whether existing exports in the folder are replaced.
    /// - Throws: `FormatError` for classes that do not exist, and `fileChanged` if another process committed meanwhile.
    ///   `StorageError` if something cannot be written; `EEXIST` if there is an export already, `ENOTEMPTY` if the
    ///   folder to be replaced has other contents. In all cases the folder is unchanged.
    public func export(
        toFolder folder: String, database: String, compressing: Bool = false, replacing: Bool = false
    ) async throws -> ExportReport {
        let positions = try exportedPositions()
        let orphanPositions = options.isCanonical ? try orphanPositions() : []
        let name = CollectionFileName(database).text
        PreviousExport.recover(in: folder)
        let previous = try PreviousExport(in: folder, database: name)
        try previous.check(name, replacing: replacing) { path throws(StorageError) in try checkOutput(path) }
        let made = try OutputFile.makeFolder(folder, permissions: folderPermissions)
        do {
            let pending = try PendingFolder(path: "\(folder)/\(name)", permissions: folderPermissions)
            let report = try await write(
                FolderOutput(pending, database: database, compressing: compressing, permissions), positions,
                orphanPositions)
            try pending.commit(replacing: previous.pieces, with: previous.filesListsLast)
            return report
        } catch {
            OutputFile.removeFolders(made)
            throw error
        }
    }

    /// Writes the documents and the files that accompany them.
    private func write(
        _ output: FolderOutput, _ positions: [TablePosition], _ orphanPositions: [TablePosition]
    ) async throws -> ExportReport {
        let names = CollectionFileNames(snapshot.cores.mapped(\.schema), ending: options.fileEnding)
        var session = ExportSession(self, positions)
        await preparePages()
        // Independent of the documents, and done concurrently if there are several threads.
        async let orphans = options.jobs > 1 ? orphanCounts() : []
        for position in positions {
            try await session.export(position) { () throws(StorageError) in
                try output.file("\(names.files[position]).\(options.fileEnding)")
            }
            guard session.exported.contains(position) else {
                output.forget("\(names.files[position]).\(options.fileEnding)")
                continue
            }
            guard options.format == .bson else { continue }
            let metadata = CollectionMetadata(
                schema: snapshot.cores[position].schema, collection: names.collections[position],
                fieldNames: plan.fieldNames(ofTable: position)
            ).json.compact
            let metadataFile = try output.file("\(names.files[position]).metadata.json")
            try metadataFile.write(text: metadata)
            try metadataFile.finish()
        }
        for position in orphanPositions {
            let name = "\(SidecarName.orphans)/\(names.files[position]).\(options.fileEnding)"
            try await session.export(position, orphans: true) { () throws(StorageError) in try output.file(name) }
            if !session.hasOrphans(position) { output.forget(name) }
        }
        session.noteOrphans(options.jobs > 1 ? await orphans : orphanCounts())
        let exactSchema = exactSchema(&session, names)
        try snapshot.checkUnchanged()
        let report = session.report
        for sidecar in sidecars(positions, database: output.database) { try output.write(sidecar.json, sidecar.name) }
        try output.write(report.lossesJSON, SidecarName.losses)
        try output.write(exactSchema: exactSchema)
        return report
    }

    /// Prepares the whole file for reading if all of it will be read. A large file may not fit into memory, and could
    /// take long to load before there is any visible progress.
    private func preparePages() async {
        let source = snapshot.data.source
        guard options.classNames == nil, options.chosenObjects.isEmpty, !snapshot.isEncrypted,
            source.count <= Self.mostPreparedBytes
        else { return }
        let jobs = max(1, options.jobs)
        await withTaskGroup(of: Void.self) { group in
            for job in 0..<jobs { group.addTask { source.preparePages(job, of: jobs) } }
        }
    }

    private static var mostPreparedBytes: Int { 1 << 28 }

    func file(
        _ path: String, _ compressing: Bool, _ replacing: Bool
    ) throws(StorageError) -> any ByteDestination {
        try checkOutput(path)
        let file = try OutputFile(path: path, replacing: replacing, permissions: permissions)
        return compressing ? try GzipDestination(file) : file
    }

    /// Refuses to overwrite the file being read.
    func checkOutput(_ path: String) throws(StorageError) {
        if inputPaths.contains(where: { OutputFile.isSameFile(path, $0) }) { throw .isRead(path) }
    }
}

/// The files of an export, in a folder that does not have its final name yet.
private final class FolderOutput {
    let database: String
    private let folder: PendingFolder
    private let isCompressing: Bool
    private let permissions: UInt32
    /// The files by their paths in the folder.
    private var files: Set<String> = []

    init(_ folder: PendingFolder, database: String, compressing: Bool, _ permissions: UInt32) {
        self.folder = folder
        self.database = database
        isCompressing = compressing
        self.permissions = permissions
    }

    /// Begins a file of documents or metadata.
    func file(_ name: String) throws(StorageError) -> any ByteDestination {
        let name = fullName(name)
        files.insert(name)
        let file = try OutputFile(path: folder.path(of: name), replacing: false, permissions: permissions)
        return isCompressing ? try GzipDestination(file) : file
    }

    /// Removes a file from the list because it was not completed.
    func forget(_ name: String) { files.remove(fullName(name)) }

    private func fullName(_ name: String) -> String { isCompressing ? name + ".gz" : name }

    /// Writes a sidecar file.
    func write(_ json: JSONValue, _ name: String) throws(StorageError) {
        let name = "\(SidecarName.folder)/\(name)"
        files.insert(name)
        let file = try OutputFile(path: folder.path(of: name), replacing: false, permissions: permissions)
        try file.write(text: json.pretty + "\n")
        try file.commit()
    }

    /// Writes the exact schema with the list of all files, from which a later export determines the files it may
    /// replace.
    func write(exactSchema: JSONValue) throws(StorageError) {
        let all = files.union(["\(SidecarName.folder)/\(SidecarName.exactSchema)"]).inOrder()
        let list = [("files", JSONValue.array(all.map { .string($0) }))]
        try write(.object((exactSchema.members ?? []) + list), SidecarName.exactSchema)
    }
}
