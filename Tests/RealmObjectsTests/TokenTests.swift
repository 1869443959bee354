import Expectations
import Foundation
import RealmObjects
import Testing

/// Lifetimes of observers and their tokens.
@Suite struct TokenTests {
    @Test func `the token of a realm's observer keeps the realm`() throws {
        let file = TestRealm(kennelTypes)
        let (configuration, queue) = (file.configuration, DispatchQueue(label: "realm of a token"))
        var told: [String] = []
        var tokens: [NotificationToken] = []
        try queue.sync {
            tokens = [
                try Realm(configuration: configuration, queue: queue).observe { notification, realm in
                    told.append("\(notification) \(realm.objects(Dog.self).count)")
                }
            ]
        }
        try onAnotherThread {
            let realm = try Realm(configuration: configuration)
            try realm.write { realm.add(Dog(name: "Rex", age: 3)) }
        }
        queue.sync {}
        expectEqual(queue.sync { told }, ["didChange 1"])
        queue.sync { for token in tokens { token.invalidate() } }
        // An invalidated token retains nothing.
        try expect(Realm.deleteFiles(for: configuration))
    }

    /// Observes the dogs of a realm on its own queue, by naming the queue.
    private static func observed() throws -> (kennel: QueueRealm, token: NotificationToken) {
        let kennel = try QueueRealm(kennelTypes)
        let token = kennel { realm in
            realm.objects(Dog.self).observe(on: kennel.queue) { change in
                switch change {
                case .initial(let dogs): kennel.told.append("initial \(dogs.count)")
                case .update(let dogs, _, _, _): kennel.told.append("\(dogs.count)")
                case .error(let error): kennel.told.append("\(error)")
                }
            }
        }
        return (kennel, token)
    }

    @Test func `an observer on a queue is not notified after its token has ended`() throws {
        let (kennel, token) = try Self.observed()
        expectEqual(kennel.heard(), ["initial 0"])
        let configuration = kennel.file.configuration
        try kennel { realm in
            try onAnotherThread {
                let realm = try Realm(configuration: configuration)
                try realm.write { realm.add(Dog(name: "Rex", age: 3)) }
            }
            expect(token.invalidate() && !token.invalidate())
            try realm.write { realm.add(Dog(name: "Bea", age: 1)) }
        }
        expectEqual(kennel.heard(), [])
    }

    @Test func `an observer on a queue that ends before it begins is not notified`() throws {
        let kennel = try QueueRealm(kennelTypes)
        kennel { realm in
            let token = realm.objects(Dog.self).observe(on: kennel.queue) { _ in kennel.told.append("told") }
            expect(token.invalidate())
        }
        expectEqual(kennel.heard(), [])
    }

    @Test func `observers on queues may be skipped`() throws {
        let (kennel, token) = try Self.observed()
        try kennel { realm in try realm.write(withoutNotifying: [token]) { realm.add(Dog(name: "Rex", age: 1)) } }
        expectEqual(kennel.heard(), ["initial 0"])
        try kennel { realm in try realm.write { realm.add(Dog(name: "Bea", age: 1)) } }
        expectEqual(kennel.heard(), ["2"])
        kennel { _ in token.invalidate() }
    }

    private actor Watcher {
        var told: [Int] = []

        func watch(_ configuration: Realm.Configuration) async throws {
            let realm = try await Realm.open(configuration: configuration)
            let token = await realm.objects(Dog.self).observe(on: self) { watcher, change in
                if case .update(let dogs, _, _, _) = change { watcher.told.append(dogs.count) }
            }
            // The first notification is the initial state.
            realm.refresh()
            try realm.write(withoutNotifying: [token]) { realm.add(Dog(name: "Rex", age: 1)) }
            realm.refresh()
            expectEqual(told, [])
            try realm.write { realm.add(Dog(name: "Bea", age: 1)) }
            realm.refresh()
            expectEqual(told, [2])
            try realm.write { realm.add(Dog(name: "Max", age: 1)) }
            token.invalidate()
            try realm.write { realm.add(Dog(name: "Zoe", age: 1)) }
            realm.refresh()
            expectEqual(told, [2])
        }
    }

    @Test func `observers on actors may be skipped, and end at once`() async throws {
        let file = TestRealm(kennelTypes)
        try await Watcher().watch(file.configuration)
    }

    @Test func `an empty list of key paths stands for all properties, as in RealmSwift`() throws {
        let kennel = try QueueRealm(kennelTypes)
        try kennel { realm in
            let dog = Dog(name: "Rex", age: 3)
            try realm.write { realm.add(dog) }
            let dogs = realm.objects(Dog.self)
            kennel.keep(dog.observe(keyPaths: [String]()) { (_: ObjectChange<Dog>) in kennel.told.append("object") })
            kennel.keep(
                dogs.observe(keyPaths: [PartialKeyPath<Dog>]()) { change in
                    if case .update = change { kennel.told.append("results") }
                })
            kennel.keep(
                dogs.sectioned(by: \.name).observe(keyPaths: [String]()) { change in
                    if case .update = change { kennel.told.append("sections") }
                })
        }
        try kennel { realm in try realm.write { realm.objects(Dog.self)[0].age = 4 } }
        expectEqual(kennel.heard().sorted(), ["object", "results", "sections"])
    }
}
