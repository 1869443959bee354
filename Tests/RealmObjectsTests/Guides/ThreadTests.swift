import Expectations
import Foundation
import RealmObjects
import Testing

/// Examples of the guide on threads.
@Suite struct ThreadTests {
    @Test func `other threads see commits when they refresh`() throws {
        let file = TestRealm(kennelTypes)
        let realm = try file.open()
        let dog = Dog(name: "Rex", age: 3)
        try realm.write { realm.add(dog) }
        let id = dog._id
        let configuration = file.configuration
        try onAnotherThread {
            let realm = try Realm(configuration: configuration)
            let dog = try #require(realm.object(ofType: Dog.self, forPrimaryKey: id))
            try realm.write { dog.age = 9 }
        }
        expectEqual(dog.age, 3)
        expect(realm.refresh())
        expectEqual(dog.age, 9)
        expect(!realm.refresh())
    }

    @Test func `frozen objects do not change`() throws {
        let file = TestRealm(kennelTypes)
        let realm = try file.open()
        let dog = Dog(name: "Rex", age: 3)
        let person = Person(id: 1, name: "Ann")
        person.dogs.append(dog)
        try realm.write { realm.add(person) }
        let frozen = dog.freeze()
        let results = realm.objects(Dog.self).where { $0.age < 5 }.freeze()
        let list = person.dogs.freeze()
        try realm.write {
            dog.age = 10
            person.dogs.append(Dog(name: "New", age: 0))
        }
        expect(frozen.isFrozen && frozen.age == 3 && dog.age == 10)
        let shared = Shared((frozen, results, list))
        try onAnotherThread {
            let (frozen, results, list) = shared.value
            expect(frozen.age == 3 && frozen.name == "Rex")
            expect(results.count == 1 && results[0].age == 3)
            expectEqual(list.map(\.name), ["Rex"])
            expectEqual(list.filter("age == 3").count, 1)
            expectEqual(frozen.keepers.map(\.name), ["Ann"])
            expectEqual(frozen.thaw()?.age, 10)
        }
        expectEqual(frozen.thaw()?.age, 10)
        expectEqual(list.thaw()?.count, 2)
        try realm.write { realm.delete(dog) }
        expect(frozen.name == "Rex" && frozen.thaw() == nil)
    }

    @Test func `references are resolved only once`() throws {
        let file = TestRealm(kennelTypes)
        let realm = try file.open()
        let person = Person(id: 1, name: "Ann")
        person.dogs.append(Dog(name: "Rex", age: 3))
        try realm.write { realm.add(person) }
        let references = Shared(
            (ThreadSafeReference(to: person), ThreadSafeReference(to: person.dogs), ThreadSafe(wrappedValue: person)))
        let configuration = file.configuration
        try onAnotherThread {
            let realm = try Realm(configuration: configuration)
            let (person, dogs, shared) = references.value
            expect(realm.resolve(person)?.name == "Ann" && person.isInvalidated)
            expectEqual(realm.resolve(dogs)?.first?.name, "Rex")
            let known = try #require(shared.wrappedValue)
            try realm.write { known.name = "Eve" }
        }
        realm.refresh()
        expectEqual(person.name, "Eve")
    }

    @Test func `observers are notified on their queues`() async throws {
        let file = TestRealm(kennelTypes)
        let queue = DispatchQueue(label: "observers")
        let configuration = file.configuration
        let changes = Shared(AsyncStream.makeStream(of: String.self))
        let tokens = Shared(Tokens())
        queue.async {
            guard let realm = try? Realm(configuration: configuration, queue: queue) else { return }
            let dogs = realm.objects(Dog.self).sorted(by: \.age)
            tokens.value.add(
                dogs.observe { change in
                    switch change {
                    case .initial(let dogs): changes.value.continuation.yield("initial \(dogs.count)")
                    case .update(_, let deletions, let insertions, let modifications):
                        changes.value.continuation.yield("\(deletions) \(insertions) \(modifications)")
                    case .error: break
                    }
                })
        }
        var told = changes.value.stream.makeAsyncIterator()
        await expectEqual(told.next(), "initial 0")
        try onAnotherThread {
            let realm = try Realm(configuration: configuration)
            try realm.write { for age in 0..<5 { realm.add(Dog(name: "D\(age)", age: age)) } }
        }
        await expectEqual(told.next(), "[] [0, 1, 2, 3, 4] []")
        try onAnotherThread {
            let realm = try Realm(configuration: configuration)
            let dogs = Array(realm.objects(Dog.self).sorted(by: \.age))
            try realm.write {
                dogs[0].age = 10
                dogs[3].name = "other"
                realm.delete(dogs[1])
            }
        }
        // The first has moved to the end, the second is deleted, the fourth has another name.
        await expectEqual(told.next(), "[0, 1] [3] [3]")
        queue.sync { tokens.value.end() }
    }

    @Test func `objects and realms are observed`() async throws {
        let file = TestRealm(kennelTypes)
        let queue = DispatchQueue(label: "observers")
        let configuration = file.configuration
        let changes = Shared(AsyncStream.makeStream(of: String.self))
        let tokens = Shared(Tokens())
        let id = ObjectId()
        try queue.sync {
            let realm = try Realm(configuration: configuration, queue: queue)
            let dog = Dog(value: ["_id": id, "name": "Rex", "age": 1])
            try realm.write { realm.add(dog) }
            tokens.value.add(
                dog.observe { (change: ObjectChange<Dog>) in
                    switch change {
                    case .change(let dog, let properties):
                        let text = properties.map { "\($0.name): \($0.oldValue ?? "nil") -> \($0.newValue ?? "nil")" }
                        changes.value.continuation.yield("\(dog.name) \(text.joined(separator: ", "))")
                    case .deleted: changes.value.continuation.yield("deleted")
                    case .error: break
                    }
                })
        }
        var told = changes.value.stream.makeAsyncIterator()
        for step in 0..<2 {
            try onAnotherThread {
                let realm = try Realm(configuration: configuration)
                let dog = try #require(realm.object(ofType: Dog.self, forPrimaryKey: id))
                try realm.write {
                    if step == 0 { (dog.age, dog.breed) = (2, "Pug") } else { realm.delete(dog) }
                }
            }
            await expectEqual(told.next(), (step == 0 ? "Rex age: 1 -> 2, breed: nil -> Pug" : "deleted"))
        }
        queue.sync { tokens.value.end() }
    }

    @Test func `asynchronous writes run on queues`() async throws {
        let file = TestRealm(kennelTypes)
        let queue = DispatchQueue(label: "writes")
        let configuration = file.configuration
        let steps = Shared(AsyncStream.makeStream(of: String.self))
        let kept = Shared(Tokens())
        queue.async {
            guard let realm = try? Realm(configuration: configuration, queue: queue) else { return }
            kept.value.realm = realm
            let yield = steps.value.continuation
            realm.writeAsync {
                realm.add(Dog(name: "A", age: 1))
                yield.yield("block \(realm.isInWriteTransaction)")
            } onComplete: { error in
                yield.yield("done \(error == nil) \(realm.objects(Dog.self).count)")
                kept.value.realm?.beginAsyncWrite {
                    realm.add(Dog(name: "B", age: 2))
                    realm.commitAsyncWrite { error in
                        yield.yield("committed \(error == nil) \(realm.isPerformingAsynchronousWriteOperations)")
                    }
                }
            }
            let dropped = realm.writeAsync { yield.yield("never") }
            try? realm.cancelAsyncWrite(dropped)
            yield.yield("waiting \(realm.isPerformingAsynchronousWriteOperations)")
        }
        var told = steps.value.stream.makeAsyncIterator()
        for expected in ["waiting true", "block true", "done true 1", "committed true false"] {
            await expectEqual(told.next(), expected)
        }
        queue.sync { kept.value.realm = nil }
        try expectEqual(file.open().objects(Dog.self).map(\.name), ["A", "B"])
    }

    @Test func `a concurrent queue cannot have a realm`() async {
        await #expect(processExitsWith: .failure) {
            let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
            queue.sync {
                _ = try? Realm(
                    configuration: .init(inMemoryIdentifier: "concurrent", objectTypes: kennelTypes), queue: queue)
            }
        }
        // The same works where nothing else can run.
        await #expect(processExitsWith: .success) {
            let queue = DispatchQueue(label: "serial")
            queue.sync {
                guard
                    (try? Realm(
                        configuration: .init(inMemoryIdentifier: "serial", objectTypes: kennelTypes), queue: queue))
                        != nil
                else { fatalError("no realm") }
            }
        }
    }

    @Test func `a realm may belong to an actor`() async throws {
        let file = TestRealm(kennelTypes)
        let kennel = Kennel()
        try await kennel.open(file.configuration)
        try await kennel.add("Rex")
        try await kennel.add("Max")
        await expectEqual(kennel.names, ["Max", "Rex"])
        try expectEqual(file.open().objects(Dog.self).count, 2)
    }
}

/// A realm isolated to an actor.
actor Kennel {
    private var realm: Realm!

    func open(_ configuration: Realm.Configuration) async throws {
        realm = try await Realm.open(configuration: configuration)
    }

    func add(_ name: String) async throws { try await realm.asyncWrite { realm.add(Dog(name: name, age: 0)) } }

    /// Adds a dog in a synchronous transaction.
    func addAtOnce(_ name: String) throws { try realm.write { realm.add(Dog(name: name, age: 0)) } }

    /// Runs code in an asynchronous transaction.
    func run(_ body: @Sendable (Realm) throws -> Void) async throws { try await realm.asyncWrite { try body(realm) } }

    var names: [String] { realm.objects(Dog.self).sorted(by: \.name).map(\.name) }

    func invalidate() { realm.invalidate() }

    /// Releases the realm, which retains its actor.
    func close() { realm = nil }
}

/// A value that tests pass between isolation domains.
final class Shared<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
}

/// Tokens that belong to a queue.
final class Tokens {
    private var tokens: [NotificationToken] = []
    var realm: Realm?
    func add(_ token: NotificationToken) { tokens.append(token) }
    func end() { tokens = [] }
}

/// Runs code on a new thread, and waits for it.
func onAnotherThread(_ body: @escaping @Sendable () throws -> Void) throws {
    let error = Shared(ThreadOutcome())
    let thread = Thread {
        do { try body() } catch let thrown { error.value.error = thrown }
        error.value.done.signal()
    }
    thread.start()
    error.value.done.wait()
    if let thrown = error.value.error { throw thrown }
}

final class ThreadOutcome {
    var error: (any Error)?
    let done = DispatchSemaphore(value: 0)
}
