import Expectations
import Foundation
import RealmObjects
import Testing

/// Numbers of dynamic objects, which apps cast to the types of their properties, as with Objective-C numbers.
@Suite struct NumberCastTests {
    final class Meter: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var size: Int64 = 0
        @Persisted var small: Int8?
        @Persisted var isRead = false
        @Persisted var weight = 0.0
        @Persisted var ratio: Float = 0
        @Persisted var text = ""
        @Persisted var next: Meter?
    }

    private func meter() throws -> Realm {
        let realm = try TestRealm([Meter.self]).open()
        try realm.write {
            let meter = realm.create(
                Meter.self,
                value: ["id": 1, "size": 1 << 40, "small": 5, "isRead": true, "weight": 2.5, "ratio": 0.5, "text": "t"])
            meter.next = meter
        }
        return realm
    }

    private func expectNumbers(_ old: MigrationObject) {
        expect(old["size"] as? Int64 == 1 << 40 && old["size"] as? Int == 1 << 40 && old["size"] as? Int32 == nil)
        expect(
            old["small"] as? Int8 == 5 && old["small"] as? UInt == 5 && (old["small"] as? NSNumber)?.doubleValue == 5)
        expect(old["isRead"] as? Bool == true && (old["isRead"] as? NSNumber)?.boolValue == true)
        expect(old["weight"] as? Double == 2.5 && old["ratio"] as? Float == 0.5 && old["ratio"] as? Double == 0.5)
        expect(old["text"] as? String == "t" && old.value(forKey: "size") as? Int64 == 1 << 40)
        expect(old.value(forKeyPath: "next.size") as? UInt64 == 1 << 40 && old.small as? Int16 == 5)
        expectEqual((old["next"] as? MigrationObject)?["id"] as? Int32, 1)
    }

    @Test func `numbers are cast to any type with enough room`() throws {
        let realm = try meter()
        let dynamic = try #require(realm.dynamicObject(ofType: "Meter", forPrimaryKey: 1))
        expectNumbers(dynamic)
        try realm.write {
            for name in ["size", "small", "isRead", "weight", "ratio"] { dynamic[name] = dynamic[name] }
            dynamic["weight"] = dynamic["small"]
            dynamic["small"] = dynamic["isRead"]
        }
        let meter = try #require(realm.objects(Meter.self).first)
        expect(meter.size == 1 << 40 && meter.isRead && meter.weight == 5 && meter.small == 1 && meter.ratio == 0.5)
        expect(
            meter["size"] is Int64 && meter["small"] as? Int8 == 1, "of the program's classes they are of its types")
    }

    @Test func `numbers are cast in migrations`() throws {
        let file = TestRealm([Meter.self])
        do {
            let realm = try file.open()
            try realm.write {
                let values: [String: Any] = [
                    "id": 1, "size": 1 << 40, "small": 5, "isRead": true, "weight": 2.5, "ratio": 0.5,
                ]
                realm.create(Meter.self, value: values.merging(["text": "t", "next": ["id": 1]]) { $1 }, update: .all)
            }
        }
        file.configuration.schemaVersion = 1
        file.configuration.migrationBlock = { migration, _ in
            migration.enumerateObjects(ofType: "Meter") { old, new in
                if let old { expectNumbers(old) }
                new?["small"] = old?["isRead"]
            }
        }
        try expectEqual(file.open().objects(Meter.self).first?.small, 1)
    }
}
