import CommandTestSupport
import Expectations
import Foundation
import HostileProperties
import RealmFileCommands
import TestSupport
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// `encrypt` and `decrypt`: keys, files, and messages when they do not match.
@Suite struct EncryptCommandTests {
    private let folder: TemporaryFolder
    private let kennel: [UInt8]
    private static let key = PageEncryptor.plainKey
    private static let otherKey = [UInt8](PageEncryptor.plainKey.reversed())

    init() throws {
        folder = try TemporaryFolder()
        kennel = try KnownFile.fixture("kennel").bytes()
        try folder.write(kennel, "plain.realm")
        try folder.write(PageEncryptor(key: Self.key).encrypt(kennel), "old.realm")
        try folder.write(Self.key, "key")
        try folder.write(Self.otherKey, "other")
        try folder.write(Array(Self.key.prefix(32)), "short")
    }

    /// Runs the tool; words that name a file of the folder are replaced by its path.
    private func run(_ words: String, environmentKey: String? = nil, newKey: String? = nil) async -> Run {
        let arguments = words.split(separator: " ").map { word in
            word.hasPrefix("@") ? folder.file(String(word.dropFirst())) : String(word)
        }
        return await Run(arguments, environmentKey: environmentKey, newKey: newKey)
    }

    private func hex(_ bytes: [UInt8]) -> String { bytes.map { String(format: "%02x", $0) }.joined() }

    @Test func `a file is unchanged after encryption and decryption`() async throws {
        let encrypted = await run("encrypt @plain.realm --new-key-file @key --out @new.realm")
        expectEqual(encrypted.status, .success)
        expect(encrypted.messages.isEmpty)
        let padded = PageEncryptor.padded(kennel, to: 16_384)
        expectEqual(folder.bytes("new.realm"), PageEncryptor(key: Self.key).encrypt(padded))
        expectEqual(
            encrypted.output,
            """
            file            \(folder.file("plain.realm")), 8192 bytes, plain
            data            8192 bytes, as they are
            written         \(folder.file("new.realm")), 20480 bytes, encrypted

            """)
        let rekeyed = await run("encrypt @new.realm --key-file @key --new-key-file @other --out @rekeyed.realm --json")
        expectEqual(rekeyed.status, .success)
        expectEqual(folder.bytes("rekeyed.realm"), PageEncryptor(key: Self.otherKey).encrypt(padded))
        let report = try rekeyed.json()
        try expectEqual(report.number("reportVersion"), 2)
        try expectEqual(report.number("dataSize"), 16_384)
        try expectEqual(report.number("outSize"), 20_480)
        try expect(report[required: "fileEncrypted"].bool())
        try expect(report[required: "outEncrypted"].bool())
        let decrypted = await run("decrypt @rekeyed.realm --key-file @other --out @back.realm")
        expectEqual(decrypted.status, .success)
        expectEqual(folder.bytes("back.realm"), padded)
        // The tool reads its own output.
        await expectEqual(run("verify @rekeyed.realm --key-file @other --strict").status, .success)
        await expectEqual(run("verify @back.realm --strict").status, .success)
        // Inputs are unchanged.
        expectEqual(folder.bytes("plain.realm"), kennel)
        expectEqual(folder.bytes("old.realm"), PageEncryptor(key: Self.key).encrypt(kennel))
    }

    /// Keys in the environment: one for the input file, one for the output file.
    @Test func `keys in the environment apply to both files`() async throws {
        let (key, other) = (hex(Self.key), hex(Self.otherKey))
        let padded = PageEncryptor.padded(kennel, to: 16_384)
        await expectEqual(run("encrypt @plain.realm --out @1", environmentKey: other, newKey: key).status, .success)
        expectEqual(folder.bytes("1"), PageEncryptor(key: Self.key).encrypt(padded))
        await expectEqual(run("encrypt @1 --out @2", environmentKey: key, newKey: other).status, .success)
        expectEqual(folder.bytes("2"), PageEncryptor(key: Self.otherKey).encrypt(padded))
        await expectEqual(run("decrypt @2 --out @3", environmentKey: other, newKey: key).status, .success)
        expectEqual(folder.bytes("3"), padded)
        let bad = await run("encrypt @plain.realm --out @4", newKey: "deadbeef")
        expectEqual(bad.status, .usage)
        expectEqual(bad.messages.first?.contains("REALMFILE_NEW_KEY: not a key: 8 hexadecimal digits"), true)
    }

    private struct Refusal {
        let words: String
        let status: RealmFileCommands.ExitStatus
        let says: [String]

        init(_ words: String, _ status: RealmFileCommands.ExitStatus, _ says: String...) {
            self.words = words
            self.status = status
            self.says = says
        }
    }

    @Test func `combinations that make no sense are refused`() async throws {
        try folder.write([1], "there")
        let out = "--out @new.realm"
        let cases = [
            Refusal("encrypt @plain.realm \(out)", .usage, "no key for the new file", "REALMFILE_NEW_KEY"),
            Refusal("encrypt @plain.realm --key-file @key \(out)", .usage, "no key for", "the file has already"),
            Refusal("encrypt @plain.realm --new-key-file @short \(out)", .usage, "not a key: 32 bytes"),
            Refusal("encrypt @plain.realm --new-key-file @none \(out)", .unreadable, "cannot open the key file"),
            Refusal(
                "encrypt @plain.realm --key-file @key --new-key-file @other \(out)", .unreadable, "not encrypted",
                "leave out --key-file"),
            Refusal("encrypt @old.realm --new-key-file @other \(out)", .unreadable, "encrypted", "--key-file"),
            Refusal(
                "encrypt @old.realm --key-file @other --new-key-file @key \(out)", .unreadable, "wrong key"),
            Refusal("encrypt @old.realm --key-file @key --new-key-file @key \(out)", .usage, "has already"),
            Refusal(
                "encrypt @plain.realm --new-key-file @key --out @plain.realm", .usage, "must not be the input file"),
            Refusal(
                "encrypt @plain.realm --new-key-file @key --out @key --overwrite", .usage, "must not be the key file"),
            Refusal("decrypt @old.realm --key-file @key --out @key --overwrite", .usage, "must not be the key file"),
            Refusal("encrypt @plain.realm --new-key-file @key --out @there", .unreadable, "use --overwrite"),
            Refusal("encrypt @plain.realm --new-key-file @key --out -", .usage, "--out takes a path"),
            Refusal("encrypt @plain.realm --new-key-file @key", .usage, "--out"),
            Refusal("encrypt @plain.realm --new-key-file @key --out @no/new.realm", .unreadable, "cannot create"),
            Refusal("encrypt @key --new-key-file @key \(out)", .unreadable, "not a Realm file"),
            Refusal("decrypt @plain.realm \(out)", .unreadable, "not encrypted: there is nothing to decrypt"),
            Refusal("decrypt @plain.realm --key-file @key \(out)", .unreadable, "there is nothing to decrypt"),
            Refusal("decrypt @old.realm \(out)", .unreadable, "the file is encrypted", "--key-file"),
            Refusal("decrypt @old.realm --key-file @short \(out)", .usage, "not a key: 32 bytes"),
            Refusal("decrypt @old.realm --key-file @other \(out)", .unreadable, "wrong key"),
            Refusal("decrypt @old.realm --key-file @key --out @old.realm", .usage, "must not be the input file"),
            Refusal("decrypt @old.realm --key-file @key --out @there", .unreadable, "use --overwrite"),
        ]
        let names = folder.names
        for refusal in cases {
            let run = await run(refusal.words)
            expectEqual(run.status, refusal.status, "\(refusal.words): \(run.messages)")
            expectEqual(run.messages.count, 1)
            for text in refusal.says {
                expectEqual(run.messages.first?.contains(text), true, "\(refusal.words): \(run.messages)")
            }
            expect(run.output.isEmpty)
            expectEqual(folder.names, names, "\(refusal.words)")
        }
        expectEqual(folder.bytes("there"), [1])
        expectEqual(folder.bytes("plain.realm"), kennel)
    }

    @Test func `a file is replaced on request`() async throws {
        try folder.write([1], "there")
        await expectEqual(run("decrypt @old.realm --key-file @key --out @there --overwrite").status, .success)
        expectEqual(folder.bytes("there"), kennel)
        // Refused while an app has it open.
        try folder.write([], "there.lock")
        let session = open(folder.file("there.lock"), O_RDWR)
        expectEqual(flock(session, LOCK_SH), 0)
        let refused = await run("encrypt @plain.realm --new-key-file @key --out @there --overwrite")
        expectEqual(refused.status, .unreadable)
        expectEqual(refused.messages.first?.contains("a process has it open; close the app that uses it"), true)
        expectEqual(folder.bytes("there"), kennel)
        close(session)
    }

    /// A plain copy is readable only by users that could read the encrypted file.
    @Test func `a plain copy is not readable by other users`() async throws {
        expectEqual(chmod(folder.file("old.realm"), 0o600), 0)
        await expectEqual(run("decrypt @old.realm --key-file @key --out @new.realm").status, .success)
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.file("new.realm"))
        expectEqual(attributes[.posixPermissions] as? Int, 0o600)
    }

    /// Damage and stray bytes are reported.
    @Test func `damage and stray bytes are reported`() async throws {
        var bytes = PageEncryptor(key: Self.key).encrypt(kennel)
        try folder.write(bytes + [7], "stray.realm")
        let stray = await run("decrypt @stray.realm --key-file @key --out @new.realm")
        expectEqual(stray.status, .findings)
        expect(stray.output.contains("stray bytes     1 after the last whole page"))
        expectEqual(folder.bytes("new.realm"), kennel)
        bytes[2 * 4096 + 9] ^= 1
        try folder.write(bytes, "damaged.realm")
        let damaged = await run("decrypt @damaged.realm --key-file @key --out @none.realm")
        expectEqual(damaged.status, .unreadable)
        expectEqual(damaged.messages.first?.contains("page 1, at 0x2000 in the encrypted file, fails"), true)
        expect(!folder.names.contains("none.realm"))
    }

    /// Missing pages that the database needs are a loss, as opposed to free space; so is a truncated end.
    @Test func `missing pages are reported if the database needs them`() async throws {
        let file = try KnownFile.fixture("Encrypted/people")
        var bytes = try file.bytes()
        try folder.write(try file.key(), "people")
        let cases: [(name: String, zeros: Range<Int>)] = [("entry", 64..<128), ("page", 8192..<12_288)]
        for (name, zeros) in cases {
            bytes = try file.bytes()
            bytes.replaceSubrange(zeros, with: [UInt8](repeating: 0, count: zeros.count))
            try folder.write(bytes, name)
            for words in ["decrypt @\(name)", "encrypt @\(name) --new-key-file @key"] {
                let run = await run("\(words) --key-file @people --out @new.realm --overwrite")
                expect(run.status == .findings && run.messages.isEmpty)
                for text in [
                    "never written   1 page of free space, zeros in the new file\n",
                    "lost            1 page without data that the database needs, zeros in the new file: 1\n",
                ] { expect(run.output.contains(text), "\(run.output)") }
            }
            let json = try await run("decrypt @\(name) --key-file @people --out @new.realm --overwrite --json").json()
            let lost = try json.object("lost")
            try expect(lost.number("count") == 1 && lost[required: "pages"].elements().map { try $0.int() } == [1])
            try expect(json.object("maybeLost").number("count") == 0 && !json[required: "cutOff"].bool())
            try expectEqual(json.number("neverWritten"), 2)
        }
        try folder.write(Array(file.bytes().prefix(8192)), "cut")
        let cut = await run("decrypt @cut --key-file @people --out @new.realm --overwrite")
        expectEqual(cut.status, .findings)
        expect(cut.output.contains("cut off         the database reaches beyond the end of the file"))
        let whole = await run("decrypt \(file.url.path) --key-file @people --out @new.realm --overwrite")
        expectEqual(whole.status, .success)
        expect(whole.output.contains("never written   1 page of free space") && !whole.output.contains("lost"))
    }

    @Test func `a full disk is reported, and nothing is left`() async throws {
        guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
        let run = await run("encrypt @plain.realm --new-key-file @key --out /dev/full --overwrite")
        expectEqual(run.status, .unreadable)
        expectEqual(run.messages.first?.contains("cannot write a database into a pipe or device"), true)
    }
}
