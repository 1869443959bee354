import Dispatch
private import Foundation
import Expectations
import RealmCore
import RealmStore
import Synchronization
import TestSupport
import Testing
import TransactionTestSupport

/// Tasks that are offered the write lock but cannot run to accept it, because blocked threads occupy their executor.
@Suite struct OfferedTurnTests {
    private let folder: TemporaryFolder
    private let store: RealmStore

    init() throws {
        folder = try TemporaryFolder()
        store = try RealmStore(path: DogKennel.make(folder, dogs: 0), options: .init(durability: .none))
    }

    private func keys() throws -> [Int] { try DogKennel.keys(store.snapshot()) }

    /// Runs the jobs of an actor, except while it is held, which simulates that all task threads are blocked.
    private final class HeldExecutor: SerialExecutor {
        private struct State {
            var isHeld = false
            var jobs: [UnownedJob] = []
        }

        private let queue = DispatchQueue(label: "HeldExecutor")
        private let state = Mutex(State())

        var jobCount: Int { state.withLock { $0.jobs.count } }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            let isHeld = state.withLock { state in
                if state.isHeld { state.jobs.append(job) }
                return state.isHeld
            }
            if !isHeld { run(job) }
        }

        func hold() { state.withLock { $0.isHeld = true } }

        func release() {
            let jobs = state.withLock { state in
                defer { state = State() }
                return state.jobs
            }
            for job in jobs { run(job) }
        }

        private func run(_ job: UnownedJob) {
            queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
        }
    }

    private actor Writer {
        private let store: RealmStore
        private let executor: HeldExecutor

        init(_ store: RealmStore, _ executor: HeldExecutor) { (self.store, self.executor) = (store, executor) }

        nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

        /// - Returns: the dogs that existed before.
        func add(_ key: Int) async throws -> [Int] {
            let transaction = try await store.begin()
            let seen = try DogKennel.keys(transaction.snapshot())
            try transaction.addDog(key)
            try transaction.commit()
            return seen
        }

        /// Adds a dog in a synchronous transaction.
        func addAtOnce(_ key: Int) throws { try store.write { try $0.addDog(key) } }
    }

    private func untilThereAre(_ count: Int, _ number: () -> Int) async throws {
        while number() < count { try await Task.sleep(for: .milliseconds(1)) }
    }

    private final class Place: Sendable {}

    @Test func `a declined turn can be requested again before it is returned`() throws {
        let (store, place) = (store, Place())
        let answers = Mutex<[Bool]>([])
        let first = try store.begin()
        store.reserve(unlessBlockedBy: place, isFirst: false) { _ in
            store.reserve(unlessBlockedBy: place, isFirst: false) { reservation in
                answers.withLock { $0.append((try? reservation.get().begin()?.cancel()) != nil) }
            }
        }
        first.cancel()
        expectEqual(answers.withLock { $0 }, [true])
        try store.write { try $0.addDog(1) }
        try expectEqual(keys(), [1])
    }

    @Test(.timeLimit(.minutes(60))) func `threads do not wait for a task that is not running`() async throws {
        let (store, executor) = (store, HeldExecutor())
        let writer = Writer(store, executor)
        let first = try await store.begin()
        let task = Task { try await writer.add(1) }
        try await untilThereAre(1) { store.waitingCount }
        executor.hold()
        first.cancel()
        // It has been offered the lock, and would resume on an executor that runs nothing.
        try await untilThereAre(1) { executor.jobCount }
        for key in [10, 11] {
            await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
                Thread.detachNewThread {
                    #expect(throws: Never.self) { try store.write { try $0.addDog(key) } }
                    done.resume()
                }
            }
        }
        try expectEqual(keys(), [10, 11])
        executor.release()
        try await expectEqual(task.value, [10, 11])
        try expectEqual(keys(), [1, 10, 11])
    }

    @Test(.timeLimit(.minutes(60))) func `a blocking call of an actor comes before tasks of that actor`() async throws {
        let store = store
        let writer = Writer(store, HeldExecutor())
        let other = Writer(store, HeldExecutor())
        let first = try await store.begin()
        var tasks: [Task<[Int], any Error>] = []
        for (key, writer) in [(1, writer), (2, writer), (3, other)] {
            tasks.append(Task { try await writer.add(key) })
            try await untilThereAre(key) { store.waitingCount }
        }
        let atOnce = Task { try await writer.addAtOnce(10) }
        try await untilThereAre(4) { store.waitingCount }
        first.cancel()
        try await atOnce.value
        var seen: [[Int]] = []
        for task in tasks { seen.append(try await task.value) }
        expectEqual(seen, [[10], [1, 10], [1, 2, 10]])
        try expectEqual(keys(), [1, 2, 3, 10])
    }
}
