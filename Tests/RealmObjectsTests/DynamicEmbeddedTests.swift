import Expectations
import Foundation
import RealmObjects
import Testing

/// Embedded objects that dynamic code moves from one place of a realm to another, or assigns in place.
@Suite struct DynamicEmbeddedTests {
    final class Street: EmbeddedObject {
        @Persisted var name = ""
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Address: EmbeddedObject {
        @Persisted var town = ""
        @Persisted var street: Street?
        @Persisted var past: List<Street>
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Resident: Object {
        @Persisted(primaryKey: true) var name = ""
        @Persisted var home: Address?
        @Persisted var work: Address?
        @Persisted var others: List<Address>
        @Persisted var byKind: Map<String, Address?>
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    private static let models: [ObjectBase.Type] = [Street.self, Address.self, Resident.self]

    private static func address(_ town: String) -> [String: Any] {
        ["town": town, "street": ["name": "\(town) Street"], "past": [["name": "A"], ["name": "B"]]]
    }

    /// Returns a realm with one resident, and the resident as a typed and a dynamic object.
    private func resident() throws -> (Realm, Resident, DynamicObject) {
        let realm = try TestRealm(Self.models).open()
        let resident = try realm.write {
            realm.create(
                Resident.self,
                value: [
                    "name": "Eve", "home": Self.address("Bath"),
                    "others": [Self.address("York"), Self.address("Hull")],
                    "byKind": ["summer": Self.address("Rome")],
                ])
        }
        return (realm, resident, try #require(realm.dynamicObject(ofType: "Resident", forPrimaryKey: "Eve")))
    }

    private func isWhole(_ address: Address?, _ town: String) -> Bool {
        address?.town == town && address?.street?.name == "\(town) Street" && address?.past.map(\.name) == ["A", "B"]
    }

    @Test func `an embedded object that is set to itself stays the same object`() throws {
        let (realm, resident, same) = try resident()
        let (home, other) = (try #require(resident.home), resident.others[1])
        try realm.write {
            same["home"] = same["home"]
            same["others"] = same["others"]
        }
        expect(!home.isInvalidated && isWhole(home, "Bath") && realm.objects(Resident.self).count == 1)
        expect(!other.isInvalidated && resident.others.count == 2 && isWhole(other, "Hull"))
    }

    @Test func `an embedded object is copied to another property`() throws {
        let (realm, resident, same) = try resident()
        try realm.write {
            same["work"] = same["home"]
            same["home"] = same.dynamicList("others")[0]
        }
        expect(isWhole(resident.work, "Bath") && isWhole(resident.home, "York") && isWhole(resident.others[0], "York"))
        try realm.write { resident.others[0].town = "Leeds" }
        expect(isWhole(resident.home, "York"))
    }

    @Test func `embedded objects are copied in lists and maps`() throws {
        let (realm, resident, same) = try resident()
        try realm.write {
            same.dynamicList("others").append(try #require(same["home"] as? DynamicObject))
            same["byKind"] = ["winter": same.dynamicList("others")[0], "spring": same["home"]]
        }
        expect(resident.others.count == 3 && isWhole(resident.others[2], "Bath") && isWhole(resident.home, "Bath"))
        expectEqual(Set(resident.byKind.keys), ["winter", "spring"])
        expect(isWhole(resident.byKind["winter"] ?? nil, "York") && isWhole(resident.byKind["spring"] ?? nil, "Bath"))
        try realm.write { same["others"] = [same["home"], Self.address("Hove")] }
        expect(
            resident.others.count == 2 && isWhole(resident.others[0], "Bath") && isWhole(resident.others[1], "Hove"))
    }

    @Test func `embedded objects are copied into new dynamic objects`() throws {
        let (realm, resident, same) = try resident()
        let other = try realm.write {
            realm.dynamicCreate("Resident", value: ["name": "Adam", "home": same["home"], "others": same["others"]])
        }
        let adam = try #require(realm.object(ofType: Resident.self, forPrimaryKey: "Adam"))
        expect(other.isSameObject(as: adam) && isWhole(adam.home, "Bath") && isWhole(resident.home, "Bath"))
        expect(adam.others.count == 2 && isWhole(adam.others[1], "Hull") && resident.others.count == 2)
    }

    @Test func `migrations move embedded objects between properties`() throws {
        let file = TestRealm(Self.models)
        try {
            let realm = try file.open()
            try realm.write {
                _ = realm.create(
                    Resident.self,
                    value: ["name": "Eve", "home": Self.address("Bath"), "others": [Self.address("York")]])
            }
        }()
        file.configuration.schemaVersion = 1
        file.configuration.migrationBlock = { migration, _ in
            migration.enumerateObjects(ofType: "Resident") { old, new in
                new?["work"] = new?["home"]
                new?["home"] = old?.dynamicList("others").first
                new?["others"] = new?["others"]
            }
        }
        let realm = try file.open()
        let eve = try #require(realm.object(ofType: Resident.self, forPrimaryKey: "Eve"))
        expect(isWhole(eve.work, "Bath") && isWhole(eve.home, "York") && eve.others.count == 1)
        expect(isWhole(eve.others.first, "York"))
    }
}
