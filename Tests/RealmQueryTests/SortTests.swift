import Expectations
import RealmCore
import RealmLayout
import RealmQuery
import RealmStore
import TestSupport
import Testing
import WriterTestSupport

/// Lists long enough to be sorted in parts, compared with the order of Swift's sort.
@Suite struct SortTests {
    private static let schema = SchemaDefinition([
        TableDefinition(
            class: "Row",
            [
                PropertyDefinition("name", .string, isNullable: true),
                PropertyDefinition("number", .double, isNullable: true), PropertyDefinition("time", .timestamp),
                PropertyDefinition("twin", .int), PropertyDefinition("place", .int),
            ])
    ])

    private struct Row {
        let name: String?
        let number: Double?
        let time: Int64
        let twin: Int64
    }

    private static let rows: [Row] = {
        var state: UInt64 = 7
        func random(_ most: UInt64) -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (state >> 33) % most
        }
        // Common prefixes, and texts that differ after the bytes of two words.
        let beginnings = ["", "a", "shelf ", "a beginning that is longer than two words of a text ", "zz\u{1F600}"]
        let numbers: [Double?] = [nil, .nan, -.infinity, .infinity, 0, -0.0, 1e-300, -5]
        return (0..<66_000).map { _ in
            let name = beginnings[Int(random(5))] + (random(3) == 0 ? "" : "\(random(20_000))")
            let number = random(20) == 0 ? numbers[Int(random(8))] : Double(random(1_000_000)) / 1000 - 100
            return Row(
                name: random(50) == 0 ? nil : name, number: number, time: Int64(random(4)) - 2,
                twin: Int64(random(30_000)))
        }
    }()

    private static func table() throws -> Table {
        let folder = try TemporaryFolder()
        let builder = try RealmBuilder(schema, at: NewFile(folder.file("rows.realm")))
        for (place, row) in rows.enumerated() {
            var values: [String: NewValue] = ["twin": .int(row.twin), "place": .int(Int64(place))]
            values["name"] = row.name.map { .string($0) } ?? .null
            values["number"] = row.number.map { .double($0) } ?? .null
            // Seconds that most rows share, so that nanoseconds decide.
            let time = Timestamp(seconds: row.time, nanoseconds: (row.time < 0 ? -1 : 1) * row.twin)
            values["time"] = time.map { .timestamp($0) } ?? .null
            try builder.add("Row", values)
        }
        try builder.finish()
        return try RealmDatabase(path: folder.file("rows.realm")).snapshot().table(named: "Row")
    }

    /// The order: null first, then NaN.
    private static func rank(_ number: Double?) -> (Int, Double) {
        guard let number else { return (0, 0) }
        return number.isNaN ? (1, 0) : (2, number)
    }

    private static func isBefore(_ property: String, _ left: Row, _ right: Row) -> Bool {
        switch property {
        case "name":
            guard let rightName = right.name else { return false }
            return left.name.map { $0.utf8.lexicographicallyPrecedes(rightName.utf8) } ?? true
        case "number": return rank(left.number) < rank(right.number)
        case "time":
            let twins = left.time < 0 ? (-left.twin, -right.twin) : (left.twin, right.twin)
            return (left.time, twins.0) < (right.time, twins.1)
        default: return left.twin < right.twin
        }
    }

    @Test func `long lists are sorted by each type, in both directions, by one task and by several`() async throws {
        let table = try Self.table()
        // Objects are in the order of their keys, not of their creation.
        let place = try table.property("place", as: Int.self)
        var places: [ObjectKey: Int] = [:]
        var rows: [Int] = []
        var cursor = table.objects
        while let object = try cursor.next() {
            rows.append(try object[place])
            places[object.key] = rows[rows.count - 1]
        }
        for property in ["name", "number", "time", "twin"] {
            // Rows with equal values have the same rank, and keep their order.
            let ascending = Self.rows.indices.sorted { Self.isBefore(property, Self.rows[$0], Self.rows[$1]) }
            var ranks = [Int](repeating: 0, count: rows.count)
            for (last, next) in zip(ascending, ascending.dropFirst()) {
                ranks[next] = ranks[last] + (Self.isBefore(property, Self.rows[last], Self.rows[next]) ? 1 : 0)
            }
            for isAscending in [true, false] {
                let keys = rows.enumerated().map { (isAscending ? ranks[$1] : -ranks[$1]) * rows.count + $0 }
                let order = keys.sorted().map { ($0 % rows.count + rows.count) % rows.count }
                let expected = order.map { rows[$0] }
                let text = "SORT(\(property) \(isAscending ? "ASC" : "DESC"))"
                let some = expected.filter { Self.rows[$0].twin > 20000 }.prefix(9000)
                for jobs in 1...3 {
                    let all = try await table.objects(matching: ObjectQuery("TRUEPREDICATE \(text)"), jobs: jobs).keys
                    let first = all.map { places[$0] ?? -1 }.enumerated().first { $1 != expected[$0] }?.offset
                    expect(first == nil && all.count == expected.count, "\(text), \(jobs) tasks")
                    let query = try ObjectQuery("twin > 20000 \(text) LIMIT(9000)")
                    let found = try await table.objects(matching: query, jobs: jobs).keys.map { places[$0] ?? -1 }
                    let areTheSame = found == Array(some)
                    expect(areTheSame, "\(query), \(jobs) tasks")
                }
            }
        }
    }
}
