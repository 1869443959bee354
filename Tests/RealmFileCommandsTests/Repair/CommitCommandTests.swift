import CommandTestSupport
import Expectations
import Foundation
import RealmCore
import RealmLayout
import RealmStorage
import TestSupport
import Testing

import RealmFileCommands

/// `--commit` and `--root`: every command reads any commit in the file, with or without a header.
@Suite struct CommitCommandTests {
    /// kennel has commit 3 at 0x1050 and commit 2, without objects of classes, at 0x7f8.
    private func kennel(headless: Bool) throws -> TemporaryFile {
        try TemporaryFile(fixture: "kennel") { bytes in
            if headless { for index in 0..<24 { bytes[index] = 0 } }
        }
    }

    private static let choices = [
        ["--commit", "3"], ["--commit", "2"], ["--root", "0x1050"], ["--root", "0x7f8"],
    ]

    private func snapshot(_ choice: [String]) throws -> Snapshot {
        let database = try RealmDatabase(bytes: KnownFile.fixture("kennel").bytes())
        return try database.snapshot(["3", "0x1050"].contains(choice[1]) ? .current : .otherSlot)
    }

    /// The expected content of each commit is read through the slots of the intact file.
    @Test(arguments: choices, [false, true]) func `every command reads the requested commit`(
        _ choice: [String], _ headless: Bool
    ) async throws {
        let file = try kennel(headless: headless)
        let original = try TemporaryFile(fixture: "kennel") { _ in }
        let expected = try snapshot(choice)
        let slot = expected.commitNumber == 3 ? "current" : "other"

        func run(_ arguments: [String], with more: [String] = []) async -> Run {
            await Run([arguments[0], file.path] + arguments.dropFirst() + choice + more)
        }
        let hash = await run(["hash"])
        expectEqual(hash.status, .success, "\(hash.messages)")
        expectEqual(hash.output, (await Run("hash", original.path, "--slot", slot)).output)

        let info = try await run(["info", "--json"]).json().object("snapshot")
        try expectEqual(info.number("commit"), Int(expected.commitNumber))
        try expectEqual(info.text("topRef"), expected.topRef?.description)
        let text = await run(["info"])
        expect(
            text.output.contains(
                "showing         commit \(expected.commitNumber), whose root is at \(expected.topRef ?? Ref(0))"),
            "\(text.output)")

        let schema = await run(["schema"])
        expectEqual(schema.output, (await Run("schema", original.path, "--slot", slot)).output)

        let verify = await run(["verify"])
        expect(verify.status == .success && verify.messages.isEmpty, "\(verify.output)")
        expect(verify.output.contains("commit \(expected.commitNumber), format 24"), "\(verify.output)")

        let inspect = await run(["inspect", "--path", "1"])
        expectEqual(inspect.output, (await Run("inspect", original.path, "--slot", slot, "--path", "1")).output)
        await expectEqual(run(["inspect"]).status, .success)

        let same = await Run(["diff", file.path, original.path, "--other-slot", slot] + choice)
        expectEqual(same.status, .success, "\(same.output)\(same.messages)")
        let other = await Run([
            "diff", original.path, file.path, "--slot", slot, "--other-\(choice[0].dropFirst(2))", choice[1],
        ])
        expectEqual(other.status, .success, "\(other.output)\(other.messages)")

        let exported = beside(file, "exported")
        await expectEqual(run(["export", "--out", exported]).status, .success)
        let hasPersons = FileManager.default.fileExists(atPath: "\(exported)/test/Person.bson")
        expectEqual(hasPersons, expected.classes.contains { $0.schema.name == "Person" })

        let compact = beside(file, "compact.realm")
        await expectEqual(run(["compact", "--out", compact]).status, .success)
        let difference = try RealmDatabase(path: compact).snapshot().contentDifference(
            to: expected, includesSystemTables: true)
        expect(difference.isEmpty)
    }

    @Test(arguments: choices, [false, true]) func `a requested commit is repaired`(
        _ choice: [String], _ headless: Bool
    ) async throws {
        let file = try kennel(headless: headless)
        let expected = try snapshot(choice)
        for way in [[], ["--salvage"]] {
            let out = beside(file, "new\(way.count).realm")
            let run = await Run(["repair", file.path, "--out", out] + choice + way)
            // The content of later commits is lost, which is intended when an older one is salvaged.
            let isLast = expected.commitNumber == 3 || !way.isEmpty
            expectEqual(run.status, (isLast ? .success : .findings), "\(run.output)\(run.messages)")
            let difference = try RealmDatabase(path: out).snapshot().contentDifference(
                to: expected, includesSystemTables: true)
            expect(difference.isEmpty, "\(run.output)")
            if way.isEmpty { try expectEqual(RealmDatabase(path: out).snapshot().commitNumber, expected.commitNumber) }
        }
        let report = try await Run(["repair", file.path, "--dry-run", "--json"] + choice).json()
        try expectEqual(report.text("method"), String(choice[0].dropFirst(2)))
    }

    /// The same with encrypted files.
    @Test func `commits of encrypted files are read`() async throws {
        let fixture = try KnownFile.fixture("Encrypted/people")
        let key = try #require(fixture.keyFile).path
        let file = try TemporaryFile(try fixture.bytes())
        let info = try await Run("info", file.path, "--key-file", key, "--json").json().object("snapshot")
        let (commit, root) = (try info.number("commit"), try info.text("topRef"))
        let hash = await Run("hash", file.path, "--key-file", key)
        for choice in [["--commit", "\(commit)"], ["--root", root]] {
            let found = await Run(["hash", file.path, "--key-file", key] + choice)
            expect(found.output == hash.output && found.status == .success, "\(found.messages)")
            await expectEqual(Run(["verify", file.path, "--key-file", key] + choice).status, .success)
            await expectEqual(
                Run(["inspect", file.path, "--key-file", key, "--find", "0x20"] + choice).status, .success)
            let missing = await Run(["hash", file.path] + choice)
            expect(missing.status == .unreadable && missing.messages.joined().contains("encrypted"))
        }
    }

    /// For a number without a root, the message names the existing numbers; an impossible ref is refused.
    @Test func `a missing commit is reported`() async throws {
        let file = try kennel(headless: true)
        let number = await Run("hash", file.path, "--commit", "7")
        expectEqual(number.status, .unreadable)
        expect(
            number.messages.joined().contains("commit 7 is not in this file; commits found: 3, 2"),
            "\(number.messages)")
        let salvage = await Run("repair", file.path, "--salvage", "--commit", "7", "--dry-run")
        expect(salvage.messages.joined().contains("commit 7 is not in this file"), "\(salvage.messages)")
        let node = await Run("hash", file.path, "--root", "0x18")
        expect(
            node.status == .unreadable && node.messages.joined().contains("what is there is not the root of a commit"))
        for root in ["0x1051", "0x0", "0x7fffffffffffffff", "0x2000"] {
            let run = await Run("hash", file.path, "--root", root)
            expectEqual(run.status, .unreadable, "\(root) \(run.output)")
        }
        for arguments in [["--commit", "3", "--root", "0x1050"], ["--slot", "other", "--commit", "3"]] {
            await expectEqual(Run(["hash", file.path] + arguments).status, .usage)
        }
        await expectEqual(Run("repair", file.path, "--find-root", "--commit", "3", "--dry-run").status, .usage)
    }

    /// A dry run of salvage reports the expected result, and leaves no files behind.
    @Test func `a dry run of a salvage leaves no files`() async throws {
        let file = try TemporaryFile(fixture: "kennel") { bytes in (bytes[0xA46], bytes[0xA47]) = (0x00, 0x10) }
        let tried = try await Run("repair", file.path, "--salvage", "--dry-run", "--json").json()
        let folder = URL(filePath: file.path).deletingLastPathComponent().path
        try expectEqual(FileManager.default.contentsOfDirectory(atPath: folder), ["test.realm"])
        let out = beside(file, "new.realm")
        let done = try await Run("repair", file.path, "--salvage", "--out", out, "--json").json()
        try expectEqual(
            tried.objects("tables").map { try $0.text("name") }, done.objects("tables").map { try $0.text("name") })
        try expectEqual(
            tried.objects("tables").map { try $0.number("objects") },
            done.objects("tables").map { try $0.number("objects") })
        try expectEqual(tried.number("incidentTotal"), done.number("incidentTotal"))
        guard case .null = try tried[required: "out"] else { throw TestSupportError("a file was written") }
    }
}
