import Expectations
import Foundation
import RealmObjects
import Testing

/// Custom types stored as embedded objects or numbers, used where only the stored type is known; and embedded objects
/// assigned to themselves.
@Suite struct CustomEmbeddedTests {
    final class StoredPoint: EmbeddedObject {
        @Persisted var x = 0
        @Persisted var y = 0
    }

    struct Point: CustomPersistable, Hashable {
        var (x, y): (Int, Int)
        init(_ x: Int, _ y: Int) { (self.x, self.y) = (x, y) }
        init(persistedValue: StoredPoint) { self.init(persistedValue.x, persistedValue.y) }
        var persistableValue: StoredPoint { StoredPoint(value: [x, y]) }
        static func == (left: Point, right: Point) -> Bool { (left.x, left.y) == (right.x, right.y) }
        func hash(into hasher: inout Hasher) { hasher.combine(x) }
    }

    struct Grams: CustomPersistable {
        var grams: Int
        var persistableValue: Int { grams }
        init(persistedValue: Int) { grams = persistedValue }
    }

    final class Trip: Object {
        @Persisted(primaryKey: true) var id = 1
        @Persisted var start = Point(0, 0)
        @Persisted var stops: List<Point>
        @Persisted var named: Map<String, Point?>
        @Persisted var load = Grams(persistedValue: 5)
        @Persisted var loads: List<Grams>
        @Persisted var byName: Map<String, Grams>
        @Persisted var small: Int8 = 1
        @Persisted var end: StoredPoint?
        @Persisted var ends: List<StoredPoint>
        @Persisted var endsByName: Map<String, StoredPoint?>
    }

    private func trip(_ start: Int, _ stops: [Int], _ named: [String: Int]) -> Trip {
        let trip = Trip()
        trip.start = Point(start, 1)
        trip.stops.append(objectsIn: stops.map { Point($0, 2) })
        for (name, x) in named { trip.named[name] = Point(x, 3) }
        return trip
    }

    private func open() throws -> (TestRealm, Realm) {
        let file = TestRealm([Trip.self, StoredPoint.self])
        return (file, try file.open())
    }

    @Test func `the modified policy sets new values in embedded objects`() throws {
        let (file, realm) = try open()
        try realm.write { realm.add(trip(1, [2, 3, 4], ["a": 5, "b": 6])) }
        let found = try #require(realm.objects(Trip.self).first)
        for (stops, named) in [([12, 13], ["b": 16, "c": 17]), ([22, 23, 24], ["a": 25])] {
            try realm.write { realm.add(trip(stops[0] - 1, stops, named), update: .modified) }
            expect(
                found.start == Point(stops[0] - 1, 1) && found.stops.map(\.x) == stops
                    && found.stops.allSatisfy { $0.y == 2 })
            for (name, x) in named { expectEqual(found.named[name], Point(x, 3)) }
        }
        // A dictionary keeps its content.
        expect(found.named.keys == ["a", "b", "c"] && found.named["b"] == Point(16, 3))
        try expectEqual(file.verified().table(named: "StoredPoint").count, 1 + 3 + 3)
    }

    @Test func `an embedded object that is set to itself is unchanged`() throws {
        let (file, realm) = try open()
        let trip = Trip()
        (trip.end, trip.endsByName["k"]) = (StoredPoint(value: [1, 2]), StoredPoint(value: [3, 4]))
        trip.ends.append(objectsIn: [StoredPoint(value: [5, 6]), StoredPoint(value: [7, 8])])
        try realm.write { realm.add(trip) }
        let (end, named) = (try #require(trip.end), try #require(trip.endsByName["k"] ?? nil))
        let (first, second) = (trip.ends[0], trip.ends[1])
        try realm.write {
            trip.end = end
            trip.setValue(trip.end, forKey: "end")
            trip["end"] = realm.objects(Trip.self).first?.end
            trip.ends[0] = first
            trip.ends.replace(index: 1, object: second)
            trip.endsByName["k"] = named
            end.x = 10
            (first.x, second.x, named.x) = (50, 70, 30)
        }
        expect(trip.end?.x == 10 && trip.ends.map(\.x) == [50, 70] && trip.endsByName["k"]??.x == 30)
        expect([end, first, second, named].allSatisfy { !$0.isInvalidated })
        // Elsewhere, it is another object with the same values.
        try realm.write {
            trip.ends[1] = first
            trip.endsByName["l"] = end
        }
        expect(
            trip.ends.map(\.x) == [50, 50] && trip.endsByName["l"]??.x == 10 && second.isInvalidated
                && !first.isInvalidated)
        try expectEqual(file.verified().table(named: "StoredPoint").count, 6)
    }

    @Test func `values of custom types are the stored values if no type is known`() throws {
        let (_, realm) = try open()
        let trip = self.trip(1, [2], [:])
        trip.loads.append(Grams(persistedValue: 6))
        trip.byName["k"] = Grams(persistedValue: 7)
        func check() {
            expect(trip["load"] as? Int == 5 && trip.value(forKey: "load") as? Int == 5)
            expect(trip.loads.value(forKey: "self") as? [Int] == [6] && trip.byName.value(forKey: "k") as? Int == 7)
            expectEqual((trip["start"] as? StoredPoint)?.x, 1)
            expect(trip.description.contains("load = 5;"))
        }
        check()
        try realm.write { realm.add(trip) }
        check()
        let copy = Trip(value: trip)
        expect(
            copy.load.grams == 5 && copy.start == Point(1, 1) && copy.stops.map(\.x) == [2]
                && copy.byName["k"]?.grams == 7)
    }

    @Test func `old and new values of changes have the same types`() throws {
        let queue = try QueueRealm([Trip.self, StoredPoint.self])
        try queue { realm in
            let trip = self.trip(1, [], [:])
            try realm.write { realm.add(trip) }
            queue.keep(
                trip.observe { (change: ObjectChange<Trip>) in
                    guard case .change(_, let changes) = change else { return }
                    for change in changes.sorted(by: { $0.name < $1.name }) {
                        let types = [change.oldValue, change.newValue].map {
                            $0.map { "\(type(of: $0)) \($0)" } ?? "nil"
                        }
                        queue.told.append("\(change.name): \(types[0]), \(types[1])")
                    }
                })
        }
        try queue.elsewhere { realm in
            let trip = realm.objects(Trip.self)[0]
            try realm.write { (trip.small, trip.load) = (2, Grams(persistedValue: 9)) }
        }
        expectEqual(queue.heard(), ["load: Int 5, Int 9", "small: Int8 1, Int8 2"])
    }
}
