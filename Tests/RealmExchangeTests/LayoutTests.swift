import Expectations
import Foundation
import RealmCore
import RealmExchange
import RealmStorage
import TestSupport
import Testing

/// The files that an export writes, and the cases in which it writes none.
@Suite struct LayoutTests {
    @Test func `folders match those of mongodump`() async throws {
        let snapshot = try Content(KnownFile.fixture("kennel")).snapshot
        let classes = ["Dog", "DogClub", "Person"]
        let exported = try await Exported(snapshot)
        try expectEqual(
            exported.files(),
            (classes.flatMap { ["db/\($0).bson", "db/\($0).metadata.json", "db/_realm/schema/\($0).json"] }
                + ["losses.json", "realm-schema.json", "schema/relationships.json"].map { "db/_realm/\($0)" }).sorted())
        let canonical = try await Exported(snapshot) {
            $0.profile = .canonical
            $0.format = .ejson
        }
        try expectEqual(
            canonical.files(),
            (classes.map { "db/\($0).jsonl" } + ["losses.json", "realm-schema.json"].map { "db/_realm/\($0)" })
                .sorted())
        let one = try await Exported(snapshot) {
            $0.classNames = ["Dog", "Dog"]
            $0.format = .csv
        }
        try expectEqual(one.files().filter { !$0.hasPrefix("db/_realm/") }, ["db/Dog.csv"])
    }

    /// Checks the metadata of a class.
    static func checkMetadata(of table: TypedDump.Table, in exported: Exported) throws {
        let metadata = try BSONValue(parsingJSON: exported.bytes("\(table.className).metadata.json")).members
        expectEqual(metadata.text("collectionName"), table.className)
        guard case .array(let indexes)? = metadata["indexes"] else { throw TestSupportError("no indexes") }
        expectEqual(indexes.first?.members["key"], .document([.init("_id", .int32(1))]))
        expectEqual(indexes.first?.members.text("name"), "_id_")
        expect(indexes.allSatisfy { $0.members["v"] == .int32(2) && $0.members["unique"] == nil })
        let names = indexes.dropFirst().map { $0.members.text("name") }
        let general = table.columns.filter { $0.index == 1 && !($0.name == "_id" && table.primaryKey == "_id") }
        let text = table.columns.filter { $0.index == 2 }.map { "\($0.name)_text" }
        expectEqual(names, general.map { "\($0.name)_1" } + (text.isEmpty ? [] : [text.joined(separator: "_")]))
    }

    @Test(arguments: ExportedFiles.some)
    func `archives and compressed files have the same documents`(_ file: KnownFile) async throws {
        let content = try Content(file)
        let plain = try await Exported(content.snapshot)
        let path = plain.folder.appending(path: "archive").path
        let exporter = Exporter(content.snapshot)
        let report = try await exporter.exportArchive(to: path, database: Exported.database, toolVersion: "test")
        expectEqual(report.losses, plain.report.losses)
        let archive = try ArchiveText(plain.bytes(path: "archive"))
        expectEqual(archive.header["concurrent_collections"], .int32(1))
        expectEqual(archive.header.text("version"), "0.1")
        expectEqual(archive.header.text("tool_version"), "test")
        expectEqual(archive.collections.map(\.name), content.collections.map(\.className))
        for collection in archive.collections {
            expectEqual(collection.database, Exported.database)
            try expectEqual(Array(collection.metadata.utf8), plain.bytes("\(collection.name).metadata.json"))
            try expectEqual(collection.bytes, plain.bytes("\(collection.name).bson"))
        }
        _ = try await exporter.exportArchive(
            to: path + ".gz", database: Exported.database, compressing: true, toolVersion: "test")
        let unpacked = try unpackedBytes(of: plain.folder.appending(path: "archive.gz"))
        try expectEqual(unpacked, plain.bytes(path: "archive"))

        let packed = try await Exported(content.snapshot, compressing: true)
        for path in try packed.files() {
            let isDocument = !path.hasPrefix("\(Exported.database)/_realm/")
            expectEqual(path.hasSuffix(".gz"), isDocument)
            // It lists the files, whose names differ.
            if path.hasSuffix("realm-schema.json") { continue }
            let bytes = try unpackedBytes(of: packed.folder.appending(path: path))
            let isEqual = try bytes == plain.bytes(path: isDocument ? String(path.dropLast(3)) : path)
            expect(isEqual, "\(path)")
        }
    }

    @Test(arguments: ExportedFiles.some)
    func `every run gives the same bytes`(_ file: KnownFile) async throws {
        let snapshot = try RealmDatabase(path: file.url.path).snapshot()
        for (format, profile) in [(.bson, .mongo), (.ejson, .canonical), (.json, .mongo), (.csv, .mongo)]
            as [(ExportOptions.Format, ExportOptions.Profile)]
        {
            var first: [String: [UInt8]]?
            for jobs in [1, 2, 5] {
                let exported = try await Exported(snapshot) {
                    $0.format = format
                    $0.profile = profile
                    $0.isJSONArray = format == .json
                    $0.jobs = jobs
                }
                let contents = try exported.contents()
                let isEqual = contents == first ?? contents
                expect(isEqual, "\(format) \(jobs)")
                first = first ?? contents
            }
        }
    }

    // MARK: Names

    @Test(
        arguments: [
            ("class_Per/on", "Per/on", "Per%2Fon"), ("class_../../", "../../", "%2E.%2F..%2F"),
            ("class_.hide!", ".hide!", "%2Ehide!"), ("class_50%off", "50%off", "50%25off"),
            ("class_a\nb\u{1B}[m", "a\nb\u{1B}[m", "a%0Ab%1B[m"), ("class_ Per\"\\", " Per\"\\", " Per\"\\"),
        ] as [(String, String, String)])
    func `class names that are not valid file names are changed`(
        tableName: String, className: String, fileName: String
    ) async throws {
        let file = try ChangedFile("kennel", replacing: [("class_Person", Array(tableName.utf8))])
        let exported = try await Exported(file.snapshot)
        expect(exported.report.isComplete)
        let names = try exported.files().filter { $0.contains(fileName) }
        expectEqual(
            Set(names), ["db/\(fileName).bson", "db/\(fileName).metadata.json", "db/_realm/schema/\(fileName).json"])
        let metadata = try BSONValue(parsingJSON: exported.bytes("\(fileName).metadata.json")).members
        expectEqual(metadata.text("collectionName"), className)
        let schema = try PlainJSON(parsing: exported.bytes("_realm/realm-schema.json"))
        guard case .array(let classes)? = schema["classes"] else { throw TestSupportError("no classes") }
        expect(classes.contains { $0["name"]?.text == className })
    }

    @Test func `a class named like a sidecar is exported`() async throws {
        let file = try ChangedFile("embedded", replacing: [("class_EmbLinkTarget", Array("class_relationships".utf8))])
        let exported = try await Exported(file.snapshot)
        try expect(exported.files().contains("db/_realm/schema/%72elationships.json"))
        let schema = try PlainJSON(parsing: exported.bytes("_realm/schema/%72elationships.json"))
        expectEqual(schema["title"]?.text, "relationships")
        let relationships = try PlainJSON(parsing: exported.bytes("_realm/schema/relationships.json"))
        expectEqual(relationships["title"], nil)
    }

    // MARK: Existing files

    @Test func `existing output stays`() async throws {
        let snapshot = try Content(KnownFile.fixture("kennel")).snapshot
        let exported = try await Exported(snapshot)
        let before = try exported.contents()
        var options = ExportOptions()
        options.keepsNulls = true
        let other = Exporter(snapshot, options)
        await #expect(throws: StorageError.self) {
            try await other.export(toFolder: exported.folder.path, database: Exported.database)
        }
        try expectEqual(exported.contents(), before)
        let archive = exported.folder.appending(path: "db/Dog.bson").path
        await #expect(throws: StorageError.self) {
            try await other.exportArchive(to: archive, database: Exported.database)
        }
        try expectEqual(exported.contents(), before)
    }

    @Test func `a file in place of the folder stays`() async throws {
        let snapshot = try Content(KnownFile.fixture("kennel")).snapshot
        let exported = try await Exported(snapshot)
        let before = try exported.contents()
        await #expect(throws: StorageError.self) {
            try await Exporter(snapshot)
                .export(toFolder: exported.folder.appending(path: "db/Dog.bson").path, database: Exported.database)
        }
        await #expect(throws: StorageError.self) {
            try await Exporter(snapshot).exportArchive(to: "\(exported.folder.path)/none/a", database: "db")
        }
        try expectEqual(exported.contents(), before)
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "needs /dev/full"))
    func `a full disk is reported, and no files are left`() async throws {
        let snapshot = try Content(KnownFile.fixture("kennel")).snapshot
        let error = await #expect(throws: StorageError.self) {
            try await Exporter(snapshot).exportArchive(to: "/dev/full", database: "db")
        }
        expectEqual(error?.code, 28)
        // The device is unchanged.
        let kind = try FileManager.default.attributesOfItem(atPath: "/dev/full")[.type] as? FileAttributeType
        expectEqual(kind, .typeCharacterSpecial)
    }

    @Test func `classes that cannot be exported are reported`() async throws {
        let snapshot = try Content(KnownFile.fixture("kennel")).snapshot
        for name in ["Cat", "Address"] {
            var options = ExportOptions()
            options.classNames = [name]
            await #expect(throws: (any Error).self) {
                try await Exporter(snapshot, options).export(toFolder: "/nowhere/at/all", database: "db")
            }
            await #expect(throws: (any Error).self) {
                try await Exporter(snapshot).exportToStandardOutput(className: name)
            }
        }
        expect(!FileManager.default.fileExists(atPath: "/nowhere"))
    }

    // MARK: Damage

    /// Destroys each node of a file in turn, where classes are exported whole or not at all: damaged classes have no
    /// file, and everything else is unchanged.
    @Test(arguments: ["kennel", "tombstones", "embedded"])
    func `damaged classes have no file if only complete ones are exported`(fixture: String) async throws {
        let file = try KnownFile.fixture(fixture)
        let good = try file.bytes()
        for (format, profile) in [(.bson, .mongo), (.ejson, .canonical)]
            as [(ExportOptions.Format, ExportOptions.Profile)]
        {
            func export(_ snapshot: Snapshot) async throws -> Exported {
                try await Exported(snapshot) {
                    $0.format = format
                    $0.profile = profile
                    $0.jobs = 2
                    $0.onDamage = .error
                }
            }
            let whole = try await export(RealmDatabase(bytes: good).snapshot()).contents()
            var partial = 0
            for place in stride(from: 24, to: good.count - 8, by: 8)
            where good[place..<(place + 4)].allSatisfy({ $0 == 0x41 }) {
                var bytes = good
                // More elements than the file has bytes.
                for offset in (place + 4)..<(place + 8) { bytes[offset] = 0xFF }
                guard let snapshot = try? RealmDatabase(bytes: bytes).snapshot(toleratingDamage: true),
                    let exported = try? await export(snapshot)
                else { continue }
                let contents = try exported.contents()
                expect(!contents.keys.contains { $0.hasSuffix(".partial") })
                let names = Set(exported.report.collections.map(\.name))
                let files = contents.keys.filter { $0.hasSuffix(".bson") || $0.hasSuffix(".jsonl") }
                expectEqual(files.count, exported.report.collections.count)
                // If part of the schema is missing, properties are omitted and listed, and links may not resolve.
                expect(exported.report.damage.count >= snapshot.damage.count)
                for name in files where snapshot.damage.isEmpty {
                    let isEqual = contents[name] == whole[name]
                    expect(isEqual, "\(name) after damage at \(place)")
                }
                if names.count < whole.keys.count(where: { $0.hasSuffix(".bson") || $0.hasSuffix(".jsonl") }) {
                    expect(!exported.report.damage.isEmpty)
                    if !names.isEmpty { partial += 1 }
                }
            }
            expect(partial > 0)
        }
    }
}
