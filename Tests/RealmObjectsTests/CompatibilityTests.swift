import Expectations
import Foundation
import RealmObjects
import Testing

/// Behaviour that code written for RealmSwift relies on.
@Suite struct CompatibilityTests {
    @Test func `collections in memory are compared by their elements`() {
        let (one, other) = (List<Int>(), List<Int>())
        expectEqual(one, other)
        one.append(objectsIn: [1, 2])
        expect(one != other)
        other.append(objectsIn: [1, 2])
        expect(one == other && one.isEqual(other))
        let (set, otherSet) = (MutableSet<String>(), MutableSet<String>())
        set.insert(objectsIn: ["a", "b"])
        otherSet.insert(objectsIn: ["b", "a"])
        expectEqual(set, otherSet)
        let (map, otherMap) = (Map<String, Int>(), Map<String, Int>())
        (map["a"], otherMap["a"]) = (1, 2)
        expect(map != otherMap)
        expectEqual(one.objects(at: [1, 0]), [1, 2])
    }

    @Test func `NSNull is nil, and maps accept values of other types`() {
        let dog = Dog(value: ["name": "Rex", "breed": NSNull(), "owner": NSNull()] as [String: Any])
        expect(dog.breed == nil && dog.owner == nil)
        let prices = Map<String, Int>()
        prices["a"] = 3
        let club = DogClub(value: ["prices": prices] as [String: Any])
        expectEqual(club.prices["a"], 3)
    }

    @Test func `key paths continue after collections`() {
        expectEqual(_name(for: \Person.dogs[0].name), "dogs.name")
        expectEqual(_name(for: \DogClub.members[0].dogs), "members.dogs")
    }

    @Test func `predicates support names of keys and values`() throws {
        let realm = try TestRealm(kennelTypes).open()
        try realm.write { realm.add(DogClub(value: ["name": "c", "prices": ["a": 1.0, "b": 7.0]])) }
        let clubs = realm.objects(DogClub.self)
        expect(clubs.filter("prices.@allKeys == 'b'").count == 1 && clubs.filter("prices.@allValues > 7").count == 0)
        expectEqual(clubs.where { $0.prices.keys == "a" && $0.prices.values > 6 }.count, 1)
        expectEqual(clubs.where { $0.prices.max > 7 || $0.prices.contains(2.0) }.count, 0)
    }

    final class Diary: Object {
        @Persisted var written: Date
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    @Test func `a date without a default has the time of its object`() {
        let before = Date()
        expect(Diary().written >= before && Diary().written <= Date())
    }

    @Test func `sums of empty collections are returned`() throws {
        let realm = try TestRealm(kennelTypes + [Drawer.self]).open()
        try realm.write { realm.add([DogClub(), Drawer()] as [Object]) }
        expect(realm.objects(DogClub.self)[0].prices.sum() == 0 && List<Float?>().sum() == 0)
        expectEqual(List<AnyRealmValue>().sum(), .int(0))
        expectEqual(realm.objects(Drawer.self)[0].things.sum(), .decimal128(0))
    }

    final class Library: Object {
        @Persisted(primaryKey: true) var id = 1
        @Persisted var pages = List<Int>()
        @Persisted var words = MutableSet<String>()
        @Persisted var shelves = Map<String, Int>()
        @Persisted var next: Library?
        @Persisted(originProperty: "next") var before: LinkingObjects<Library>
    }

    @Test func `collections with a default in the model belong to the realm`() throws {
        let file = TestRealm([Library.self])
        let realm = try file.open()
        let library = Library()
        library.pages.append(objectsIn: [1, 2])
        library.words.insert("a")
        library.shelves["k"] = 3
        let next = Library(value: ["id": 2])
        library.next = next
        try realm.write { realm.add(library) }
        let found = try #require(realm.object(ofType: Library.self, forPrimaryKey: 1))
        for library in [library, found, realm.objects(Library.self)[0], next.before[0], found.freeze()] {
            expect(Array(library.pages) == [1, 2] && library.pages.realm != nil)
            expect(Array(library.words) == ["a"] && library.shelves["k"] == 3 && library.shelves.realm != nil)
        }
        for library in realm.objects(Library.self).where({ $0.id == 1 }) { expectEqual(library.pages.count, 2) }
        try realm.write {
            found.pages.append(3)
            found.next?.words.insert("b")
        }
        expect(Array(library.pages) == [1, 2, 3] && Array(next.words) == ["b"])
    }

    @Test func `decimals have the same texts as in RealmSwift`() throws {
        let texts = [
            "123E4": "1.23E6", "-1.50": "-1.5", "2.00": "2", "100": "100", "0.00001": "1E-5", "12E-9": "1.2E-8",
            "0": "0", "7": "7", "Infinity": "Inf", "-inf": "-Inf",
        ]
        for (text, expected) in texts {
            let number = try Decimal128(string: text)
            expect(number.stringValue == expected && Decimal128(stringLiteral: expected) == number)
        }
        expectEqual([0, -3, 0.5, 1e20].map { Decimal128($0 as Double).stringValue }, ["0", "-3", "5E-1", "1E20"])
        expect(Decimal128(value: NSNull()).isNaN && Decimal128(value: NSNull()).isSignaling)
    }

    @Test func `a missing file has no version`() {
        #expect {
            try schemaVersionAtURL(URL(filePath: "/nowhere/x.realm"))
        } throws: { error in
            (error as? Realm.Error)?.code == .invalidDatabase
                && (error as? Realm.Error)?.fileURL?.path == "/nowhere/x.realm"
        }
    }

    @Test func `errors bridge to Objective-C with domain, number and path`() throws {
        let file = TestRealm(kennelTypes)
        try Data(repeating: 7, count: 4096).write(to: URL(filePath: file.path))
        let error = try #require(#expect(throws: Realm.Error.self) { _ = try file.open() })
        let bridged = error as NSError
        expect(bridged.domain == "io.realm" && bridged.code == Realm.Error.invalidDatabase.rawValue)
        expect(bridged.localizedDescription.contains(file.path))
        expect(error.errorUserInfo[NSFilePathErrorKey] as? String == file.path && error.errorCode == 20)
        expectEqual(error.errorUserInfo[NSLocalizedDescriptionKey] as? String, error.message)
        expect((Realm.Error.callFailed as NSError).code == 1 && Realm.Error.errorDomain == "io.realm")
    }

    @Test func `configurations are compared by what they open, and do not show the key`() {
        var configuration = Realm.Configuration(inMemoryIdentifier: "a", schemaVersion: 3)
        let same = configuration
        configuration.migrationBlock = { _, _ in }
        expect(configuration == same && configuration.description.contains("inMemoryIdentifier = a;"))
        configuration.encryptionKey = Data(repeating: 7, count: 64)
        expect(configuration != same && configuration.description.contains("encryptionKey = given;"))
    }

    final class Name: Projection<Dog> {
        @Projected(\Dog.name) var title
    }

    @Test func `projections are sectioned, also by a function after sorting`() throws {
        let realm = try TestRealm(kennelTypes).open()
        try realm.write { realm.add([Dog(name: "B", age: 1), Dog(name: "A", age: 2), Dog(name: "B", age: 3)]) }
        let names = realm.objects(Name.self)
        expectEqual(names.sectioned(by: \.title, ascending: false).map(\.key), ["B", "A"])
        let byAge = names.sectioned(by: \.title, sortDescriptors: [SortDescriptor(keyPath: "age", ascending: false)])
        expect(byAge.map(\.key) == ["B", "A"] && byAge[0].map(\.rootObject.age) == [3, 1])
        let dogs = realm.objects(Dog.self).sectioned(sortDescriptors: [SortDescriptor(keyPath: "age")]) { $0.age % 2 }
        expect(dogs.map(\.key) == [1, 0] && dogs[0].map(\.age) == [1, 3])
    }

    @Test func `maps are read by key paths`() throws {
        let realm = try TestRealm(kennelTypes + [Crew.self]).open()
        let person = Person(id: 1, name: "A", address: Address(value: ["city": "Oslo"]))
        let crew = Crew()
        crew.members["first"] = person
        try realm.write { realm.add(crew) }
        expectEqual(crew.members.value(forKeyPath: "first.address.city") as? String, "Oslo")
        expectEqual((crew.members.value(forKeyPath: "first") as? Person)?.id, 1)
        expect(crew.members.value(forKeyPath: "second.name") == nil)
    }

    @Test func `embedded objects are observed like others`() throws {
        let people = try QueueRealm(kennelTypes)
        try people { realm in
            let person = Person(id: 1, name: "A", address: Address(value: ["city": "Oslo"]))
            try realm.write { realm.add(person) }
            people.keep(
                try #require(person.address).observe(keyPaths: [\Address.city]) { (change: ObjectChange<Address>) in
                    guard case .change(let address, let properties) = change else { return }
                    people.told.append("\(address.city ?? "") \(properties[0].name)")
                })
        }
        try people { realm in try realm.write { realm.objects(Person.self)[0].address?.street = "x" } }
        try people { realm in try realm.write { realm.objects(Person.self)[0].address?.city = "Rome" } }
        expectEqual(people.heard(), ["Rome city"])
    }

    final class Crew: Object {
        @Persisted var members: Map<String, Person?>
    }
}
