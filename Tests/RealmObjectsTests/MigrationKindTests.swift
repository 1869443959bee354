import Expectations
import Foundation
import RealmCore
import RealmObjects
import Testing

/// Migrations between embedded and top-level classes, and the order and wording of messages about needed migrations.
@Suite struct MigrationKindTests {
    final class Person: Object {
        @Persisted var name = ""
        @Persisted var home: Place?
        @Persisted var work: Place?
        @Persisted var counts: Map<String, Int?>
        @Persisted var texts: Map<String, String?>
        override class func _realmObjectName() -> String? { "Person" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Place: EmbeddedObject {
        @Persisted var street = ""
        @Persisted var door: Door?
        override class func _realmObjectName() -> String? { "Place" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Door: EmbeddedObject {
        @Persisted var colour = ""
        override class func _realmObjectName() -> String? { "Door" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class NewPerson: Object {
        @Persisted var name = ""
        @Persisted var home: List<NewPlace>
        @Persisted var counts: Map<String, Int>
        @Persisted var texts: Map<String, String>
        override class func _realmObjectName() -> String? { "Person" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class NewPlace: Object {
        @Persisted var street = ""
        @Persisted var door: Door?
        override class func _realmObjectName() -> String? { "Place" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class KeyedPlace: Object {
        @Persisted(primaryKey: true) var street = ""
        @Persisted var door: Door?
        override class func _realmObjectName() -> String? { "Place" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Cat: Object {
        @Persisted var name = ""
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    private static func people() throws -> TestRealm {
        let file = TestRealm([Person.self, Place.self, Door.self])
        let realm = try file.open()
        try realm.write {
            let values: [String: Any] = [
                "name": "Ann", "home": ["street": "first", "door": ["red"]] as [String: Any], "work": ["second"],
                "counts": ["a": 3, "b": nil] as [String: Int?], "texts": ["a": "x", "b": nil] as [String: String?],
            ]
            realm.create(Person.self, value: values)
        }
        file.configuration.objectTypes = [NewPerson.self, NewPlace.self, Door.self]
        return file
    }

    @Test(arguments: [false, true])
    func `objects that become top-level are kept when their owners' properties are removed`(hasBlock: Bool) throws {
        let file = try Self.people()
        file.configuration.schemaVersion = 1
        if hasBlock {
            file.configuration.migrationBlock = { migration, _ in
                var streets: [String] = []
                migration.enumerateObjects(ofType: "Place") { old, new in
                    streets.append("\(old?["street"] ?? "-") \(new?["street"] ?? "-")")
                }
                expectEqual(streets, ["first first", "second second"])
            }
        }
        do {
            let realm = try file.open()
            expectEqual(realm.objects(NewPlace.self).map(\.street), ["first", "second"])
            expectEqual(realm.objects(NewPlace.self).map(\.door?.colour), ["red", nil])
            try expect(#require(realm.objects(NewPerson.self).first).home.isEmpty)
        }
        try expectEqual(file.verified().table(named: "Door").count, 1)
    }

    final class ListingPerson: Object {
        @Persisted var name = ""
        @Persisted var home: List<Place>
        override class func _realmObjectName() -> String? { "Person" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    @Test func `a migration sees objects whose property has another type, and they are removed after it`() throws {
        let file = try Self.people()
        file.configuration.objectTypes = [ListingPerson.self, Place.self, Door.self]
        file.configuration.schemaVersion = 1
        file.configuration.migrationBlock = { migration, _ in
            var streets: [String] = []
            migration.enumerateObjects(ofType: "Place") { old, new in
                streets.append("\(old?["street"] ?? "-") \(new?["street"] ?? "-")")
            }
            expectEqual(streets, ["first first", "second second"])
            migration.enumerateObjects(ofType: "Person") { old, new in
                let place = old?["home"] as? MigrationObject
                new?["home"] = [["street": "\(place?["street"] ?? "-") again"]]
            }
        }
        do {
            let person = try #require(try file.open().objects(ListingPerson.self).first)
            expectEqual(person.home.map(\.street), ["first again"])
        }
        let snapshot = try file.verified()
        try expect(snapshot.table(named: "Place").count == 1 && snapshot.table(named: "Door").count == 0)
    }

    @Test func `objects deleted in a migration take their embedded objects with them until it ends`() throws {
        let file = try Self.people()
        file.configuration.schemaVersion = 1
        file.configuration.migrationBlock = { migration, _ in
            migration.enumerateObjects(ofType: "Person") { _, new in if let new { migration.delete(new) } }
        }
        let realm = try file.open()
        expectEqual(realm.objects(NewPlace.self).map(\.street), ["first"])
    }

    @Test func `objects that become top-level may get a primary key at once`() throws {
        let file = try Self.people()
        file.configuration.objectTypes = [KeyedPlace.self, Door.self]
        file.configuration.schemaVersion = 1
        try expectEqual(
            file.open().object(ofType: KeyedPlace.self, forPrimaryKey: "first")?.door?.colour, "red")
        _ = try file.verified()
    }

    @Test func `nulls in maps become zero or empty values when they are no longer allowed`() throws {
        let file = try Self.people()
        file.configuration.schemaVersion = 1
        do {
            let person = try #require(try file.open().objects(NewPerson.self).first)
            expect(person.counts["a"] == 3 && person.counts["b"] == 0 && person.counts.count == 2)
            expect(person.texts["a"] == "x" && person.texts["b"] == "" && person.texts.count == 2)
        }
        _ = try file.verified()
    }

    @Test func `reasons for a migration are reported in the order of RealmSwift`() throws {
        let file = try Self.people()
        file.configuration.objectTypes?.append(Cat.self)
        let error = #expect(throws: Realm.Error(.schemaMismatch)) { try file.open() }
        expectEqual(
            error?.message,
            """
            Migration is required due to the following errors:
            - Property 'Person.home' has been changed from '<Place>' to 'array<Place>'.
            - Property 'Person.work' has been removed.
            - Property 'Person.counts' has been made required.
            - Property 'Person.texts' has been made required.
            - Class 'Place' has been changed from Embedded to TopLevel.
            """)
    }

    @Test func `a read-only realm reports mismatches in the words of RealmSwift, and knows the version`() throws {
        let file = try Self.people()
        file.configuration.readOnly = true
        let error = #expect(throws: Realm.Error(.fail)) { try file.open() }
        expectEqual(
            error?.message,
            """
            The following changes cannot be made in read-only schema mode:
            - Property 'Person.home' has been changed from '<Place>' to 'array<Place>'.
            - Property 'Person.counts' has been made required.
            - Property 'Person.texts' has been made required.
            """)
        file.configuration.objectTypes = [Person.self, Place.self, Door.self, Cat.self]
        try expect(file.open().objects(Cat.self).isEmpty)
        file.configuration.schemaVersion = 2
        let other = #expect(throws: Realm.Error(.fail)) { try file.open() }
        expectEqual(other?.message, "Provided schema version 2 does not equal last set version 0.")
    }
}
