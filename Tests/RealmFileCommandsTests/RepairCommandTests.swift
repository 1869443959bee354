import CommandTestSupport
import Foundation
import RealmFileCommands
import RealmReader
import RealmStorage
import TestSupport
import Testing

/// The command repair as its user sees it: what it writes, says, and ends with.
@Suite struct RepairCommandTests {
    /// A copy of a fixture without its header.
    private func headless(_ fixture: String) throws -> TemporaryFile {
        try TemporaryFile(fixture: fixture) { bytes in
            for index in 0..<24 { bytes[index] = 0 }
        }
    }

    private func beside(_ file: TemporaryFile, _ name: String) -> String {
        URL(filePath: file.path).deletingLastPathComponent().appending(path: name).path
    }

    private func names(beside file: TemporaryFile) throws -> [String] {
        let folder = URL(filePath: file.path).deletingLastPathComponent().path
        return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }

    @Test func lostHeader() async throws {
        let file = try headless("kennel")
        let before = try Data(contentsOf: URL(filePath: file.path))
        let out = beside(file, "new.realm")
        let run = await Run("repair", file.path, "--find-root", "--out", out)
        #expect(run.status == .success, "\(run.messages)")
        #expect(run.messages.isEmpty)
        for words in [
            "the header is overwritten with zeros", "commits found   2",
            "commit 3 at 0x1050, found by scanning, complete",
            "<- chosen", "nothing that was seen", "new.realm, 8192 bytes, commit 3", "commit 2, which is complete too",
            "checked         ok",
        ] { #expect(run.output.contains(words), "\(words)\n\(run.output)") }
        // The broken file is as it was, and nothing else is left.
        #expect(try Data(contentsOf: URL(filePath: file.path)) == before)
        #expect(try names(beside: file) == ["new.realm", "test.realm"])
        let expected = try TypedDump(contentsOf: try #require(KnownFile.fixture("kennel").dump))
        #expect(try expected.differences(to: TypedDump(RealmDatabase(path: out).snapshot())).isEmpty)
        #expect(await Run("verify", out, "--deep", "--strict").status == .success)
    }

    @Test func salvage() async throws {
        let file = try TemporaryFile(fixture: "kennel") { _ in }
        let out = beside(file, "new.realm")
        let run = await Run("repair", file.path, "--salvage", "--out", out)
        #expect(run.status == .success, "\(run.messages)")
        for words in [
            "selected by the header, format 24", "nothing lost",
            "Dog: 10 of 10 objects kept, every value intact", "checked         ok",
        ] {
            #expect(run.output.contains(words), "\(words)\n\(run.output)")
        }
        let expected = try TypedDump(contentsOf: try #require(KnownFile.fixture("kennel").dump))
        var found = try TypedDump(RealmDatabase(path: out).snapshot())
        var known = expected
        known.forgetLayout()
        found.forgetLayout()
        #expect(known.differences(to: found).isEmpty)
    }

    /// Damage that only the verifier sees: text and JSON tell it, and nothing says that all is there.
    @Test func salvageOfWhatOnlyVerifyFinds() async throws {
        let file = try TemporaryFile(fixture: "kennel") { bytes in (bytes[0xA46], bytes[0xA47]) = (0x00, 0x10) }
        let out = beside(file, "new.realm")
        let run = await Run("repair", file.path, "--salvage", "--out", out)
        #expect(run.status == .findings, "\(run.messages)")
        for words in [
            "objects         by class:", "Dog: 10 of 10 objects kept; no damage was seen",
            "source          1 error, 1 warning\n  error N08 freePositions: the node is referred to a second time "
                + "(at offset 0x1000)\n",
            "caution         the source has 1 error: values may be wrong or missing that nothing else shows",
        ] {
            #expect(run.output.contains(words), "\(words)\n\(run.output)")
        }
        #expect(!run.output.contains("nothing lost") && !run.output.contains("every value intact"))
        let json = try await Run("repair", file.path, "--salvage", "--out", out, "--overwrite", "--json").json()
        #expect(try !json[required: "lossless"].bool())
        let source = try json.object("source")
        #expect(try source.number("errors") == 1)
        #expect(try source[required: "readable"].bool() && !source[required: "outdated"].bool())
        let totals = try source.object("totals")
        #expect(try totals.number("error") == 1 && totals.number("warning") == 1 && totals.number("fatal") == 0)
        let finding = try #require(try source.objects("findings").first)
        #expect(try finding.text("check") == "N08" && finding[optional: "slot"] == nil)

        // Of formats 2 to 9 the commit before is taken when the last cannot be read.
        var patient = try Patient("Legacy/format-6-links")
        patient.bytes[patient.top + 4] = 0x10
        let older = try TemporaryFile(patient.bytes)
        let second = await Run("repair", older.path, "--salvage", "--out", beside(older, "new.realm"))
        #expect(second.status == .findings)
        #expect(
            second.output.contains("caution         there are signs of a later commit, of which nothing is salvaged"))
    }

    /// A page of an encrypted file that is not authentic is a lost page; what is elsewhere comes back, encrypted.
    @Test func salvageOfEncrypted() async throws {
        let fixture = try KnownFile.fixture("format-23-scalars-stream")
        let key = try #require(try KnownFile.fixture("Encrypted/people").keyFile).path
        let file = try TemporaryFile(try fixture.bytes())
        let (encrypted, out) = (beside(file, "encrypted.realm"), beside(file, "new.realm"))
        #expect(await Run("encrypt", file.path, "--new-key-file", key, "--out", encrypted).status == .success)
        var bytes = [UInt8](try Data(contentsOf: URL(filePath: encrypted)))
        // The fourth page of data, behind the page of the table for 64 of them.
        bytes[4 * 4096 + 100] ^= 1
        try Data(bytes).write(to: URL(filePath: encrypted))
        let run = await Run("repair", encrypted, "--salvage", "--key-file", key, "--out", out)
        #expect(run.status == .findings, "\(run.messages)")
        for words in [
            "1 encrypted page without proof, zeros are in their place; --unauthenticated reads", "4096 bytes at 0x3000",
            "StringValues: 23 of 23 objects kept; 39 values defaulted (bytes 0x32a8 to 0x32b0, bytes 0x4e00 to 0x4e36)",
            "checked         ok",
        ] {
            #expect(run.output.contains(words), "\(words)\n\(run.output)")
        }
        // Each class has a sentence, and the damaged ones say where.
        let classes = try RealmDatabase(path: file.path).snapshot().classes
        #expect(
            run.output.split(separator: "\n").count { $0.contains("object") && $0.contains(" kept") } == classes.count)
        let new = await Run("hash", out, "--key-file", key)
        #expect(new.status == .success)
        #expect(await Run("hash", out).status == .unreadable)
    }

    /// Pages without proof are read when they are asked for, and what comes from them is told.
    @Test func unauthenticated() async throws {
        let fixture = try KnownFile.fixture("Encrypted/people")
        let key = try #require(fixture.keyFile).path
        var bytes = try fixture.bytes()
        bytes.replaceSubrange(0..<4096, with: [UInt8](repeating: 0, count: 4096))
        let file = try TemporaryFile(bytes)
        let out = beside(file, "new.realm")
        let salvage = ["repair", file.path, "--salvage", "--key-file", key, "--out", out]
        let refused = await Run(salvage)
        #expect(refused.status == .unreadable)
        #expect(
            refused.messages.last?.contains(" --salvage --unauthenticated --dry-run`") == true, "\(refused.messages)")

        let run = await Run(salvage + ["--unauthenticated"])
        #expect(run.status == .findings, "\(run.messages)")
        for words in [
            "unproven        3 encrypted pages, which may be damaged: what lies there is doubtful",
            "Dog: 100 of 100 objects kept; 300 doubtful (",
            "Dog: doubtful, bytes 0xef8 to 0xf00: a name or type of a property lies in an encrypted page that nothing proves",
            "Dog.age: 100 doubtful, objects 0 to 99, bytes 0xe20 to 0xe5a: the value lies in an encrypted page that nothing",
            "checked         ok",
        ] { #expect(run.output.contains(words), "\(words)\n\(run.output)") }
        let report = try await Run(salvage + ["--unauthenticated", "--overwrite", "--json"]).json()
        #expect(try report.number("unprovenPages") == 3 && report.number("lostPages") == 0)
        let same = await Run("diff", fixture.url.path, out, "--key-file", key)
        #expect(same.status == .success, "\(same.output)")

        let other = try #require(KnownFile.fixture("Encrypted/empty").keyFile).path
        let wrong = await Run(
            "repair", file.path, "--salvage", "--unauthenticated", "--key-file", other, "--out", out, "--overwrite")
        #expect(wrong.status == .unreadable)
        #expect(wrong.messages.last?.contains("what it decrypts is not a Realm file") == true, "\(wrong.messages)")
        #expect(await Run("repair", file.path, "--find-root", "--unauthenticated", "--out", out).status == .usage)
    }

    @Test func salvageOfNothing() async throws {
        let file = try TemporaryFile([UInt8](repeating: 7, count: 4096))
        let run = await Run("repair", file.path, "--salvage", "--out", beside(file, "new.realm"))
        #expect(run.status == .unreadable, "\(run.output)")
        #expect(try names(beside: file) == ["test.realm"])
    }

    /// That is no damage, and there is no other commit to try.
    @Test(arguments: [[], ["--find-root"]])
    func salvageOfEmptyDatabase(_ options: [String]) async throws {
        let empty = try KnownFile.fixture("empty-new")
        let file = try TemporaryFile(try empty.bytes())
        let run = await Run(["repair", file.path, "--salvage", "--out", beside(file, "new.realm")] + options)
        #expect(run.status == .unreadable)
        #expect(run.messages == ["realmfile: \(file.path): the database is empty, and there is no trace of a commit"])
    }

    /// What has no option for the other commit does not advise to take it.
    @Test func adviceWithoutSlots() async throws {
        let file = try TemporaryFile(fixture: "kennel") { bytes in
            for index in 24..<bytes.count { bytes[index] = UInt8(truncatingIfNeeded: index &* 167 &+ index >> 5) }
        }
        let run = await Run("repair", file.path, "--salvage", "--out", beside(file, "new.realm"))
        #expect(run.status == .unreadable)
        #expect(run.messages.count == 1)
        #expect(
            run.messages.first?.hasSuffix("; the copy or download was probably interrupted: get the file again")
                == true, "\(run.messages)")
    }

    @Test func dryRun() async throws {
        let file = try headless("kennel")
        let run = await Run("repair", file.path, "--find-root", "--dry-run")
        #expect(run.status == .success)
        #expect(run.output.contains("commit 2 at 0x7f8, found by scanning, complete"))
        #expect(!run.output.contains("written   "))
        #expect(try names(beside: file) == ["test.realm"])
    }

    /// The select bit is wrong, or a writer was interrupted before it changed it: the other slot leads to a later commit.
    @Test func laterCommitNotSelected() async throws {
        let file = try TemporaryFile(fixture: "kennel") { $0[0x17] ^= 1 }
        let list = await Run("repair", file.path, "--find-root", "--dry-run")
        #expect(list.status == .success)
        #expect(
            list.output.contains("commit 2 at 0x7f8, selected by the header, complete, format 24, 1 object  <- chosen"))
        #expect(list.output.contains("\nnot selected    commit 3, in the other slot, is later: "))
        let report = try await Run("repair", file.path, "--find-root", "--dry-run", "--json").json()
        #expect(try report.objects("candidates")[report.number("unselected")].number("commit") == 3)
        let out = beside(file, "new.realm")
        let salvage = await Run("repair", file.path, "--salvage", "--out", out)
        #expect(salvage.status == .findings)
        #expect(salvage.output.contains("signs of a later commit"))
        // That is what the other slot is for.
        let other = await Run("repair", file.path, "--salvage", "--use-slot", "other", "--out", out, "--overwrite")
        #expect(other.status == .success)
        #expect(try RealmDatabase(path: out).snapshot().table(named: "Person").count == 5)
    }

    /// The commit before is complete, and without anything: all that is of the last one is to be had otherwise.
    @Test func damagedListOfFreeChunks() async throws {
        let patient = try Patient("kennel")
        let positions = patient.element(patient.top, 3)
        let file = try TemporaryFile(patient.bytes)
        var bytes = patient.bytes
        for index in 0..<4 { bytes[positions + index] = 0x58 }
        try Data(bytes).write(to: URL(filePath: file.path))
        let out = beside(file, "new.realm")
        let found = await Run("repair", file.path, "--find-root", "--out", out)
        #expect(found.status == .findings)
        #expect(found.output.contains("Person: 0 of 5 objects: 5 missing"), "\(found.output)")
        #expect(
            found.output.hasPrefix(
                "older commit    commit 2, with 1 object, is not the newest; of commit 3 --salvage would bring back 21 of its 21 objects\n"
            ),
            "\(found.output)")
        let salvaged = await Run("repair", file.path, "--salvage", "--out", out, "--overwrite")
        #expect(salvaged.output.contains("Person: 5 of 5 objects kept"), "\(salvaged.output)")
    }

    @Test func previousCommit() async throws {
        let fixture = try KnownFile.fixture("deleted-columns")
        let file = try TemporaryFile(try fixture.bytes())
        let out = beside(file, "before.realm")
        let run = await Run("repair", file.path, "--use-slot", "other", "--out", out)
        // The last commit is lost: that was asked for, and is said nevertheless.
        #expect(run.status == .findings)
        #expect(run.messages.isEmpty)
        #expect(run.output.contains("lost            commit 5:"))
        #expect(run.output.contains("with older values"))
        let found = try RealmDatabase(path: out).snapshot()
        #expect(found.commitNumber == 4)
        let expected = try TypedDump(RealmDatabase(path: fixture.url.path).snapshot(.otherSlot))
        #expect(try expected.differences(to: TypedDump(found)).isEmpty)
    }

    @Test func reportAsJSON() async throws {
        let file = try TemporaryFile(try KnownFile.fixture("deleted-columns").bytes())
        let out = beside(file, "before.realm")
        let report = try await Run("repair", file.path, "--use-slot", "other", "--out", out, "--json").json()
        #expect(try report.number("reportVersion") == 2)
        #expect(try report.text("method") == "otherSlot")
        #expect(try report.text("out") == out)
        #expect(try report[required: "lossless"].bool() == false)
        let candidates = try report.objects("candidates")
        let chosen = candidates[try report.number("chosen")]
        #expect(try chosen.number("commit") == 4)
        #expect(try chosen.text("state") == "complete")
        #expect(try chosen.number("format") == 24)
        let losses = try report.object("losses")
        #expect(try candidates[losses.number("newest")].number("commit") == 5)
        let person = try #require(try losses.objects("tables").first { try $0.text("name") == "class_Person" })
        #expect(try person.number("lost") == 0)
        #expect(try person.number("older") == person.number("newest"))
        #expect(try report.object("result")[required: "sound"].bool())
    }

    @Test func existingOutput() async throws {
        let file = try headless("kennel")
        let out = beside(file, "there.realm")
        try Data([1, 2, 3]).write(to: URL(filePath: out))
        let run = await Run("repair", file.path, "--find-root", "--out", out)
        #expect(run.status == .unreadable)
        #expect(run.messages.count == 1)
        #expect(run.messages[0].contains("already exists; use --overwrite"))
        #expect(try Data(contentsOf: URL(filePath: out)) == Data([1, 2, 3]))
        #expect(await Run("repair", file.path, "--find-root", "--out", out, "--overwrite").status == .success)
        #expect(try RealmDatabase(path: out).snapshot().commitNumber == 3)
        #expect(try names(beside: file) == ["test.realm", "there.realm"])
    }

    /// Never in place, whatever the name.
    @Test func inPlace() async throws {
        let file = try headless("kennel")
        let link = beside(file, "link.realm")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file.path)
        let before = try Data(contentsOf: URL(filePath: file.path))
        for path in [file.path, link, beside(file, "./test.realm")] {
            let run = await Run("repair", file.path, "--find-root", "--out", path, "--overwrite")
            #expect(run.status == .usage)
            #expect(run.messages.count == 1)
            #expect(run.messages.first?.contains("is the file that is read") == true)
        }
        #expect(try Data(contentsOf: URL(filePath: file.path)) == before)
    }

    /// A header that says the format is not overruled.
    @Test func formatOfTheHeader() async throws {
        let plain = try KnownFile.fixture("format-22-links").url.path
        for more in [["--find-root"], ["--use-slot", "other"]] {
            let refused = await Run(["repair", plain, "--dry-run", "--format", "24"] + more)
            #expect(refused.status == .usage)
            #expect(refused.messages.count == 1)
            #expect(
                refused.messages[0].contains("the header says format 22; --format is for files whose header does not"))
        }
        let same = await Run("repair", plain, "--find-root", "--dry-run", "--format", "22")
        let without = await Run("repair", plain, "--find-root", "--dry-run")
        #expect(same.status == .success && same.output == without.output)
    }

    @Test(arguments: [
        ([], "Choose one of --use-slot other, --find-root, --commit, --root, --salvage"),
        (["--find-root"], "--dry-run"),
        (["--find-root", "--use-slot", "other"], "Choose one of"),
        (["--use-slot", "current"], "other"), (["--find-root", "--out", "-"], "path"),
        (["--find-root", "--dry-run", "--format", "12"], "--format 12"),
        (["--find-root", "--dry-run", "--out", "x"], "--dry-run"),
    ])
    func usage(_ arguments: [String], _ hint: String) async {
        let run = await Run(["repair", "a.realm"] + arguments)
        #expect(run.status == .usage)
        #expect(run.output.isEmpty)
        #expect(run.messages.count == 1)
        #expect(run.messages.first?.contains(hint) == true, "\(run.messages)")
    }

    /// Nothing to be found: one line, nothing written.
    /// The end of a file in streaming form is missing, and the root with it: that is no empty database.
    @Test func cutOffStreamingForm() async throws {
        let file = try TemporaryFile(fixture: "links-stream") { $0.removeLast($0.count / 2) }
        let run = await Run("repair", file.path, "--find-root", "--dry-run")
        #expect(run.status == .unreadable)
        #expect(run.output.contains("the footer of the streaming form is missing: the file has been cut off"))
        #expect(run.messages.count == 1)
        #expect(
            run.messages[0].hasSuffix(
                "no commit was found that can be read; see what can be brought back: "
                    + "`realmfile repair \(file.path) --salvage --dry-run`"))
    }

    @Test func nothingFound() async throws {
        for bytes in [
            [UInt8](repeating: 0, count: 4096), Array("SQLite format 3\0".utf8) + [UInt8](repeating: 7, count: 100), [],
        ] {
            let file = try TemporaryFile(bytes)
            let run = await Run("repair", file.path, "--find-root", "--out", beside(file, "new.realm"))
            #expect(run.status == .unreadable)
            #expect(run.messages.count == 1)
            #expect(try names(beside: file) == ["test.realm"])
        }
        let empty = try KnownFile.fixture("empty-new").url.path
        let run = await Run("repair", empty, "--find-root", "--dry-run")
        #expect(run.status == .unreadable)
        #expect(run.messages.first?.contains("the database is empty") == true)
        let stream = try KnownFile.fixture("links-stream").url.path
        let other = await Run("repair", stream, "--use-slot", "other", "--dry-run")
        #expect(other.status == .unreadable)
        #expect(other.messages.first?.contains("there is no other commit") == true)
    }

    /// A file with one damaged leaf in its only commit: nothing is given out unless it is asked for.
    @Test func damagedCommit() async throws {
        let file = try TemporaryFile(fixture: "links-stream") { bytes in
            for index in 0..<24 { bytes[index] = 0 }
            // The width type 3 is not used.
            let place = stride(from: 24, to: bytes.count, by: 8).first {
                bytes[$0..<($0 + 4)].elementsEqual("AAAA".utf8) && bytes[$0 + 4] == 4
            }
            bytes[(place ?? 24) + 4] |= 0x18
        }
        let out = beside(file, "new.realm")
        let run = await Run("repair", file.path, "--find-root", "--out", out)
        #expect(run.status == .findings)
        #expect(run.messages.count == 1)
        #expect(run.messages.first?.contains("--allow-damaged") == true)
        #expect(run.output.contains("damaged: "))
        #expect(try names(beside: file) == ["test.realm"])
        let again = await Run("repair", file.path, "--find-root", "--out", out, "--allow-damaged")
        #expect(again.status == .findings)
        #expect(try RealmDatabase(path: out).snapshot().classes.count > 0)
    }

    /// Of an encrypted file comes one with the same key; a plain one only when that is asked for.
    @Test func encrypted() async throws {
        let fixture = try KnownFile.fixture("Encrypted/many-commits")
        let key = try #require(fixture.keyFile).path
        let file = try TemporaryFile(try fixture.bytes())
        #expect(chmod(file.path, 0o600) == 0)
        let (out, plain) = (beside(file, "new.realm"), beside(file, "plain.realm"))
        let keyless = await Run("repair", file.path, "--find-root", "--out", out)
        #expect(keyless.status == .unreadable)
        #expect(keyless.messages.first?.contains("--key-file") == true)
        #expect(try names(beside: file) == ["test.realm"])
        let expected = try TypedDump(contentsOf: try #require(fixture.dump))
        for (path, options) in [(out, []), (plain, ["--decrypt"])] {
            let run = await Run(["repair", file.path, "--find-root", "--out", path, "--key-file", key] + options)
            #expect(run.status == .success, "\(run.messages) \(run.output)")
            #expect(run.output.contains("checked         ok"))
            // Who could not read the old file cannot read the new one.
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
        #expect(await Run("info", out).output.contains("encrypted"))
        #expect(await Run("hash", out).status == .unreadable)
        #expect(await Run("verify", out, "--deep", "--strict", "--key-file", key).status == .success)
        let encryptionKey = try EncryptionKey(contentsOfFile: key)
        let found = try TypedDump(RealmDatabase(path: out, key: encryptionKey).snapshot())
        #expect(expected.differences(to: found).isEmpty)
        #expect(try expected.differences(to: TypedDump(RealmDatabase(path: plain).snapshot())).isEmpty)
    }

    /// The commit before the last one of an encrypted file.
    @Test func otherSlotOfEncrypted() async throws {
        let key = try #require(try KnownFile.fixture("Encrypted/people").keyFile).path
        let fixture = try KnownFile.fixture("deleted-columns")
        let file = try TemporaryFile(try fixture.bytes())
        let (encrypted, out) = (beside(file, "encrypted.realm"), beside(file, "new.realm"))
        #expect(await Run("encrypt", file.path, "--new-key-file", key, "--out", encrypted).status == .success)
        let run = await Run("repair", encrypted, "--use-slot", "other", "--key-file", key, "--out", out)
        #expect(run.status == .findings, "\(run.messages)")
        let found = try RealmDatabase(path: out, key: EncryptionKey(contentsOfFile: key)).snapshot()
        #expect(found.commitNumber == 4)
        let expected = try TypedDump(RealmDatabase(path: fixture.url.path).snapshot(.otherSlot))
        #expect(try expected.differences(to: TypedDump(found)).isEmpty)
    }

    /// A file that a process has open is not replaced, broken as the source may be.
    @Test func openFileIsNotReplaced() async throws {
        let file = try headless("kennel")
        let out = beside(file, "open.realm")
        try Data(try KnownFile.fixture("kennel").bytes()).write(to: URL(filePath: out))
        try Data().write(to: URL(filePath: out + ".lock"))
        let session = open(out + ".lock", O_RDWR)
        defer { close(session) }
        #expect(flock(session, LOCK_SH) == 0)
        let run = await Run("repair", file.path, "--find-root", "--out", out, "--overwrite")
        #expect(run.status == .unreadable)
        #expect(run.messages.first?.contains("open") == true, "\(run.messages)")
        #expect(try Data(contentsOf: URL(filePath: out)) == Data(try KnownFile.fixture("kennel").bytes()))
    }

    /// The page with the header of an encrypted file is lost: the rest of it still holds a commit, or it is said that not.
    @Test func encryptedWithoutHeader() async throws {
        let fixture = try KnownFile.fixture("Encrypted/people")
        let key = try #require(fixture.keyFile).path
        var bytes = try fixture.bytes()
        for index in 4096..<4120 { bytes[index] ^= 0x55 }
        let file = try TemporaryFile(bytes)
        let out = beside(file, "plain.realm")
        let run = await Run("repair", file.path, "--find-root", "--out", out, "--decrypt", "--key-file", key)
        #expect(run.status == .findings || run.status == .unreadable, "\(run.status) \(run.output)")
        if run.status == .findings { #expect(run.output.contains("1 encrypted page cannot be decrypted")) }
        #expect(run.messages.count <= 1)
    }
}
