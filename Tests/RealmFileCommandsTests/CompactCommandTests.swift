import CommandTestSupport
import Expectations
import Foundation
import RealmCore
import RealmFileCommands
import RealmLayout
import RealmStorage
import TestSupport
import Testing

/// The commands compact and upgrade from the user's point of view.
@Suite struct CompactCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var out: String { "\(folder.path)/new.realm" }

    private func path(_ fixture: String) throws -> String { try KnownFile.fixture(fixture).url.path }

    /// The content of the new file equals that of the old one, according to `diff`.
    @Test func `a compacted file has the content of the old one`() async throws {
        let file = try path("kennel")
        let run = await Run("compact", file, "--out", out)
        expect(run.status == .success && run.messages.isEmpty, "\(run.messages)")
        for words in ["8192 bytes", "format 24", "objects         20", "left out", "the history (1 changeset)"] {
            expect(run.output.contains(words), "\(words)\n\(run.output)")
        }
        await expectEqual(Run("diff", file, out, "--include-system").status, .success)
        await expectEqual(Run("verify", out, "--deep", "--strict").status, .success)
        let snapshot = try RealmDatabase(path: out).snapshot()
        try expect(snapshot.freeBytes() == 0 && snapshot.history.entryCount == nil)
        try expectEqual(FileManager.default.contentsOfDirectory(atPath: folder.path), ["new.realm"])
    }

    /// Copied damage is reported: the target table of a person's dogs does not exist.
    @Test func `copied damage is reported`() async throws {
        let file = try TemporaryFile(fixture: "kennel") { $0[1670] = 0x08 }
        let run = await Run("compact", file.path, "--out", out)
        expectEqual(run.status, .findings)
        expectEqual(run.messages.count, 1)
        expect(run.messages[0].hasPrefix("realmfile: \(out): 8 errors, copied from a damaged file; first: "))
        await expect(Run("verify", out, "--quick").output.contains("damaged: 2 errors"))
        let json = await Run("compact", file.path, "--out", out, "--overwrite", "--json")
        expectEqual(json.status, .findings)
        try expectEqual(json.json().number("errors"), 8)
    }

    /// A file that current SDKs refuse is upgraded to format 24; compacting keeps its format.
    @Test func `a file of an old format is upgraded, or compacted as it is`() async throws {
        let file = try path("Legacy/format-9-people")
        let upgraded = await Run("upgrade", file, "--out", out, "--json")
        expectEqual(upgraded.status, .success, "\(upgraded.messages)")
        let report = try upgraded.json()
        try expect(report.number("fileFormat") == 9 && report.number("outFormat") == 24)
        try expectEqual(RealmDatabase(path: out).snapshot().version, FormatVersion(24))
        await expectEqual(Run("diff", file, out, "--include-system").status, .success)
        let compacted = await Run("compact", file, "--out", out, "--overwrite")
        expectEqual(compacted.status, .success, "\(compacted.messages)")
        try expectEqual(RealmDatabase(path: out).snapshot().version, FormatVersion(9))
        await expectEqual(Run("diff", file, out, "--include-system").status, .success)
    }

    /// An encrypted file stays encrypted, with its key.
    @Test(arguments: ["compact", "upgrade"])
    func `an encrypted file stays encrypted`(_ verb: String) async throws {
        let known = try #require(
            KnownFile.encryptedFixtures.first { $0.name.contains("format-24") } ?? KnownFile.encryptedFixtures.last)
        let key = try #require(known.keyFile?.path)
        let run = await Run(verb, known.url.path, "--key-file", key, "--out", out)
        expect(run.status == .success && run.output.contains("encrypted with the same key"), "\(run.messages)")
        await expectEqual(Run("info", out).status, .unreadable)
        let diff = await Run(
            "diff", known.url.path, out, "--key-file", key, "--other-key-file", key, "--include-system")
        expectEqual(diff.status, .success, "\(diff.messages) \(diff.output)")
    }

    /// One class is copied with its embedded objects; links out of the selection are counted.
    @Test func `some classes are copied with their embedded objects`() async throws {
        let file = try path("kennel")
        let run = await Run("upgrade", file, "--class", "Person", "--out", out)
        expectEqual(run.status, .success, "\(run.messages)")
        let all = try TypedDump(contentsOf: try #require(KnownFile.fixture("kennel").dump))
        let source = try #require(all.tables.first { $0.name == "class_Person" })
        let dogs = try #require(source.columns.firstIndex { $0.name == "dogs" })
        let address = try #require(source.columns.firstIndex { $0.name == "address" })
        var links = 0
        var addresses: Set<Int64> = []
        for person in source.objects {
            if case .list(let values) = person.values[dogs] { links += values.count }
            if case .link(_, let key) = person.values[address] { addresses.insert(key) }
        }
        expect(links > 0 && !addresses.isEmpty)
        expect(run.output.contains("\(links) links of Person.dogs to Dog"), "\(run.output)")
        let found = try TypedDump(RealmDatabase(path: out).snapshot())
        let names = found.tables.map(\.name)
        expectEqual(names, all.tables.map(\.name).filter { $0 != "class_DogClub" })
        for table in found.tables {
            let before = try #require(all.tables.first { $0.name == table.name })
            switch table.name {
            case "class_Dog": expect(table.objects.isEmpty && table.columns.count == before.columns.count)
            case "class_Address":
                // Those of the club are not copied.
                expectEqual(Set(table.objects.map(\.key)), addresses)
            case "class_Person":
                expectEqual(table.objects.map(\.key), before.objects.map(\.key))
                for (object, old) in zip(table.objects, before.objects) {
                    var expected = old.values
                    expected[dogs] = .list([])
                    expectEqual(object.values, expected)
                }
            default: expectEqual(table.objects.map(\.values), before.objects.map(\.values))
            }
        }
        await expectEqual(Run("verify", out, "--deep", "--strict").status, .success)
        let unknown = await Run("upgrade", file, "--class", "Cat", "--out", "\(folder.path)/other.realm")
        expect(unknown.status == .usage && unknown.messages.first?.contains("classes are Address, Dog") == true)
        let embedded = await Run("upgrade", file, "--class", "Address", "--out", "\(folder.path)/other.realm")
        expect(embedded.status == .usage && embedded.messages.first?.contains("Address is embedded") == true)
    }

    /// Existing files are not replaced, the input never is, and bad input leaves no files behind.
    @Test(arguments: ["compact", "upgrade"])
    func `existing files are not replaced`(_ verb: String) async throws {
        let file = try path("kennel")
        try Data("mine".utf8).write(to: URL(filePath: out))
        let existing = await Run(verb, file, "--out", out)
        expectEqual(existing.status, .unreadable)
        expectEqual(existing.messages.first?.contains("already exists; use --overwrite"), true, "\(existing.messages)")
        try expectEqual(Data(contentsOf: URL(filePath: out)), Data("mine".utf8))
        let copy = try TemporaryFile(fixture: "kennel") { _ in }
        let same = await Run(verb, copy.path, "--out", copy.path, "--overwrite")
        expect(
            same.status == .usage && same.messages.first?.contains("--out must not be the input file") == true,
            "\(same.messages)")
        let stream = await Run(verb, file, "--out", "-")
        expect(stream.status == .usage && stream.messages.count == 1, "\(stream.messages)")
        let damaged = try TemporaryFile(fixture: "kennel") { bytes in
            // The list of tables of the current commit.
            bytes[0xD20 + 4] = 0xFF
        }
        let missing = "\(folder.path)/other.realm"
        let broken = await Run(verb, damaged.path, "--out", missing)
        expect(broken.status == .unreadable && broken.messages.count == 1, "\(broken.messages)")
        expect(!OutputFile.exists(missing))
        // The previous commit is intact.
        let before = await Run(verb, damaged.path, "--slot", "other", "--out", missing)
        expectEqual(before.status, .success, "\(before.messages)")
        await expectEqual(Run("diff", file, missing, "--slot", "other").status, .success)
    }
}
