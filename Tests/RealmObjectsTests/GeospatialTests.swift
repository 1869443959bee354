import Expectations
import RealmObjects
import Testing

class Spot: EmbeddedObject {
    @Persisted var coordinates: List<Double>
    @Persisted var type: String = "Point"

    convenience init(_ latitude: Double, _ longitude: Double) {
        self.init()
        coordinates.append(objectsIn: [longitude, latitude])
    }
}

class Cafe: Object {
    @Persisted var name: String
    @Persisted var spot: Spot?
    @Persisted var branches: List<CafeBranch>

    convenience init(_ name: String, _ spot: Spot?) {
        self.init()
        self.name = name
        self.spot = spot
    }
}

class CafeBranch: Object {
    @Persisted var spot: Spot?
}

/// Shapes in typed queries find the same objects as the same shapes in a query text.
@Suite struct GeospatialTests {
    private static func withCafes(_ body: (Realm) throws -> Void) throws {
        let file = TestRealm([Cafe.self, Spot.self, CafeBranch.self])
        let realm = try file.open()
        try realm.write {
            realm.add(Cafe("Oslo", Spot(59.91, 10.75)))
            realm.add(Cafe("Bergen", Spot(60.39, 5.32)))
            realm.add(Cafe("Paris", Spot(48.86, 2.35)))
            realm.add(Cafe("Quito", Spot(-0.18, -78.47)))
            realm.add(Cafe("Nowhere", nil))
            let noPoint = Spot(59.91, 10.75)
            noPoint.type = "Polygon"
            realm.add(Cafe("Area", noPoint))
        }
        try body(realm)
    }

    private static func check<U: RLMGeospatial>(_ shape: U, _ text: String, _ names: [String]) throws {
        try withCafes { realm in
            let cafes = realm.objects(Cafe.self)
            expectEqual(cafes.where { $0.spot.geoWithin(shape) }.map(\.name), names, "\(text)")
            expectEqual(cafes.filter("spot GEOWITHIN \(text)").map(\.name), names, "\(text)")
            expectEqual(cafes.filter("spot IN %@", shape).map(\.name), names, "\(text)")
            expectEqual(cafes.filter("spot GEOWITHIN $0", shape).map(\.name), names, "\(text)")
            let others = cafes.where { !$0.spot.geoWithin(shape) && $0.name != "Nowhere" }
            expect(Set(others.map(\.name)).isDisjoint(with: names), "\(text)")
            expectEqual(others.count, 5 - names.count)
        }
    }

    @Test func `places in boxes are found`() throws {
        try Self.check(
            try #require(GeoBox(bottomLeft: (55, 4), topRight: (62, 12))), "geoBox([4, 55], [12, 62])",
            ["Oslo", "Bergen"])
        try Self.check(
            GeoBox(
                bottomLeft: try #require(GeoPoint(latitude: -10, longitude: -90)),
                topRight: try #require(GeoPoint(latitude: 10, longitude: -70, altitude: 9))),
            "geoBox([-90, -10], [-70, 10, 9])", ["Quito"])
    }

    @Test func `places in circles are found`() throws {
        let radius = try #require(Distance.kilometers(400))
        try Self.check(
            try #require(GeoCircle(center: (59.91, 10.75), radius: radius)),
            "geoCircle([10.75, 59.91], \(radius.radians))", ["Oslo", "Bergen"])
        try Self.check(
            try #require(GeoCircle(center: (48, 2), radiusInRadians: 0.02)), "geoCircle([2, 48], 0.02)", ["Paris"])
    }

    @Test func `places in polygons are found`() throws {
        try Self.check(
            try #require(GeoPolygon(outerRing: [(40, -5), (40, 20), (65, 20), (65, -5), (40, -5)])),
            "geoPolygon({[-5, 40], [20, 40], [20, 65], [-5, 65], [-5, 40]})", ["Oslo", "Bergen", "Paris"])
        try Self.check(
            try #require(
                GeoPolygon(
                    outerRing: [(40, -5), (40, 20), (65, 20), (65, -5), (40, -5)],
                    holes: [[(59, 10), (59, 11), (61, 11), (61, 10), (59, 10)]])),
            "geoPolygon({[-5, 40], [20, 40], [20, 65], [-5, 65], [-5, 40]}, "
                + "{[10, 59], [11, 59], [11, 61], [10, 61], [10, 59]})",
            ["Bergen", "Paris"])
    }

    @Test func `places of linked objects are found`() throws {
        try Self.withCafes { realm in
            let cafes = realm.objects(Cafe.self)
            try realm.write {
                let branch = CafeBranch()
                branch.spot = Spot(48.9, 2.3)
                cafes[1].branches.append(branch)
            }
            let shape = try #require(GeoCircle(center: (48, 2), radiusInRadians: 0.02))
            expectEqual(cafes.where { $0.branches.spot.geoWithin(shape) }.map(\.name), ["Bergen"])
            expectEqual(cafes.where { ($0.branches.spot.geoWithin(shape)).count == 1 }.map(\.name), ["Bergen"])
            expectEqual(cafes.where { $0.name == "Oslo" || $0.branches.spot.geoWithin(shape) }.count, 2)
        }
    }

    @Test func `coordinates outside the earth are nil`() {
        expect(GeoPoint(latitude: 90, longitude: -180) != nil)
        expectEqual(GeoPoint(latitude: 90.0001, longitude: 0), nil)
        expectEqual(GeoPoint(latitude: 0, longitude: -180.0001), nil)
        expectEqual(GeoPoint(latitude: .nan, longitude: 0), nil)
        expectEqual(GeoPoint(latitude: 0, longitude: 0, altitude: -1), nil)
        expectEqual(GeoBox(bottomLeft: (-91, 0), topRight: (0, 0)), nil)
        expectEqual(GeoCircle(center: (0, 0), radiusInRadians: -1), nil)
        expectEqual(GeoCircle(center: (0, 0), radiusInRadians: .nan), nil)
        expectEqual(Distance.miles(-1), nil)
        expectEqual(Distance.degrees(.nan), nil)
        expectEqual(GeoPolygon(outerRing: [(0, 0), (1, 1), (0, 0)]), nil)
        expectEqual(GeoPolygon(outerRing: [(0, 0), (1, 1), (2, 0), (3, 3)]), nil)
        expectEqual(GeoPolygon(outerRing: [(0, 0), (1, 1), (2, 0), (0, 0)], holes: [[(0, 0)]]), nil)
        expectEqual(
            GeoPolygon(outerRing: [(0, 0), (1, 1), (2, 0), (0, 0)], holes: [(0, 0), (1, 1), (2, 0), (99, 0)]), nil)
        expectEqual(GeoPolygon(outerRing: [(0, 0), (1, 1), (2, 0), (0, 0)])?.outerRing.count, 4)
    }

    @Test func `distances support all units`() throws {
        expect(abs(try #require(Distance.kilometers(6378.1)).radians - 1) < 1e-12)
        expect(abs(try #require(Distance.degrees(180)).radians - .pi) < 1e-12)
        expect(abs(try #require(Distance.miles(24901)).asKilometers() - 40074.3) < 1)
        try expectEqual(#require(Distance.radians(2)).asDegrees(), 2 * 180 / .pi)
    }
}
