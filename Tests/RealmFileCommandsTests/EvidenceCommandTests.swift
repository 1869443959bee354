import CommandTestSupport
import Expectations
import Foundation
import RealmFileCommands
import RealmStorage
import TestSupport
import Testing

/// `info --evidence` identifies a file as other programs do.
@Suite struct EvidenceCommandTests {
    /// The digests of `sha256sum`.
    @Test func `the digest of a file is that of sha256sum`() async throws {
        let sums = try String(
            contentsOf: KnownFile.packageRoot.appending(path: "Fixtures/SHA256SUMS"), encoding: .utf8)
        for file in KnownFile.fixtures {
            let evidence = try await Run("info", "--evidence", "--json", file.url.path).json().object("evidence")
            let line = "\(try evidence.text("sha256"))  \(file.url.lastPathComponent)"
            expect(sums.contains(line), "\(line)")
            try expectEqual(evidence.number("size"), file.bytes().count)
        }
    }

    @Test func `the digest covers bytes that are skipped, and encrypted bytes as they are`() async throws {
        let original = try KnownFile.fixture("kennel").bytes()
        let front = try TemporaryFile([UInt8](repeating: 7, count: 16) + original)
        let skipped = try await Run("info", "--evidence", "--json", "--skip", "16", front.path).json()
        try expectEqual(skipped.object("evidence").text("sha256"), sha256([UInt8](repeating: 7, count: 16) + original))
        try expectEqual(skipped.object("evidence").number("size"), original.count + 16)
        // Without its key, the file is not readable, but still evidence.
        let encrypted = try KnownFile.fixture("Encrypted/format-20-people")
        let locked = await Run("info", "--evidence", "--json", encrypted.url.path)
        expectEqual(locked.status, .unreadable)
        try expectEqual(locked.json().object("evidence").text("sha256"), sha256(encrypted.bytes()))
    }

    @Test func `times are those before the file was read, and the access time can be kept`() async throws {
        let file = try TemporaryFile(KnownFile.fixture("kennel").bytes())
        let before = try FileFacts(path: file.path)
        let run = await Run("info", "--evidence", "--json", "--no-atime", file.path)
        let evidence = try run.json().object("evidence")
        try expectEqual(evidence.text("modified"), before.modified?.text)
        try expectEqual(evidence.text("statusChanged"), before.changed?.text)
        try expectEqual(evidence.text("accessed"), before.accessed?.text)
        try expectEqual(evidence.number("inode"), Int(before.inode))
        #if os(Linux)
            expectEqual(run.messages, [])
            try expect(evidence[required: "keepsAccessTime"].bool())
            try expectEqual(FileFacts(path: file.path), before)
        #else
            expectEqual(run.messages.count, 1)
        #endif
    }

    @Test func `the command line can be pasted`() {
        let circumstances = Circumstances(arguments: ["realmfile", "info", "--evidence", "it's mine.realm"])
        expectEqual(circumstances.commandLine, "realmfile info --evidence 'it'\\''s mine.realm'")
    }
}
