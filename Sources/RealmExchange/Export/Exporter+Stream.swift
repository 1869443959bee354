internal import RealmCore
internal import RealmLayout
internal import RealmStorage

extension Exporter {
    /// Writes the documents of one class to standard output.
    ///
    /// - Returns: The report, even if the export ended early.
    /// - Throws: `FormatError` if the class does not exist, `StorageError` if the reader has closed the output.
    package func exportToStandardOutput(className: String, compressing: Bool = false) async throws -> ExportReport {
        let only = try exportedPosition(named: className)
        var session = ExportSession(self, [only])
        try await session.export(only, isStream: true) { () throws(StorageError) in
            let output = StandardOutputDestination()
            return compressing ? try GzipDestination(output) : output
        }
        return session.report
    }

    /// Passes the documents of one class to `take`, piece by piece.
    ///
    /// ```swift
    /// let report = try await Exporter(snapshot).exportDocuments(ofClass: "Dog") { bytes in print(bytes.count) }
    /// print(report.objects)
    /// ```
    ///
    /// - Parameters:
    ///   - className: The class.
    ///   - compressing: Whether the bytes are compressed.
    ///   - take: Receives the bytes in order, in consecutive calls. An error thrown by it ends the export. Consumers
    ///     that request bytes at their own pace use `chunks(ofClass:)`.
    /// - Returns: The report, even if the export ended early.
    /// - Throws: `FormatError` if the class does not exist, and errors thrown by `take`.
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
    /// - Returns: The bytes in the export's format, up to the first damage that cannot be left out; the report lists
    ///   it.
    /// - Throws: `FormatError` if the class does not exist.
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
    ///   - path: The path of the archive; nil for standard output.
    ///   - database: The name of the MongoDB database in the archive.
    ///   - compressing: Whether the whole archive is compressed.
    ///   - replacing: Whether an existing file is replaced.
    ///   - toolVersion: The tool version recorded in the archive.
    /// - Throws: `FormatError` for classes that do not exist, `StorageError` if something cannot be written.
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

    /// Passes an archive of all classes for `mongorestore --archive` to `take`, piece by piece.
    ///
    /// ```swift
    /// _ = try await Exporter(snapshot).exportArchive(database: "kennel") { bytes in print(bytes.count) }
    /// ```
    ///
    /// - Parameters:
    ///   - database: The name of the MongoDB database in the archive.
    ///   - compressing: Whether the whole archive is compressed.
    ///   - toolVersion: The tool version recorded in the archive.
    ///   - take: Receives the bytes in order, in consecutive calls. An error thrown by it ends the export.
    /// - Throws: `FormatError` for classes that do not exist, and errors thrown by `take`.
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
            // The output of a damaged class cannot be undone, so the whole archive has failed.
            guard session.exported.contains(position) else { return session.report }
        }
        session.noteOrphans(orphanCounts())
        try snapshot.checkUnchanged()
        try archive.finish()
        return session.report
    }
}
