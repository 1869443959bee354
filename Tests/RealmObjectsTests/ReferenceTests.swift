import Foundation
import RealmObjects
import Testing

/// References to other threads that are made inside of transactions, and what they lead to later.
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

    @Test func `inside of a transaction a reference leads to what is committed`() throws {
        let file = TestRealm(kennelTypes)
        let realm = try file.open()
        let dog = Dog(name: "Rex", age: 3)
        realm.beginWrite()
        realm.add(dog)
        let (early, late, own) = (
            Shared(DogReference(to: dog)), Shared(DogReference(to: dog)), DogReference(to: dog)
        )
        dog.age = 4
        #expect(try ages(early, file) == [], "nobody else sees it before it is committed")
        #expect(realm.resolve(own)?.age == 4)
        try realm.commitWrite()
        #expect(try ages(late, file) == [4])
    }

    @Test func `a reference of a cancelled transaction leads nowhere`() throws {
        let file = TestRealm(kennelTypes)
        let realm = try file.open()
        realm.beginWrite()
        let gone = Dog(name: "Rex", age: 3)
        realm.add(gone)
        let reference = Shared(DogReference(to: gone))
        realm.cancelWrite()
        // Another dog, which may have got the key that the first one had.
        try realm.write { realm.add(Dog(name: "Bea", age: 1)) }
        #expect(try ages(reference, file) == [])
    }

    @Test func `a reference leads nowhere in another database`() throws {
        let (file, other) = (TestRealm(kennelTypes), TestRealm(kennelTypes))
        let realm = try file.open()
        let dog = Dog(name: "Rex", age: 3)
        try realm.write { realm.add(dog) }
        #expect(try other.open().resolve(DogReference(to: dog)) == nil)
    }

    @Test func `a realm that was not read begins with the version of a reference`() throws {
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
            #expect(realm.resolve(references.value[0])?.age == 3)
            realm.refresh()
            #expect(realm.resolve(references.value[1]) == nil && realm.objects(Dog.self).isEmpty)
        }
        try onAnotherThread {
            let realm = try Realm(configuration: configuration)
            #expect(realm.objects(Dog.self).isEmpty && realm.resolve(references.value[2]) == nil)
        }
    }
}
