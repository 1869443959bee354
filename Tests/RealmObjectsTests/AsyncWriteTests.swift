import Dispatch
import Expectations
import Foundation
import RealmObjects
import Testing

/// Asynchronous transactions next to synchronous ones.
@Suite struct AsyncWriteTests {
    private func names(_ kennel: QueueRealm) -> [String] { kennel { $0.objects(Dog.self).map(\.name).sorted() } }

    /// Runs a block on the realm's queue, and waits for `count` calls of its argument.
    private func wait(
        _ kennel: QueueRealm, _ count: Int, _ body: (Realm, @escaping () -> Void) throws -> Void
    ) rethrows {
        let done = DispatchSemaphore(value: 0)
        try kennel { realm in try body(realm) { done.signal() } }
        for _ in 0..<count { expectEqual(done.wait(timeout: .now() + 600), .success) }
    }

    private final class Told {
        var counts: [Int] = []
    }

    @MainActor @Test func `a realm of the main actor is usable after waiting`() async throws {
        let file = TestRealm(kennelTypes)
        let realm = try file.open()
        let told = Shared(Told())
        let token = realm.objects(Dog.self).observe {
            if case .update(let dogs, _, _, _) = $0 { told.value.counts.append(dogs.count) }
        }
        // On Linux, the main queue of an asynchronous program can change threads each time it becomes empty.
        for number in 1...3 {
            try await Task.sleep(for: .milliseconds(20))
            try realm.write { realm.add(Dog(name: "\(number)", age: number)) }
            let other = try await Realm(configuration: file.configuration, actor: MainActor.shared)
            expect(other == realm && other.objects(Dog.self).count == number)
            try await realm.asyncWrite { realm.objects(Dog.self).first?.age += 1 }
        }
        for _ in 0..<6000 where told.value.counts.last != 3 { try await Task.sleep(for: .milliseconds(10)) }
        expect(told.value.counts.last == 3 && realm.objects(Dog.self)[0].age == 4)
        try expectEqual(file.open(), realm)
        token.invalidate()
    }

    @Test func `tasks of an actor write at the same time, with and without waiting`() async throws {
        let file = TestRealm(kennelTypes)
        let kennel = Kennel()
        try await kennel.open(file.configuration)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                group.addTask { try await kennel.add("w\(number)") }
                if number % 3 == 0 { group.addTask { try await kennel.addAtOnce("o\(number)") } }
            }
            try await group.waitForAll()
        }
        await expectEqual(kennel.names.count, 134)
        try expectEqual(file.open().objects(Dog.self).count, 134)
    }

    private actor Clerk {
        private var isDone = false

        private func add(_ configuration: Realm.Configuration) async throws {
            let realm = try await Realm.open(configuration: configuration)
            try await realm.asyncWrite { realm.add(Dog(name: "Rex", age: 3)) }
            isDone = true
        }

        /// Whether other code ran here while a transaction was written to disk.
        func goesOn(_ configuration: Realm.Configuration) async throws -> Bool {
            let realm = try await Realm.open(configuration: configuration)
            for number in 0..<100 {
                isDone = false
                let writing = Task { try await add(configuration) }
                while !isDone {
                    let isCommitting = realm.isPerformingAsynchronousWriteOperations && !realm.isInWriteTransaction
                    if isCommitting, realm.objects(Dog.self).count > number {
                        try await writing.value
                        return realm.objects(Dog.self).count == number + 1
                    }
                    await Task.yield()
                }
                try await writing.value
            }
            return false
        }
    }

    @Test func `an actor continues while the data of its task is written to the disk`() async throws {
        let file = TestRealm(kennelTypes)
        try await expect(Clerk().goesOn(file.configuration))
        try expectEqual(file.open().objects(Dog.self).first?.name, "Rex")
    }

    /// On Linux too, few threads run tasks until the system finds them blocked.
    @Test func `blocked threads do not stop waiting tasks`() async throws {
        let file = TestRealm(kennelTypes)
        let kennels = [Kennel(), Kennel(), Kennel()]
        for kennel in kennels { try await kennel.open(file.configuration) }
        let configuration = file.configuration
        try await withThrowingTaskGroup(of: Void.self) { group in
            for kennel in kennels {
                for task in 0..<4 {
                    group.addTask { for round in 0..<10 { try await kennel.add("waits \(task) \(round)") } }
                }
            }
            for task in 0..<60 {
                group.addTask {
                    for round in 0..<5 {
                        let realm = try Realm(configuration: configuration)
                        try realm.write {
                            realm.add(Dog(name: "blocks \(task) \(round)", age: 1))
                            Thread.sleep(forTimeInterval: 0.0005)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        try expectEqual(file.open().objects(Dog.self).count, 120 + 300)
    }

    @Test func `several actors write at the same time`() async throws {
        let file = TestRealm(kennelTypes)
        let kennels = (0..<3).map { _ in Kennel() }
        for kennel in kennels { try await kennel.open(file.configuration) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<300 { group.addTask { try await kennels[number % 3].add("\(number)") } }
            try await group.waitForAll()
        }
        try expectEqual(file.open().objects(Dog.self).count, 300)
    }

    private struct Refused: Error {}

    @Test func `the block of a task decides how its transaction ends`() async throws {
        let file = TestRealm(kennelTypes)
        let kennel = Kennel()
        try await kennel.open(file.configuration)
        await #expect(throws: Refused.self) {
            try await kennel.run { realm in
                realm.add(Dog(name: "A", age: 1))
                throw Refused()
            }
        }
        try await kennel.run { realm in
            realm.add(Dog(name: "B", age: 1))
            try realm.commitWrite()
        }
        try await kennel.run { realm in
            realm.add(Dog(name: "C", age: 1))
            realm.cancelWrite()
        }
        try await kennel.add("D")
        await expectEqual(kennel.names, ["B", "D"])
    }

    @Test func `a task that is cancelled while it waits does not write`() async throws {
        let file = TestRealm(kennelTypes)
        let kennel = Kennel()
        try await kennel.open(file.configuration)
        let mayGo = await writingElsewhere(file.configuration)
        let first = Task { try await kennel.add("never") }
        try await Task.sleep(for: .milliseconds(50))
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        mayGo.signal()
        try await kennel.add("later")
        await expectEqual(kennel.names, ["later"])
    }

    @Test func `a transaction without waiting runs in between`() throws {
        try onAThread {
            let kennel = try QueueRealm(kennelTypes)
            try wait(kennel, 2) { realm, done in
                realm.writeAsync {
                    realm.add(Dog(name: "second", age: 1))
                } onComplete: { _ in
                    done()
                }
                realm.writeAsync {
                    realm.add(Dog(name: "third", age: 1))
                } onComplete: { _ in
                    done()
                }
                // The first one may already hold the write lock, and cannot run before this ends.
                for number in 0..<3 {
                    Thread.sleep(forTimeInterval: 0.02)
                    try realm.write { realm.add(Dog(name: "first \(number)", age: 1)) }
                }
            }
            expectEqual(names(kennel), ["first 0", "first 1", "first 2", "second", "third"])
        }
    }

    @Test func `grouped commits are reported with the next one`() throws {
        try onAThread {
            let kennel = try QueueRealm(kennelTypes)
            wait(kennel, 2) { realm, done in
                realm.beginAsyncWrite {
                    realm.add(Dog(name: "first", age: 1))
                    realm.commitAsyncWrite(allowGrouping: true) { _ in
                        kennel.told.append("first \(realm.objects(Dog.self).count)")
                        done()
                    }
                }
                realm.beginAsyncWrite {
                    realm.add(Dog(name: "second", age: 1))
                    realm.commitAsyncWrite { _ in
                        kennel.told.append("second \(realm.objects(Dog.self).count)")
                        done()
                    }
                }
            }
            expectEqual(kennel.heard(), ["first 2", "second 2"])
        }
    }

    @Test func `a single grouped commit is reported`() throws {
        try onAThread {
            let kennel = try QueueRealm(kennelTypes)
            wait(kennel, 1) { realm, done in
                realm.beginAsyncWrite {
                    realm.add(Dog(name: "only", age: 1))
                    realm.commitAsyncWrite(allowGrouping: true) { _ in done() }
                }
                // An asynchronous transaction without changes.
                realm.beginAsyncWrite {}
            }
            expectEqual(names(kennel), ["only"])
        }
    }

    @Test func `writes that begin inside a transaction wait`() throws {
        try onAThread {
            let kennel = try QueueRealm(kennelTypes)
            try wait(kennel, 1) { realm, done in
                realm.beginWrite()
                realm.add(Dog(name: "outer", age: 1))
                realm.beginAsyncWrite {
                    realm.add(Dog(name: "inner", age: 1))
                    realm.commitAsyncWrite { _ in done() }
                }
                try realm.commitWrite()
            }
            expectEqual(names(kennel), ["inner", "outer"])
        }
    }

    @Test func `running commits are awaited`() throws {
        try onAThread {
            let kennel = try QueueRealm(kennelTypes)
            wait(kennel, 3) { realm, done in
                for number in 0..<3 {
                    realm.beginWrite()
                    realm.add(Dog(name: "\(number)", age: number))
                    realm.commitAsyncWrite { _ in done() }
                }
            }
            expectEqual(names(kennel), ["0", "1", "2"])
        }
    }

    @Test func `a transaction keeps its realm`() throws {
        try onAThread {
            let file = TestRealm(kennelTypes)
            try file.open().beginWrite()
            try file.open().create(Dog.self, value: ["name": "Rex"])
            try file.open().commitWrite()
            try expectEqual(file.open().objects(Dog.self).count, 1)
            try file.open().beginWrite()
            try file.open().create(Dog.self, value: ["name": "Bea"])
            try file.open().invalidate()
            try expectEqual(file.open().objects(Dog.self).count, 1)
        }
    }

    @Test func `a realm of another queue waits for commits of any thread`() throws {
        try onAThread {
            let kennel = try QueueRealm(kennelTypes)
            let configuration = kennel.file.configuration
            let other = DispatchQueue(label: "another queue")
            for age in 0..<20 {
                // Both run on this thread.
                kennel.queue.sync {
                    kennel.realm.beginWrite()
                    kennel.realm.add(Dog(name: "Rex", age: age))
                    kennel.realm.commitAsyncWrite()
                }
                try other.sync {
                    let realm = try Realm(configuration: configuration, queue: other)
                    try realm.write { realm.add(Dog(name: "Bea", age: age)) }
                    expectEqual(realm.objects(Dog.self).count, 2 * age + 2)
                }
            }
        }
    }

    @Test func `realms are notified of their commits at once`() throws {
        try onAThread {
            let file = TestRealm(kennelTypes)
            let realm = try file.open()
            var told: [Realm.Notification] = []
            let token = realm.observe { notification, _ in told.append(notification) }
            try realm.write {}
            expectEqual(told, [.didChange])
            try realm.write(withoutNotifying: [token]) { realm.add(Dog(name: "Rex", age: 3)) }
            expectEqual(told, [.didChange])
            token.invalidate()
            try realm.write {}
            expectEqual(told, [.didChange])
        }
    }
}

/// Runs blocking code on a new thread.
func onAThread(_ body: @escaping @Sendable () throws -> Void) throws {
    try onAnotherThread(body)
}

/// Acquires the write lock on a new thread, and returns once it is held.
///
/// - Returns: the semaphore that makes the thread release the lock.
func writingElsewhere(_ configuration: Realm.Configuration) async -> DispatchSemaphore {
    let mayGo = DispatchSemaphore(value: 0)
    await withCheckedContinuation { next in
        Thread {
            let realm = try? Realm(configuration: configuration)
            realm?.beginWrite()
            next.resume()
            mayGo.wait()
            realm?.cancelWrite()
        }.start()
    }
    return mayGo
}
