import Expectations
import RealmCore
import RealmLayout
import RealmQuery
import RealmStorage
import Testing

/// GEOWITHIN: refused queries, and shapes as arguments. `QueryTruthTests` compare results with Realm Core.
@Suite struct PlaceTests {
    private static func places() throws -> Table {
        try RealmDatabase(bytes: TruthFile.places.build()).snapshot().table(named: "Place")
    }

    @Test(
        arguments: [
            (
                "_id GEOWITHIN geoCircle([1, 1], 1)",
                "GEOWITHIN needs embedded objects with a point of GeoJSON; '_id' leads to none"
            ),
            (
                "loose GEOWITHIN geoCircle([1, 1], 1)",
                "GEOWITHIN needs embedded objects with a point of GeoJSON; 'loose' leads to none"
            ),
            (
                "other GEOWITHIN geoCircle([1, 1], 1)",
                "'Other', to which 'other' leads, has no string 'type' and list of doubles"
            ),
            ("location GEOWITHIN geoCircle([1, 1], $0)", "the query has an argument $0, but none was given"),
            ("location GEOWITHIN geoCircle([1, 91], 1)", "[1.0, 91.0] is not on the earth"),
            ("location GEOWITHIN geoBox([181, 1], [1, 2])", "[181.0, 1.0] is not on the earth"),
            ("location GEOWITHIN geoCircle([1, 1], -1.5)", "the radius of a circle is not negative, as -1.5 is"),
            ("location GEOWITHIN geoBox([1, 1], [1, 2])", "ring 0 has 2 different corners; it needs 3"),
            (
                "location GEOWITHIN geoPolygon({[0, 0], [1, 0], [1, 1]})",
                "ring 0 is not closed: it begins with [0.0, 0.0] and ends with [1.0, 1.0]"
            ),
            (
                "location GEOWITHIN geoPolygon({[0, 0], [0, 1], [2, 1], [2, 2], [0, 0]})",
                "ring 0 crosses itself: its edges 1 and 3 do"
            ),
            (
                "location GEOWITHIN geoPolygon({[0, 0], [2, 0], [1, 1], [2, 2], [0, 2], [1, 1], [0, 0]})",
                "ring 0 comes twice to one place: its corners 2 and 5 are the same"
            ),
            (
                "location GEOWITHIN geoPolygon({[0, 0], [1, 0], [1, 1], [0, 0]}, {[0, 0], [1, 0], [1, 1], [0, 0]})",
                "rings 0 and 1 have an edge in common"
            ),
            (
                "location GEOWITHIN geoPolygon({[0, 0], [3, 0], [3, 3], [0, 3], [0, 0]}, {[4, 4], [5, 4], [5, 5], [4, 4]})",
                "ring 1 is not in the first one"
            ),
            (
                "location GEOWITHIN geoPolygon({[0, 0], [9, 0], [9, 9], [0, 9], [0, 0]}, {[1, 1], [8, 1], [8, 8], [1, 1]}, {[5, 2], [7, 2], [7, 4], [5, 2]})",
                "a hole cannot be in another"
            ),
            (
                "location GEOWITHIN geoPolygon({[0, 0], [9, 0], [9, 9], [0, 9], [0, 0]}, {[1, 1], [8, 1], [8, 8], [1, 1]}, {[5, 0.5], [7, 0.5], [7, 4], [5, 0.5]})",
                "rings 1 and 2 cross"
            ),
        ] as [(String, String)])
    func `invalid shapes and places are reported`(_ query: String, _ message: String) throws {
        let table = try Self.places()
        do throws(QueryError) {
            _ = try table.objects(matching: query)
            Issue.record("\(query) is a query")
        } catch {
            expect(error.description.contains(message), "\(error)")
        }
    }

    @Test func `shapes and their numbers can be arguments`() throws {
        let table = try Self.places()
        let expected = try table.objects(matching: "location GEOWITHIN geoCircle([1, 1.5], 0.02)").keys
        expect(expected.count > 5)
        try expectEqual(
            table.objects(matching: "location GEOWITHIN geoCircle([$0, $1], $2)", 1, 1.5, 0.02).keys, expected)
        let text: QueryArgument = "geoCircle([1, 1.5], 0.02)"
        try expectEqual(table.objects(matching: "location GEOWITHIN $0", text).keys, expected)
        let shape = QueryArgument.shape(
            .circle(GeoPosition(longitude: .number(1), latitude: .number(1.5)), radius: .number(0.02)))
        try expectEqual(table.objects(matching: "location GEOWITHIN $0", shape).keys, expected)
        for argument: QueryArgument in [nil, 1, "Point", "$0", .list([]), "geoCircle([1, 1], 1) x"] {
            #expect(throws: QueryError.self) { try table.objects(matching: "location GEOWITHIN $0", argument) }
        }
        #expect(throws: QueryError.self) {
            try table.objects(matching: "location GEOWITHIN geoCircle([$0, 1], 1)", "x")
        }
        #expect(throws: QueryError.self) { try table.objects(matching: "name == $0", shape) }
    }

    /// Core crashes on this query.
    @Test func `the object of a subquery can be a place`() throws {
        let table = try Self.places()
        let found = try table.objects(matching: "SUBQUERY(stops, $p, $p GEOWITHIN geoCircle([1, 1], 0.1)).@count > 0")
        try expectEqual(found.keys, table.objects(matching: "ANY stops GEOWITHIN geoCircle([1, 1], 0.1)").keys)
        expect(found.count > 5)
    }

    @Test func `a polygon with too many corners is refused, one with some thousands is fast`() throws {
        let table = try Self.places()
        func ring(_ count: Int) -> GeoShape {
            let corners = (0..<count).map { number in
                let (side, place) = (number * 4 / count, Double(number * 4 % count) / Double(count))
                let (x, y) = [(place, 0), (1, place), (1 - place, 1), (0, 1 - place)][side]
                return GeoPosition(longitude: .number(x * 2 + 0.1), latitude: .number(y * 2 + 0.1))
            }
            return .polygon([corners + corners.prefix(1)])
        }
        let square = try table.objects(
            matching: "location GEOWITHIN geoPolygon({[0.1, 0.1], [2.1, 0.1], [2.1, 2.1], [0.1, 2.1], [0.1, 0.1]})")
        try expectEqual(table.objects(matching: "location GEOWITHIN $0", .shape(ring(2000))).count, square.count)
        #expect(throws: QueryError.self) { try table.objects(matching: "location GEOWITHIN $0", .shape(ring(30_000))) }
    }
}
