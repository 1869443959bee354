internal import RealmLayout
internal import RealmReader
internal import RealmStorage

extension Exporter {
    /// Writes one file a class into `folder/database`, as `mongodump` does, with metadata beside them, and the exact schema, schemas
    /// of documents and losses in a folder `_realm` there.
    ///
    /// All of it is written under a temporary name, which becomes the final one when everything is there: then the folder has
    /// this export and nothing of an earlier one. A class that cannot be read gets no file and is in the report's `damage`.
    ///
    /// - Parameters:
    ///   - folder: where the export is to be; it is made when it is not there.
    ///   - database: the name of the MongoDB database, which is the name of the folder of documents.
    ///   - compressing: whether documents and metadata are compressed with gzip.
    ///   - replacing: whether exports that are in the folder already are replaced.
    /// - Throws: `FormatError` for classes that are not there, and `fileChanged` when another process committed
    ///   meanwhile. `StorageError` when something cannot be written; `EEXIST` when there is an export already, `ENOTEMPTY` when
    ///   something else is in the folder that is to be replaced. In all cases the folder is what it was.
    public func export(
        toFolder folder: String, database: String, compressing: Bool = false, replacing: Bool = false
    ) async throws -> ExportReport {
        let positions = try exportedPositions()
        let orphanPositions = options.isCanonical ? try orphanPositions() : []
        let name = CollectionFileName(database).text
        PreviousExport.recover(in: folder)
        let previous = try PreviousExport(in: folder, database: name)
        try previous.check(name, replacing: replacing) { path throws(StorageError) in try checkOutput(path) }
        let isNew = !OutputFile.exists(folder)
        try OutputFile.makeFolder(folder, permissions: folderPermissions)
        do {
            let pending = try PendingFolder(path: "\(folder)/\(name)", permissions: folderPermissions)
            let report = try await write(
                FolderOutput(pending, database: database, compressing: compressing, permissions), positions,
                orphanPositions)
            try pending.commit(replacing: previous.pieces, with: previous.filesListsLast)
            return report
        } catch {
            if isNew { Folder.remove([], in: folder) }
            throw error
        }
    }

    /// Writes documents and what is beside them.
    private func write(
        _ output: FolderOutput, _ positions: [TablePosition], _ orphanPositions: [TablePosition]
    ) async throws -> ExportReport {
        let names = CollectionFileNames(snapshot.cores.mapped(\.schema), ending: options.fileEnding)
        var session = ExportSession(self, positions)
        await preparePages()
        // Has nothing to do with the documents, and is done beside them where there are threads.
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

    /// Makes the whole file ready to be read, when all of it will be. A large one may not fit into memory, and might come from
    /// the disk for a long time before anything is to be seen.
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

    /// Refuses to write over the file that is read.
    func checkOutput(_ path: String) throws(StorageError) {
        if inputPaths.contains(where: { OutputFile.isSameFile(path, $0) }) { throw .isRead(path) }
    }
}

/// The files of an export, in a folder that has no final name yet.
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

    /// Begins a file of documents, or with metadata of such.
    func file(_ name: String) throws(StorageError) -> any ByteDestination {
        let name = fullName(name)
        files.insert(name)
        let file = try OutputFile(path: folder.path(of: name), replacing: false, permissions: permissions)
        return isCompressing ? try GzipDestination(file) : file
    }

    /// Takes a file off the list, as it did not become complete.
    func forget(_ name: String) { files.remove(fullName(name)) }

    private func fullName(_ name: String) -> String { isCompressing ? name + ".gz" : name }

    /// Writes a file beside the documents.
    func write(_ json: JSONValue, _ name: String) throws(StorageError) {
        let name = "\(SidecarName.folder)/\(name)"
        files.insert(name)
        let file = try OutputFile(path: folder.path(of: name), replacing: false, permissions: permissions)
        try file.write(text: json.pretty + "\n")
        try file.commit()
    }

    /// Writes the exact schema with the list of all files, so that another export knows what it replaces.
    func write(exactSchema: JSONValue) throws(StorageError) {
        let all = files.union(["\(SidecarName.folder)/\(SidecarName.exactSchema)"]).inOrder()
        let list = [("files", JSONValue.array(all.map { .string($0) }))]
        try write(.object((exactSchema.members ?? []) + list), SidecarName.exactSchema)
    }
}
