import Expectations
import RealmCore
import RealmForensics
import RealmLayout
import RealmStorage
import TestSupport
import Testing

/// The content hash of every file equals that of Realm Core's dump (Spec 170).
@Suite struct ContentHashTests {
    @Test(arguments: KnownFile.fixtures + KnownFile.legacyFixtures + KnownFile.encryptedFixtures)
    func `the hash of a fixture matches its dump`(_ file: KnownFile) throws { try compare(file) }

    @Test(
        .enabled(if: KnownFile.hasCorpus, "\(KnownFile.corpusComment)"),
        arguments: Share.current.of(KnownFile.corpus, sequence: 10))
    func `the hash of a corpus file matches its dump`(_ file: KnownFile) throws { try compare(file) }

    private func compare(_ file: KnownFile) throws {
        let snapshot = try Self.snapshot(of: file)
        // Without tables the dump is empty; later Cores cannot open the other files without a dump.
        guard file.dump != nil || snapshot.tables.isEmpty else { return }
        let content = try KnownContent(file, snapshot)
        for identity in ContentIdentity.allCases {
            let oracle = ContentOracle(content, byPrimaryKey: identity == .primaryKey)
            for includesSystemTables in [false, true] {
                let expected = try oracle.hashes(includingSystemTables: includesSystemTables)
                let found = try snapshot.contentHash(by: identity, includesSystemTables: includesSystemTables)
                expectEqual(found.tables.map(\.tableName), expected.tables.map(\.name))
                for (table, other) in zip(found.tables, expected.tables) {
                    expectEqual(table.digest.bytes, other.digest, "\(identity) \(table.tableName)")
                }
                expectEqual(found.total.bytes, expected.total, "\(identity)")
            }
        }
    }

    static func snapshot(of file: KnownFile) throws -> Snapshot {
        guard file.keyFile != nil else { return try RealmDatabase(path: file.url.path).snapshot() }
        return try RealmDatabase(path: file.url.path, key: EncryptionKey(bytes: file.key())).snapshot()
    }

    /// libcrypto's SHA-256 equals that of an independent implementation.
    @Test func `libcrypto's digests match another implementation`() throws {
        for count in [0, 1, 55, 56, 64, 1000, 4097] {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7) }
            expectEqual(ContentDigest(bytes: try ContentOracle.sha(bytes)).description, sha256(bytes))
        }
    }

    /// Dictionary entries of format 22 whose place was already taken are stored under negative keys, after all other
    /// entries (Spec 40): the content is the same.
    @Test func `an entry whose place was already taken comes after all others`() throws {
        let file = try KnownFile.fixture("format-22-links")
        var bytes = try file.bytes()
        // The second of two hashes, in the dictionary whose bytes Spec 40 shows.
        let place = 0x4a20..<0x4a28
        expect(bytes[place].elementsEqual([0x41, 0xa6, 0x41, 0xaf, 0x7e, 0xd2, 0xd7, 0x1c]))
        bytes.replaceSubrange(place, with: Int64(-2 - 0x1cd7_d27e_af41_a640).littleEndianBytes)
        let expected = try Self.snapshot(of: file).contentHash(by: .objectKey)
        let found = try RealmDatabase(bytes: bytes).snapshot().contentHash(by: .objectKey)
        expectEqual(found.total.bytes, expected.total.bytes)
    }

    /// Unreadable content gives an error with its place, never a hash.
    @Test(arguments: HostileFile.all)
    func `unreadable content is an error with its place`(_ file: HostileFile) throws {
        let snapshot = try RealmDatabase(bytes: file.bytes()).snapshot(toleratingDamage: true)
        for identity in ContentIdentity.allCases {
            // A link has a hash whatever its target.
            if file.description == "embedded: a link to an object that does not exist" {
                try expectEqual(snapshot.contentHash(by: identity).objectCount, 1)
                continue
            }
            let error = try #require(throws: FormatError.self) { try snapshot.contentHash(by: identity) }
            expectEqual(error.code, file.code, "\(error)")
            expectEqual(error.table?.hasPrefix("class_Hostile"), true, "\(error)")
            expectEqual(error.property, file.property, "\(error)")
            expectEqual(error.objectKey, file.objectKey.map { ObjectKey(Int64($0)) }, "\(error)")
        }
    }

    // The Spec

    @Test func `the tables of the Spec match the code`() throws {
        let spec = try SpecDocument.load()
        try expectEqual(
            spec.rows("content-tags", ["tag", "name"]), ContentTag.allCases.map { ["\($0.rawValue)", "\($0)"] })
        try expectEqual(
            spec.rows("content-messages", ["message", "first line"]),
            ContentMessage.allCases.map { ["\($0)", "`\($0.rawValue.dropLast())`"] })
        expect(ContentMessage.allCases.allSatisfy { $0.rawValue.hasSuffix("\n") })
    }

    /// The hashes printed in the Spec, which the dumps of the fixtures confirm.
    @Test func `the hashes in the Spec match the fixtures`() throws {
        let rows = try SpecDocument.load().rows("content-hashes", ["file", "form", "hash"])
        expect(rows.count >= 8)
        for row in rows {
            let file = try KnownFile.fixture(String(row[0].dropFirst().dropLast(".realm`".count)))
            let identity: ContentIdentity = row[1] == "object key" ? .objectKey : .primaryKey
            expect(row[1] == "object key" || row[1] == "primary key")
            expectEqual("`\(try Self.snapshot(of: file).contentHash(by: identity).total)`", row[2], "\(row)")
        }
    }
}
