import Expectations
import RealmLayout
import RealmStorage
import TestSupport
import Testing

import RealmForensics

/// E: damage to the pages of an encrypted file is detected.
struct EncryptionDamageTests {
    /// Damage to an encrypted file.
    struct Case: Sendable, CustomStringConvertible {
        let check: CheckIdentifier
        let what: String
        let companions: Set<CheckIdentifier>
        let damage: @Sendable (inout [UInt8], inout [UInt8]) -> Void

        var description: String { "\(check.rawValue) \(what)" }

        init(
            _ check: CheckIdentifier, _ what: String, with companions: Set<CheckIdentifier> = [],
            damage: @escaping @Sendable (_ bytes: inout [UInt8], _ key: inout [UInt8]) -> Void
        ) {
            self.check = check
            self.what = what
            self.companions = companions
            self.damage = damage
        }
    }

    /// The file has more than one page in use.
    private static let fixture = KnownFile.encryptedFixtures.max { left, right in
        ((try? left.bytes().count) ?? 0) < ((try? right.bytes().count) ?? 0)
    }

    static let cases = [
        Case(.containerShape, "100 bytes cut off", with: [.topRange, .otherSlot]) { bytes, _ in bytes.removeLast(100) },
        Case(.containerShape, "one page left") { bytes, _ in bytes.removeSubrange(4096...) },
        Case(.pageAuthentication, "a bit of the first page") { bytes, _ in bytes[4096 + 77] ^= 1 },
        Case(.pageAuthentication, "a bit of the second page", with: [.leak, .unwrittenPage, .otherSlot]) { bytes, _ in
            bytes[8192 + 77] ^= 1
        },
        Case(.interruptedPage, "an entry ahead of its page") { bytes, _ in
            for index in 0..<32 { bytes[64 + 32 + index] = bytes[64 + index] }
            bytes[64] += 1
            bytes[64 + 9] ^= 1
        },
        Case(.unwrittenPage, "no entry for a page in use", with: [.leak, .otherSlot]) { bytes, _ in
            for index in 64..<128 { bytes[index] = 0 }
        },
        Case(
            .pageAuthentication, "a first write that was interrupted", with: [.leak, .unwrittenPage, .otherSlot]
        ) { bytes, _ in
            bytes[64 + 9] ^= 1
            for index in 96..<128 { bytes[index] = 0 }
        },
        Case(.writeCounters, "counters far apart") { bytes, _ in
            bytes[64 + 32] = bytes[64] &- 9
            bytes[64 + 33] ^= 0x55
        },
        Case(.spareEntries, "an entry for no page") { bytes, _ in bytes[4095] = 1 },
        Case(.decryptedHeader, "another first half of the key") { _, key in key[3] ^= 1 },
    ]

    @Test(arguments: cases)
    func `damage to pages is found`(_ damage: Case) throws {
        let file = try #require(Self.fixture)
        var (bytes, key) = (try file.bytes(), try file.key())
        let verification = Verification(level: .standard)
        let before = try verification.run(on: ByteSource(bytes: bytes), key: EncryptionKey(bytes: key))
        expectEqual(before.totalsByCheck[damage.check], nil)
        damage.damage(&bytes, &key)
        let report = try verification.run(on: ByteSource(bytes: bytes), key: EncryptionKey(bytes: key))
        let shown = report.findings.map { "\($0.check.rawValue) \($0.place): \($0.message)" }
        expect(report.totalsByCheck[damage.check] ?? 0 > 0, "\(shown)")
        let others = report.findings.filter {
            $0.severity >= .warning && $0.check != damage.check && !damage.companions.contains($0.check)
        }
        expect(others.isEmpty, "\(shown)")
    }

    @Test(arguments: KnownFile.encryptedFixtures)
    func `an intact file has no findings`(_ file: KnownFile) throws {
        for level in VerificationLevel.allCases {
            let report = try Verification(level: level).run(
                on: ByteSource(bytes: file.bytes()), key: EncryptionKey(bytes: file.key()))
            expect(report.isSound, "\(report.findings.map(\.message))")
        }
    }

    @Test func `a wrong key is reported`() throws {
        let file = try #require(Self.fixture)
        #expect(throws: FormatError.self) {
            try Verification().run(
                on: ByteSource(bytes: file.bytes()), key: EncryptionKey(bytes: [UInt8](repeating: 7, count: 64)))
        }
    }
}
