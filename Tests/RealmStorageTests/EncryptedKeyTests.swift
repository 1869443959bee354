import Expectations
import Foundation
import HostileProperties
import RealmStorage
import TestSupport
import Testing

/// Every form of a key gives the same key; an invalid one is reported without disclosing it.
@Suite struct EncryptedKeyTests {
    private let bytes = (0..<64).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 0xC3) }
    private var digits: [String] { bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) } }
    private var hex: String { digits.joined() }
    private var base64: String { Data(bytes).base64EncodedString() }

    /// Whether the key decrypts a page that was encrypted with `bytes`.
    private func fits(_ key: EncryptionKey, _ bytes: [UInt8]) throws -> Bool {
        let plain = [UInt8](repeating: 0x42, count: 4096)
        let source = ByteSource(bytes: PageEncryptor(key: bytes).encrypt(plain))
        let pages = try EncryptedPages(source, key: key)
        guard (try? pages.leased { try PageAccess(pages, pins: false).admit(0, 4096) }) != nil else { return false }
        return pages.view.bytes == plain
    }

    @Test func `a key is read from text`() throws {
        var texts = [hex, hex.uppercased(), "0x" + hex, " \(hex)\r\n", "\u{FEFF}\(hex)", base64, base64 + "\n"]
        for separator in [" ", ":", ", ", "-", "\n", "\t", " 0x", ", 0x"] {
            texts.append(digits.joined(separator: separator))
        }
        texts.append(digits.map { "0x\($0)" }.joined(separator: ", "))
        texts.append(String(base64.prefix(86)))
        texts.append(base64.replacing("+", with: "-").replacing("/", with: "_"))
        texts.append(base64.prefix(64) + "\n" + base64.dropFirst(64))
        for text in texts { try expect(fits(EncryptionKey(text: text), bytes), "\(text)") }
        try expect(!fits(EncryptionKey(text: String(hex.reversed())), bytes))
    }

    /// Typical printed forms of 64 bytes.
    private var lists: [String] {
        let signed = bytes.map { String(Int8(bitPattern: $0)) }
        let plain = bytes.map { String($0) }
        let groups = stride(from: 0, to: 64, by: 4).map { digits[$0..<$0 + 4].joined() }
        return [
            "[\(plain.joined(separator: ", "))]", "[\(signed.joined(separator: ", "))]\n", plain.joined(separator: ","),
            signed.joined(separator: ", "), "Uint8Array(64) [\n  \(plain.joined(separator: ",\n  "))\n]",
            "const uint8_t key[64] = {\(digits.map { "0x\($0)" }.joined(separator: ", "))};",
            "new byte[] { \(bytes.map { "0x" + String($0, radix: 16) }.joined(separator: ", ")) }",
            "<\(groups.joined(separator: " "))>", "{length = 64, bytes = 0x\(groups.joined(separator: " "))}",
            "<Buffer \(digits.joined(separator: " "))>", "[\(plain.joined(separator: " "))]",
            plain.joined(separator: "\n"), "byteArrayOf(\(signed.joined(separator: ", ")))",
            "byte[] key = {\(digits.map { "(byte)0x\($0)" }.joined(separator: ", "))};",
            "byteArrayOf(\(digits.map { "0x\($0).toByte()" }.joined(separator: ", ")))",
            "{\(plain.enumerated().map { "\"\($0.offset)\":\($0.element)" }.joined(separator: ","))}",
            "{ \(plain.enumerated().map { "'\($0.offset)': \($0.element)" }.joined(separator: ",\n  ")) }",
            "{\"type\":\"Buffer\",\"data\":[\(plain.joined(separator: ","))]}", xxd,
        ]
    }

    /// The output of `xxd -i key.bin`.
    private var xxd: String {
        let lines = stride(from: 0, to: 64, by: 12).map { start in
            "  " + digits[start..<min(start + 12, 64)].map { "0x\($0)" }.joined(separator: ", ")
        }
        return "unsigned char key_bin[] = {\n\(lines.joined(separator: ",\n"))\n};\nunsigned int key_bin_len = 64;\n"
    }

    @Test func `a key is read from lists of numbers`() throws {
        for text in lists { try expect(fits(EncryptionKey(text: text), bytes), "\(text)") }
        // Numbers of two digits are decimal between commas, and hexadecimal in the traditional form.
        let small = (0..<64).map { UInt8($0 + 10) }
        let numbers = small.map { String($0) }
        for text in ["[\(numbers.joined(separator: ", "))]", numbers.joined(separator: ", ")] {
            try expect(fits(EncryptionKey(text: text), small), "\(text)")
        }
        let read = (0..<64).map { UInt8(String($0 + 10), radix: 16) ?? 0 }
        try expect(fits(EncryptionKey(text: numbers.joined(separator: ":")), read))
    }

    @Test func `a key is read in quotation marks and after a name`() throws {
        let texts = [
            "\"\(hex)\"\n", "'\(base64)'", "`\(hex)`", "Optional(\"\(base64)\")", "{\"key\": \"\(base64)\", \"v\": 1}",
            "REALMFILE_KEY=\(hex)\n", "export KEY='\(base64)'", "KEY=\(base64)",
            "\"\(digits.map { "\\x\($0)" }.joined())\"",
        ]
        for text in texts { try expect(fits(EncryptionKey(text: text), bytes), "\(text)") }
    }

    @Test func `a list that is not a key is reported`() {
        let texts: [(String, KeyError.Kind)] = [
            ("[1, 2, 3]", .numbers(3)),
            ("[\(Array(repeating: "300", count: 64).joined(separator: ", "))]", .numbers(64)),
            ("00000000: \(hex.prefix(32))\n00000010: \(hex.prefix(32))\n", .hexDump),
            (
                "0000000 \(digits.prefix(16).joined(separator: " "))\n0000020 \(digits.prefix(16).joined(separator: " "))",
                .hexDump
            ),
            ("b'\\x0b0U\\x9f'", .escapes), ("\"\(hex.dropLast(2))\"", .digits(126)),
            ("KEY=\(hex.dropLast())", .digits(127)), ("\"no key!\"", .bytes(7)), ("\"no key\"", .base64(bytes: 3)),
            ("{length = 64, bytes = 0x0b30557a 9fc4e90e ... dc0126 }", .abbreviated), ("<0b30557a 9fc4>", .digits(12)),
            ("[\(Array(repeating: "0b3", count: 43).joined(separator: " "))]", .digits(3)),
            ("<html></html>", .bytes(13)),
            ("[]", .bytes(2)), ("1,2", .numbers(2)),
        ]
        for (text, kind) in texts { #expect(throws: KeyError(kind), "\(text)") { try EncryptionKey(text: text) } }
    }

    @Test func `a key is made of bytes`() throws {
        try expect(fits(EncryptionKey(bytes: bytes), bytes))
        for count in [0, 1, 32, 63, 65, 128] {
            let error = #expect(throws: KeyError.self) { try EncryptionKey(bytes: [UInt8](repeating: 7, count: count)) }
            expectEqual(error?.kind, (count == 0 ? .empty : .bytes(count)))
        }
    }

    private func withFile<R>(_ content: [UInt8], _ body: (String) throws -> R) throws -> R {
        let url = FileManager.default.temporaryDirectory.appending(path: "key-\(UUID().uuidString)")
        try Data(content).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        return try body(url.path)
    }

    @Test func `a key is read from a file`() throws {
        let text = Array(KnownKey.text.utf8)
        let files: [([UInt8], [UInt8])] = [
            (bytes, bytes), (Array(hex.utf8), bytes), (Array("\(hex)\n".utf8), bytes), (Array(base64.utf8), bytes),
            // 64 bytes are the key, whatever their value; a line break after them is not part of it.
            (text, text), (text + [0x0A], text), (text + [0x0D, 0x0A], text),
            (Array(hex.utf8.prefix(64)), Array(hex.utf8.prefix(64))),
            (Array(repeating: 0x0A, count: 64), Array(repeating: 0x0A, count: 64)),
        ]
        for (content, key) in files {
            try expect(withFile(content) { try fits(EncryptionKey(contentsOfFile: $0), key) })
        }
    }

    @Test func `files that are not a key are reported`() throws {
        let realm = try KnownFile.fixture("kennel").bytes()
        let files: [([UInt8], KeyError.Kind)] = [
            ([], .empty), (Array("\n".utf8), .empty), (Array(hex.utf8.dropLast()), .digits(127)),
            (Array("deadbeef".utf8), .digits(8)), (Array("\(hex)00".utf8), .digits(130)),
            (Array(Data(bytes + [1]).base64EncodedString().utf8), .base64(bytes: 65)),
            (bytes + [1], .bytes(65)), (Array(bytes.dropLast()), .bytes(63)),
            (Array("-----BEGIN PRIVATE KEY-----\nMIIE\n".utf8), .pem), (realm, .realmFile),
            (Array(repeating: 0x41, count: 5000), .tooLong), (Array(repeating: 0, count: 1 << 20), .tooLong),
        ]
        for (content, kind) in files {
            let error = try withFile(content) { path in
                #expect(throws: KeyError.self) { try EncryptionKey(contentsOfFile: path) }
            }
            expectEqual(error?.kind, kind)
        }
    }

    @Test func `files that cannot be read are reported`() throws {
        #expect(throws: StorageError.self) { try EncryptionKey(contentsOfFile: "/no/such/key") }
        #expect(throws: StorageError.self) { try EncryptionKey(contentsOfFile: KnownFile.packageRoot.path) }
    }

    /// Neither errors nor any printed form of a key disclose it.
    @Test func `no printed form of a key discloses it`() throws {
        let key = try EncryptionKey(bytes: bytes)
        var dumped = ""
        dump(key, to: &dumped)
        for text in ["\(key)", String(reflecting: key), "\([key])", dumped] { expect(!text.contains("c3")) }
        expectEqual("\(key)", "EncryptionKey(…)")
        let secret = "c0ffee00c0ffee"
        let error = #expect(throws: KeyError.self) { try EncryptionKey(text: secret) }
        expectEqual(error.map { "\($0)".contains("c0ffee") }, false)
    }

    @Test func `a key is read from the environment`() throws {
        let name = "REALMFILE_TEST_KEY"
        try expect(EncryptionKey.fromEnvironment(name) == nil)
        setenv(name, "", 1)
        try expect(EncryptionKey.fromEnvironment(name) == nil)
        setenv(name, hex, 1)
        try expect(fits(try #require(try EncryptionKey.fromEnvironment(name)), bytes))
        setenv(name, KnownKey.text, 1)
        #expect(throws: KeyError(.digits(64))) { try EncryptionKey.fromEnvironment(name) }
        unsetenv(name)
    }
}

/// The key of the files in Realm Core's repository.
private enum KnownKey {
    static let text = "1234567890123456789012345678901123456789012345678901234567890123"
}
