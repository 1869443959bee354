import Expectations
import Foundation
import RealmObjects
import Testing

/// Uses of Foundation objects in apps, and misuse that the compiler does not detect.
@Suite struct AppHabitTests {
    struct Point: CustomPersistable {
        var x = 0
        var persistableValue: StoredPoint { StoredPoint(value: [x]) }
        init(persistedValue: StoredPoint) { x = persistedValue.x }
    }

    final class StoredPoint: EmbeddedObject {
        @Persisted var x = 0
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Place: RealmSwiftObject {
        @Persisted var name = ""
        @Persisted var height: Int?
        @Persisted var point: Point
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    @Test func `properties are read and set as a dictionary`() throws {
        let place = Place()
        place.setValuesForKeys(["name": "Ben", "height": 1344])
        expect(place.name == "Ben" && place.height == 1344)
        place.setValuesForKeys(["height": NSNull()])
        let values = place.dictionaryWithValues(forKeys: ["name", "height"])
        expect(values.count == 2 && values["name"] as? String == "Ben" && values["height"] != nil)
        let json = try JSONSerialization.data(withJSONObject: values, options: .sortedKeys)
        expectEqual(String(decoding: json, as: UTF8.self), #"{"height":null,"name":"Ben"}"#)
    }

    @Test func `an average that does not fit its type ends the program`() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try Realm(
                configuration: Realm.Configuration(
                    inMemoryIdentifier: "average", objectTypes: [Place.self, StoredPoint.self]))
            try realm.write { for height in [1, 2] { realm.add(Place(value: ["height": height])) } }
            precondition(realm.objects(Place.self).average(ofProperty: "height") as Double? == 1.5)
            _ = realm.objects(Place.self).average(ofProperty: "height") as Int?
        }
        let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        expect(said.contains("Could not convert value '1.5' to type 'Int'."), "\(said)")
    }

    @Test func `a query for a property of a type without properties ends the program`() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try Realm(
                configuration: Realm.Configuration(
                    inMemoryIdentifier: "point", objectTypes: [Place.self, StoredPoint.self]))
            precondition(realm.objects(Place.self).where { $0.point.persistableValue.x == 9 }.isEmpty)
            _ = realm.objects(Place.self).where { $0.point.x == 9 }
        }
        let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        expect(said.contains("'Point' has no properties that can be asked for"), "\(said)")
    }

    @Test func `a path is reported once`() throws {
        let file = TestRealm([])
        file.configuration.readOnly = true
        let error = try #require(#expect(throws: Realm.Error.self) { try file.open() })
        expectEqual(error.message.components(separatedBy: file.path).count, 2, "\(error.message)")
    }
}
