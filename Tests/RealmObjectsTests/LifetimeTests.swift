import Expectations
import Foundation
import RealmObjects
import Synchronization
import Testing

/// Objects without references are deallocated.
@Suite struct LifetimeTests {
    /// Uses a realm in all ways, without keeping a reference.
    private func use(_ file: TestRealm) throws {
        let realm = try file.open()
        let dog = Dog(name: "Rex", age: 3)
        let person = Person(id: 1, name: "Ann", address: Address(value: ["city": "Busan"]))
        person.dogs.append(dog)
        try realm.write { realm.add(person) }
        var told = 0
        let tokens = [
            realm.observe { _, _ in told += 1 }, dog.observe { (_: ObjectChange<Dog>) in told += 1 },
            realm.objects(Dog.self).sorted(by: \.name).observe { _ in told += 1 },
            person.dogs.observe { _ in told += 1 },
        ]
        try realm.write { dog.age += 1 }
        realm.refresh()
        expect(told > 0 && tokens.count == 4)
        _ = (realm.freeze(), dog.freeze(), realm.objects(Dog.self).freeze(), person.dogs.freeze(), dog.keepers.count)
        _ = ThreadSafeReference(to: person.dogs)
        realm.beginWrite()
        realm.cancelWrite()
    }

    @Test func `realms, results and tokens are released`() throws {
        let file = TestRealm(kennelTypes)
        try use(file)
        // It refuses while the file is still open anywhere.
        try expect(Realm.deleteFiles(for: file.configuration))
    }

    @Test func `realms are released after writes elsewhere`() throws {
        let kennel = try QueueRealm(kennelTypes)
        let configuration = kennel.file.configuration
        let done = DispatchSemaphore(value: 0)
        kennel { realm in
            realm.writeAsync {
                realm.add(Dog(name: "Rex", age: 3))
            } onComplete: { _ in
                done.signal()
            }
        }
        expectEqual(done.wait(timeout: .now() + 600), .success)
        kennel.close()
        // Remaining work of the queue may still hold it.
        var isGone = false
        for _ in 0..<6000 where !isGone {
            isGone = (try? Realm.deleteFiles(for: configuration)) ?? false
            if !isGone { Thread.sleep(forTimeInterval: 0.01) }
        }
        expect(isGone)
    }

    /// A thread cleans up its open transactions when it ends, which may be after its waiter continues.
    @Test func `a thread that ends holds only its own files`() throws {
        let files = (0..<4).map { _ in TestRealm(kennelTypes) }
        let configurations = files.map(\.configuration)
        let others = try (0..<300).map { number in
            try Realm(configuration: .init(inMemoryIdentifier: "ends \(number)", objectTypes: kennelTypes))
        }
        defer { withExtendedLifetime((files, others)) {} }
        let failures = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 4) { number in
            for _ in 0..<100 {
                do {
                    try onAnotherThread { try Realm(configuration: configurations[number]).write {} }
                    try Realm.deleteFiles(for: configurations[number])
                } catch {
                    failures.withLock { $0.append("\(error)") }
                }
            }
        }
        expectEqual(failures.withLock { $0 }, [])
    }

    /// The last realm is released on one thread while another thread opens the file again.
    @Test func `a file that is being closed can be opened`() throws {
        let file = TestRealm(kennelTypes)
        let configuration = file.configuration
        let failures = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            for _ in 0..<100 {
                do { _ = try Realm(configuration: configuration) } catch { failures.withLock { $0.append("\(error)") } }
            }
        }
        expectEqual(failures.withLock { $0 }, [])
    }

    @Test func `objects are released with their observers`() throws {
        let file = TestRealm(kennelTypes)
        let realm = try file.open()
        weak var weakDog: Dog?
        do {
            let dog = Dog(name: "Rex", age: 3)
            try realm.write { realm.add(dog) }
            let token = dog.observe { (_: ObjectChange<Dog>) in }
            weakDog = dog
            token.invalidate()
        }
        expectEqual(weakDog, nil)
    }

    /// Returns a realm that refuses transactions while an old version is still in use.
    private func strict(_ types: [ObjectBase.Type]) -> TestRealm {
        let file = TestRealm(types)
        file.configuration.maximumNumberOfActiveVersions = 4
        return file
    }

    /// Objects that were read once, and are not used any more.
    @Test func `unused objects hold no version`() throws {
        let realm = try strict(kennelTypes + [Note.self]).open()
        let (ann, rex, note) = (Person(id: 1, name: "Ann"), Dog(name: "Rex", age: 3), Note())
        ann.dogs.append(rex)
        try realm.write { for object in [ann, rex, note] { realm.add(object) } }
        let (all, some, dogs) = (realm.objects(Dog.self), realm.objects(Dog.self).where { $0.age > 2 }, ann.dogs)
        expect(all.count == 1 && some[0].name == "Rex" && all[0].age == 3 && dogs[0].isSameObject(as: rex))
        expect(rex.name == "Rex" && rex.keepers.count == 1 && note.content == .none)
        for round in 0..<20 { try realm.write { note.content = .int(round) } }
        expect(all.count == 1 && some[0].name == "Rex" && dogs.count == 1 && rex.age == 3)
    }

    /// Objects used as query arguments belong to the version in which they were obtained.
    @Test func `query arguments and shared objects hold no version`() throws {
        let realm = try strict(kennelTypes + [Note.self]).open()
        let (ann, rex, note) = (Person(id: 1, name: "Ann"), Dog(name: "Rex", age: 3), Note())
        let dogs = [rex, Dog(name: "Ace", age: 2), Dog(name: "Bo", age: 1)]
        ann.dogs.append(objectsIn: dogs[..<2])
        try realm.write {
            realm.add(dogs)
            realm.add([ann, note])
        }
        let people = realm.objects(Person.self)
        let asked = [
            people.filter("ANY dogs == %@", rex), people.filter("ANY dogs IN %@", [rex, dogs[2]]),
            people.filter("ANY dogs IN {%@}", rex), people.filter("ANY dogs IN {%@, %@}", dogs[2], rex),
            people.where { $0.dogs.contains(rex) }, people.where { $0.dogs.containsAny(in: [dogs[1]]) },
            people.filter("SUBQUERY(dogs, $dog, $dog == %@).@count == 1", rex),
        ]
        let none = [people.filter("ANY dogs == %@", dogs[2]), people.where { $0.dogs.contains(dogs[2]) }]
        let shared = ThreadSafe(wrappedValue: rex)
        let kept = RealmPredicate(format: "ANY dogs == %@", rex)
        let resolved = ThreadSafeReference(to: rex)
        expect(realm.resolve(resolved)?.name == "Rex" && resolved.isInvalidated)
        func isRight() -> Bool {
            people.filter(kept).count == 1 && asked.allSatisfy { $0.map(\.id) == [1] } && none.allSatisfy(\.isEmpty)
                && shared.wrappedValue?.name == "Rex"
        }
        expect(isRight())
        for round in 0..<20 { try realm.write { note.content = .int(round) } }
        expect(isRight())
        try realm.write { ann.dogs.removeAll() }
        expect(asked.allSatisfy { $0.isEmpty })
    }

    @Test func `ended observers hold no version`() throws {
        let realm = try strict([Note.self]).open()
        let note = Note()
        try realm.write { realm.add(note) }
        let token = realm.objects(Note.self).observe { _ in }
        realm.refresh()
        token.invalidate()
        for round in 0..<20 { try realm.write { note.content = .int(round) } }
    }
}
