import Expectations
import RealmCore
import RealmForensics
import RealmStorage
import RealmStore
import TestSupport
import Testing
import TransactionTestSupport

/// Files on a system in which one call fails.
@Suite struct FailingSystemTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("ledger.realm")
    }

    /// After each failed call, the file contains the previous commit, or after the last call the new one. Where this is
    /// unknown, the store requires reopening and refuses transactions.
    @Test(arguments: Share.current.of([(false, Int32(28)), (false, 5), (true, 28), (true, 5)]))
    func `a failed system call loses nothing`(isEncrypted: Bool, code: Int32) throws {
        let key = isEncrypted ? try EncryptionKey(bytes: [UInt8](repeating: 5, count: 64)) : nil
        var refused = 0
        var call = 0
        while true {
            var file = NewFile(path)
            file.key = key
            file.overwrite = true
            try Ledger.make(file)
            let system = FaultySystem(.init(call: call, code: code))
            let store = try? RealmStore(on: FileDevice(path: path, system: system), key: key)
            var last: Int64 = 0
            var failure: (any Error)?
            while last < 3, failure == nil, let store {
                do { last = try Ledger.commit(store) } catch { failure = error }
            }
            guard failure != nil || store == nil else { break }
            if let store {
                guard case WriteError.storage(let error)? = failure else {
                    throw ProgramFailure("call \(call) failed otherwise")
                }
                expectEqual(error.code, code)
                try expectEqual(Ledger.check(store.snapshot()), last)
                do {
                    try expectEqual(Ledger.commit(store), last + 1)
                    last += 1
                } catch WriteError.storage(let error) {
                    refused += 1
                    expect("\(error)".contains("open it again"), "\(error)")
                }
            }
            let source = try ByteSource(path: path)
            let database = try key.map { try RealmDatabase(source: source, key: $0) } ?? RealmDatabase(source: source)
            let found = try Ledger.check(database.snapshot())
            expect(found == last || found == last + 1, "call \(call)")
            let verification = Verification(level: .deep)
            let report = try key.map { try verification.run(on: source, key: $0) } ?? verification.run(on: source)
            expect(!report.findings.contains { $0.severity == .error })
            call += 1
        }
        expect(call > 12 && refused >= 6, "\(call) calls, \(refused) refused")
    }

    @Test func `a file that cannot be mapped is not changed, and can be written later`() throws {
        try Ledger.make(NewFile(path))
        let disk = try LyingDisk(try #require(folder.bytes("ledger.realm")))
        let store = try RealmStore(on: disk)
        try Ledger.commit(store)
        disk.failReads(from: 0)
        #expect(throws: WriteError.self) { try Ledger.commit(store) }
        disk.failReads(from: nil)
        try expectEqual(Ledger.check(store.snapshot()), 1)
        try expectEqual(Ledger.check(RealmDatabase(bytes: disk.bytes).snapshot()), 1)
        try expectEqual(Ledger.commit(store), 2)
    }
}
