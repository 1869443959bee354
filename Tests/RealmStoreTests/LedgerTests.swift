import Dispatch
private import Foundation
import Expectations
import RealmCore
import RealmForensics
import RealmStorage
import RealmStore
import Synchronization
import TestSupport
import Testing
import TransactionTestSupport

/// Many readers during writes by one thread, and snapshots that are kept.
@Suite struct LedgerTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func store(_ isEncrypted: Bool) throws -> RealmStore {
        let key = isEncrypted ? try EncryptionKey(bytes: [UInt8](repeating: 5, count: 64)) : nil
        var file = NewFile(folder.file("ledger.realm"))
        file.key = key
        try Ledger.make(file)
        return try RealmStore(path: file.path, options: .init(key: key, durability: .none))
    }

    /// `REALMFILE_LEDGER_SECONDS` sets the duration, for runs under ThreadSanitizer (docs/verification.md).
    @Test(arguments: [false, true])
    func `eight readers always see one commit while one thread writes`(isEncrypted: Bool) throws {
        let seconds = ProcessInfo.processInfo.environment["REALMFILE_LEDGER_SECONDS"].flatMap { Double($0) } ?? 0.5
        let store = try store(isEncrypted)
        let end = Date().addingTimeInterval(seconds)
        let failures = Mutex<[String]>([])
        let reads = Atomic<Int>(0)
        /// Nanoseconds.
        let longestWait = Atomic<UInt64>(0)
        DispatchQueue.concurrentPerform(iterations: 9) { worker in
            do {
                if worker == 0 {
                    while Date() < end { try Ledger.commit(store) }
                    return
                }
                var last: Int64 = 0
                repeat {
                    let start = DispatchTime.now().uptimeNanoseconds
                    let snapshot = store.snapshot()
                    longestWait.max(DispatchTime.now().uptimeNanoseconds - start, ordering: .relaxed)
                    let number = try Ledger.check(snapshot)
                    guard number >= last else { throw ProgramFailure("commit \(number) after \(last)") }
                    last = number
                    reads.add(1, ordering: .relaxed)
                } while Date() < end
            } catch {
                failures.withLock { $0.append("\(error)") }
            }
        }
        let commits = try Ledger.check(store.snapshot())
        expectEqual(failures.withLock { $0 }, [])
        expect(commits > 0 && reads.load(ordering: .relaxed) >= 8)
        print(
            "\(isEncrypted ? "encrypted" : "plain"): \(commits) commits, \(reads.load(ordering: .relaxed)) reads, longest wait for a "
                + "snapshot \(longestWait.load(ordering: .relaxed) / 1000) µs")
    }

    @Test(arguments: [false, true])
    func `a snapshot is unchanged after a thousand commits`(isEncrypted: Bool) throws {
        let store = try store(isEncrypted)
        for _ in 0..<40 { try Ledger.commit(store) }
        let kept = store.snapshot()
        let hash = try kept.contentHash()
        for _ in 0..<1000 { try Ledger.commit(store) }
        try expectEqual(Ledger.check(kept), 40)
        try expectEqual(kept.contentHash(), hash)
        try expectEqual(Ledger.check(store.snapshot()), 1040)
    }

    /// `REALMFILE_LEDGER_SNAPSHOTS` sets the number of snapshots.
    @Test(arguments: [false, true])
    func `each of many snapshots is unchanged`(isEncrypted: Bool) throws {
        let count = ProcessInfo.processInfo.environment["REALMFILE_LEDGER_SNAPSHOTS"].flatMap { Int($0) } ?? 300
        let store = try store(isEncrypted)
        var kept: [Snapshot] = []
        for _ in 0..<count {
            try Ledger.commit(store)
            kept.append(store.snapshot())
        }
        for (number, snapshot) in kept.enumerated() where number % 7 == 0 {
            try expectEqual(Ledger.check(snapshot), Int64(number + 1))
        }
        let held = try #require(folder.bytes("ledger.realm")).count
        kept = []
        // Their space is reused.
        for _ in 0..<50 { try Ledger.commit(store) }
        try expectEqual(#require(folder.bytes("ledger.realm")).count, held)
    }
}
