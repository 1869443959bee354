import Expectations
import Foundation
import RealmCore
import RealmObjects
import Testing

/// Migrations that change the owners of objects, their primary key, or remove their class.
@Suite struct MigrationOwnerTests {
    final class Person: Object {
        @Persisted var name = ""
        @Persisted var home: Place?
        @Persisted var places: List<Place>
        @Persisted var named: Map<String, Place?>
        @Persisted var any: AnyRealmValue
        override class func _realmObjectName() -> String? { "Person" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Place: Object {
        @Persisted var street = ""
        @Persisted var door: Door?
        @Persisted var tags: List<String>
        override class func _realmObjectName() -> String? { "Place" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Door: Object {
        @Persisted var colour = ""
        override class func _realmObjectName() -> String? { "Door" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class NewPerson: Object {
        @Persisted var name = ""
        @Persisted var home: NewPlace?
        @Persisted var places: List<NewPlace>
        @Persisted var named: Map<String, NewPlace?>
        @Persisted var any: AnyRealmValue
        override class func _realmObjectName() -> String? { "Person" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class NewPlace: EmbeddedObject {
        @Persisted var street = ""
        @Persisted var door: NewDoor?
        @Persisted var tags: List<String>
        override class func _realmObjectName() -> String? { "Place" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class NewDoor: EmbeddedObject {
        @Persisted var colour = ""
        override class func _realmObjectName() -> String? { "Door" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Numbered: Object {
        @Persisted(primaryKey: true) var number = 0
        @Persisted var name = ""
        @Persisted var next: Numbered?
        override class func _realmObjectName() -> String? { "Numbered" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Named: Object {
        @Persisted var number = 0
        @Persisted(primaryKey: true) var name = ""
        @Persisted var next: Named?
        override class func _realmObjectName() -> String? { "Numbered" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    private static func people() throws -> TestRealm {
        let file = TestRealm([Person.self, Place.self, Door.self])
        let realm = try file.open()
        try realm.write {
            let door = Door(value: ["red"])
            let shared = Place(value: ["street": "shared", "door": door, "tags": ["a", "b"]] as [String: Any])
            let own = Place(value: ["street": "own", "door": Door(value: ["blue"])] as [String: Any])
            let orphan = Place(value: ["street": "orphan", "door": Door(value: ["green"])] as [String: Any])
            realm.add([shared, own, orphan])
            let first = Person(
                value: ["name": "first", "home": shared, "places": [own, shared, shared]] as [String: Any])
            let second = Person(value: ["name": "second", "home": shared] as [String: Any])
            second.named["k"] = shared
            second.named["nothing"] = nil as Place?
            realm.add([first, second])
        }
        file.configuration.objectTypes = [NewPerson.self, NewPlace.self, NewDoor.self]
        file.configuration.schemaVersion = 1
        return file
    }

    @Test(arguments: [false, true])
    func `objects that become embedded are copied for each owner, or deleted without one`(hasBlock: Bool) throws {
        let file = try Self.people()
        if hasBlock { file.configuration.migrationBlock = { _, _ in } }
        do {
            let realm = try file.open()
            let people = realm.objects(NewPerson.self)
            expectEqual(people.map(\.home?.street), ["shared", "shared"])
            expectEqual(people[0].places.map(\.street), ["own", "shared", "shared"])
            let named = people[1].named["k"] ?? nil
            expect(named?.street == "shared" && people[1].named.count == 2)
            let all: [NewPlace?] = [
                people[0].home, people[0].places[1], people[0].places[2], people[1].home, named,
            ]
            expectEqual(all.map { $0?.door?.colour }, Array(repeating: "red", count: 5))
            expectEqual(all.map { $0.map { Array($0.tags) } }, Array(repeating: ["a", "b"], count: 5))
            // Each has its own object.
            try realm.write {
                for (number, place) in all.enumerated() {
                    place?.street = "\(number)"
                    place?.door?.colour = "c\(number)"
                }
            }
            expectEqual(all.map { $0?.street }, ["0", "1", "2", "3", "4"])
            expectEqual(all.map { $0?.door?.colour }, ["c0", "c1", "c2", "c3", "c4"])
            expectEqual(people[0].places[0].door?.colour, "blue")
        }
        let snapshot = try file.verified()
        try expectEqual(snapshot.table(named: "Place").count, 6)
        try expectEqual(snapshot.table(named: "Door").count, 6)
    }

    @Test func `objects in mixed values do not become embedded`() throws {
        let file = try Self.people()
        let migration = file.configuration
        file.configuration.objectTypes = [Person.self, Place.self, Door.self]
        file.configuration.schemaVersion = 0
        do {
            let realm = try file.open()
            try realm.write { realm.objects(Person.self)[1].any = .object(realm.objects(Place.self)[0]) }
        }
        file.configuration = migration
        let error = #expect(throws: Realm.Error.self) { try file.open() }
        let words = "Cannot convert 'Place' to embedded: there is an incoming link from the Mixed property 'Person.any'"
        expect(error?.message.hasPrefix(words) ?? false)
        try expectEqual(file.verified().table(named: "Place").count, 3)
    }

    private static func numbers() throws -> TestRealm {
        let file = TestRealm([Numbered.self])
        let realm = try file.open()
        try realm.write {
            let one = realm.create(Numbered.self, value: [1, "one"])
            realm.create(Numbered.self, value: ["number": 2, "name": "two", "next": one] as [String: Any])
        }
        file.configuration.schemaVersion = 1
        return file
    }

    @Test func `another property becomes the primary key`() throws {
        let file = try Self.numbers()
        file.configuration.objectTypes = [Named.self]
        file.configuration.migrationBlock = { migration, _ in
            migration.create("Numbered", value: ["number": 1, "name": "three"])
        }
        do {
            let realm = try file.open()
            expectEqual(realm.object(ofType: Named.self, forPrimaryKey: "two")?.next?.name, "one")
            expectEqual(realm.objects(Named.self).filter("number == 1").map(\.name).sorted(), ["one", "three"])
        }
        let schema = try file.verified().table(named: "Numbered").schema
        expectEqual(schema.primaryKeyName, "name")
        expectEqual(schema.property(named: "number")?.index, IndexKind.none)
    }

    @Test func `a class missing in the program has no new objects`() throws {
        let file = try Self.people()
        file.configuration.objectTypes = [NewDoor.self, Numbered.self]
        nonisolated(unsafe) var seen: [(old: String, hasNew: Bool)] = []
        file.configuration.migrationBlock = { migration, _ in
            migration.enumerateObjects(ofType: "Person") { old, new in
                seen.append((old?["name"] as? String ?? "", new != nil))
            }
            migration.deleteData(forType: "Person")
            migration.deleteData(forType: "Place")
        }
        _ = try file.open()
        expect(seen.map(\.old) == ["first", "second"] && seen.allSatisfy { !$0.hasNew })
        try expectEqual(file.verified().classes.map(\.name).sorted(), ["Door", "Numbered"])
    }
}
