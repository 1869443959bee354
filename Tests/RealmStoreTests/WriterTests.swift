import Dispatch
private import Foundation
import Expectations
import RealmCore
import RealmStorage
import RealmStore
import Synchronization
import TestSupport
import Testing
import TransactionTestSupport

/// Many writers: their order, and shared commits.
@Suite struct WriterTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func store() throws -> RealmStore {
        try RealmStore(path: DogKennel.make(folder, dogs: 0), options: .init(durability: .none))
    }

    /// Threads that request the write lock while another one holds it.
    @Test func `threads write in the order of their requests`() async throws {
        let store = try store()
        let order = Mutex<[Int]>([])
        let group = DispatchGroup()
        let first = try Self.beginBlocking(store)
        for number in 0..<8 {
            Self.onThread(group) { try? Self.writeBlocking(store) { _ in order.withLock { $0.append(number) } } }
            // Waits until it is queued.
            while store.waitingCount <= number { try await Task.sleep(for: .milliseconds(1)) }
        }
        first.cancel()
        await withCheckedContinuation { done in group.notify(queue: .global()) { done.resume() } }
        expectEqual(order.withLock { $0 }, Array(0..<8))
    }

    /// Runs blocking code on a new thread: threads of queues and tasks are few, and other tests need them.
    private static func onThread(_ group: DispatchGroup, _ body: @escaping @Sendable () -> Void) {
        group.enter()
        Thread.detachNewThread {
            body()
            group.leave()
        }
    }

    private static func writeBlocking(_ store: RealmStore, _ body: (WriteTransaction) throws -> Void) throws {
        try store.write(body)
    }

    private static func beginBlocking(_ store: RealmStore) throws -> WriteTransaction { try store.begin(for: store) }

    @Test func `tasks write in the order of their calls, and an error undoes only its own task`() async throws {
        struct Stop: Error {}
        let store = try store()
        let before = store.snapshot()
        let blocker = try await store.begin()
        var tasks: [Task<Int, any Error>] = []
        for number in 0..<40 {
            tasks.append(
                Task.detached {
                    try await store.write { transaction in
                        // The changes of earlier writers are visible.
                        let seen = try DogKennel.keys(transaction.snapshot())
                        expectEqual(seen, (0..<number).filter { $0 % 5 != 3 })
                        try transaction.addDog(number)
                        if number % 5 == 3 { throw Stop() }
                        return seen.count
                    }
                })
            while store.waitingCount <= number { try await Task.sleep(for: .milliseconds(1)) }
        }
        blocker.cancel()
        for (number, task) in tasks.enumerated() {
            if number % 5 == 3 {
                await #expect(throws: Stop.self) { _ = try await task.value }
            } else {
                try await expectEqual(task.value, (0..<number).count { $0 % 5 != 3 })
            }
        }
        try expectEqual(DogKennel.keys(store.snapshot()), (0..<40).filter { $0 % 5 != 3 })
        // All waiting transactions were one commit.
        expectEqual(store.snapshot().commitNumber, before.commitNumber + 1)
    }

    @Test func `a transaction that fails during a change keeps the changes of others`() async throws {
        let store = try store()
        try await store.write { try $0.addDog(1) }
        let blocker = try await store.begin()
        let bodies: [@Sendable (WriteTransaction) throws -> Void] = [
            { try $0.addDog(2) },
            { transaction in
                try transaction.addDog(3)
                // The second link has no target: the object is half created, and the transaction can do nothing more.
                try? _ = transaction.add("Dog", ["_id": 4, "name": "x", "age": 1, "friend": .link(primaryKey: 99)])
                let dog = try #require(try transaction.object("Dog", primaryKey: 1))
                try transaction.delete(dog)
                try? transaction.delete(dog)
                try transaction.set(dog, "age", 9)
            },
            { transaction in
                let dog = try #require(try transaction.object("Dog", primaryKey: 1))
                try transaction.set(dog, "age", 5)
            },
        ]
        let tasks = bodies.map { body in Task.detached { try await store.write(body) } }
        while store.waitingCount < 3 { try await Task.sleep(for: .milliseconds(1)) }
        blocker.cancel()
        try await tasks[0].value
        await #expect(throws: WriteError.self) { try await tasks[1].value }
        try await tasks[2].value
        try expectEqual(DogKennel.keys(store.snapshot()), [1, 2])
        try expectEqual(store.snapshot().table(named: "Dog").object(primaryKey: .int(1))?["age"], .int(5))
    }

    @Test func `a task that is cancelled before its turn changes nothing`() async throws {
        let store = try store()
        let blocker = try await store.begin()
        let tasks = (0..<3).map { number in Task.detached { try await store.write { try $0.addDog(number) } } }
        while store.waitingCount < 3 { try await Task.sleep(for: .milliseconds(1)) }
        tasks[1].cancel()
        await #expect(throws: CancellationError.self) { try await tasks[1].value }
        blocker.cancel()
        try await tasks[0].value
        try await tasks[2].value
        try expectEqual(DogKennel.keys(store.snapshot()), [0, 2])
        let late = Task.detached {
            withUnsafeCurrentTask { $0?.cancel() }
            try await store.write { try $0.addDog(7) }
        }
        await #expect(throws: CancellationError.self) { try await late.value }
        try expectEqual(DogKennel.keys(store.snapshot()), [0, 2])
    }

    /// Durable commits are few: writers that wait for the disk wait together.
    @Test func `writers that wait for the disk share the next commit`() async throws {
        _ = try DogKennel.make(folder, dogs: 0)
        let disk = try LyingDisk(try #require(folder.bytes("kennel.realm")))
        let store = try RealmStore(on: disk)
        disk.forgetEvents()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<32 {
                group.addTask {
                    for round in 0..<10 { try await store.write { try $0.addDog(writer * 100 + round) } }
                }
            }
            try await group.waitForAll()
        }
        let waits = disk.events.count { if case .synchronize = $0 { true } else { false } }
        // And one for the remains of the previous session.
        expectEqual(waits, 2 * Int(store.snapshot().commitNumber - 2) + 1)
        expect(waits < 2 * 320)
        try expectEqual(DogKennel.keys(store.snapshot()).count, 320)
    }

    @Test func `all writers of a failed commit are notified`() async throws {
        _ = try DogKennel.make(folder, dogs: 0)
        let disk = try LyingDisk(try #require(folder.bytes("kennel.realm")))
        let store = try RealmStore(on: disk)
        // The first call synchronises the remains of the previous session; when it fails, the state is unknown.
        try await store.write { try $0.addDog(8) }
        let blocker = try await store.begin()
        let tasks = (0..<4).map { number in Task.detached { try await store.write { try $0.addDog(number) } } }
        while store.waitingCount < 4 { try await Task.sleep(for: .milliseconds(1)) }
        disk.fail(from: 0)
        blocker.cancel()
        for task in tasks { await #expect(throws: WriteError.self) { try await task.value } }
        disk.fail(from: nil)
        try await store.write { try $0.addDog(9) }
        try expectEqual(DogKennel.keys(store.snapshot()), [8, 9])
    }

    @Test func `threads, tasks and manual transactions can be mixed`() async throws {
        let store = try store()
        let threads = DispatchGroup()
        for writer in [1, 4] {
            Self.onThread(threads) {
                for round in 0..<50 { try? Self.writeBlocking(store) { try $0.addDog(writer * 1000 + round) } }
            }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in [0, 2, 3, 5] {
                group.addTask {
                    for round in 0..<50 {
                        let key = writer * 1000 + round
                        if writer % 3 == 0 {
                            try await store.write { try $0.addDog(key) }
                        } else {
                            let transaction = try await store.begin()
                            try transaction.addDog(key)
                            await Task.yield()
                            try transaction.commit()
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        await withCheckedContinuation { done in threads.notify(queue: .global()) { done.resume() } }
        let expected = (0..<6).flatMap { writer in (0..<50).map { writer * 1000 + $0 } }
        try expectEqual(DogKennel.keys(store.snapshot()), expected)
    }

    // MARK: Observing and closing

    @Test func `a listener gets each commit, or the newest when it is slow`() async throws {
        let store = try store()
        var quick = store.snapshots.makeAsyncIterator()
        var slow = store.snapshots.makeAsyncIterator()
        for number in 0..<5 {
            try await store.write { try $0.addDog(number) }
            let snapshot = try #require(await quick.next())
            try expectEqual(DogKennel.keys(snapshot), Array(0...number))
        }
        // Without a commit there is no notification.
        try await store.write { _ in }
        try expectEqual(DogKennel.keys(#require(await slow.next())), Array(0..<5))
        let waiting = Task { [slow] in
            var slow = slow
            return await slow.next() == nil
        }
        try store.close()
        await expect(waiting.value)
        await expect(quick.next() == nil)
        var late = store.snapshots.makeAsyncIterator()
        await expect(late.next() == nil)
    }

    @Test func `a file can be opened again as soon as its store is released after a write`() async throws {
        let path = try DogKennel.make(folder, dogs: 0)
        var ended: [WriteTransaction] = []
        for number in 0..<100 {
            let store = try RealmStore(path: path, options: .init(durability: .none))
            try await store.write { try $0.addDog(number) }
            // An ended transaction retains nothing.
            ended.append(try await store.begin())
            ended.last?.cancel()
        }
        try expectEqual(DogKennel.keys(RealmStore(path: path).snapshot()), Array(0..<100))
    }

    #if os(Linux)
        /// As in a child process between `fork` and `exec`, which inherits everything that this process had open.
        @Test func `a released store frees the file, even if its descriptors were inherited`() throws {
            let path = try DogKennel.make(folder, dogs: 0)
            var copies: [Int32] = []
            defer { for copy in copies { close(copy) } }
            do {
                let store = try RealmStore(path: path)
                for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
                    let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")
                    guard target?.hasPrefix(folder.path) == true, let descriptor = Int32(name) else { continue }
                    copies.append(dup(descriptor))
                }
                expect(copies.count > 1)
                withExtendedLifetime(store) {}
            }
            try expectEqual(DogKennel.keys(RealmStore(path: path).snapshot()), [])
        }
    #endif

    @Test func `a released store ends its loops`() async throws {
        var iterator: RealmStore.Snapshots.AsyncIterator
        do { iterator = try store().snapshots.makeAsyncIterator() }
        await expect(iterator.next() == nil)
    }

    @Test func `a closed store refuses writers, keeps its snapshots, and frees the file`() async throws {
        let path = try DogKennel.make(folder, dogs: 3)
        let store = try RealmStore(path: path)
        var kept: Snapshot? = store.snapshot()
        let transaction = try await store.begin()
        let waiting = Task.detached { try await store.write { try $0.addDog(5) } }
        while store.waitingCount < 1 { try await Task.sleep(for: .milliseconds(1)) }
        let closing = DispatchGroup()
        let closed = Mutex<Result<Void, WriteError>?>(nil)
        Self.onThread(closing) {
            let result = Result<Void, WriteError> { () throws(WriteError) in try store.close() }
            closed.withLock { $0 = result }
        }
        while store.waitingCount < 2 { try await Task.sleep(for: .milliseconds(1)) }
        let late = Task.detached { try await store.write { try $0.addDog(6) } }
        while store.waitingCount < 3 { try await Task.sleep(for: .milliseconds(1)) }
        try transaction.addDog(4)
        try transaction.commit()
        try await waiting.value
        await withCheckedContinuation { done in closing.notify(queue: .global()) { done.resume() } }
        try #require(closed.withLock { $0 }).get()
        await #expect(throws: (any Error).self) { try await late.value }
        #expect(throws: WriteError.self) { _ = try Self.beginBlocking(store) }
        #expect {
            try store.read { try DogKennel.keys($0) }
        } throws: {
            guard case WriteError.storage(let error) = $0 else { return false }
            return "\(error)".contains("closed")
        }
        try expectEqual(DogKennel.keys(#require(kept)), [0, 1, 2])
        // The snapshot needs the file as it is.
        #expect { try RealmStore(path: path) } throws: { ($0 as? StorageError)?.isInUse == true }
        kept = nil
        try expectEqual(DogKennel.keys(RealmStore(path: path).snapshot()), [0, 1, 2, 4, 5])
    }
}
