import CommandTestSupport
import Expectations
import Foundation
import HostileProperties
import RealmFileCommands
import TestSupport
import Testing

/// Ways to give the tool a key, and messages when key and file do not match.
@Suite final class EncryptedCommandTests {
    private let folder = URL.temporaryDirectory.appending(path: "realmfile-key-\(UUID().uuidString)")
    private let people: KnownFile
    private let hex: String

    init() throws {
        people = try KnownFile.fixture("Encrypted/people")
        hex = try Self.hex(people.key())
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private func write(_ bytes: [UInt8], _ name: String) throws -> String {
        let url = folder.appending(path: name)
        try Data(bytes).write(to: url)
        return url.path
    }

    static let verbs = [["info"], ["schema"], ["inspect"], ["verify"]]

    private func export(_ arguments: [String], environmentKey: String? = nil) async throws -> (Run, [String]) {
        let out = folder.appending(path: UUID().uuidString).path
        let run = await Run(["export"] + arguments + ["--out", out], environmentKey: environmentKey)
        return (run, (try? FileManager.default.subpathsOfDirectory(atPath: out).sorted()) ?? [])
    }

    @Test func `every way to give the key works`() async throws {
        let key = try people.key()
        let path = people.url.path
        let files = [
            try write(key, "raw"), try write(Array(hex.utf8), "hex"), try write(Array("\(hex)\n".utf8), "line"),
            try write(Array(Data(key).base64EncodedString().utf8), "base64"),
        ]
        for file in files {
            for verb in Self.verbs {
                let run = await Run(verb + [path, "--key-file", file])
                expectEqual(run.status, .success, "\(verb) \(file): \(run.messages)")
                expect(run.messages.isEmpty)
            }
            let (run, found) = try await export([path, "--key-file", file])
            expectEqual(run.status, .success)
            expect(found.contains("people/Person.bson"))
        }
        for text in [hex, Data(key).base64EncodedString()] {
            let (run, found) = try await export([path], environmentKey: text)
            expectEqual(run.status, .success)
            expect(found.contains("people/Person.bson"))
        }
        // The option takes precedence over the environment.
        let other = Self.hex(try KnownFile.fixture("Encrypted/many-commits").key())
        await expectEqual(Run(["info", path, "--key-file", files[0]], environmentKey: other).status, .success)
        await expectEqual(Run(["info", path], environmentKey: other).status, .unreadable)
    }

    @Test(arguments: verbs)
    func `keys that do not match the file are reported`(_ verb: [String]) async throws {
        let path = people.url.path
        func message(_ arguments: [String], _ status: RealmFileCommands.ExitStatus = .unreadable) async -> String {
            let run = await Run(verb + arguments)
            expectEqual(run.status, status, "\(arguments)")
            expectEqual(run.messages.count, 1, "\(run.messages)")
            return run.messages.first ?? ""
        }
        let right = try write(people.key(), "right")
        let wrong = try write(KnownFile.fixture("Encrypted/empty").key(), "wrong")
        var bytes = try people.key()
        bytes[0] ^= 1
        let half = try write(bytes, "half")
        let short = try write(Array(bytes[..<32]), "short")
        var said: Set<String> = []
        func check(_ text: String, _ words: String...) {
            for word in words { expect(text.contains(word), "\(text)") }
            expect(!text.contains(hex.prefix(16)))
            said.insert(text)
        }
        check(await message([path]), "encrypted", "--key-file", "REALMFILE_KEY")
        check(await message([path, "--key-file", wrong]), "wrong key", "created this file")
        check(await message([path, "--key-file", half]), "second half of the key is right", "first 32")
        check(await message([path, "--key-file", short], .usage), "not a key: 32 bytes", "64 bytes")
        let plain = try KnownFile.fixture("kennel").url.path
        check(await message([plain, "--key-file", right]), "not encrypted", "leave out --key-file")
        expectEqual(said.count, 5)
    }

    /// A key in the environment applies to encrypted files and is ignored for plain ones.
    @Test func `a key in the environment is ignored for plain files`() async throws {
        let plain = try KnownFile.fixture("kennel").url.path
        for verb in Self.verbs {
            let run = await Run(verb + [plain], environmentKey: hex)
            expectEqual(run.status, .success)
            expectEqual(run.output, (await Run(verb + [plain])).output)
        }
        let words = "REALMFILE_KEY: not a key: 8 hexadecimal digits"
        await expectEqual(Run(["info", plain], environmentKey: "deadbeef").status, .success)
        let run = await Run(["schema", people.url.path], environmentKey: "deadbeef")
        expectEqual(run.status, .usage)
        expect(run.messages.count == 1 && run.messages[0].contains(words))
    }

    @Test func `invalid key files are reported`() async throws {
        let path = people.url.path
        let files: [(String, RealmFileCommands.ExitStatus, String)] = [
            ("/no/such/key", .unreadable, "check the path"),
            (folder.path, .unreadable, "key file"),
            (try write([], "empty"), .usage, "the key is empty"),
            (try write(Array("-----BEGIN CERTIFICATE-----\nMIIB".utf8), "pem"), .usage, "PEM"),
            (path, .usage, "too long"),
            (try KnownFile.fixture("kennel").url.path, .usage, "two files mixed up"),
        ]
        for (file, status, word) in files {
            let run = await Run("info", path, "--key-file", file)
            expectEqual(run.status, status)
            expectEqual(run.messages.count, 1)
            expectEqual(run.messages.first?.contains(word), true, "\(run.messages)")
            expectEqual(run.messages.first?.contains("\n"), false)
        }
        await expectEqual(Run("info", path, "--key-file").status, .usage)
    }

    @Test func `info shows the known facts about an encrypted file`() async throws {
        let path = people.url.path
        let key = try write(people.key(), "key")
        let run = await Run("info", path, "--key-file", key, "--check-pages")
        for part in [
            "20480 bytes", "encryption      AES-256, HMAC-SHA-224; 4 pages of 4096 bytes",
            "data            16384 bytes",
            "never written   1 page\n", "pages checked   3 as written last, 0 as written before that",
            "pages failing   none", "logical size    16384 bytes",
        ] {
            expect(run.output.contains(part), "\(part): \(run.output)")
        }
        let report = try await Run("info", path, "--key-file", key, "--json").json()
        try expectEqual(report.number("fileSize"), 20_480)
        let encryption = try report.object("encryption")
        try expectEqual(encryption.number("dataSize"), 16_384)
        try expectEqual(encryption.number("pages"), 4)
        try expectEqual(encryption.number("neverWritten"), 1)
        // An unauthentic page that plain info does not read.
        let plain = try KnownFile.fixture("links-stream").bytes()
        var bytes = PageEncryptor(key: PageEncryptor.plainKey).encrypt(plain)
        bytes[2 * 4096 + 7] ^= 1
        let damaged = try write(bytes, "damaged.realm")
        let plainKey = try write(PageEncryptor.plainKey, "plain-key")
        let found = await Run("info", damaged, "--key-file", plainKey, "--check-pages")
        expectEqual(found.status, .findings)
        expect(found.output.contains("pages failing   1: 1\n"))
        let census = try await Run("info", damaged, "--key-file", plainKey, "--check-pages", "--json").json()
            .object("encryption").object("census")
        try expectEqual(census.number("begun"), 1)
    }

    /// The first page contains the header. Without it there is no other commit to try, but a search for commits.
    @Test(arguments: verbs + [["hash"], ["decrypt", "--out"]])
    func `the loss of the first page is reported`(_ verb: [String]) async throws {
        var bytes = try people.bytes()
        for index in 4096..<8192 { bytes[index] = 0 }
        let damaged = try write(bytes, "first-page.realm")
        let key = try write(try people.key(), "first-page.key")
        let out = verb.last == "--out" ? [folder.appending(path: "first-page-out.realm").path] : []
        let run = await Run(verb + out + [damaged, "--key-file", key])
        expectEqual(run.status, .unreadable)
        // Findings of verify are not failures of the command.
        let next = verb[0] == "decrypt" ? "`realmfile repair " : "`realmfile doctor "
        expectEqual(run.messages.last?.contains(next), true, "\(run.messages)")
        expect(run.messages.allSatisfy { !$0.contains("--slot") })
    }

    /// The entries of the first 64 pages are in a separate page. Without it none of these pages can be read, but later
    /// pages show that the key is correct.
    @Test(arguments: verbs + [["hash"]], [UInt8(0), 0x5D])
    func `the loss of the first table is reported`(_ verb: [String], _ filling: UInt8) async throws {
        let plain = PageEncryptor.padded(try KnownFile.fixture("kennel").bytes(), to: 70 * 4096)
        var bytes = PageEncryptor(key: PageEncryptor.plainKey).encrypt(plain)
        for index in 0..<4096 { bytes[index] = filling }
        let damaged = try write(bytes, "first-table.realm")
        let run = await Run(verb + [damaged, "--key-file", try write(PageEncryptor.plainKey, "plain-key")])
        expectEqual(run.status, .unreadable)
        expectEqual(run.messages.last?.contains("page 0, at 0x1000 in the encrypted file,"), true, "\(run.messages)")
        expectEqual(run.messages.last?.contains("`realmfile doctor "), true, "\(run.messages)")
        // A wrong key matches no page.
        let other = await Run(verb + [damaged, "--key-file", try write(people.key(), "other-key")])
        expectEqual(other.status, .unreadable)
        expect(other.messages.allSatisfy { !$0.contains("page 0, at 0x1000") }, "\(other.messages)")
    }

    /// Damage to a page is reported with the page, its effect, and the recoverable content.
    @Test func `damage to a page is reported with the recoverable content`() async throws {
        let plain = try KnownFile.fixture("primary-keys-stream").bytes()
        var bytes = PageEncryptor(key: PageEncryptor.plainKey, [3: .written(9, before: 8)]).encrypt(plain)
        bytes[4 * 4096 + 1000] ^= 0x80
        let path = try write(bytes, "damaged.realm")
        let key = try write(PageEncryptor.plainKey, "key")
        let (run, found) = try await export([path, "--key-file", key])
        expectEqual(run.status, .findings)
        expect(
            run.messages.contains { $0.contains("page 3, at 0x4000 in the encrypted file, fails its authentication") })
        expect(run.messages.contains { $0.contains("pages 0-2 and 4-19 verify") }, "\(run.messages)")
        expect(found.contains { $0.hasSuffix(".bson") })
    }
}
