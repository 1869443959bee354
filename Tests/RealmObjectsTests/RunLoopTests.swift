import Expectations
import Foundation
import RealmObjects
import Testing

/// Realms of threads with a run loop, as in background workers written for RealmSwift.
@Suite struct RunLoopTests {
    /// A thread that runs its run loop until it is stopped.
    private final class Worker: @unchecked Sendable {
        private let condition = NSCondition()
        private var loop: RunLoop?
        private var isStopped = false
        private let ended = DispatchSemaphore(value: 0)

        init(before: @escaping @Sendable () -> Void = {}) {
            let thread = Thread {
                before()
                RunLoop.current.add(Timer(timeInterval: 0.01, repeats: true) { _ in }, forMode: .default)
                self.condition.withLock {
                    self.loop = RunLoop.current
                    self.condition.signal()
                }
                while !self.condition.withLock({ self.isStopped }) {
                    _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.1))
                }
                self.ended.signal()
            }
            thread.start()
            condition.withLock { while loop == nil { condition.wait() } }
        }

        /// Runs work in the run loop and waits for it.
        func perform(_ work: @escaping () throws -> Void) async throws {
            let work = Shared(work)
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                loop?.perform { continuation.resume(with: Result { try work.value() }) }
            }
        }

        /// Runs work in the run loop without waiting for it.
        func performAtOnce(_ work: @escaping @Sendable () -> Void) { loop?.perform { work() } }

        func stop() { condition.withLock { isStopped = true } }

        /// Returns when the run loop has ended.
        func stopAndWait() {
            stop()
            ended.wait()
        }
    }

    /// Observations on a worker's thread, read from elsewhere.
    private final class Seen: @unchecked Sendable {
        private let lock = NSLock()
        private var lines: [String] = []
        /// Used on the thread only.
        var realm: Realm?
        var token: NotificationToken?

        func add(_ line: String) { lock.withLock { lines.append(line) } }

        /// Returns all lines, as soon as there are `count`.
        func lines(_ count: Int) async throws -> [String] {
            for _ in 0..<6000 where lock.withLock({ lines.count < count }) {
                try await Task.sleep(for: .milliseconds(10))
            }
            return lock.withLock { lines }
        }
    }

    /// Writes on another thread.
    private func write(_ configuration: Realm.Configuration, _ body: @escaping @Sendable (Realm) -> Void) async throws {
        try await Task.detached {
            let realm = try Realm(configuration: configuration)
            try realm.write { body(realm) }
        }.value
    }

    @Test func `observers of a thread with a run loop are notified`() async throws {
        let (file, worker, seen) = (TestRealm(kennelTypes), Worker(), Seen())
        let configuration = file.configuration
        try await worker.perform {
            let realm = try Realm(configuration: configuration)
            let (here, dogs) = (CurrentThreadMark(), realm.objects(Dog.self))
            seen.token = dogs.observe { change in
                expect(here.isCurrent)
                switch change {
                case .initial(let dogs): seen.add("initial \(dogs.count)")
                case .update(let dogs, let deletions, let insertions, let modifications):
                    seen.add("\(dogs.count): \(deletions) \(insertions) \(modifications)")
                case .error(let error): seen.add("\(error)")
                }
            }
        }
        try await expectEqual(seen.lines(1), ["initial 0"])
        try await write(configuration) { $0.add(Dog(name: "Rex", age: 3)) }
        try await expectEqual(seen.lines(2).last, "1: [] [0] []")
        try await write(configuration) { $0.objects(Dog.self).first?.age = 4 }
        try await expectEqual(seen.lines(3).last, "1: [] [] [0]")
        try await worker.perform { seen.token = nil }
        try await write(configuration) { $0.deleteAll() }
        try await worker.perform {
            let realm = try Realm(configuration: configuration)
            expect(realm.objects(Dog.self).isEmpty)
            seen.add("end")
        }
        try await expectEqual(seen.lines(4).last, "end")
        worker.stop()
    }

    @Test func `a realm kept in a run loop is updated by commits of others`() async throws {
        let (file, seen) = (TestRealm(kennelTypes), Seen())
        let configuration = file.configuration
        // Opened before the run loop runs, and opened again in it.
        let worker = Worker { seen.realm = try? Realm(configuration: configuration) }
        try await worker.perform {
            let realm = try Realm(configuration: configuration)
            expect(realm == seen.realm && realm.isEmpty)
            seen.token = realm.observe { notification, realm in
                seen.add("\(notification) \(realm.objects(Dog.self).count)")
            }
        }
        try await write(configuration) { $0.add(Dog(name: "Rex", age: 3)) }
        try await expectEqual(seen.lines(1), ["didChange 1"])
        try await worker.perform {
            expectEqual(seen.realm?.objects(Dog.self).count, 1)
            seen.token = nil
            seen.realm = nil
        }
        worker.stop()
    }

    /// Requests of a thread end with it, including requests for the write lock.
    @Test func `a thread that ends before its transaction has begun blocks no writer`() async throws {
        let (file, seen, worker) = (TestRealm(kennelTypes), Seen(), Worker())
        let configuration = file.configuration
        try onAnotherThread {
            let realm = try Realm(configuration: configuration)
            realm.beginWrite()
            let begun = DispatchSemaphore(value: 0)
            worker.performAtOnce {
                let realm = try? Realm(configuration: configuration)
                realm?.writeAsync {
                    seen.add("wrote")
                    realm?.add(Dog(name: "Rex", age: 3))
                }
                realm?.writeAsync { seen.add("wrote") }
                begun.signal()
            }
            begun.wait()
            worker.stopAndWait()
            realm.cancelWrite()
        }
        try await expectEqual(writtenByATask(configuration), ["Bea"])
        // Nothing retains the thread's realm.
        var isGone = false
        for _ in 0..<6000 where !isGone {
            isGone = (try? Realm.deleteFiles(for: configuration)) ?? false
            if !isGone { try await Task.sleep(for: .milliseconds(10)) }
        }
        expect(isGone)
        try await expectEqual(seen.lines(0), [])
    }

    /// Returns the content after a task has written, without blocking a thread while it waits.
    private func writtenByATask(_ configuration: Realm.Configuration) async throws -> [String] {
        let kennel = Kennel()
        try await kennel.open(configuration)
        try await kennel.add("Bea")
        let names = await kennel.names
        await kennel.close()
        return names
    }

    @Test func `a transaction may wait for its turn on a thread with a run loop`() async throws {
        let (file, worker, seen) = (TestRealm(kennelTypes), Worker(), Seen())
        let configuration = file.configuration
        try await worker.perform {
            let realm = try Realm(configuration: configuration)
            seen.realm = realm
            realm.writeAsync(
                { realm.add(Dog(name: "Rex", age: 3)) }, onComplete: { seen.add("\($0.map { "\($0)" } ?? "done")") })
        }
        try await expectEqual(seen.lines(1), ["done"])
        try await worker.perform {
            expectEqual(seen.realm?.objects(Dog.self).count, 1)
            seen.realm = nil
        }
        worker.stop()
    }
}

/// The thread on which it was created.
private struct CurrentThreadMark: @unchecked Sendable {
    private let thread = Thread.current
    var isCurrent: Bool { Thread.current === thread }
}
