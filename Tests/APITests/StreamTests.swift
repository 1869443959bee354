import Expectations
import Foundation
import RealmExchange
import RealmFile
import RealmForensics
import Testing

/// Imports and exports of documents in streams.
@Suite struct StreamTests {
    private static func snapshot(_ name: String) throws -> Snapshot {
        try RealmDatabase(path: Kennel.project.appending(path: "Fixtures/\(name).realm").path).snapshot()
    }

    private func options(_ format: ExportOptions.Format, array: Bool = false) -> ExportOptions {
        var options = ExportOptions()
        options.format = format
        options.isJSONArray = array
        return options
    }

    private let path = FileManager.default.temporaryDirectory.appending(path: "streams-\(UUID()).realm").path

    @Test(arguments: ExportOptions.Format.allCases, [false, true])
    func `joined chunks are the documents of the class`(_ format: ExportOptions.Format, _ isArray: Bool)
        async throws
    {
        for name in ["kennel", "embedded", "mixed-nested"] {
            let snapshot = try Self.snapshot(name)
            let exporter = Exporter(snapshot, options(format, array: isArray))
            for table in snapshot.classes where table.schema.kind != .embedded {
                let report = Kept<ExportReport>()
                var bytes: [UInt8] = []
                for try await chunk in try exporter.chunks(ofClass: table.name, whenDone: { report.value = $0 }) {
                    bytes += chunk
                }
                let whole = try await exporter.documents(ofClass: table.name)
                expectEqual(bytes, whole.bytes, "\(name).\(table.name)")
                expectEqual(report.value?.objects, whole.report.objects)
                expectEqual(report.value?.losses.count, whole.report.losses.count)
                let taken = Kept<[UInt8]>()
                _ = try await exporter.exportDocuments(ofClass: table.name) { taken.value = (taken.value ?? []) + $0 }
                expectEqual(taken.value ?? [], whole.bytes)
            }
        }
    }

    @Test(arguments: [ExportOptions.Format.bson, .ejson, .json])
    func `the documents of single objects equal those of the class`(_ format: ExportOptions.Format) async throws {
        for name in ["kennel", "mixed-nested"] {
            let snapshot = try Self.snapshot(name)
            let exporter = Exporter(snapshot, options(format))
            for table in snapshot.classes where table.schema.kind != .embedded {
                var bytes: [UInt8] = []
                try table.objects.forEach { object in
                    bytes += try exporter.document(of: object)
                    try expectEqual(object.document(as: format), exporter.document(of: object))
                    if format != .bson { bytes.append(UInt8(ascii: "\n")) }
                }
                try await expectEqual(exporter.documents(ofClass: table.name).bytes, bytes, "\(name).\(table.name)")
            }
        }
        let other = try #require(try Self.snapshot("kennel").table(named: "Dog").objects.first())
        let error = #expect(throws: FormatError.self) { try Exporter(Self.snapshot("kennel")).document(of: other) }
        expectEqual(error?.code, .otherDatabase)
    }

    @Test func `an archive is returned as bytes, and ends when the caller throws`() async throws {
        struct Full: Error {}
        let exporter = Exporter(try Self.snapshot("kennel"))
        let archive = Kept<[UInt8]>()
        _ = try await exporter.exportArchive(database: "kennel") { archive.value = (archive.value ?? []) + $0 }
        let bytes = try #require(archive.value)
        let report = try await Importer([ImportStream("kennel.archive", bytes)]).run(to: path)
        defer { try? FileManager.default.removeItem(atPath: path) }
        expectEqual(report.tables.filter { !$0.isEmbedded }.reduce(0) { $0 + $1.objects }, 16)
        let names = try RealmDatabase(path: path).snapshot().table(named: "Person").objects
            .map { try $0.get("name", as: String.self) }.collect()
        expectEqual(names, Kennel.names)
        await #expect(throws: Full.self) {
            _ = try await exporter.exportArchive(database: "kennel") { _ in throw Full() }
        }
        await #expect(throws: Full.self) {
            _ = try await exporter.exportDocuments(ofClass: "Dog", compressing: true) { _ in throw Full() }
        }
    }

    /// The schema is passed along, so that the new file has the same classes. Bytes arrive in chunks with arbitrary
    /// boundaries.
    @Test func `streams become a database with the same content`() async throws {
        let source = try Self.snapshot("kennel")
        var importOptions = ImportOptions()
        importOptions.schema = RealmSchemaJSON.document(of: source)
        let exporter = Exporter(source)
        var streams: [ImportStream] = []
        for table in source.classes where table.schema.kind != .embedded {
            let bytes = try await exporter.documents(ofClass: table.name).bytes
            let pieces = AsyncStream<ArraySlice<UInt8>> { continuation in
                for start in stride(from: 0, to: bytes.count, by: 7) {
                    continuation.yield(bytes[start..<min(start + 7, bytes.count)])
                }
                continuation.finish()
            }
            streams.append(ImportStream("\(table.name).bson", pieces))
        }
        let report = try await Importer(streams, importOptions).run(to: path)
        defer { try? FileManager.default.removeItem(atPath: path) }
        expect(report.losses.isEmpty)
        let copy = try RealmDatabase(path: path).snapshot()
        try expectEqual(copy.contentHash(by: .primaryKey).total, source.contentHash(by: .primaryKey).total)
    }

    @Test func `an error of a stream ends the import, and nothing is left`() async throws {
        struct Broken: Error, Equatable {}
        let stream = AsyncThrowingStream<[UInt8], any Error> { $0.finish(throwing: Broken()) }
        let importer = Importer([ImportStream("Dog.json", stream)])
        let error = await #expect(throws: ImportError.self) { try await importer.run(to: path) }
        guard case .stream(let inner) = error else { return expect(false, "another error") }
        expect(inner is Broken)
        expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `exports and imports end when their task is cancelled`() async throws {
        let snapshot = try Self.snapshot("kennel")
        let dogs = Array(String(repeating: #"{"name":"Rex"}"# + "\n", count: 20_000).utf8)
        let path = path
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            var ends: [String] = []
            do {
                for try await _ in try Exporter(snapshot).chunks(ofClass: "Dog") {}
            } catch is CancellationError { ends.append("chunks") }
            do {
                _ = try await Exporter(snapshot).documents(ofClass: "Dog")
            } catch is CancellationError { ends.append("documents") }
            do {
                _ = try await Importer([ImportStream("Dog.json", dogs)]).run(to: path)
            } catch let error as ImportError {
                if case .cancelled = error { ends.append("import") }
            }
            return ends
        }
        try await expectEqual(task.value, ["chunks", "documents", "import"])
        expect(!FileManager.default.fileExists(atPath: path))
    }
}

/// A value shared between closures, one at a time.
private final class Kept<Value: Sendable>: @unchecked Sendable {
    var value: Value?
}
