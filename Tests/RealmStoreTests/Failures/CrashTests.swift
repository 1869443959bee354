import Expectations
import RealmCore
import RealmForensics
import RealmStorage
import RealmStore
import TestSupport
import Testing
import TransactionTestSupport
import WriterTestSupport

/// After a power failure at any moment, the database is in the state before or after the commit.
@Suite struct CrashTests {
    @Test(arguments: Share.current.of(UInt64(100)...107))
    func `a power failure leaves one commit or the next`(seed: UInt64) throws {
        let result = try CrashCase(seed: seed, isEncrypted: false, sector: seed % 2 == 0 ? 512 : 4096).run()
        expectEqual(result.lost, [])
        expect(result.old > 0 && result.new > 0 && result.continued > 0)
    }

    @Test(arguments: Share.current.of(UInt64(100)...107))
    func `a power failure leaves one commit or the next of an encrypted file`(seed: UInt64) throws {
        let result = try CrashCase(seed: seed, isEncrypted: true, sector: seed % 2 == 0 ? 512 : 4096).run()
        expectEqual(result.lost, [])
        expect(result.old > 0 && result.new > 0 && result.continued > 0)
    }

    @Test(arguments: Share.current.of(UInt64(300)...307), [false, true])
    func `a power failure leaves one schema or the next`(seed: UInt64, isEncrypted: Bool) throws {
        var one = CrashCase(seed: seed, isEncrypted: isEncrypted, sector: seed % 2 == 0 ? 512 : 4096)
        one.schemaChanges = 2
        one.statesOfPoint = 3
        let result = try one.run()
        expectEqual(result.lost, [])
        expect(result.old > 0 && result.new > 0)
    }

    /// A failed write, as on a full disk, is recoverable. When changing the header or synchronising fails, the state of
    /// the disk is unknown.
    @Test(arguments: Share.current.of(UInt64(200)...207), [false, true])
    func `a disk failure leaves the previous commit, or after the last write the new one`(
        seed: UInt64, isEncrypted: Bool
    ) throws {
        // Every other seed changes the schema as well.
        let schemaChanges = seed % 2 == 0 ? 2 : 0
        let key = isEncrypted ? try EncryptionKey(bytes: [UInt8](repeating: 7, count: 64)) : nil
        func hash(_ bytes: [UInt8]) throws -> ContentHash {
            try RandomProgram.database(bytes, key).snapshot().contentHash()
        }
        var whole = try RandomProgram(seed: seed, key: key)
        whole.disk.forgetEvents()
        try whole.transaction(operations: 5, schemaChanges: schemaChanges)
        let calls = whole.disk.events.count
        let new = try hash(whole.bytes())
        for call in 0..<calls {
            var program = try RandomProgram(seed: seed, key: key)
            let old = try hash(program.bytes())
            program.disk.fail(from: call)
            #expect(throws: WriteError.self) {
                try program.transaction(operations: 5, schemaChanges: schemaChanges)
            }
            program.disk.fail(from: nil)
            try expectEqual(hash(program.bytes()), (call == calls - 1 ? new : old))
            let source = ByteSource(bytes: try program.bytes())
            let verification = Verification(level: .deep)
            let report = try key.map { try verification.run(on: source, key: $0) } ?? verification.run(on: source)
            expect(!report.findings.contains { $0.severity == .error })
            // Plain files: the slot, a sync, the select bit, a sync. Encrypted files: the copy of page 0 and its entry,
            // the entry of page 0, a sync, the page, a sync. Before all that, a sync for the remains of the previous
            // session.
            let isKnown = call > 0 && call < calls - (isEncrypted ? 6 : 4)
            expectEqual(program.canWrite(), isKnown, "call \(call) of \(calls)")
        }
    }
}
