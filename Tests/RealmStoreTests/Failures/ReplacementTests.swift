import Expectations
import RealmCore
import RealmForensics
import RealmStorage
import RealmStore
import TestSupport
import Testing
import TransactionTestSupport

/// After a power failure while a file is replaced by another, one of the two exists, complete.
@Suite struct ReplacementTests {
    private static func key(_ isEncrypted: Bool) throws -> EncryptionKey? {
        isEncrypted ? try EncryptionKey(bytes: [UInt8](repeating: 3, count: 64)) : nil
    }

    @Test(arguments: Share.current.of(UInt64(500)...507), [false, true])
    func `a power failure during a compaction keeps the content`(seed: UInt64, isEncrypted: Bool) throws {
        let result = try ReplacementCase(
            seed: seed, key: Self.key(isEncrypted), sector: seed % 2 == 0 ? 512 : 4096
        ).compact()
        expectEqual(result.lost, [])
        expect(result.points > 20 && result.old > 0 && result.new > 0 && result.continued > 0)
    }

    @Test(arguments: KnownFile.legacyFixtures + KnownFile.fixtures.filter { ($0.format ?? 24) < 24 && $0.format != 0 })
    func `a power failure during an upgrade leaves the old file, or the new one and a backup`(
        _ file: KnownFile
    ) throws {
        let result = try ReplacementCase(seed: 1, sector: 512).upgrade(file.bytes())
        expectEqual(result.lost, [])
        expect(result.old > 0 && result.new > 0)
    }

    /// When the new file's name may not have reached the disk, the store does not open. The backup is useful if the new
    /// file is found later.
    @Test func `an upgrade with a failed call leaves the old file, or the new one and a backup`() throws {
        let old = try #require(KnownFile.legacyFixtures.first).bytes()
        var call = 0
        var (oldOnes, newOnes) = (0, 0)
        while true {
            let folder = try TemporaryFolder()
            try folder.write(old, "app.realm")
            let system = FaultySystem(.init(call: call, code: 5))
            let options = RealmStore.Options(upgrade: .withBackup)
            let store = try? RealmStore(path: folder.file("app.realm"), options: options, system: system)
            guard store == nil else { break }
            let backups = folder.names.filter { $0.hasSuffix(".backup") }
            if folder.bytes("app.realm") == old {
                oldOnes += 1
                expect(backups.isEmpty)
            } else {
                newOnes += 1
                try expectEqual(RealmDatabase(path: folder.file("app.realm")).snapshot().version.number, 24)
                expectEqual(backups.map { folder.bytes($0) }, [old])
            }
            call += 1
        }
        expect(oldOnes >= 6 && newOnes == 1, "\(oldOnes) and \(newOnes)")
    }
}
