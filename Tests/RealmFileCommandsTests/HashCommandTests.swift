import CommandTestSupport
import Expectations
import RealmCore
import RealmFileCommands
import TestSupport
import Testing

/// Command lines of `hash` and `diff`.
@Suite struct HashCommandTests {
    private func path(_ name: String) throws -> String { try KnownFile.fixture(name).url.path }

    private func keyPath(_ name: String) throws -> String {
        try #require(KnownFile.fixture(name).keyFile).path
    }

    /// The hash printed in the Spec, which the dumps confirm.
    @Test func `the hash equals that of the Spec`() async throws {
        let row = try #require(
            try SpecDocument.load().rows("content-hashes", ["file", "form", "hash"]).first { $0[0] == "`kennel.realm`" }
        )
        let run = await Run("hash", try path("kennel"))
        expectEqual(run.status, .success)
        expectEqual(run.messages, [])
        let lines = run.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        expectEqual(
            lines.map { Array($0.dropFirst()) },
            [
                ["Address", "4", "objects"], ["Dog", "10", "objects"], ["DogClub", "1", "object"],
                ["Person", "5", "objects"], ["total", "20", "objects"],
            ])
        expectEqual("`\(lines[4][0])`", row[2])
        let json = try await Run("hash", try path("kennel"), "--json").json()
        try expectEqual(json.text("total"), lines[4][0])
        try expect(json.number("reportVersion") == 2 && json.number("definition") == 1)
        try expectEqual(json.text("identity"), "objectKey")
        try expectEqual(json.objects("tables").map { try $0.text("hash") }, lines.dropLast().map { $0[0] })
        let dog = await Run("hash", try path("kennel"), "--class", "Dog")
        expectEqual(dog.output, "\(lines[1][0])  Dog    10 objects\n")
    }

    @Test func `an encrypted file has the hash of the plain one`() async throws {
        let plain = await Run("hash", try path("format-20-people"))
        let encrypted = await Run(
            "hash", try path("Encrypted/format-20-people"), "--key-file", try keyPath("Encrypted/format-20-people"))
        expect(plain.output == encrypted.output && plain.status == .success)
        let wrong = await Run("hash", try path("Encrypted/format-20-people"))
        expect(wrong.status == .unreadable && wrong.output.isEmpty && wrong.messages.count == 1)
    }

    /// Tables that are not classes are included on request; otherwise a message names them.
    @Test func `other tables count on request`() async throws {
        let file = try path("Legacy/format-5-shapes")
        let run = await Run("hash", file)
        expectEqual(run.status, .success)
        expect(run.messages.count == 1 && run.messages[0].contains("--include-system"))
        let all = await Run("hash", file, "--include-system")
        expectEqual(all.messages, [])
        expect(all.output.split(separator: "\n").count > run.output.split(separator: "\n").count)
    }

    @Test func `an unknown class is reported`() async throws {
        let run = await Run("hash", try path("kennel"), "--class", "Cat")
        expect(run.status == .usage && run.messages[0].contains("no class 'Cat'"))
        let diff = await Run("diff", try path("kennel"), try path("kennel"), "--class", "Cat")
        expect(diff.status == .usage && diff.messages[0].contains("Cat"))
    }

    // diff

    @Test func `equal files have no difference`() async throws {
        let run = await Run(
            "diff", try path("format-20-people"), try path("Encrypted/format-21-people"), "--other-key-file",
            try keyPath("Encrypted/format-21-people"))
        expect(run.status == .success && run.output.isEmpty && run.messages == [])
        // One key for both files, of which only the first is encrypted.
        let other = await Run(
            "diff", try path("Encrypted/format-20-people"), try path("format-20-people"), "--key-file",
            try keyPath("Encrypted/format-20-people"))
        expect(other.status == .success && other.output.isEmpty && other.messages == [])
        // Only the second is encrypted.
        let swapped = await Run(
            "diff", try path("format-20-people"), try path("Encrypted/format-20-people"), "--key-file",
            try keyPath("Encrypted/format-20-people"))
        expect(swapped.status == .success && swapped.output.isEmpty && swapped.messages == [])
        let json = try await Run("diff", try path("kennel"), try path("kennel"), "--json").json()
        try expect(json[required: "equal"].bool())
        try expectEqual(json.objects("tables").map { try $0.number("same") }, [4, 10, 1, 5])
    }

    /// A value changed in the bytes of the file: the name of the person with the primary key 4 (Spec).
    @Test func `a changed value is shown`() async throws {
        var bytes = try KnownFile.fixture("kennel").bytes()
        let name = Array("Alice".utf8)
        let offset = try #require(bytes.indices.first { bytes[$0...].starts(with: name) })
        bytes[offset] = UInt8(ascii: "E")
        let file = try TemporaryFile(bytes)
        let run = await Run("diff", try path("kennel"), file.path)
        expectEqual(run.status, .findings)
        expectEqual(
            run.output.split(separator: "\n").dropFirst(2),
            [
                "~ class Person: 0 added, 0 removed, 1 changed, 4 equal", "    ~ 3 (object 2)",
                "        name: \"Alice\" → \"Elice\"",
            ])
        let json = try await Run("diff", try path("kennel"), file.path, "--json").json()
        let tables = try json.objects("tables").filter { try !$0[required: "equal"].bool() }
        try expectEqual(tables.map { try $0.text("name") }, ["Person"])
        let object = try #require(try tables[0].objects("objects").first)
        try expect(object.text("kind") == "changed" && object.text("primaryKey") == "3")
        try expectEqual(object.objects("changes").map { try $0.text("property") }, ["name"])
        let hidden = await Run("diff", try path("kennel"), file.path, "--max-differences", "0")
        expect(hidden.output.contains("… 1 more object"))
        let elsewhere = await Run("diff", try path("kennel"), file.path, "--class", "Dog")
        expect(elsewhere.status == .success && elsewhere.output.isEmpty)
    }

    /// Changes of a migration to the schema.
    @Test func `a changed schema is shown`() async throws {
        let run = await Run("diff", try path("kennel"), try path("cluster-gaps"), "--json")
        expectEqual(run.status, .findings)
        let json = try run.json()
        try expectEqual(
            json.objects("removedTables").map { try $0.text("name") },
            [
                "Address", "Dog", "DogClub", "Person",
            ])
        try expectEqual(json.objects("addedTables").count, 1)
        // The previous commit had no objects yet.
        let before = await Run(
            "diff", try path("kennel"), try path("kennel"), "--slot", "other", "--max-differences", "1")
        expect(before.output.contains("~ class Dog: 10 added, 0 removed, 0 changed, 0 equal\n"))
        expect(before.output.contains("… 9 more objects"))
    }

    @Test func `wrong command lines are reported`() async throws {
        let file = try path("kennel")
        for arguments in [
            ["diff", file], ["diff", "-", "-"], ["diff", file, file, "--max-differences", "-1"], ["hash"],
        ] {
            await expectEqual(Run(arguments).status, .usage, "\(arguments)")
        }
        let missing = await Run("diff", file, file + ".missing")
        expect(missing.status == .unreadable && missing.messages[0].contains(".missing"))
    }
}
