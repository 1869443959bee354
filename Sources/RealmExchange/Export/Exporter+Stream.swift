internal import RealmLayout
internal import RealmReader
internal import RealmStorage

extension Exporter {
    /// Writes the documents of one class to standard output.
    ///
    /// - Returns: what was written, also when it ended before the class did.
    /// - Throws: `FormatError` when the class is not there, `StorageError` when nobody reads any more.
    package func exportToStandardOutput(className: String, compressing: Bool = false) async throws -> ExportReport {
        let only = try exportedPosition(named: className)
        var session = ExportSession(self, [only])
        try await session.export(only, isStream: true) { () throws(StorageError) in
            let output = StandardOutputDestination()
            return compressing ? try GzipDestination(output) : output
        }
        return session.report
    }

    /// Gives the documents of one class to `take`, piece by piece.
    ///
    /// ```swift
    /// let report = try await Exporter(snapshot).exportDocuments(ofClass: "Dog") { bytes in print(bytes.count) }
    /// print(report.objects)
    /// ```
    ///
    /// - Parameters:
    ///   - className: the class whose documents they are.
    ///   - compressing: whether the bytes are compressed.
    ///   - take: takes bytes in their order, one call after the other; what it throws ends the export. `chunks(ofClass:)` is for those who
    ///     ask for bytes when they have room.
    /// - Returns: what was written, also when it ended before the class did.
    /// - Throws: `FormatError` when the class is not there, and what `take` throws.
    public func exportDocuments(
        ofClass className: String, compressing: Bool = false, to take: @escaping @Sendable ([UInt8]) throws -> Void
    ) async throws -> ExportReport {
        let only = try exportedPosition(named: className)
        var session = ExportSession(self, [only])
        try await CallerDestination(take).whileTaking { output in
            let destination: any ByteDestination = compressing ? try GzipDestination(output) : output
            try await session.export(only, isStream: true) { destination }
        }
        return session.report
    }

    /// The documents of one class, as bytes.
    ///
    /// - Returns: the bytes of the export's format, without what follows damage; the report says whether there is any.
    /// - Throws: `FormatError` when the class is not there.
    public func documents(ofClass className: String) async throws -> (bytes: [UInt8], report: ExportReport) {
        let only = try exportedPosition(named: className)
        let memory = MemoryDestination()
        var session = ExportSession(self, [only])
        try await session.export(only, isStream: true) { () throws(StorageError) in memory }
        return (memory.bytes, session.report)
    }

    /// Writes all classes as one archive for `mongorestore --archive`.
    ///
    /// - Parameters:
    ///   - path: the archive's file; nil for standard output.
    ///   - database: the name of the MongoDB database that the archive is of.
    ///   - compressing: whether the whole archive is compressed.
    ///   - replacing: whether a file that is there already is replaced.
    ///   - toolVersion: what the archive says that it was made with.
    /// - Throws: `FormatError` for classes that are not there, `StorageError` when something cannot be written.
    public func exportArchive(
        to path: String?, database: String, compressing: Bool = false, replacing: Bool = false, toolVersion: String = ""
    ) async throws -> ExportReport {
        let positions = try exportedPositions()
        let output: any ByteDestination =
            if let path { try file(path, compressing, replacing) } else if compressing {
                try GzipDestination(StandardOutputDestination())
            } else { StandardOutputDestination() }
        return try await writeArchive(positions, to: output, database: database, toolVersion: toolVersion)
    }

    /// Gives an archive of all classes for `mongorestore --archive` to `take`, piece by piece.
    ///
    /// ```swift
    /// _ = try await Exporter(snapshot).exportArchive(database: "kennel") { bytes in print(bytes.count) }
    /// ```
    ///
    /// - Parameters:
    ///   - database: the name of the MongoDB database that the archive is of.
    ///   - compressing: whether the whole archive is compressed.
    ///   - toolVersion: what the archive says that it was made with.
    ///   - take: takes bytes in their order, one call after the other; what it throws ends the export.
    /// - Throws: `FormatError` for classes that are not there, and what `take` throws.
    public func exportArchive(
        database: String, compressing: Bool = false, toolVersion: String = "",
        to take: @escaping @Sendable ([UInt8]) throws -> Void
    ) async throws -> ExportReport {
        let positions = try exportedPositions()
        return try await CallerDestination(take).whileTaking { output in
            try await writeArchive(
                positions, to: compressing ? try GzipDestination(output) : output, database: database,
                toolVersion: toolVersion)
        }
    }

    private func writeArchive(
        _ positions: [TablePosition], to output: any ByteDestination, database: String, toolVersion: String
    ) async throws -> ExportReport {
        let names = CollectionFileNames(snapshot.cores.mapped(\.schema), ending: options.fileEnding).collections
        let collections = positions.map { position in
            let schema = snapshot.cores[position].schema
            let metadata = CollectionMetadata(
                schema: schema, collection: names[position], fieldNames: plan.fieldNames(ofTable: position)
            ).json.compact
            return Archive.Collection(database: database, name: names[position], metadata: metadata)
        }
        let archive = try Archive(to: output, collections, toolVersion: toolVersion)
        var session = ExportSession(self, positions)
        for (position, collection) in zip(positions, collections) {
            try await session.export(position) { () throws(StorageError) in try archive.begin(collection) }
            // What a damaged class has written cannot be taken back: the archive as a whole has failed.
            guard session.exported.contains(position) else { return session.report }
        }
        session.noteOrphans(orphanCounts())
        try snapshot.checkUnchanged()
        try archive.finish()
        return session.report
    }
}
