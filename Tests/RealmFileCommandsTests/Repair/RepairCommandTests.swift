import CommandTestSupport
import Expectations
import Foundation
import RealmCore
import RealmFileCommands
import RealmStorage
import TestSupport
import Testing

/// The command repair from the user's point of view: output, messages and exit status.
@Suite struct RepairCommandTests {
    /// Returns a copy of a fixture without its header.
    private func headless(_ fixture: String) throws -> TemporaryFile {
        try TemporaryFile(fixture: fixture) { bytes in
            for index in 0..<24 { bytes[index] = 0 }
        }
    }

    @Test func `a lost header is rewritten`() async throws {
        let file = try headless("kennel")
        let before = try Data(contentsOf: URL(filePath: file.path))
        let out = beside(file, "new.realm")
        let run = await Run("repair", file.path, "--find-root", "--out", out)
        expectEqual(run.status, .success, "\(run.messages)")
        expect(run.messages.isEmpty)
        for words in [
            "the header is overwritten with zeros", "commits found   2",
            "commit 3 at 0x1050, found by scanning, complete",
            "<- chosen", "nothing that was seen", "new.realm, 8192 bytes, commit 3", "commit 2, which is complete too",
            "checked         ok",
        ] { expect(run.output.contains(words), "\(words)\n\(run.output)") }
        // The broken file is unchanged, and no other files are left.
        try expectEqual(Data(contentsOf: URL(filePath: file.path)), before)
        try expectEqual(names(beside: file), ["new.realm", "test.realm"])
        let expected = try TypedDump(contentsOf: try #require(KnownFile.fixture("kennel").dump))
        try expect(expected.differences(to: TypedDump(RealmDatabase(path: out).snapshot())).isEmpty)
        await expectEqual(Run("verify", out, "--deep", "--strict").status, .success)
    }

    @Test func `advice does not name a missing other commit`() async throws {
        let file = try TemporaryFile(fixture: "kennel") { bytes in
            for index in 24..<bytes.count { bytes[index] = UInt8(truncatingIfNeeded: index &* 167 &+ index >> 5) }
        }
        let run = await Run("repair", file.path, "--salvage", "--out", beside(file, "new.realm"))
        expectEqual(run.status, .unreadable)
        expectEqual(run.messages.count, 1)
        expectEqual(
            run.messages.first?.hasSuffix("; the copy or download was probably interrupted; copy the file again"), true,
            "\(run.messages)")
    }

    @Test func `a dry run writes nothing`() async throws {
        let file = try headless("kennel")
        let run = await Run("repair", file.path, "--find-root", "--dry-run")
        expectEqual(run.status, .success)
        expect(run.output.contains("commit 2 at 0x7f8, found by scanning, complete"))
        expect(!run.output.contains("written   "))
        try expectEqual(names(beside: file), ["test.realm"])
    }

    /// The select bit is wrong, or a writer was interrupted before it changed it: the other slot refers to a later
    /// commit.
    @Test func `a later commit that is not selected is reported`() async throws {
        let file = try TemporaryFile(fixture: "kennel") { $0[0x17] ^= 1 }
        let list = await Run("repair", file.path, "--find-root", "--dry-run")
        expectEqual(list.status, .success)
        expect(
            list.output.contains("commit 2 at 0x7f8, selected by the header, complete, format 24, 0 objects  <- chosen")
        )
        expect(list.output.contains("\nnot selected    commit 3, in the other slot, is later: "))
        let report = try await Run("repair", file.path, "--find-root", "--dry-run", "--json").json()
        try expectEqual(report.objects("candidates")[report.number("unselected")].number("commit"), 3)
        let out = beside(file, "new.realm")
        let salvage = await Run("repair", file.path, "--salvage", "--out", out)
        expectEqual(salvage.status, .findings)
        expect(salvage.output.contains("signs of a later commit"))
        // The other slot is meant for this.
        let other = await Run("repair", file.path, "--salvage", "--use-slot", "other", "--out", out, "--overwrite")
        expectEqual(other.status, .success)
        try expectEqual(RealmDatabase(path: out).snapshot().table(named: "Person").count, 5)
    }

    /// The previous commit is complete but empty: the content of the last commit must be recovered in another way.
    @Test func `a damaged list of free chunks is repaired without the previous commit`() async throws {
        let patient = try Patient("kennel")
        let positions = patient.element(patient.top, 3)
        let file = try TemporaryFile(patient.bytes)
        var bytes = patient.bytes
        // There is no such width type.
        bytes[positions + 4] = 0x1F
        try Data(bytes).write(to: URL(filePath: file.path))
        let out = beside(file, "new.realm")
        let found = await Run("repair", file.path, "--find-root", "--out", out)
        expectEqual(found.status, .findings)
        expect(found.output.contains("Person: 0 of 5 objects: 5 missing"), "\(found.output)")
        expect(
            found.output.hasPrefix(
                "older commit    commit 2, with 1 object, is not the newest; of commit 3 --salvage would bring back 21 of its 21 objects\n"
            ),
            "\(found.output)")
        let salvaged = await Run("repair", file.path, "--salvage", "--out", out, "--overwrite")
        expect(salvaged.output.contains("Person: 5 of 5 objects kept"), "\(salvaged.output)")
    }

    @Test func `the previous commit is selected`() async throws {
        let fixture = try KnownFile.fixture("deleted-columns")
        let file = try TemporaryFile(try fixture.bytes())
        let out = beside(file, "before.realm")
        let run = await Run("repair", file.path, "--use-slot", "other", "--out", out)
        // The loss of the last commit was requested, and is reported nevertheless.
        expectEqual(run.status, .findings)
        expect(run.messages.isEmpty)
        expect(run.output.contains("lost            commit 5:"))
        expect(run.output.contains("with older values"))
        let found = try RealmDatabase(path: out).snapshot()
        expectEqual(found.commitNumber, 4)
        let expected = try TypedDump(RealmDatabase(path: fixture.url.path).snapshot(.otherSlot))
        try expect(expected.differences(to: TypedDump(found)).isEmpty)
    }

    @Test func `the report is JSON on request`() async throws {
        let file = try TemporaryFile(try KnownFile.fixture("deleted-columns").bytes())
        let out = beside(file, "before.realm")
        let report = try await Run("repair", file.path, "--use-slot", "other", "--out", out, "--json").json()
        try expectEqual(report.number("reportVersion"), 2)
        try expectEqual(report.text("method"), "otherSlot")
        try expectEqual(report.text("out"), out)
        try expectEqual(report[required: "lossless"].bool(), false)
        let candidates = try report.objects("candidates")
        let chosen = candidates[try report.number("chosen")]
        try expectEqual(chosen.number("commit"), 4)
        try expectEqual(chosen.text("state"), "complete")
        try expectEqual(chosen.number("format"), 24)
        let losses = try report.object("losses")
        try expectEqual(candidates[losses.number("newest")].number("commit"), 5)
        let person = try #require(try losses.objects("tables").first { try $0.text("name") == "class_Person" })
        try expectEqual(person.number("lost"), 0)
        try expectEqual(person.number("older"), person.number("newest"))
        try expect(report.object("result")[required: "sound"].bool())
    }

    @Test func `existing output is kept`() async throws {
        let file = try headless("kennel")
        let out = beside(file, "there.realm")
        try Data([1, 2, 3]).write(to: URL(filePath: out))
        let run = await Run("repair", file.path, "--find-root", "--out", out)
        expectEqual(run.status, .unreadable)
        expectEqual(run.messages.count, 1)
        expect(run.messages[0].contains("already exists; use --overwrite"))
        try expectEqual(Data(contentsOf: URL(filePath: out)), Data([1, 2, 3]))
        await expectEqual(Run("repair", file.path, "--find-root", "--out", out, "--overwrite").status, .success)
        try expectEqual(RealmDatabase(path: out).snapshot().commitNumber, 3)
        try expectEqual(names(beside: file), ["test.realm", "there.realm"])
    }

    /// Never in place, whatever the name.
    @Test func `nothing is repaired in place`() async throws {
        let file = try headless("kennel")
        let link = beside(file, "link.realm")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file.path)
        let before = try Data(contentsOf: URL(filePath: file.path))
        for path in [file.path, link, beside(file, "./test.realm")] {
            let run = await Run("repair", file.path, "--find-root", "--out", path, "--overwrite")
            expectEqual(run.status, .usage)
            expectEqual(run.messages.count, 1)
            expectEqual(run.messages.first?.contains("--out must not be the input file"), true)
        }
        try expectEqual(Data(contentsOf: URL(filePath: file.path)), before)
    }

    /// A header with a valid format is not overridden.
    @Test func `a header with a valid format is not overridden`() async throws {
        let plain = try KnownFile.fixture("format-22-links").url.path
        for more in [["--find-root"], ["--use-slot", "other"]] {
            let refused = await Run(["repair", plain, "--dry-run", "--format", "24"] + more)
            expectEqual(refused.status, .usage)
            expectEqual(refused.messages.count, 1)
            expect(
                refused.messages[0].contains("the header says format 22; --format is for files whose header does not"))
        }
        let same = await Run("repair", plain, "--find-root", "--dry-run", "--format", "22")
        let without = await Run("repair", plain, "--find-root", "--dry-run")
        expect(same.status == .success && same.output == without.output)
    }

    @Test(
        arguments: [
            ([], "Choose how: --best does what doctor advises"),
            (["--find-root"], "--dry-run"),
            (["--find-root", "--use-slot", "other"], "Choose one of"),
            (["--use-slot", "current"], "other"), (["--find-root", "--out", "-"], "path"),
            (["--find-root", "--dry-run", "--format", "12"], "--format 12"),
            (["--find-root", "--dry-run", "--out", "x"], "--dry-run"),
        ] as [([String], String)])
    func `wrong command lines are reported`(_ arguments: [String], _ hint: String) async {
        let run = await Run(["repair", "a.realm"] + arguments)
        expectEqual(run.status, .usage)
        expect(run.output.isEmpty)
        expectEqual(run.messages.count, 1)
        expectEqual(run.messages.first?.contains(hint), true, "\(run.messages)")
    }

    /// No commit can be found: one line, and nothing is written. The end of a file in streaming form is missing, and
    /// with it the root; this is not an empty database.
    @Test func `a truncated file in streaming form contains no commit`() async throws {
        let file = try TemporaryFile(fixture: "links-stream") { $0.removeLast($0.count / 2) }
        let run = await Run("repair", file.path, "--find-root", "--dry-run")
        expectEqual(run.status, .unreadable)
        expect(run.output.contains("the footer of the streaming form is missing: the file has been cut off"))
        expectEqual(run.messages.count, 1)
        expect(
            run.messages[0].hasSuffix(
                "no commit was found that can be read; see what can be brought back: "
                    + "`realmfile repair \(file.path) --salvage --dry-run`"))
    }

    @Test func `a file without a root is reported`() async throws {
        for bytes in [
            [UInt8](repeating: 0, count: 4096), Array("SQLite format 3\0".utf8) + [UInt8](repeating: 7, count: 100), [],
        ] {
            let file = try TemporaryFile(bytes)
            let run = await Run("repair", file.path, "--find-root", "--out", beside(file, "new.realm"))
            expectEqual(run.status, .unreadable)
            expectEqual(run.messages.count, 1)
            try expectEqual(names(beside: file), ["test.realm"])
        }
        let empty = try KnownFile.fixture("empty-new").url.path
        let run = await Run("repair", empty, "--find-root", "--dry-run")
        expectEqual(run.status, .unreadable)
        expectEqual(run.messages.first?.contains("the database is empty"), true)
        let stream = try KnownFile.fixture("links-stream").url.path
        let other = await Run("repair", stream, "--use-slot", "other", "--dry-run")
        expectEqual(other.status, .unreadable)
        expectEqual(other.messages.first?.contains("there is no other commit"), true)
    }

    /// A file with one damaged leaf in its only commit is refused unless damage is allowed.
    @Test func `a damaged commit is written only on request`() async throws {
        let file = try TemporaryFile(fixture: "links-stream") { bytes in
            for index in 0..<24 { bytes[index] = 0 }
            // Width type 3 is not used.
            let place = stride(from: 24, to: bytes.count, by: 8).first {
                bytes[$0..<($0 + 4)].elementsEqual("AAAA".utf8) && bytes[$0 + 4] == 4
            }
            bytes[(place ?? 24) + 4] |= 0x18
        }
        let out = beside(file, "new.realm")
        let run = await Run("repair", file.path, "--find-root", "--out", out)
        expectEqual(run.status, .findings)
        expectEqual(run.messages.count, 1)
        expectEqual(run.messages.first?.contains("--allow-damaged"), true)
        expect(run.output.contains("damaged: "))
        try expectEqual(names(beside: file), ["test.realm"])
        let again = await Run("repair", file.path, "--find-root", "--out", out, "--allow-damaged")
        expectEqual(again.status, .findings)
        try expect(RealmDatabase(path: out).snapshot().classes.count > 0)
    }

    /// An encrypted file is repaired into one with the same key; into a plain one only on request.
    @Test func `an encrypted file is repaired with its key`() async throws {
        let fixture = try KnownFile.fixture("Encrypted/many-commits")
        let key = try #require(fixture.keyFile).path
        let file = try TemporaryFile(try fixture.bytes())
        expectEqual(chmod(file.path, 0o600), 0)
        let (out, plain) = (beside(file, "new.realm"), beside(file, "plain.realm"))
        let keyless = await Run("repair", file.path, "--find-root", "--out", out)
        expectEqual(keyless.status, .unreadable)
        expectEqual(keyless.messages.first?.contains("--key-file"), true)
        try expectEqual(names(beside: file), ["test.realm"])
        let expected = try TypedDump(contentsOf: try #require(fixture.dump))
        for (path, options) in [(out, []), (plain, ["--decrypt"])] {
            let run = await Run(["repair", file.path, "--find-root", "--out", path, "--key-file", key] + options)
            expectEqual(run.status, .success, "\(run.messages) \(run.output)")
            expect(run.output.contains("checked         ok"))
            // Users that could not read the old file cannot read the new one.
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            expectEqual(attributes[.posixPermissions] as? Int, 0o600)
        }
        await expect(Run("info", out).output.contains("encrypted"))
        await expectEqual(Run("hash", out).status, .unreadable)
        await expectEqual(Run("verify", out, "--deep", "--strict", "--key-file", key).status, .success)
        let encryptionKey = try EncryptionKey(contentsOfFile: key)
        let found = try TypedDump(RealmDatabase(path: out, key: encryptionKey).snapshot())
        expect(expected.differences(to: found).isEmpty)
        try expect(expected.differences(to: TypedDump(RealmDatabase(path: plain).snapshot())).isEmpty)
    }

    /// The previous commit of an encrypted file.
    @Test func `the previous commit of an encrypted file is selected`() async throws {
        let key = try #require(try KnownFile.fixture("Encrypted/people").keyFile).path
        let fixture = try KnownFile.fixture("deleted-columns")
        let file = try TemporaryFile(try fixture.bytes())
        let (encrypted, out) = (beside(file, "encrypted.realm"), beside(file, "new.realm"))
        await expectEqual(Run("encrypt", file.path, "--new-key-file", key, "--out", encrypted).status, .success)
        let run = await Run("repair", encrypted, "--use-slot", "other", "--key-file", key, "--out", out)
        expectEqual(run.status, .findings, "\(run.messages)")
        let found = try RealmDatabase(path: out, key: EncryptionKey(contentsOfFile: key)).snapshot()
        expectEqual(found.commitNumber, 4)
        let expected = try TypedDump(RealmDatabase(path: fixture.url.path).snapshot(.otherSlot))
        try expect(expected.differences(to: TypedDump(found)).isEmpty)
    }

    /// A file that a process has open is not replaced, even if the source is broken.
    @Test func `an open file is not replaced`() async throws {
        let file = try headless("kennel")
        let out = beside(file, "open.realm")
        try Data(try KnownFile.fixture("kennel").bytes()).write(to: URL(filePath: out))
        try Data().write(to: URL(filePath: out + ".lock"))
        let session = open(out + ".lock", O_RDWR)
        defer { close(session) }
        expectEqual(flock(session, LOCK_SH), 0)
        let run = await Run("repair", file.path, "--find-root", "--out", out, "--overwrite")
        expectEqual(run.status, .unreadable)
        expectEqual(run.messages.first?.contains("open"), true, "\(run.messages)")
        try expectEqual(Data(contentsOf: URL(filePath: out)), Data(try KnownFile.fixture("kennel").bytes()))
    }

    /// The page with the header of an encrypted file is lost: either the rest contains a commit, or its absence is
    /// reported.
    @Test func `an encrypted file without a header is repaired`() async throws {
        let fixture = try KnownFile.fixture("Encrypted/people")
        let key = try #require(fixture.keyFile).path
        var bytes = try fixture.bytes()
        for index in 4096..<4120 { bytes[index] ^= 0x55 }
        let file = try TemporaryFile(bytes)
        let out = beside(file, "plain.realm")
        let run = await Run("repair", file.path, "--find-root", "--out", out, "--decrypt", "--key-file", key)
        expect(run.status == .findings || run.status == .unreadable, "\(run.status) \(run.output)")
        if run.status == .findings { expect(run.output.contains("1 encrypted page cannot be decrypted")) }
        expect(run.messages.count <= 1)
    }
}
