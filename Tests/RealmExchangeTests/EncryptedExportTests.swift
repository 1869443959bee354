import Expectations
import Foundation
import HostileProperties
import RealmCore
import RealmExchange
import RealmStorage
import TestSupport
import Testing

/// The export of an encrypted file equals that of the plain one, byte for byte, with any number of threads and pages.
@Suite struct EncryptedExportTests {
    private static let small = 16 * 4096

    private func snapshot(_ file: [UInt8], _ key: [UInt8], limit: Int) throws -> (RealmDatabase, Snapshot) {
        let database = try RealmDatabase(
            source: ByteSource(bytes: file), key: EncryptionKey(bytes: key), decryptedLimit: limit)
        return (database, try database.snapshot())
    }

    @Test(
        arguments: [
            "primary-keys-stream", "links-stream", "collections-stream", "embedded", "enumerated", "mixed-nested",
            "format-22-links", "tombstones", "Legacy/format-9-people", "Legacy/format-9-subtables",
        ], [1, 2, 5])
    func `an encrypted fixture is exported in the same way as the plain one`(_ name: String, _ jobs: Int) async throws {
        let plain = try KnownFile.fixture(name).bytes()
        let file = PageEncryptor(key: PageEncryptor.plainKey).encrypt(plain)
        for (format, profile) in [
            (ExportOptions.Format.bson, ExportOptions.Profile.mongo), (.ejson, .canonical), (.json, .mongo),
        ] {
            func export(_ snapshot: Snapshot, _ jobs: Int) async throws -> [String: [UInt8]] {
                try await Exported(snapshot) { options in
                    (options.format, options.profile, options.jobs) = (format, profile, jobs)
                }.contents()
            }
            let expected = try await export(RealmDatabase(bytes: plain).snapshot(), 1)
            let (database, encrypted) = try snapshot(file, PageEncryptor.plainKey, limit: Self.small)
            let found = try await export(encrypted, jobs)
            expectEqual(found, expected)
            try expect(#require(database.encryption).statistics.total > 0)
        }
    }

    /// The largest encrypted file of the corpus gives the same export with 16 pages as with all, in the memory of few.
    @Test(.enabled(if: KnownFile.hasCorpus, "\(KnownFile.corpusComment)"), arguments: [1, 2, 5])
    func `the largest encrypted file gives the same export with few pages as with all`(_ jobs: Int) async throws {
        let known = try #require(KnownFile.current.first { $0.name == "current/encrypted-1000pages" })
        let (all, whole) = try snapshot(known.bytes(), known.key(), limit: 64 << 20)
        let expected = try await Exported(whole) { $0.jobs = 1 }.contents()
        let used = try #require(all.encryption).statistics
        expectEqual(used.now, used.total)
        let (database, few) = try snapshot(known.bytes(), known.key(), limit: Self.small)
        let found = try await Exported(few) { $0.jobs = jobs }.contents()
        expectEqual(found, expected)
        let statistics = try #require(database.encryption).statistics
        expect(statistics.total > used.total)
        // Pages that a thread keeps beyond the limit are needed by the rows of a cluster; pages of other threads stay
        // meanwhile.
        expect(statistics.peak <= used.total * (jobs == 1 ? 2 : 4) / 5, "\(statistics), \(used)")
        expect(statistics.now <= 16 + 64, "\(statistics)")
    }
}
