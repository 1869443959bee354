import Dispatch
import Expectations
import Foundation
import RealmObjects
import Testing

/// Objects of a thread or a queue that are used on another one.
@Suite struct ConfinementTests {
    @Test func `observers may be ended by any thread during notifications`() throws {
        let file = TestRealm(kennelTypes)
        let realm = try file.open()
        var told = 0
        let tokens = (0..<1000).map { number in
            number % 2 == 0 ? realm.objects(Dog.self).observe { _ in told += 1 } : realm.observe { _, _ in told += 1 }
        }
        let last = realm.objects(Dog.self).observe { change in
            if case .update(let dogs, _, _, _) = change { told = dogs.count }
        }
        realm.refresh()
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            for (number, token) in tokens.enumerated() {
                if number % 3 > 0 { token.invalidate() }
                if number % 100 == 0 { usleep(1000) }
            }
            done.signal()
        }
        for age in 0..<100 {
            try realm.write { realm.add(Dog(name: "Rex", age: age)) }
            realm.refresh()
        }
        done.wait()
        try realm.write { realm.add(Dog(name: "Rex", age: 100)) }
        realm.refresh()
        expectEqual(told, 101)
        for token in tokens + [last] { token.invalidate() }
    }

    /// Whether a process ended with RealmSwift's message for use on the wrong thread.
    private static func saysSo(_ result: ExitTest.Result?) -> Bool {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            .contains("Realm accessed from incorrect thread")
    }

    /// Uses a club of a thread on another one, during a transaction with changes.
    private static func use(_ body: @escaping (DogClub) -> Void, hasChanges: Bool = true) throws {
        let realm = try Realm(configuration: .init(inMemoryIdentifier: "confined", objectTypes: kennelTypes))
        realm.beginWrite()
        let club = realm.create(
            DogClub.self, value: ["members": [["id": 1, "name": "Ann"]], "tags": ["a"], "prices": ["a": 1.0]])
        if hasChanges { club.founded = 1900 } else { try realm.commitWrite() }
        let work = Shared { body(club) }
        try onAnotherThread { work.value() }
    }

    @Test func `collections are not read by another thread during a transaction`() async {
        let list = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try Self.use { print($0.members.count) }
        }
        expect(Self.saysSo(list))
        let element = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try Self.use { print($0.members[0]) }
        }
        expect(Self.saysSo(element))
        let map = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try Self.use { print($0.prices["a"] as Any) }
        }
        expect(Self.saysSo(map))
        let set = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try Self.use { print($0.tags.contains("a")) }
        }
        expect(Self.saysSo(set))
    }

    @Test func `another thread cannot ask whether an object is valid`() async {
        let object = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try Self.use { print($0.isInvalidated) }
        }
        expect(Self.saysSo(object))
        let still = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try Self.use({ print($0.isInvalidated) }, hasChanges: false)
        }
        expect(Self.saysSo(still))
        let list = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try Self.use { print($0.members.isInvalidated) }
        }
        expect(Self.saysSo(list))
    }

    @Test func `another thread cannot change autorefresh`() async {
        let realm = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try Self.use { $0.realm?.autorefresh = false }
        }
        expect(Self.saysSo(realm))
    }

    @Test func `an invalidated frozen realm is unchanged`() throws {
        let realm = try TestRealm(kennelTypes).open()
        try realm.write { realm.add(Dog(name: "Rex", age: 3)) }
        let frozen = realm.freeze()
        let dog = try #require(frozen.objects(Dog.self).first)
        frozen.invalidate()
        expect(!dog.isInvalidated && dog.name == "Rex" && frozen.objects(Dog.self).count == 1)
    }
}
