import Expectations
import Foundation
import RealmCore
import RealmExchange
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Inputs that are truncated, incomplete, in another encoding, or gone after the first read.
@Suite struct ImportInputTests {
    private func refusal(_ body: () throws -> Imported) -> DocumentError? {
        do {
            _ = try body()
        } catch ImportError.document(let error) {
            return error
        } catch {}
        return nil
    }

    /// A pipe can be read once, but documents are read several times.
    @Test(
        arguments: [
            (DocumentFormat.csv, "_id,a\n1,x\n2,y\n"), (.extendedJSON, #"{"_id":"1","a":"x"}{"_id":"2","a":"y"}"#),
        ] as [(DocumentFormat, String)])
    func `documents from a pipe are imported`(_ format: DocumentFormat, _ text: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.file("pipe")
        try #require(mkfifo(path, 0o600) == 0)
        let writer = Thread { FileHandle(forWritingAtPath: path)?.write(Data(text.utf8)) }
        writer.start()
        let imported = try Imported(path: path) { ($0.format, $0.className) = (format, "T") }
        let identities: [Value] = format == .csv ? [.int(1), .int(2)] : [.string("1"), .string("2")]
        try expectEqual(imported.values("T"), [[identities[0], .string("x")], [identities[1], .string("y")]])
    }

    // MARK: Comma-separated values

    /// Text in another encoding is repaired and reported; other columns are not affected.
    @Test func `text in another encoding is repaired and reported`() throws {
        let folder = try TemporaryFolder()
        try folder.write(Array("_id,name,x\n1,M".utf8) + [0xFC] + Array("ller,é\n".utf8), "T.csv")
        let imported = try Imported(path: folder.file("T.csv"))
        expectEqual(imported.losses, ["T.name malformedText 1 0"])
        try expectEqual(imported.values("T"), [[.int(1), .string("M\u{FFFD}ller"), .string("é")]])
        try folder.write(Array("_id,n".utf8) + [0xFC] + Array("\n1,2\n".utf8), "U.csv")
        let error = refusal { try Imported(path: folder.file("U.csv")) }
        expectEqual(error?.detail, "the name of column 2 is not UTF-8")
    }

    @Test(arguments: ["\n", "\r\n", "\r"]) func `all common line endings are accepted`(_ end: String) throws {
        let text = ["_id,a", "1,x", "2,\"y\nz\"", ""].joined(separator: end)
        let imported = try Imported(["T.csv": text])
        try expectEqual(imported.values("T"), [[.int(1), .string("x")], [.int(2), .string("y\nz")]])
    }

    /// Truncated input is detected.
    @Test(
        arguments: [
            ("_id,a,b\n1,2\n", "2 fields, header has 3"),
            ("_id,a\n1,2\n3", "1 field, header has 2"),
            ("_id,a\n1,2,3\n", "3 fields, header has 2"),
            ("_id,a\n1,\"x\"y\n", "text between a quote that ends and the end of the field"),
            ("_id,a\n1,\"x", "a quote without its end"),
        ] as [(String, String)]) func `truncated input is not accepted as complete`(_ text: String, _ words: String)
    {
        let error = refusal { try Imported(["T.csv": text]) }
        expect(error?.code == .malformed && error?.detail == words)
    }

    /// As written by programs that number their rows.
    @Test func `a column without a name is imported`() throws {
        let imported = try Imported(["T.csv": ",name\n0,Ann\n"])
        expectEqual(imported.snapshot.schema.classes[0].properties.map(\.name), ["column_1", "name"])
        try expectEqual(imported.values("T"), [[.int(0), .string("Ann")]])
    }

    /// A number out of range for its type is omitted; a rounded one is counted.
    @Test func `numbers out of range for their type are reported`() throws {
        let text =
            "_id.int64(),d.double(),f.float()\n1,1e400,1e39\n2,9007199254740993,16777217\n3,0.1,0.1\n4,Infinity,-Infinity\n5,0x1p3,nan\n"
        let imported = try Imported(["T.csv": text])
        expectEqual(
            imported.losses,
            [
                "T.d wrongType 2 0", "T.d inexactNumber 1 1", "T.f wrongType 2 0", "T.f inexactNumber 1 1",
            ])
        try expectEqual(
            imported.values("T"),
            [
                [.int(1), .null, .null], [.int(2), .double(9_007_199_254_740_992), .float(16_777_216)],
                [.int(3), .double(0.1), .float(0.1)], [.int(4), .double(.infinity), .float(-.infinity)],
                [.int(5), .null, .null],
            ])
    }

    // MARK: Extended JSON

    @Test(arguments: ["abc", "1,5", "", "12.5 kg", "1_000", "0x10", "nan", "inf", "1e400"])
    func `text that is not a double is reported`(_ text: String) {
        let error = refusal { try Imported(["T.json": #"{"_id": 1, "v": {"$numberDouble": "\#(text)"}}"#]) }
        expect(error?.code == .malformed && error?.detail == "\"\(text)\" is not a double")
    }

    // MARK: Exports

    /// An archive truncated between collections lacks some of those listed at its start.
    @Test func `an archive truncated between collections is reported`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("kennel.archive")
        let exporter = Exporter(try RealmDatabase(bytes: KnownFile.fixture("kennel").bytes()).snapshot())
        _ = try await exporter.exportArchive(to: path, database: "kennel", toolVersion: "test")
        let bytes = try #require(folder.bytes("kennel.archive"))
        // After each of the terminators of a run of documents, and after the prelude.
        let ends = (8...bytes.count).filter { bytes[($0 - 4)..<$0].allSatisfy { $0 == 0xFF } }
        expect(ends.count == 7 && ends.last == bytes.count)
        for end in ends.dropLast() {
            try folder.write(Array(bytes[..<end]), "cut.archive")
            let error = refusal { try Imported(path: folder.file("cut.archive")) }
            expectEqual(error?.code, .truncated, "\(end)")
        }
        let whole = try Imported(path: path)
        expect(whole.report.objects == 20 && whole.losses.isEmpty)
    }

    /// The sidecar has the number of documents, so that a file that is missing, or truncated between two documents, is
    /// reported.
    @Test(arguments: [false, true]) func `missing documents are reported`(isCanonical: Bool) async throws {
        let folder = try TemporaryFolder()
        var options = ExportOptions()
        options.profile = isCanonical ? .canonical : .mongo
        let exporter = Exporter(try RealmDatabase(bytes: KnownFile.fixture("kennel").bytes()).snapshot(), options)
        _ = try await exporter.export(toFolder: folder.path, database: "kennel")
        try expect(Imported(path: folder.path).losses.isEmpty)
        // A single file was requested.
        try expect(
            Imported(path: folder.file("kennel/Dog.bson")).losses.allSatisfy { !$0.contains("missingDocument") })
        try FileManager.default.removeItem(atPath: folder.file("kennel/DogClub.bson"))
        let dogs = try #require(folder.bytes("kennel/Dog.bson"))
        let first = Int(dogs[0]) | Int(dogs[1]) << 8
        try folder.write(Array(dogs[..<first]), "kennel/Dog.bson")
        let imported = try Imported(path: folder.path)
        expectEqual(
            imported.losses.filter { $0.contains("missingDocument") }.sorted(),
            [
                "Dog missingDocument 9 0", "DogClub missingDocument 1 0",
            ])
        expect(!imported.report.isComplete)
    }
}
