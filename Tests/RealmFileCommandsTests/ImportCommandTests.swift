import CommandTestSupport
import Expectations
import Foundation
import RealmCore
import RealmFileCommands
import TestSupport
import Testing

/// `import`: messages, output, and the cases without output.
@Suite struct ImportCommandTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(KnownFile.fixture("kennel").bytes(), "kennel.realm")
        try folder.write(Array((#"{"_id": 1, "n": 1}"# + "\n" + #"{"_id": 1, "n": 2}"# + "\n").utf8), "T.jsonl")
        try folder.write([UInt8](repeating: 7, count: 64), "key")
        try folder.write(Array(#"{"_id": 1}"#.utf8), "U.jsonl")
        try folder.write(Array(#"{"_id": 1, "d": {"\u0000": 1}}"#.utf8), "nul.jsonl")
    }

    /// Runs the tool; words that begin with @ are files of the folder.
    private func run(_ words: String) async -> Run {
        await Run(
            words.split(separator: " ").map { word in
                word.hasPrefix("@") ? folder.file(String(word.dropFirst())) : String(word)
            })
    }

    /// Returns the last line that `hash` prints.
    private func hash(_ words: String) async -> String {
        let run = await run("hash \(words)")
        return run.output.split(separator: "\n").last.map(String.init) ?? ""
    }

    @Test func `exported documents are imported`() async throws {
        await expectEqual(run("export @kennel.realm --profile canonical --out @data").status, .success)
        let imported = await run("import @data --out @new.realm")
        expectEqual(imported.status, .success)
        expectEqual(
            imported.messages,
            [
                "imported \(folder.file("data")) to \(folder.file("new.realm"))",
                "  schema: \(folder.file("data"))/kennel/_realm/realm-schema.json", "  Address   4 objects  embedded",
                "  Dog      10 objects", "  DogClub   1 object", "  Person    5 objects", "  total    20 objects",
            ])
        await expectEqual(hash("@new.realm"), hash("@kennel.realm"))
        await expectEqual(run("verify @new.realm --deep --strict").status, .success)
    }

    @Test func `an encrypted file is written with its key`() async throws {
        _ = await run("export @kennel.realm --profile canonical --format ejson --gzip --out @data")
        await expectEqual(run("import @data --new-key-file @key --out @new.realm -q").status, .success)
        await expectEqual(hash("@new.realm --key-file @key"), hash("@kennel.realm"))
        await expectEqual(run("info @new.realm").status, .unreadable)
    }

    /// The input is never replaced, even with --overwrite.
    @Test func `the input is not replaced`() async throws {
        _ = await run("export @kennel.realm --profile canonical --out @data")
        let before = try #require(folder.bytes("data/kennel/Dog.bson"))
        let schema = try #require(folder.bytes("data/kennel/_realm/realm-schema.json"))
        for (words, output, bytes) in [
            ("@data", "data/kennel/Dog.bson", before),
            ("@data/kennel/Dog.bson", "data/kennel/_realm/realm-schema.json", schema),
            (
                "@data/kennel/Dog.bson --schema @data/kennel/_realm/realm-schema.json",
                "data/kennel/_realm/realm-schema.json", schema
            ),
        ] {
            let refused = await run("import \(words) --out @\(output) --overwrite")
            expectEqual(refused.status, .unreadable)
            expectEqual(refused.messages.last?.contains("it is one of the input files"), true)
            expectEqual(folder.bytes(output), bytes)
        }
        let key = await run("import @data --new-key-file @key --out @key --overwrite")
        expectEqual(key.status, .usage)
        expectEqual(folder.bytes("key"), [UInt8](repeating: 7, count: 64))
        await expectEqual(run("import @data --out @data/new.realm").status, .success)
    }

    /// An `_id` that cannot be a primary key is an ordinary property.
    @Test func `identities that cannot be primary keys are properties`() async throws {
        try folder.write(Array(#"{"_id": 1, "n": 2}{"_id": "x", "n": 3}"#.utf8), "mixed.jsonl")
        try folder.write(Array(#"{"_id": {"a": 1}, "_id_": 4}{"n": 5, "_id": {"a": 2}}"#.utf8), "documents.jsonl")
        try folder.write(Array(#"{"n": 6}{"_id": 7, "n": 8}"#.utf8), "some.jsonl")
        for (name, expected) in [
            ("mixed", [#""_id_":1,"n":2"#, #""_id_":"x","n":3"#]),
            ("documents", [#""_id__":{"a":1},"_id_":4"#, #""_id__":{"a":2},"n":5"#]),
            ("some", [#""n":6"#, #""n":8,"_id_":7"#]),
        ] {
            await expectEqual(run("import @\(name).jsonl --out @\(name).realm --on-loss error").status, .success)
            let back = "@\(name).realm --out @\(name) --format json"
            await expectEqual(run("export \(back)").status, .success)
            let bytes = try #require(folder.bytes("\(name)/\(name)/\(name).jsonl"))
            let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            expectEqual(lines.count, 2)
            for (index, (line, fields)) in zip(lines, expected).enumerated() {
                expectEqual(line, "{\"_id\":\(index),\(fields)}")
            }
        }
    }

    /// Truncated arrays are detected.
    @Test(arguments: [#"[{"_id":1},{"_id":2},"#, #"[{"_id":1},{"_id":2}"#, "["])
    func `truncated arrays are reported`(_ text: String) async throws {
        try folder.write(Array(text.utf8), "cut.json")
        for format in ["", " --format json"] {
            let run = await run("import @cut.json\(format) --out @new.realm")
            expectEqual(run.status, .unreadable)
            expectEqual(run.messages.last?.contains("the array that begins here has no end"), true)
        }
    }

    /// Without a primary key, objects are identified by numbers, which are text in a column and numbers in a list.
    @Test func `links to objects without a primary key are resolved`() async throws {
        let file = try KnownFile.fixture("links-stream")
        try folder.write(file.bytes(), "links.realm")
        await expectEqual(run("export @links.realm --format csv --out @csv").status, .success)
        let imported = await run("import @csv --out @new.realm")
        expectEqual(imported.status, .success)
        expect(imported.messages.allSatisfy { !$0.contains("lost") }, "\(imported.messages)")
        for property in ["one", "many", "set", "dict", "other"] {
            let expected = try linkedNames(folder.file("links.realm"), property)
            expect(expected.count > 2 * 19 || ["one", "other"].contains(property))
            try expectEqual(linkedNames(folder.file("new.realm"), property), expected, "\(property)")
        }
    }

    /// Returns the numbers of the objects of LinkA, each with the names of the LinkB objects that a property links to.
    private func linkedNames(_ path: String, _ property: String) throws -> [String] {
        let snapshot = try RealmDatabase(path: path).snapshot()
        let (from, target) = (try snapshot.table(named: "LinkA"), try snapshot.table(named: "LinkB"))
        func names(_ value: Value) throws -> [String] {
            switch value {
            case .link(let link):
                guard case .string(let name)? = try target.object(link.objectKey)?["name"] else { return ["?"] }
                return [name]
            case .list(let values), .set(let values): return try values.flatMap(names)
            case .dictionary(let entries): return try entries.flatMap { ["\($0.key)"] + (try names($0.value)) }
            default: return []
            }
        }
        var found: [String] = []
        var objects = from.objects
        var number = 0
        while let object = try objects.next() {
            // Sets are in the order of keys, which differ in the new file.
            found += try names(object[property]).sorted().map { "\(number) \($0)" }
            number += 1
        }
        return found
    }

    /// libbson's own message is not readable.
    @Test func `too many levels are reported in readable words`() async throws {
        func nested(_ levels: Int) -> [UInt8] {
            let (start, end) = (String(repeating: "[", count: levels), String(repeating: "]", count: levels))
            return Array("{\"_id\": 1}\n{\"_id\": 2, \"a\": \(start)1\(end)}\n".utf8)
        }
        try folder.write(nested(98), "deep.jsonl")
        try folder.write(nested(97), "fits.jsonl")
        let run = await run("import @deep.jsonl --out @deep.realm")
        expectEqual(run.status, .unreadable)
        expectEqual(
            run.messages,
            [
                "realmfile: \(folder.file("deep.jsonl")): line 2, column 1: "
                    + "more than 98 levels of documents and arrays; --format json reads more of them"
            ])
        await expectEqual(self.run("import @fits.jsonl --out @fits.realm").status, .success)
    }

    /// The directory of an archive must agree with its content.
    @Test func `damaged archives are reported`() async throws {
        _ = await run("export @kennel.realm --archive @a.archive")
        let good = try #require(folder.bytes("a.archive"))
        await expectEqual(run("import @a.archive --out @good.realm").status, .success)
        func place(of text: String, last: Bool = false) throws -> Int {
            let bytes = Array(text.utf8)
            let places = good.indices.filter { good[$0...].starts(with: bytes) }
            return try #require(last ? places.last : places.first)
        }
        var (document, name) = (good, good)
        document[try place(of: "Rex")] = UInt8(ascii: "S")
        name[try place(of: "Person", last: true)] ^= 1
        let (end, rex) = (try place(of: "EOF", last: true), try place(of: "Rex"))
        for (bytes, words) in [
            (document, "the documents of Dog do not have the checksum that the archive says"),
            (name, "documents of a collection that the archive does not begin with: Qerson"),
            (Array(good[..<end]), "ends after"),
            (Array(good[..<(end - 43)]), "the archive ends before the end of Person"),
            // In the directory, and in the fourth document.
            (Array(good[..<100]), "bad.archive: at byte 4: the archive ends after 96 of the 105 bytes of a document"),
            (Array(good[..<(rex + 3)]), "bad.archive: document 0 at byte"),
        ] {
            try folder.write(bytes, "bad.archive")
            let run = await run("import @bad.archive --out @bad.realm")
            expectEqual(run.status, .unreadable)
            expectEqual(run.messages.last?.contains(words), true, "\(run.messages)")
            expectEqual(folder.bytes("bad.realm"), nil)
        }
    }

    @Test func `a missing database is reported`() async throws {
        let bytes = Array(#"{"_id": 1}"#.utf8)
        try FileManager.default.createDirectory(atPath: folder.file("dump/app"), withIntermediateDirectories: true)
        try folder.write(bytes, "dump/app/T.jsonl")
        let run = await run("import @dump --db other --out @new.realm")
        expectEqual(run.status, .usage)
        expectEqual(run.messages.last?.contains("there are no documents of the database other in "), true)
    }

    @Test func `a Realm file is not a dump`() async throws {
        let run = await run("import @kennel.realm --out @new.realm")
        expectEqual(run.status, .usage)
        expectEqual(run.messages.last?.contains("it is a Realm file already; import makes one of documents"), true)
        expectEqual(folder.bytes("new.realm"), nil)
    }

    /// Files of which nothing is imported are named.
    @Test func `files of unknown kinds are named`() async throws {
        _ = await run("export @kennel.realm --out @data")
        try folder.write([1], "data/kennel/Cat.bson.zst")
        try folder.write([1], "data/notes.xml")
        let imported = await run("import @data --out @new.realm")
        expectEqual(imported.status, .success)
        expectEqual(
            Set(imported.messages.filter { $0.contains("left out") }),
            Set(
                ["notes.xml", "kennel/Cat.bson.zst"].map {
                    "  left out: \(folder.file("data/\($0)")): not of a class in the schema"
                }))
    }

    @Test func `losses are reported`() async throws {
        let reported = await run("import @T.jsonl --out @new.realm --json")
        expectEqual(reported.status, .success)
        let report = try reported.json()
        try expect(report.number("reportVersion") == 2 && report.number("objects") == 1)
        try expect(report[required: "written"].bool())
        try expectEqual(report.objects("classes").map { try "\($0.text("name")) \($0.number("objects"))" }, ["T 1"])
        let loss = try report.objects("losses")[0]
        try expect(loss.text("kind") == "duplicateIdentity" && loss.number("count") == 1)
        try expect(loss.number("document") == 1 && loss.number("byte") == 19)
        let line =
            "  lost: T: documents with the primary key of another one, left out (1, first in \(folder.file("T.jsonl")), line 2)"
        expectEqual(reported.messages, [line])
        let unwritten = await run("import @T.jsonl --out @other.realm --on-loss error --json")
        try expect(!unwritten.json()[required: "written"].bool())
        let refused = await run("import @T.jsonl --out @other.realm --on-loss error")
        expectEqual(refused.status, .findings)
        expectEqual(
            refused.messages,
            [
                line, "realmfile: \(folder.file("other.realm")) is not written: --on-loss error allows no losses",
            ])
        expectEqual(folder.bytes("other.realm"), nil)
    }

    /// One line with the problem and what to try.
    @Test(
        arguments: [
            (
                "import @T.jsonl --out -", RealmFileCommands.ExitStatus.usage,
                "--out takes a path: the header is written last"
            ),
            ("import @none --out @new.realm", .unreadable, "No such file or directory"),
            ("import @key --out @new.realm", .usage, "neither its name nor --format says what is in it"),
            ("import @T.jsonl --out @kennel.realm", .unreadable, "already exists; use --overwrite to replace it"),
            (
                "import @T.jsonl --format bson --out @new.realm", .unreadable,
                "a document of 1767842427 bytes ends after 38"
            ),
            (
                "import - --format bson --out @new.realm", .usage,
                "give the name of the class of these documents with --class"
            ),
            ("import @T.jsonl --out @T.jsonl --overwrite", .usage, "--out must not be one of the input files: "),
            ("import @T.jsonl --db app --out @new.realm", .usage, "--db chooses a database of a folder or archive"),
            (
                "import @. --class X --out @new.realm", .usage,
                "--class names the documents of one file, not of a folder"
            ),
            ("import @T.jsonl --schema x --nested mixed --out @new.realm", .usage, "--nested is for documents without"),
            ("import @T.jsonl @U.jsonl --class X --out @new.realm", .usage, "--class works with one input file"),
            (
                "import @nul.jsonl --out @new.realm", .unreadable,
                "NUL in a name, which Extended JSON cannot have; --format json"
            ),
            ("import", .usage, "Missing expected argument"),
        ] as [(String, RealmFileCommands.ExitStatus, String)])
    func `one line names the problem and the next step`(
        _ words: String, _ status: RealmFileCommands.ExitStatus, _ text: String
    ) async {
        let run = await run(words)
        expectEqual(run.status, status)
        expectEqual(run.messages.count, 1)
        expect(run.messages.first?.contains(text) ?? false, "\(run.messages)")
        expectEqual(folder.bytes("new.realm"), nil)
    }
}
