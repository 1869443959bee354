import Expectations
import Foundation
import RealmObjects
import Testing

/// Thread-safe references made inside transactions, and their later resolution.
@Suite struct ReferenceTests {
    private typealias DogReference = ThreadSafeReference<Dog>

    private func ages(_ reference: Shared<DogReference>, _ file: TestRealm) throws -> [Int] {
        let configuration = file.configuration
        let found = Shared(Found())
        try onAnotherThread {
            if let dog = try Realm(configuration: configuration).resolve(reference.value) {
                found.value.ages = [dog.age]
            }
        }
        return found.value.ages
    }

    private final class Found {
        var ages: [Int] = []
    }

    @Test func `a reference made inside a transaction resolves to the committed object`() throws {
        let file = TestRealm(kennelTypes)
        let realm = try file.open()
        let dog = Dog(name: "Rex", age: 3)
        realm.beginWrite()
        realm.add(dog)
        let (early, late, own) = (
            Shared(DogReference(to: dog)), Shared(DogReference(to: dog)), DogReference(to: dog)
        )
        dog.age = 4
        try expectEqual(ages(early, file), [], "nobody else sees it before it is committed")
        expectEqual(realm.resolve(own)?.age, 4)
        try realm.commitWrite()
        try expectEqual(ages(late, file), [4])
    }

    @Test func `a reference of a cancelled transaction resolves to nil`() throws {
        let file = TestRealm(kennelTypes)
        let realm = try file.open()
        realm.beginWrite()
        let gone = Dog(name: "Rex", age: 3)
        realm.add(gone)
        let reference = Shared(DogReference(to: gone))
        realm.cancelWrite()
        // Another dog, which may have the key of the first one.
        try realm.write { realm.add(Dog(name: "Bea", age: 1)) }
        try expectEqual(ages(reference, file), [])
    }

    @Test func `objects older than an open or cancelled transaction are found`() throws {
        let file = TestRealm(kennelTypes)
        let realm = try file.open()
        let (dog, owner) = (Dog(name: "Rex", age: 3), Person(id: 1, name: "Ann"))
        try realm.write {
            realm.add(dog)
            realm.add(owner)
            owner.dogs.append(dog)
        }
        realm.beginWrite()
        dog.age = 4
        let references = Shared((0..<4).map { _ in DogReference(to: dog) })
        let dogs = Shared(ThreadSafeReference(to: owner.dogs.sorted(by: \.name)))
        let club = realm.create(Person.self, value: ["id": 2, "name": "Bea", "dogs": [dog]])
        let newDogs = Shared(ThreadSafeReference(to: club.dogs.sorted(by: \.name)))
        try expectEqual(ages(Shared(references.value[0]), file), [3], "what it changed is not seen")
        expectEqual(realm.resolve(references.value[1])?.age, 4)
        let configuration = file.configuration
        try onAnotherThread {
            let realm = try Realm(configuration: configuration)
            expect(realm.resolve(dogs.value)?.map(\.age) == [3] && realm.resolve(newDogs.value) == nil)
        }
        realm.cancelWrite()
        try expectEqual(ages(Shared(references.value[2]), file), [3])
        expectEqual(realm.resolve(references.value[3])?.age, 3)
    }

    @Test func `a reference of a cancelled transaction resolves to nil in its own realm too`() throws {
        let realm = try TestRealm(kennelTypes).open()
        realm.beginWrite()
        let reference = DogReference(to: realm.create(Dog.self, value: ["name": "Rex"]))
        realm.cancelWrite()
        try realm.write { realm.add(Dog(name: "Bea", age: 1)) }
        expectEqual(realm.resolve(reference), nil)
    }

    @Test func `objects shared from a cancelled transaction are nil on other threads`() throws {
        let realm = try TestRealm(kennelTypes).open()
        realm.beginWrite()
        let rex = realm.create(Person.self, value: ["id": 1, "name": "Ann", "dogs": [["name": "Rex"]]])
        let shared = Shared((ThreadSafe(wrappedValue: rex), ThreadSafe(wrappedValue: rex.dogs)))
        expect(shared.value.0.wrappedValue?.name == "Ann" && shared.value.1.wrappedValue?.count == 1)
        try onAnotherThread { expect(shared.value.0.wrappedValue == nil && shared.value.1.wrappedValue == nil) }
        realm.cancelWrite()
        // Another person, which may have the same position.
        try realm.write { _ = realm.create(Person.self, value: ["id": 2, "name": "Bea"]) }
        expect(shared.value.0.wrappedValue == nil && shared.value.1.wrappedValue == nil)
        try onAnotherThread { expect(shared.value.0.wrappedValue == nil && shared.value.1.wrappedValue == nil) }
    }

    @Test func `objects of a deleted list are not found on any thread`() throws {
        let file = TestRealm(kennelTypes)
        let realm = try file.open()
        let owner = Person(id: 1, name: "Ann")
        try realm.write {
            realm.add(owner)
            owner.dogs.append(objectsIn: [Dog(name: "Rex", age: 3), Dog(name: "Bea", age: 5)])
        }
        let (old, sorted) = (owner.dogs.where { $0.age > 4 }, owner.dogs.sorted(by: \.name))
        let (before, list) = (sorted.freeze(), ThreadSafeReference(to: owner.dogs))
        let owners = try #require(realm.objects(Dog.self).first).keepers.where { $0.id == 1 }
        expect(old.count == 1 && owners.count == 1)
        let reference = ThreadSafeReference(to: sorted)
        try realm.write { realm.delete(owner) }
        expect(old.freeze().isEmpty && sorted.freeze().isEmpty && owners.freeze().isEmpty)
        expect(before.map(\.name) == ["Bea", "Rex"] && before.thaw()?.isEmpty == true)
        expect(realm.resolve(reference)?.isEmpty == true && realm.resolve(list) == nil)
    }

    @Test func `a reference resolves to nil in another database`() throws {
        let (file, other) = (TestRealm(kennelTypes), TestRealm(kennelTypes))
        let realm = try file.open()
        let dog = Dog(name: "Rex", age: 3)
        try realm.write { realm.add(dog) }
        try expectEqual(other.open().resolve(DogReference(to: dog)), nil)
    }

    @Test func `an unread realm begins with the version of a reference`() throws {
        let file = TestRealm(kennelTypes)
        let realm = try file.open()
        let dog = Dog(name: "Rex", age: 3)
        try realm.write { realm.add(dog) }
        let references = Shared([DogReference(to: dog), DogReference(to: dog), DogReference(to: dog)])
        let configuration = file.configuration
        try onAnotherThread {
            let realm = try Realm(configuration: configuration)
            try realm.write { realm.deleteAll() }
        }
        try onAnotherThread {
            let realm = try Realm(configuration: configuration)
            expectEqual(realm.resolve(references.value[0])?.age, 3)
            realm.refresh()
            expect(realm.resolve(references.value[1]) == nil && realm.objects(Dog.self).isEmpty)
        }
        try onAnotherThread {
            let realm = try Realm(configuration: configuration)
            expect(realm.objects(Dog.self).isEmpty && realm.resolve(references.value[2]) == nil)
        }
    }
}
