import Expectations
import RealmObjects
import Testing

/// Objects that a deletion removes, and those that it keeps.
@Suite struct DeletionTests {
    final class Twig: EmbeddedObject {
        @Persisted var number = 0
        @Persisted var stem: Stem?
        @Persisted var child: Sprig?
    }

    final class Sprig: EmbeddedObject {
        @Persisted var number = 0
        @Persisted var stem: Stem?
    }

    final class Stem: Object {
        @Persisted var twigs: List<Twig>
        @Persisted(originProperty: "stem") var linking: LinkingObjects<Twig>
        @Persisted(originProperty: "stem") var sprigs: LinkingObjects<Sprig>
    }

    final class Pack: Object {
        @Persisted var dogs: MutableSet<Dog>
        @Persisted var things: MutableSet<AnyRealmValue>
    }

    /// Returns a stem with a twig that contains another one, both of which link back to it.
    private static func stem(in realm: Realm) throws -> Stem {
        try realm.write {
            let stem = realm.create(Stem.self, value: ["twigs": [["number": 1, "child": ["number": 2]]]])
            let twig = stem.twigs[0]
            twig.stem = stem
            twig.child?.stem = stem
            return stem
        }
    }

    @Test func `embedded objects are deleted together with their owners`() throws {
        let realm = try TestRealm([Stem.self, Twig.self, Sprig.self]).open()
        let stem = try Self.stem(in: realm)
        let all = stem.linking.map { $0 as ObjectBase } + stem.sprigs.map { $0 as ObjectBase }
        expectEqual(all.count, 2)
        try realm.write { realm.delete(all) }
        expect(stem.twigs.isEmpty && stem.linking.isEmpty && stem.sprigs.isEmpty && !stem.isInvalidated)
    }

    @Test func `a migration deletes all embedded objects of a class`() throws {
        let file = TestRealm([Stem.self, Twig.self, Sprig.self])
        do { _ = try Self.stem(in: file.open()) }
        file.configuration.schemaVersion = 1
        file.configuration.migrationBlock = { migration, _ in
            expect(migration.deleteData(forType: "Twig"))
        }
        try expectEqual(file.open().objects(Stem.self).first?.twigs.count, 0)
    }

    @Test func `objects of classes missing in the program are kept`() throws {
        let file = TestRealm(kennelTypes)
        do {
            let realm = try file.open()
            let ann = Person(id: 1, name: "Ann", address: Address(value: ["city": "Busan"]))
            try realm.write {
                realm.add(ann)
                realm.create(DogClub.self, value: ["name": "Dingoes", "regionalOffices": [["city": "Seoul"]]])
            }
        }
        var configuration = file.configuration
        configuration.objectTypes = [Person.self, Dog.self, Address.self]
        do {
            let realm = try Realm(configuration: configuration)
            try realm.write { realm.deleteAll() }
            expect(realm.objects(Person.self).isEmpty && !realm.isEmpty)
        }
        let club = try #require(try file.open().objects(DogClub.self).first)
        expectEqual(club.regionalOffices.map(\.city), ["Seoul"])
        try expectEqual(file.verified().table(named: "Address").count, 1)
    }

    @Test func `an object to remove from a set is not added`() throws {
        let realm = try TestRealm(kennelTypes + [Pack.self]).open()
        let (rex, other) = (Dog(name: "Rex", age: 3), Dog(name: "Bea", age: 1))
        let pack = Pack()
        try realm.write {
            realm.add(pack)
            pack.dogs.insert(rex)
            pack.things.insert(.object(rex))
            pack.dogs.remove(other)
            pack.things.remove(.object(other))
        }
        expect(other.realm == nil && realm.objects(Dog.self).count == 1)
        expect(pack.dogs.count == 1 && pack.things.count == 1)
        try realm.write {
            pack.dogs.remove(rex)
            pack.things.remove(.object(rex))
        }
        expect(pack.dogs.isEmpty && pack.things.isEmpty)
    }
}
