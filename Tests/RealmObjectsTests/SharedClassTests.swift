import Expectations
import RealmObjects
import Testing

class Meter: Object {
    @Persisted var value = 0
    @Persisted var text = ""
    override class func _realmObjectName() -> String? { "Gauge" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

class OtherMeter: Object {
    @Persisted var number = 0
    @Persisted var label = ""
    override class func _realmObjectName() -> String? { "Gauge" }
    override class func propertiesMapping() -> [String: String] { ["number": "value", "label": "text"] }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

class WrongMeter: Object {
    @Persisted var value = ""
    override class func _realmObjectName() -> String? { "Gauge" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

class Drawer: Object {
    @Persisted var things: List<AnyRealmValue>
    @Persisted var bag: MutableSet<AnyRealmValue>
    override class func primaryKey() -> String? { nil }
}

class OldStyle: Object {
    @Persisted var id = 0
    @Persisted var name = ""
    @Persisted var secret = ""
    override class func primaryKey() -> String? { "id" }
    override class func indexedProperties() -> [String] { ["name"] }
    override class func ignoredProperties() -> [String] { ["secret"] }
}

/// Classes that share a table, objects in mixed values, and old-style declarations.
@Suite struct SharedClassTests {
    @Test func `two classes may share one table`() throws {
        let file = TestRealm([Meter.self, OtherMeter.self])
        let realm = try file.open()
        try realm.write { realm.add(Meter(value: ["value": 3, "text": "a"])) }
        let other = try #require(realm.objects(OtherMeter.self).first)
        expect(other.number == 3 && other.label == "a")
        try realm.write { other.number = 4 }
        expectEqual(realm.objects(Meter.self).where { $0.value == 4 }.count, 1)
        try expectEqual(file.verified().classes.map(\.name), ["Gauge"])
        #expect(throws: Realm.Error.self) { try TestRealm([Meter.self, WrongMeter.self]).open() }
    }

    @Test func `objects in mixed values have their class`() throws {
        let file = TestRealm([Meter.self, Drawer.self])
        let realm = try file.open()
        try realm.write {
            let (drawer, meter) = (Drawer(), Meter(value: ["value": 3]))
            realm.add(drawer)
            drawer.things.append(objectsIn: [.int(1), .object(meter), .double(2.5)])
            drawer.bag.insert(.object(meter))
            expectEqual(drawer.things.index(of: .object(meter)), 1)
            expect(drawer.bag.contains(.object(meter)))
        }
        let things = realm.objects(Drawer.self)[0].things
        guard case .object(let object) = things[1] else {
            Issue.record("no object")
            return
        }
        expectEqual((object as? Meter)?.value, 3)
        expectEqual(things[1].dynamicObject?["value"] as? Int, 3)
        // Links come after all other values.
        expect(things.sum() == .decimal128(3.5) && things.min() == .int(1))
        expectEqual(things.max()?.dynamicObject?.isSameObject(as: things[1].dynamicObject), true)
    }

    @Test func `classes are found by name`() throws {
        let file = TestRealm([OldStyle.self])
        let realm = try file.open()
        try realm.write { realm.add(OldStyle(value: ["id": 7, "name": "a"])) }
        let found = try #require(realm.object(ofType: OldStyle.self, forPrimaryKey: 7))
        expect(found.name == "a" && found.objectSchema.properties.map(\.name) == ["id", "name"])
        expect(OldStyle.sharedSchema()?["name"]?.isIndexed == true && Object.sharedSchema() == nil)
        try expectEqual(file.verified().classes.first?.schema.primaryKeyName, "id")
    }
}
