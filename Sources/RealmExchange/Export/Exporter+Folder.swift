internal import RealmLayout
internal import RealmReader
internal import RealmStorage

extension Exporter {
    /// Writes one file a class into `folder/database`, as `mongodump` does, with metadata and schemas beside them.
    ///
    /// Every file is written under a temporary name and renamed when it is complete. A class that cannot be read gets no
    /// file and is in the report's `damage`.
    ///
    /// - Parameters:
    ///   - compressing: whether documents and metadata are compressed with gzip.
    ///   - replacing: whether files that are there already are replaced.
    /// - Throws: `FormatError` for classes that are not there, and `fileChanged` when another process committed
    ///   meanwhile: files that are in place then are complete, but some are missing. `StorageError` when something cannot
    ///   be written; `EEXIST` before anything is written.
    public func export(
        toFolder folder: String, database: String, compressing: Bool = false, replacing: Bool = false
    ) async throws -> ExportReport {
        let positions = try exportedPositions()
        let orphanPositions = options.isCanonical ? try orphanPositions() : []
        let databaseFolder = "\(folder)/\(CollectionFileName(database).text)"
        let names = CollectionFileNames(snapshot.cores.map(\.schema), ending: options.fileEnding)
        func path(_ position: Int, orphans: Bool) -> String {
            let name = names.files[position]
            let base = orphans ? "\(databaseFolder)/\(SidecarName.orphans)" : databaseFolder
            return "\(base)/\(name).\(options.fileEnding)\(compressing ? ".gz" : "")"
        }
        let sidecars = sidecars(positions, database: database)
        if !replacing {
            let documents =
                positions.map { path($0, orphans: false) } + orphanPositions.map { path($0, orphans: true) }
            for path in documents + [SidecarName.exactSchema, SidecarName.losses].map({ "\(folder)/\($0)" })
            where OutputFile.exists(path) {
                throw StorageError.alreadyThere(path)
            }
        }
        try OutputFile.makeFolder(databaseFolder)
        var session = ExportSession(self, positions)
        await preparePages()
        // Has nothing to do with the documents, and is done beside them where there are threads.
        async let orphans = options.jobs > 1 ? orphanCounts() : []
        for position in positions {
            try await session.export(position) { () throws(StorageError) in
                try file(path(position, orphans: false), compressing, replacing)
            }
            guard options.format == .bson, session.exported.contains(position) else { continue }
            let schema = snapshot.cores[position].schema
            let metadata = CollectionMetadata(
                schema: schema, collection: names.collections[position], fieldNames: plan.fieldNames(ofTable: position)
            ).json.compact
            let name = "\(names.files[position]).metadata.json\(compressing ? ".gz" : "")"
            let metadataFile = try file("\(databaseFolder)/\(name)", compressing, true)
            try metadataFile.write(text: metadata)
            try metadataFile.finish()
        }
        for position in orphanPositions {
            try OutputFile.makeFolder("\(databaseFolder)/\(SidecarName.orphans)")
            try await session.export(position, orphans: true) { () throws(StorageError) in
                try file(path(position, orphans: true), compressing, replacing)
            }
        }
        session.noteOrphans(options.jobs > 1 ? await orphans : orphanCounts())
        let exactSchema = exactSchema(&session, names)
        try snapshot.checkUnchanged()
        let report = session.report
        if !sidecars.isEmpty { try OutputFile.makeFolder("\(folder)/\(SidecarName.schemas(beside: database))") }
        for sidecar in sidecars { try write(sidecar.json, to: "\(folder)/\(sidecar.name)") }
        try write(exactSchema, to: "\(folder)/\(SidecarName.exactSchema)")
        try write(report.lossesJSON, to: "\(folder)/\(SidecarName.losses)")
        return report
    }

    /// Makes the whole file ready to be read, when all of it will be. A large one may not fit into memory, and might come from
    /// the disk for a long time before anything is to be seen.
    private func preparePages() async {
        let source = snapshot.data.source
        guard options.classNames == nil, !snapshot.isEncrypted, source.count <= Self.mostPreparedBytes else { return }
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
        let file = try OutputFile(path: path, replacing: replacing)
        return compressing ? try GzipDestination(file) : file
    }

    /// Refuses to write over the file that is read.
    func checkOutput(_ path: String) throws(StorageError) {
        if inputPaths.contains(where: { OutputFile.isSameFile(path, $0) }) { throw .isRead(path) }
    }

    private func write(_ json: JSONValue, to path: String) throws(StorageError) {
        try checkOutput(path)
        let file = try OutputFile(path: path, replacing: true)
        try file.write(text: json.pretty + "\n")
        try file.commit()
    }
}
