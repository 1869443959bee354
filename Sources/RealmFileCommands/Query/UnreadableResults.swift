internal import RealmCore
internal import RealmLayout

/// The unreadable parts of a result.
final class UnreadableResults {
    private let table: Table
    /// Properties that cannot be shown because the schema is damaged.
    private let omissions: [FormatError]
    /// Damaged places in the order of their discovery, each with its first object and the number of values lost.
    private var places: [(error: FormatError, count: Int)] = []
    private var count = 0
    private static let mostNamed = 20

    init(_ table: Table) {
        self.table = table
        omissions = table.snapshot.damage.filter { $0.table == table.schema.tableName }
    }

    /// Returns the result of `body`; records damage and returns nil if it fails.
    func reading<Result>(_ body: () throws(FormatError) -> Result) -> Result? {
        do throws(FormatError) {
            return try body()
        } catch {
            note(error.at(table: table.schema.tableName))
            return nil
        }
    }

    /// Records an object that cannot be read.
    func note(_ error: FormatError) {
        count += 1
        let place = places.firstIndex {
            ($0.error.code, $0.error.offset, $0.error.table, $0.error.property)
                == (error.code, error.offset, error.table, error.property)
        }
        if let place {
            places[place].count += 1
        } else if places.count < Self.mostNamed {
            places.append((error, 1))
        }
    }

    /// The objects that a query left out, in words.
    func omittedObjects(_ file: String) -> [String] {
        places.map { place in
            // Damage of several objects at once has no object.
            let objects = place.error.objectKey == nil ? "objects" : counted(place.count, "object")
            return "realmfile: \(file): \(objects) left out, because the query reads this: \(place.error.line)"
        }
    }

    func problems(_ file: String, _ next: Advice?) -> QueryOutput.Problems {
        guard count > 0 || !omissions.isEmpty else { return QueryOutput.Problems() }
        var lines = omissions.map { "realmfile: \(file): left out: \($0.line)" }
        lines += places.map { place in
            let values = place.count > 1 ? " (\(place.count) values)" : ""
            return "realmfile: \(file): cannot be read: \(place.error.line)\(values)"
        }
        let more = count - places.reduce(0) { $0 + $1.count }
        if more > 0 { lines.append("realmfile: \(file): \(count) values cannot be read (\(more) more not shown)") }
        if let next { lines.append("realmfile: \(file): \(next.text)") }
        return QueryOutput.Problems(lines: lines, isDamage: true)
    }
}
