import Expectations
import RealmObjects
import Testing

/// Objects that migrations create from arrays and from typed objects, whose classes have lost properties and have the
/// rest in another order.
@Suite struct MigrationCreationTests {
    final class OldGuest: Object {
        @Persisted var firstName = ""
        @Persisted var lastName = ""
        @Persisted var age = 0
        @Persisted var home: OldHome?
        override class func _realmObjectName() -> String? { "Guest" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class OldHome: EmbeddedObject {
        @Persisted var street = ""
        @Persisted var number = 0
        override class func _realmObjectName() -> String? { "Home" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Guest: Object {
        @Persisted var fullName = ""
        @Persisted var age = 7
        @Persisted var friend: Guest?
        @Persisted var home: Home?
        override class func _realmObjectName() -> String? { "Guest" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Home: EmbeddedObject {
        @Persisted var title = ""
        override class func _realmObjectName() -> String? { "Home" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    private func migrated(_ block: @escaping @Sendable (Migration) -> Void) throws -> TestRealm {
        let file = TestRealm([OldGuest.self, OldHome.self])
        try {
            let realm = try file.open()
            try realm.write { realm.add(OldGuest(value: ["Ann", "Lee", 30, ["Elm", 4]])) }
        }()
        file.configuration.objectTypes = [Guest.self, Home.self]
        file.configuration.schemaVersion = 1
        file.configuration.migrationBlock = { migration, _ in block(migration) }
        return file
    }

    @Test func `arrays have the order of the program's class`() throws {
        let file = try migrated { migration in
            migration.create("Guest", value: ["Bea Fox", 40])
            migration.create("Guest", value: ["Cid"])
        }
        let realm = try file.open()
        let guests = realm.objects(Guest.self)
        expect(guests.map(\.fullName) == ["", "Bea Fox", "Cid"] && guests.map(\.age) == [30, 40, 7])
        let dynamic = realm.dynamicObjects("Guest")
        expectEqual(dynamic.first?.objectSchema.properties.map(\.name), ["fullName", "age", "friend", "home"])
        try realm.write {
            let guest = realm.dynamicCreate("Guest", value: ["Dan", 50])
            expect(guest["fullName"] as? String == "Dan" && guest["age"] as? Int == 50)
        }
        expectEqual(guests.map(\.fullName), ["", "Bea Fox", "Cid", "Dan"])
        _ = try file.verified()
    }

    @Test func `objects of the program's classes are created while properties are removed`() throws {
        let file = try migrated { migration in
            let made = migration.create("Guest", value: Guest(value: ["fullName": "Bea", "age": 40]))
            expect(made["fullName"] as? String == "Bea" && made["firstName"] as? String == "")
            migration.enumerateObjects(ofType: "Guest") { old, new in
                guard let old, let new else { return }
                new["fullName"] = "\(old["firstName"] ?? "") \(old["lastName"] ?? "")"
                new["friend"] = Guest(value: ["fullName": "Cid", "age": 50, "home": ["at Cid's"]])
                new["home"] = Home(value: ["title": "Elm 4"])
            }
        }
        let realm = try file.open()
        let guests = realm.objects(Guest.self)
        expect(guests.map(\.fullName) == ["Ann Lee", "Bea", "Cid"] && guests.map(\.age) == [30, 40, 50])
        expect(guests[0].friend?.fullName == "Cid" && guests[0].home?.title == "Elm 4")
        expect(guests[1].friend == nil && guests[2].home?.title == "at Cid's")
        _ = try file.verified()
    }

    @Test func `the new schema equals that of the program`() throws {
        let file = try migrated { migration in
            let (old, new) = (migration.oldSchema["Guest"], migration.newSchema["Guest"])
            expectEqual(old?.properties.map(\.name), ["firstName", "lastName", "age", "home"])
            expectEqual(new?.properties.map(\.name), ["fullName", "age", "friend", "home"])
            expectEqual(migration.newSchema.objectSchema.map(\.className).sorted(), ["Guest", "Home"])
        }
        _ = try file.open()
    }
}
