import Expectations
import RealmCore
import RealmStorage
import RealmStore
import TestSupport
import Testing
import TransactionTestSupport

/// Transactions with explicit calls to begin and end.
@Suite struct TransactionByHandTests {
    private let folder: TemporaryFolder
    private let store: RealmStore

    init() throws {
        folder = try TemporaryFolder()
        store = try RealmStore(path: DogKennel.make(folder, dogs: 3), options: .init(durability: .none))
    }

    private func keys() throws -> [Int] { try DogKennel.keys(store.snapshot()) }

    private func refused(_ error: any Error) -> Bool {
        if case WriteError.storage(let error) = error { return error.action.contains("inside of another") }
        return false
    }

    private func isOver(_ error: any Error) -> Bool {
        if case WriteError.misfit(let misfit) = error { return misfit.code == .finished }
        return false
    }

    @Test func `a transaction can be committed, committed and continued, or cancelled`() throws {
        let transaction = try store.begin()
        try transaction.addDog(10)
        try expectEqual(keys(), [0, 1, 2])
        try expectEqual(DogKennel.keys(transaction.commitAndContinue()), [0, 1, 2, 10])
        let first = store.snapshot()
        try transaction.addDog(11)
        let ten = try #require(try transaction.object("Dog", primaryKey: 10))
        try transaction.set(ten, "age", 7)
        try transaction.commitAndContinue()
        try expectEqual(keys(), [0, 1, 2, 10, 11])
        try expectEqual(DogKennel.keys(first), [0, 1, 2, 10])
        // Nothing has changed, so that there is no commit.
        try expectEqual(transaction.commitAndContinue().commitNumber, first.commitNumber + 1)
        try transaction.addDog(12)
        transaction.cancel()
        try expectEqual(keys(), [0, 1, 2, 10, 11])
        #expect { try transaction.addDog(13) } throws: { isOver($0) }
        #expect { try transaction.commit() } throws: { isOver($0) }
        transaction.cancel()

        let other = try store.begin()
        try other.addDog(14)
        try expectEqual(DogKennel.keys(other.commit()), [0, 1, 2, 10, 11, 14])
        #expect { try other.snapshot() } throws: { isOver($0) }
        try store.write { transaction in
            try transaction.addDog(15)
            #expect { try transaction.commit() } throws: { isOver($0) }
        }
        try expectEqual(keys(), [0, 1, 2, 10, 11, 14, 15])
    }

    @Test func `a released transaction is cancelled`() throws {
        do {
            let transaction = try store.begin()
            try transaction.addDog(10)
        }
        try store.write { try $0.addDog(11) }
        try expectEqual(keys(), [0, 1, 2, 11])
    }

    @Test func `a failed commit ends its transaction, and the next one succeeds`() throws {
        let disk = try LyingDisk(try #require(folder.bytes("kennel.realm")))
        let store = try RealmStore(on: disk)
        // The first call synchronises the remains of the previous session; when it fails, the state is unknown.
        try store.write { try $0.addDog(9) }
        for goesOn in [true, false] {
            let transaction = try store.begin()
            try transaction.addDog(10)
            disk.fail(from: 0)
            #expect(throws: WriteError.self) {
                _ = try goesOn ? transaction.commitAndContinue() : transaction.commit()
            }
            disk.fail(from: nil)
            #expect { try transaction.addDog(11) } throws: { isOver($0) }
        }
        try store.write { try $0.addDog(12) }
        try expectEqual(DogKennel.keys(store.snapshot()), [0, 1, 2, 9, 12])
    }

    @Test func `a second transaction of one thread is refused`() throws {
        let transaction = try store.begin()
        #expect { try store.begin() } throws: { refused($0) }
        #expect { try store.write { _ in } } throws: { refused($0) }
        #expect { try store.close() } throws: { refused($0) }
        try transaction.addDog(10)
        try transaction.commit()
        try store.write { transaction in
            #expect { try store.begin() } throws: { refused($0) }
            try transaction.addDog(11)
        }
        try expectEqual(keys(), [0, 1, 2, 10, 11])
    }

    /// Holds a transaction open while other tasks run on its actor.
    private actor Keeper {
        private let store: RealmStore
        private var transaction: WriteTransaction?

        init(_ store: RealmStore) { self.store = store }

        func begin() async throws { transaction = try await store.begin() }
        func beginBlocking() throws {
            func begin(_ isolation: isolated (any Actor)?) throws -> WriteTransaction { try store.begin() }
            transaction = try begin(self)
        }
        func add(_ key: Int) throws { try transaction?.addDog(key) }
        func commit() throws {
            try transaction?.commit()
            transaction = nil
        }
    }

    @Test func `a transaction of an actor continues after an await, on any thread`() async throws {
        let keeper = Keeper(store)
        for round in 0..<20 {
            try await keeper.begin()
            try await Task.detached { try await keeper.add(100 + round) }.value
            // Tasks of the same actor that would block its thread are refused.
            await #expect(throws: WriteError.self) { try await keeper.beginBlocking() }
            await Task.yield()
            try await keeper.commit()
        }
        try expectEqual(keys(), [0, 1, 2] + (100..<120))
    }

    @Test func `tasks begin in the order of their requests, and can be cancelled while they wait`() async throws {
        let store = store
        let transaction = try await store.begin()
        let waiting = Task {
            let transaction = try await store.begin()
            try transaction.addDog(10)
            try transaction.commit()
        }
        let cancelled = Task {
            let transaction = try await store.begin()
            try transaction.addDog(11)
            try transaction.commit()
        }
        try await Task.sleep(for: .milliseconds(20))
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        // The task that has the transaction would wait for itself.
        await #expect(throws: WriteError.self) { _ = try await store.begin() }
        await #expect(throws: WriteError.self) { try await store.write { _ in } }
        try transaction.addDog(12)
        try transaction.commit()
        try await waiting.value
        try expectEqual(keys(), [0, 1, 2, 10, 12])
    }

    @Test func `owners on the same thread are distinguished`() throws {
        final class Owner: Sendable {}
        let owner = Owner()
        let transaction = try store.begin(for: owner)
        #expect { try store.begin(for: owner) } throws: { refused($0) }
        transaction.cancel()
        #expect(throws: Never.self) { try store.begin(for: owner).cancel() }
    }
}
