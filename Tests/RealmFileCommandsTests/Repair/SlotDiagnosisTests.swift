import CommandTestSupport
import Expectations
import Foundation
import RealmFileCommands
import TestSupport
import Testing

/// A foreign value in a slot of the header is not a truncation: all commands give the same diagnosis, and the commit of
/// the slot is recovered as a whole.
@Suite struct SlotDiagnosisTests {
    /// Eight bytes, and the message about them. The file has 8192 bytes; its commits are 3 at 0x1050 and 2 at 0x7f8.
    static let foreign: [(bytes: [UInt8], words: String)] = [
        (Array("GET / HT".utf8), "0x5448202f20544547 is not a multiple of 8"),
        ([0x44, 0x20, 0x82, 0x3C, 0xFD, 0xE6, 0xF1, 0xC2], "0xc2f1e6fd3c822044 is not a multiple of 8"),
        (Array("Hello wo".utf8), "0x6f77206f6c6c6548 is far beyond its end (8192 bytes)"),
        (Array("\0\0abc\0\0\0".utf8), "0x6362610000 is far beyond its end (8192 bytes)"),
        ([0x10, 0, 0, 0, 0, 0, 0, 0], "0x10 is inside the header"),
        ([0x51, 0x10, 0, 0, 0, 0, 0, 0], "0x1051 is not a multiple of 8"),
        ([UInt8](repeating: 0xFF, count: 8), "it has the mark of the streaming form, but slot 1 is in use"),
    ]

    private func kennel(_ slot: [UInt8]) throws -> TemporaryFile {
        try TemporaryFile(fixture: "kennel") { bytes in
            let first = 8 * Int(bytes[23] & 1)
            bytes.replaceSubrange(first..<first + 8, with: slot)
        }
    }

    @Test(arguments: foreign) func `foreign bytes over a slot are not a truncation`(_ bytes: [UInt8], _ words: String)
        async throws
    {
        let file = try kennel(bytes)
        let said = "slot 0 of the header does not hold a ref of this file: \(words)"
        for arguments in [
            ["info"], ["verify"], ["doctor"], ["export", "--out", file.path + ".dump"],
            ["repair", "--find-root", "--dry-run"], ["repair", "--salvage", "--dry-run"],
        ] {
            let run = await Run([arguments[0], file.path] + arguments.dropFirst())
            let all = run.output + run.messages.joined()
            expect(all.contains(said), "\(arguments) \(all)")
            for wrong in ["cut off", "interrupted", "signs of a later commit"] {
                expect(!all.contains(wrong), "\(arguments) \(all)")
            }
        }
        let original = try KnownFile.fixture("kennel").url.path
        let out = file.path + ".new"
        for way in ["--find-root", "--salvage"] {
            let run = await Run("repair", file.path, way, "--out", out, "--overwrite")
            expectEqual(run.status, .success, "\(run.output)")
            await expectEqual(Run("diff", original, out).status, .success)
        }
        // The previous commit has none of the objects: reporting no loss would be wrong.
        let before = await Run("repair", file.path, "--use-slot", "other", "--dry-run")
        expectEqual(before.status, .findings, "\(before.output)")
        let doctor = try await Run("doctor", file.path, "--json").json()
        try expectEqual(doctor.text("best"), "findRoot")
        let other = try #require(try doctor.objects("ways").first { try $0.text("way") == "otherSlot" })
        try expect(!other[required: "lossless"].bool())
    }

    /// A ref that may point into the missing part: the file was truncated, as here.
    @Test(arguments: [0x1000, 0x1050]) func `a truncated file is reported`(_ size: Int) async throws {
        let file = try TemporaryFile(fixture: "kennel") { $0.removeSubrange(size...) }
        for verb in ["info", "verify"] {
            let run = await Run(verb, file.path)
            expect(run.messages.joined().contains("the file has probably been cut off"), "\(run.messages)")
        }
    }

    /// A missing footer at the end of a file in streaming form means that it was truncated.
    @Test func `a missing footer is reported as a truncation`() async throws {
        let file = try TemporaryFile(fixture: "links-stream") { $0.removeLast(64) }
        let run = await Run("info", file.path)
        expect(run.messages.joined().contains("the footer of the streaming form is missing"), "\(run.messages)")
    }
}
