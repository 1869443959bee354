import CommandTestSupport
import Expectations
import Foundation
import RealmFileCommands
import TestSupport
import Testing

/// `doctor` and `repair` with files in archives and compressed files, also hostile ones.
@Suite final class PackedFileTests {
    private let folder: TemporaryFolder
    private let kennel: [UInt8]

    init() throws {
        folder = try TemporaryFolder()
        kennel = try KnownFile.fixture("kennel").bytes()
    }

    private func doctor(_ bytes: [UInt8], _ options: String...) async throws -> [JSON.Member] {
        try folder.write(bytes, "packed")
        let run = await Run(["doctor", folder.file("packed"), "--json"] + options)
        let schema = try JSONSchema(
            contentsOf: KnownFile.packageRoot.appending(path: "Spec/schemas/reports.schema.json"))
        let json = try JSON(parsing: Array(run.output.utf8))
        try expectEqual(schema.problems(of: json, as: "doctor"), [])
        return try json.members()
    }

    /// A member of gzip is a megabyte of zeros; a file may have any number of them.
    @Test func `a gzip file that would fill the disk is refused`() async throws {
        let megabyte = try PackedFiles.gzip([UInt8](repeating: 0, count: 1 << 20))
        let bomb = [[UInt8]](repeating: megabyte, count: 300).flatMap(\.self)
        let report = try await doctor(bomb)
        try expect(report.text("obstacle").hasPrefix("a gzip file: it grows to more than 250.0 MB"))
        let run = await Run("repair", folder.file("packed"), "--best", "--out", folder.file("new.realm"))
        expectEqual(run.status, .unreadable)
        expect(!FileManager.default.fileExists(atPath: folder.file("new.realm")))
    }

    /// The archive states a size of 300 MB, or a smaller one than there is.
    @Test func `a ZIP archive that states a wrong size does no harm`() async throws {
        var entry = PackedFiles.Entry("default.realm", kennel)
        entry.statedSize = 300_000_000
        try await expect(doctor(PackedFiles.zip([entry])).text("obstacle").contains("more than 250.0 MB"))
        entry.statedSize = 4096
        let short = try await doctor(PackedFiles.zip([entry]))
        try expectEqual(short.objects("unpacked").first?.number("bytes"), 4096)
        entry.statedSize = 9000
        let long = try await doctor(PackedFiles.zip([entry]))
        try expectEqual(long.objects("unpacked").first?.text("problem"), "its data ends too early")
        try expectEqual(long.text("best"), "asItIs")
    }

    @Test func `names in archives may be anything`() async throws {
        let names: [[UInt8]] = [
            Array("../../etc/default.realm".utf8), Array("-x.realm".utf8), Array("line\nbreak.realm".utf8),
            [0xC0, 0xFF] + Array(".realm".utf8), Array("2".utf8), Array("same.realm".utf8), Array("same.realm".utf8),
        ]
        let archive = try PackedFiles.zip(names.map { PackedFiles.Entry(name: $0, kennel) })
        let report = try await doctor(archive)
        try expectEqual(report.objects("entries").count, 7)
        for command in try report.object("next")[required: "commands"].elements() {
            let words = try AdviceTests.words(command.string())
            await expectEqual(Run(Array(words.dropFirst())).status, .findings, "\(words)")
        }
        // A name counts before a number.
        try await expectEqual(
            doctor(archive, "--entry", "2").objects("unpacked").first?.text("entry"), "2")
        try await expectEqual(
            doctor(archive, "--entry", "1").objects("unpacked").first?.text("entry"), "../../etc/default.realm")
    }

    @Test func `an archive with thousands of files is searched`() async throws {
        var entries = (0..<4000).map { PackedFiles.Entry("\($0).txt", [UInt8](repeating: 1, count: 30)) }
        entries.append(PackedFiles.Entry("database", kennel))
        for archive in [try PackedFiles.zip(entries), PackedFiles.tar(entries)] {
            let report = try await doctor(archive)
            try expectEqual(report.text("best"), "asItIs")
            try expectEqual(report.objects("unpacked").first?.text("entry"), "database")
        }
    }

    @Test func `packings in one another are undone to the fourth`() async throws {
        var bytes = kennel
        for count in 1...5 {
            bytes = try PackedFiles.gzip(bytes)
            let report = try await doctor(bytes)
            try expectEqual(report.objects("unpacked").count, min(count, 4))
            try expectEqual(report.number("exit"), count <= 4 ? 1 : 2)
        }
    }

    /// An encrypted file in an archive needs its key, and stays encrypted.
    @Test func `an encrypted file in an archive keeps its key`() async throws {
        let people = try KnownFile.fixture("Encrypted/people")
        let archive = try PackedFiles.zip([.init("people.realm", people.bytes())])
        let without = try await doctor(archive)
        try expectEqual(without.object("problem").text("code"), "encrypted")
        try folder.write(people.key(), "key")
        let run = await Run(
            "repair", folder.file("packed"), "--best", "--key-file", folder.file("key"), "--out",
            folder.file("new.realm"))
        expectEqual(run.status, .success, "\(run.messages)")
        try expectEqual(folder.bytes("new.realm"), people.bytes())
        let plain = await Run(
            "repair", folder.file("packed"), "--best", "--key-file", folder.file("key"), "--decrypt", "--out",
            folder.file("plain.realm"))
        expectEqual(plain.status, .success, "\(plain.messages)")
        await expectEqual(Run("verify", folder.file("plain.realm")).status, .success)
    }

    /// Whether or not the header has bytes that text processing changes.
    @Test(arguments: [
        "kennel", "embedded", "links-stream", "format-20-people", "mixed-nested", "Legacy/format-9-people",
    ])
    func `what text processing did to a file is undone byte for byte`(_ name: String) async throws {
        let original = try KnownFile.fixture(name).bytes()
        let scalars = String.UnicodeScalarView(original.map { Unicode.Scalar($0) })
        for changed in [PackedFiles.withReturns(original), Array(String(scalars).utf8)] where changed != original {
            try folder.write(changed, "changed.realm")
            let run = await Run(
                "repair", folder.file("changed.realm"), "--best", "--overwrite", "--out", folder.file("new.realm"))
            expectEqual(run.status, .success, "\(run.messages)")
            expectEqual(folder.bytes("new.realm"), original)
        }
    }

    /// Text mode is undone only if more can be read without its carriage returns.
    @Test func `carriage returns of a file that never was text stay`() async throws {
        var bytes = kennel
        // The only line feed of a damaged file follows a carriage return by chance.
        bytes = bytes.map { $0 == 0x0A ? 0x0B : $0 }
        let end = bytes.count - 16
        bytes.replaceSubrange(end..<end + 2, with: [0x0D, 0x0A])
        let report = try await doctor(bytes)
        expect(!report.contains { $0.name == "unpacked" })
    }

    /// Whatever happens to the bytes of an archive: a defined exit code, a valid report, at most one message.
    @Test(arguments: ["zip", "tar", "gzip", "base64"])
    func `damaged packings end with a report`(_ kind: String) async throws {
        let notes = PackedFiles.Entry("notes.txt", Array("notes".utf8))
        let original: [UInt8] =
            switch kind {
            case "zip": try PackedFiles.zip([notes, .init("default.realm", kennel)])
            case "tar": PackedFiles.tar([notes, .init("default.realm", kennel)])
            case "gzip": try PackedFiles.gzip(kennel)
            default: Array(Data(kennel).base64EncodedString().utf8)
            }
        for count in Share.current.of(stride(from: 0, to: original.count, by: max(1, original.count / 60))) {
            try await check(Array(original[..<count]))
        }
        var random = Seeded(UInt64(original.count))
        for round in 0..<120 {
            var bytes = original
            // Half of the changes affect the end, where the list of a ZIP archive is.
            let start = round % 2 == 0 ? 0 : max(0, bytes.count - 200)
            bytes[Int.random(in: start..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            if Share.current.contains(round, of: original.count) { try await check(bytes) }
        }
    }

    private func check(_ bytes: [UInt8]) async throws {
        let report = try await doctor(bytes)
        try expect([0, 1, 2, 64].contains(report.number("exit")))
        let run = await Run("repair", folder.file("packed"), "--best", "--dry-run", "--json")
        _ = try JSON(parsing: Array(run.output.utf8))
        expect(run.messages.count <= 1, "\(run.messages)")
        expectEqual(folder.bytes("packed"), bytes)
    }
}
