import CommandTestSupport
import Expectations
import Foundation
import RealmFile
import RealmFileCommands
import TestSupport
import Testing

/// Advice applies to the requested commit and the requested kind of file.
@Suite final class CommitAdviceTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// kennel without its header; commit 3 at 0x1050 has a damaged table, commit 2 at 0x7f8 is intact.
    private func damaged() throws -> String {
        var bytes = try KnownFile.fixture("kennel").bytes()
        bytes.replaceSubrange(..<24, with: [UInt8](repeating: 0, count: 24))
        bytes.replaceSubrange(0xd2c...0xd2d, with: [0xf8, 0x7f])
        try folder.write(bytes, "app.realm")
        return folder.file("app.realm")
    }

    @Test(arguments: [["--commit", "3"], ["--root", "0x1050"]]) func `advice on a damaged commit is about that commit`(
        _ choice: [String]
    ) async throws {
        let path = try damaged()
        let salvage = "realmfile repair \(path) --salvage \(choice.joined(separator: " ")) --dry-run"
        for verb in [
            ["verify"], ["info"], ["schema"], ["hash"], ["export", "--out", folder.file("dump")],
            ["compact", "--out", folder.file("new.realm")], ["repair", "--out", folder.file("new.realm")],
            ["diff", try KnownFile.fixture("kennel").url.path],
        ] {
            let run = await Run([verb[0], path] + verb.dropFirst() + choice)
            expect(run.status != .success && AdviceTests.commands(run).contains(salvage), "\(verb) \(run)")
        }
        let words = try AdviceTests.words(salvage)
        let report = try await Run(Array(words.dropFirst()) + ["--json"]).json()
        try expect(report.number("commit") == 3 && report.text("root") == "0x1050")
    }

    /// Checks apply to the commit that is read.
    @Test func `checks apply to the commit that is read`() async throws {
        let path = try damaged()
        let info = await Run("info", path, "--commit", "2")
        expectEqual(AdviceTests.commands(info), ["realmfile verify \(path) --commit 2"], "\(info.output)")
        let verify = await Run("verify", path, "--commit", "2")
        expectEqual(verify.status, .success)
    }

    /// The same comparison by primary key, of the same commits and classes.
    @Test func `advice on a comparison names the same commits and classes`() async throws {
        func build(_ name: String, _ ids: [Int64]) async throws -> (path: String, root: String) {
            let schema = SchemaDefinition(
                ["A", "B"].map { TableDefinition(class: $0, primaryKey: "id", [PropertyDefinition("id", .int)]) })
            let builder = try RealmBuilder(schema, at: NewFile(folder.file(name)))
            for id in ids { for name in ["A", "B"] { try builder.add(name, ["id": .int(id)]) } }
            try builder.finish()
            let info = try await Run("info", folder.file(name), "--json").json()
            return (folder.file(name), try info.object("snapshot").text("topRef"))
        }
        let (first, second) = (try await build("a.realm", [1, 2]), try await build("b.realm", [2, 1]))
        let run = await Run(
            "diff", first.path, second.path, "--root", first.root, "--other-root", second.root, "--class", "B")
        let command = try #require(AdviceTests.commands(run).last)
        let words = try AdviceTests.words(command)
        expectEqual(
            words,
            [
                "realmfile", "diff", first.path, second.path, "--root", first.root, "--other-root", second.root,
                "--class", "B", "--by-primary-key",
            ])
        await expectEqual(Run(Array(words.dropFirst())).status, .success)
    }

    /// Advice for a plain file leads to a plain file.
    @Test func `advice for a plain file leads to a plain file`() async throws {
        let people = try KnownFile.fixture("Encrypted/people")
        try folder.write(people.key(), "key")
        var bytes = try people.bytes()
        bytes[4096 * 2 + 100] ^= 0xFF
        try folder.write(bytes, "broken.realm")
        let (path, key) = (folder.file("broken.realm"), folder.file("key"))
        let run = await Run("decrypt", path, "--key-file", key, "--out", folder.file("new.realm"))
        expectEqual(run.status, .unreadable)
        let commands = AdviceTests.commands(run).filter { $0.hasPrefix("realmfile repair ") }
        expect(!commands.isEmpty)
        for command in commands {
            var words = try AdviceTests.words(command)
            expect(words.contains("--decrypt"), "\(command)")
            let place = try #require(words.firstIndex(of: "--dry-run"))
            words.replaceSubrange(place...place, with: ["--out", folder.file("new.realm")])
            let made = await Run(Array(words.dropFirst()))
            expect(made.status != .usage && made.status != .unreadable, "\(made.messages)")
            await expectEqual(Run("verify", folder.file("new.realm")).status, .success)
            try FileManager.default.removeItem(atPath: folder.file("new.realm"))
        }
    }
}
