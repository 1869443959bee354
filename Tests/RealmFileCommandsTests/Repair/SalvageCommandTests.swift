import CommandTestSupport
import Expectations
import Foundation
import RealmCore
import RealmFileCommands
import RealmStorage
import TestSupport
import Testing

/// `repair --salvage` from the user's point of view: output, messages and exit status.
@Suite struct SalvageCommandTests {
    @Test func `a salvage writes the readable content`() async throws {
        let file = try TemporaryFile(fixture: "kennel") { _ in }
        let out = beside(file, "new.realm")
        let run = await Run("repair", file.path, "--salvage", "--out", out)
        expectEqual(run.status, .success, "\(run.messages)")
        for words in [
            "selected by the header, format 24", "nothing lost",
            "Dog: 10 of 10 objects kept, every value intact", "checked         ok",
        ] {
            expect(run.output.contains(words), "\(words)\n\(run.output)")
        }
        let expected = try TypedDump(contentsOf: try #require(KnownFile.fixture("kennel").dump))
        var found = try TypedDump(RealmDatabase(path: out).snapshot())
        var known = expected
        known.forgetLayout()
        found.forgetLayout()
        expect(known.differences(to: found).isEmpty)
    }

    /// Damage that only the verifier detects: text and JSON report it, and never claim completeness.
    @Test func `a salvage reports damage that only verify finds`() async throws {
        let file = try TemporaryFile(fixture: "kennel") { bytes in (bytes[0xA46], bytes[0xA47]) = (0x00, 0x10) }
        let out = beside(file, "new.realm")
        let run = await Run("repair", file.path, "--salvage", "--out", out)
        expectEqual(run.status, .findings, "\(run.messages)")
        for words in [
            "objects         by class:", "Dog: 10 of 10 objects kept; no damage was seen",
            "source          1 error, 1 warning\n  error N08 freePositions: the node is referred to a second time "
                + "(at offset 0x1000)\n",
            "caution         the source has 1 error: values may be wrong or missing that nothing else shows",
        ] {
            expect(run.output.contains(words), "\(words)\n\(run.output)")
        }
        expect(!run.output.contains("nothing lost") && !run.output.contains("every value intact"))
        let json = try await Run("repair", file.path, "--salvage", "--out", out, "--overwrite", "--json").json()
        try expect(!json[required: "lossless"].bool())
        let source = try json.object("source")
        try expectEqual(source.number("errors"), 1)
        try expect(source[required: "readable"].bool() && !source[required: "outdated"].bool())
        let totals = try source.object("totals")
        try expect(totals.number("error") == 1 && totals.number("warning") == 1 && totals.number("fatal") == 0)
        let finding = try #require(try source.objects("findings").first)
        try expect(finding.text("check") == "N08" && finding[optional: "slot"] == nil)

        // In formats 2 to 9, the previous commit is used when the last cannot be read.
        var patient = try Patient("Legacy/format-6-links")
        patient.bytes[patient.top + 4] = 0x10
        let older = try TemporaryFile(patient.bytes)
        let second = await Run("repair", older.path, "--salvage", "--out", beside(older, "new.realm"))
        expectEqual(second.status, .findings)
        expect(
            second.output.contains("caution         there are signs of a later commit, of which nothing is salvaged"))
    }

    /// An unauthentic page of an encrypted file is lost; all other content is recovered, encrypted.
    @Test func `a salvage of an encrypted file is encrypted`() async throws {
        let fixture = try KnownFile.fixture("format-23-scalars-stream")
        let key = try #require(try KnownFile.fixture("Encrypted/people").keyFile).path
        let file = try TemporaryFile(try fixture.bytes())
        let (encrypted, out) = (beside(file, "encrypted.realm"), beside(file, "new.realm"))
        await expectEqual(Run("encrypt", file.path, "--new-key-file", key, "--out", encrypted).status, .success)
        var bytes = [UInt8](try Data(contentsOf: URL(filePath: encrypted)))
        // The fourth page of data, after the page of the table for 64 of them.
        bytes[4 * 4096 + 100] ^= 1
        try Data(bytes).write(to: URL(filePath: encrypted))
        let run = await Run("repair", encrypted, "--salvage", "--key-file", key, "--out", out)
        expectEqual(run.status, .findings, "\(run.messages)")
        for words in [
            "1 encrypted page without proof, zeros are in their place; --unauthenticated reads", "4096 bytes at 0x3000",
            "StringValues: 23 of 23 objects kept; 39 values defaulted (bytes 0x32a8 to 0x32b0, bytes 0x4e00 to 0x4e36)",
            "checked         ok",
        ] {
            expect(run.output.contains(words), "\(words)\n\(run.output)")
        }
        // Each class has a sentence, with the place of any damage.
        let classes = try RealmDatabase(path: file.path).snapshot().classes
        expectEqual(
            run.output.split(separator: "\n").count { $0.contains("object") && $0.contains(" kept") }, classes.count)
        let new = await Run("hash", out, "--key-file", key)
        expectEqual(new.status, .success)
        await expectEqual(Run("hash", out).status, .unreadable)
    }

    /// Unauthenticated pages are read on request, and content from them is reported.
    @Test func `unauthenticated pages are read on request`() async throws {
        let fixture = try KnownFile.fixture("Encrypted/people")
        let key = try #require(fixture.keyFile).path
        var bytes = try fixture.bytes()
        bytes.replaceSubrange(0..<4096, with: [UInt8](repeating: 0, count: 4096))
        let file = try TemporaryFile(bytes)
        let out = beside(file, "new.realm")
        let salvage = ["repair", file.path, "--salvage", "--key-file", key, "--out", out]
        let refused = await Run(salvage)
        expectEqual(refused.status, .unreadable)
        expectEqual(
            refused.messages.last?.contains(" --salvage --unauthenticated --dry-run`"), true, "\(refused.messages)")

        let run = await Run(salvage + ["--unauthenticated"])
        expectEqual(run.status, .findings, "\(run.messages)")
        for words in [
            "unproven        3 encrypted pages, which may be damaged: what lies there is doubtful",
            "Dog: 100 of 100 objects kept; 300 doubtful (",
            "Dog: doubtful, bytes 0xef8 to 0xf00: a name or type of a property lies in an encrypted page that nothing proves",
            "Dog.age: 100 doubtful, objects 0 to 99, bytes 0xe20 to 0xe5a: the value lies in an encrypted page that nothing",
            "checked         ok",
        ] { expect(run.output.contains(words), "\(words)\n\(run.output)") }
        let report = try await Run(salvage + ["--unauthenticated", "--overwrite", "--json"]).json()
        try expect(report.number("unprovenPages") == 3 && report.number("lostPages") == 0)
        let same = await Run("diff", fixture.url.path, out, "--key-file", key)
        expectEqual(same.status, .success, "\(same.output)")

        let other = try #require(KnownFile.fixture("Encrypted/empty").keyFile).path
        let wrong = await Run(
            "repair", file.path, "--salvage", "--unauthenticated", "--key-file", other, "--out", out, "--overwrite")
        expectEqual(wrong.status, .unreadable)
        expectEqual(wrong.messages.last?.contains("what it decrypts is not a Realm file"), true, "\(wrong.messages)")
        await expectEqual(Run("repair", file.path, "--find-root", "--unauthenticated", "--out", out).status, .usage)
    }

    @Test func `a salvage without content is reported`() async throws {
        let file = try TemporaryFile([UInt8](repeating: 7, count: 4096))
        let run = await Run("repair", file.path, "--salvage", "--out", beside(file, "new.realm"))
        expectEqual(run.status, .unreadable, "\(run.output)")
        try expectEqual(names(beside: file), ["test.realm"])
    }

    /// An empty database is not damaged, and there is no other commit to try.
    @Test(arguments: [[], ["--find-root"]])
    func `an empty database is not damage`(_ options: [String]) async throws {
        let empty = try KnownFile.fixture("empty-new")
        let file = try TemporaryFile(try empty.bytes())
        let run = await Run(["repair", file.path, "--salvage", "--out", beside(file, "new.realm")] + options)
        expectEqual(run.status, .unreadable)
        expectEqual(run.messages, ["realmfile: \(file.path): the database is empty, and there is no trace of a commit"])
    }

    /// Commands without an option for the other commit do not advise to use it.
}
