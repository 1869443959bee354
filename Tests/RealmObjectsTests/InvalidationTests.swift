import Dispatch
import Expectations
import Foundation
import RealmObjects
import Testing

/// Pending asynchronous transactions and running commits when a realm is invalidated, or writes synchronously
/// meanwhile.
@Suite struct InvalidationTests {
    private func add(_ name: String, to realm: Realm) { realm.add(Dog(name: name, age: 1)) }

    private func names(_ kennel: QueueRealm) -> [String] { kennel { $0.objects(Dog.self).map(\.name).sorted() } }

    /// Waits until the realm has no pending operations.
    private func settle(_ kennel: QueueRealm) {
        for _ in 0..<1000 where kennel({ $0.isPerformingAsynchronousWriteOperations }) {
            Thread.sleep(forTimeInterval: 0.005)
        }
        expect(kennel { !$0.isPerformingAsynchronousWriteOperations })
    }

    @Test func `transactions that have not begun are dropped`() throws {
        try onAThread {
            let kennel = try QueueRealm(kennelTypes)
            kennel { realm in
                realm.beginAsyncWrite { kennel.told.append("begun") }
                realm.writeAsync {
                    add("Rex", to: realm)
                } onComplete: { _ in
                    kennel.told.append("written")
                }
                realm.invalidate()
                expect(!realm.isPerformingAsynchronousWriteOperations)
            }
            Thread.sleep(forTimeInterval: 0.1)
            expect(kennel.heard() == [] && names(kennel) == [])
            try kennel { realm in try realm.write { add("Bea", to: realm) } }
            expectEqual(names(kennel), ["Bea"])
        }
    }

    @Test func `the turn of a dropped transaction passes to others`() throws {
        try onAThread {
            let kennel = try QueueRealm(kennelTypes)
            try kennel { realm in
                realm.beginAsyncWrite { kennel.told.append("begun") }
                realm.invalidate()
                // The queue is blocked, so that the released realm cannot withdraw its request.
                try onAnotherThread {
                    let other = try QueueRealm(of: kennel.file)
                    let done = DispatchSemaphore(value: 0)
                    other { realm in
                        realm.writeAsync {
                            add("Rex", to: realm)
                        } onComplete: { _ in
                            done.signal()
                        }
                    }
                    expectEqual(done.wait(timeout: .now() + 600), .success)
                }
            }
            kennel { _ = $0.refresh() }
            expect(kennel.heard() == [] && names(kennel) == ["Rex"])
        }
    }

    @Test func `running commits are reported before a realm is invalid`() throws {
        try onAThread {
            let kennel = try QueueRealm(kennelTypes)
            kennel { realm in
                realm.beginWrite()
                add("Rex", to: realm)
                realm.commitAsyncWrite { error in kennel.told.append(error == nil ? "committed" : "failed") }
                realm.invalidate()
                expectEqual(kennel.told, ["committed"])
                realm.beginAsyncWrite {
                    add("Bea", to: realm)
                    realm.commitAsyncWrite(allowGrouping: true) { _ in kennel.told.append("grouped") }
                    realm.invalidate()
                    expectEqual(kennel.told, ["committed", "grouped"])
                }
            }
            settle(kennel)
            expect(kennel.heard() == ["committed", "grouped"] && names(kennel) == ["Bea", "Rex"])
        }
    }

    @Test func `a transaction that is invalidated inside changes nothing`() throws {
        try onAThread {
            let kennel = try QueueRealm(kennelTypes)
            kennel { realm in
                realm.writeAsync {
                    add("Rex", to: realm)
                    realm.invalidate()
                    expect(!realm.isInWriteTransaction)
                }
                realm.writeAsync { kennel.told.append("dropped") }
            }
            settle(kennel)
            expect(kennel.heard() == [] && names(kennel) == [])
        }
    }

    @Test func `collections that were never committed do not become those of later objects`() throws {
        try onAThread {
            let realm = try TestRealm(kennelTypes).open()
            realm.beginWrite()
            let (made, added) = (
                realm.create(Person.self, value: ["id": 1, "dogs": [["name": "Rex"]]]), Person(id: 2, name: "")
            )
            added.dogs.append(Dog(name: "Bea", age: 1))
            realm.add(added)
            let lists = [made.dogs, added.dogs]
            let results = lists.map { $0.where { $0.age >= 0 } }
            expect(lists.map(\.count) == [1, 1] && results.map(\.count) == [1, 1])
            realm.cancelWrite()
            for id in 1...2 {
                try realm.write { realm.create(Person.self, value: ["id": id, "dogs": [["age": 1], ["age": 2]]]) }
                expect(lists.allSatisfy { $0.isInvalidated && $0.isEmpty } && results.allSatisfy(\.isEmpty))
            }
        }
    }

    @Test func `a task that waits is cancelled when its realm is invalidated`() async throws {
        let file = TestRealm(kennelTypes)
        let kennel = Kennel()
        try await kennel.open(file.configuration)
        let mayGo = await writingElsewhere(file.configuration)
        let waiting = Task { try await kennel.add("never") }
        try await Task.sleep(for: .milliseconds(50))
        await kennel.invalidate()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        mayGo.signal()
        try await kennel.add("later")
        await expectEqual(kennel.names, ["later"])
    }

    @Test func `completion of a commit is reported before the next transaction without waiting`() throws {
        try onAThread {
            let kennel = try QueueRealm(kennelTypes)
            try kennel { realm in
                realm.beginWrite()
                add("Rex", to: realm)
                realm.commitAsyncWrite { _ in kennel.told.append("committed") }
                try realm.write {
                    add("Bea", to: realm)
                    kennel.told.append("written")
                }
            }
            expectEqual(kennel.heard(), ["committed", "written"])
        }
    }

    @Test func `no transaction is lost if commits run while others wait`() throws {
        try onAThread {
            let file = TestRealm(kennelTypes)
            let kennels = try (0..<6).map { _ in try QueueRealm(of: file) }
            let (done, begun) = (DispatchGroup(), 4 * 10 * kennels.count)
            for _ in 0..<begun { done.enter() }
            for kennel in kennels {
                kennel.queue.async {
                    guard let realm = kennel.realm else { return }
                    for _ in 0..<10 {
                        realm.beginAsyncWrite {
                            add("a", to: realm)
                            realm.commitAsyncWrite { _ in done.leave() }
                        }
                        realm.beginWrite()
                        add("b", to: realm)
                        realm.commitAsyncWrite { _ in done.leave() }
                        realm.beginAsyncWrite {
                            add("c", to: realm)
                            try? realm.commitWrite()
                            done.leave()
                        }
                        try? realm.write { add("d", to: realm) }
                        done.leave()
                    }
                }
            }
            expectEqual(done.wait(timeout: .now() + 600), .success)
            try expectEqual(file.open().objects(Dog.self).count, begun)
        }
    }

    @Test func `a read-only realm cannot begin a transaction`() async throws {
        let said = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let file = TestRealm(kennelTypes)
            do { _ = try file.open() }
            file.configuration.readOnly = true
            let configuration = file.configuration
            let queue = DispatchQueue(label: "reads only")
            try queue.sync { _ = try Realm(configuration: configuration, queue: queue).beginAsyncWrite {} }
        }
        let text = String(decoding: said?.standardErrorContent ?? [], as: UTF8.self)
        expect(text.contains("Can't perform transactions on read-only Realms."))
    }
}
