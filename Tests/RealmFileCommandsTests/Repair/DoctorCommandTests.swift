import CommandTestSupport
import Expectations
import Foundation
import RealmFileCommands
import TestSupport
import Testing

/// `doctor` reports what a file is, what each recovery option would keep, and the one command to run.
@Suite final class DoctorCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func kennel(_ change: (inout [UInt8]) throws -> Void) throws -> String {
        var bytes = try KnownFile.fixture("kennel").bytes()
        try change(&bytes)
        try folder.write(bytes, "app.realm")
        return folder.file("app.realm")
    }

    private func report(_ arguments: String...) async throws -> [JSON.Member] {
        let run = await Run(["doctor"] + arguments + ["--json"])
        let schema = try JSONSchema(
            contentsOf: KnownFile.packageRoot.appending(path: "Spec/schemas/reports.schema.json"))
        let json = try JSON(parsing: Array(run.output.utf8))
        try expectEqual(schema.problems(of: json, as: "doctor"), [])
        let report = try json.members()
        try expectEqual(report.number("exit"), Int(run.status.code))
        return report
    }

    /// Returns the number of objects of a recovery option, as reported.
    private func objects(_ way: String, _ report: [JSON.Member]) throws -> Int {
        try #require(report.objects("ways").first { try $0.text("way") == way }).number("objects")
    }

    private func command(_ report: [JSON.Member]) throws -> String {
        try #require(report.object("next")[required: "commands"].elements().first).string()
    }

    @Test(arguments: KnownFile.fixtures.filter { $0.name.contains("kennel") || $0.name.contains("links-stream") })
    func `a sound file needs no repair`(_ file: KnownFile) async throws {
        let report = try await report(file.url.path)
        try expect(report.number("exit") == 0 && report[required: "sound"].bool())
        try expect(report.text("best") == "asItIs" && report[required: "next"] == .null)
        try expectEqual(report.objects("ways").count, 1)
        await expect(Run("doctor", file.url.path).output.contains("no damage can be seen"))
    }

    /// Only the header is lost: the advised command recovers all 21 objects of Core's dump.
    @Test func `a lost header can be recovered`() async throws {
        let path = try kennel { $0.replaceSubrange(..<24, with: [UInt8](repeating: 0, count: 24)) }
        let report = try await report(path)
        try expect(report.number("exit") == 1 && report.text("kind") == "realm")
        try expectEqual(report.object("problem").text("code"), "zeroedHeader")
        try expectEqual(report.text("best"), "findRoot")
        try expect(objects("findRoot", report) == 21 && objects("salvage", report) == 21)
        let words = try AdviceTests.words(command(report))
        let repaired = await Run(Array(words.dropFirst()))
        expectEqual(repaired.status, .success)
        let original = try KnownFile.fixture("kennel").url.path
        await expectEqual(Run("diff", original, folder.file("app-repaired.realm")).status, .success)
        // The next new file gets another name.
        try await expect(command(self.report(path)).contains("app-repaired-2.realm"))
    }

    /// A table of the last commit is damaged: salvage keeps everything readable; the previous commit has no objects.
    @Test func `the better of two ways is advised for a damaged table`() async throws {
        let path = try kennel { $0.replaceSubrange(0xd28 + 4...0xd28 + 5, with: [0xf8, 0x7f]) }
        let before = folder.bytes("app.realm")
        let report = try await report(path)
        try expect(report.number("exit") == 1 && report.text("best") == "salvage")
        let kept = try objects("salvage", report)
        try expect(!report.objects("findings").isEmpty)
        let run = await Run(Array(try AdviceTests.words(command(report)).dropFirst()) + ["--json"])
        let tables = try run.json().objects("tables")
        try expect(tables.reduce(0) { $0 + (try $1.number("objects")) } == kept && kept > 0)
        expectEqual(folder.bytes("app.realm"), before)
    }

    @Test func `a file after foreign bytes is examined, and cut out`() async throws {
        let path = try kennel { $0.insert(contentsOf: Array("PREFIX--".utf8), at: 0) }
        let report = try await report(path)
        try expect(report.text("kind") == "prefixed" && report.number("prefix") == 8)
        try expect(report.text("best") == "asItIs" && report[required: "sound"].bool() == false)
        try expectEqual(objects("asItIs", report), 21)
        await expectEqual(Run(Array(try AdviceTests.words(command(report)).dropFirst())).status, .success)
        try expectEqual(folder.bytes("app-restored.realm"), KnownFile.fixture("kennel").bytes())
    }

    @Test func `encrypted files are recognised`() async throws {
        let people = try KnownFile.fixture("Encrypted/people")
        let without = try await report(people.url.path)
        try expect(without.text("kind") == "encrypted" && without.number("exit") == 2)
        try expect(without.object("next").text("advice").contains("--key-file"))
        try folder.write(people.key(), "key")
        let with = try await report(people.url.path, "--key-file", folder.file("key"))
        try expect(with.number("exit") == 0 && with[required: "sound"].bool())
        var bytes = try people.bytes()
        bytes[4096 + 100] ^= 0xFF
        try folder.write(bytes, "broken.realm")
        let broken = try await report(folder.file("broken.realm"), "--key-file", folder.file("key"))
        try expectEqual(broken.number("exit"), 1)
        try expect(command(broken).contains("--key-file \(folder.file("key"))"))
    }

    @Test func `other kinds of files are recognised`() async throws {
        let path = try kennel { _ in }
        try folder.write(Array("PK\u{3}\u{4}".utf8) + [UInt8](repeating: 7, count: 100), "app.zip")
        try await expectEqual(report(folder.file("app.zip")).text("kind"), "zip")
        try await expectEqual(report(folder.file("app.zip")).number("exit"), 2)
        try folder.write([0x1F, 0x8B, 8, 0] + [UInt8](repeating: 7, count: 100), "app.realm.gz")
        try await expectEqual(report(folder.file("app.realm.gz")).text("kind"), "gzip")
        try folder.write(Array("BZh91AY&SY".utf8) + [UInt8](repeating: 7, count: 100), "app.realm.bz2")
        try await expectEqual(
            command(report(folder.file("app.realm.bz2"))), "bunzip2 --keep \(folder.file("app.realm.bz2"))")
        try folder.write([UInt8](repeating: 0, count: 8), "app.realm.lock")
        let lock = try await report(folder.file("app.realm.lock"))
        try expect(lock.text("kind") == "lockFile" && command(lock) == "realmfile doctor \(path)")
        let whole = try await report(folder.path)
        try expect(whole.text("kind") == "folder" && command(whole) == "realmfile doctor \(path)")
        // Only the backup of an upgrade is left.
        try folder.write([UInt8](repeating: 0, count: 4096), "old.realm")
        try folder.write(KnownFile.fixture("kennel").bytes(), "old.v23.backup.realm")
        let zeros = try await report(folder.file("old.realm"))
        try expectEqual(zeros[required: "backups"].elements().count, 1)
        try expectEqual(command(zeros), "realmfile doctor \(folder.file("old.v23.backup.realm"))")
        let text = try await report(try KnownFile.fixture("kennel").dump.map(\.path) ?? "")
        try expect(text.text("kind") == "json" && text.number("exit") == 2)
    }

    /// An invalid slot is not damage of the commit that is read, but must be reported.
    @Test func `an invalid other slot is a remark`() async throws {
        let report = try await report(try kennel { $0[9] = 0x7F })
        try expect(report.number("exit") == 0 && report[required: "sound"].bool())
        try expect(report.objects("findings").isEmpty)
        try expectEqual(report.objects("remarks").map { try $0.text("check") }, ["H12"])
    }

    /// An unreadable folder is reported with the reason, both alone and inside another. Administrators can read every
    /// folder.
    @Test(.enabled(if: geteuid() != 0, "an administrator may read every folder"))
    func `an unreadable folder is reported with the reason`() async throws {
        let files = FileManager.default
        let (outer, inner) = (folder.file("outer"), folder.file("outer/inner"))
        try files.createDirectory(atPath: inner, withIntermediateDirectories: true)
        try files.setAttributes([.posixPermissions: 0], ofItemAtPath: inner)
        defer { try? files.setAttributes([.posixPermissions: 0o700], ofItemAtPath: inner) }
        let run = await Run("doctor", inner)
        expectEqual(run.status, .unreadable)
        expect(run.messages.first?.hasPrefix("realmfile: \(inner): cannot open: Permission denied; ") ?? false)
        let text = await Run("doctor", outer).output
        expect(text.contains("not searched    \(inner): cannot open: Permission denied"))
        try await expectEqual(report(outer).objects("unsearched").count, 1)
    }

    @Test func `several files are reported in order`() async throws {
        let path = try kennel { $0.replaceSubrange(..<24, with: [UInt8](repeating: 0, count: 24)) }
        let run = await Run("doctor", path, try KnownFile.fixture("kennel").url.path, "--json")
        expectEqual(run.status, .findings)
        expectEqual(run.output.split(separator: "\n").count, 2)
    }
}
