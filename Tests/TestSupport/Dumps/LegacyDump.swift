package import Foundation

/// The content of a file of formats 2 to 9 as listed by Realm Core 5, without an upgrade (`Fixtures/README.md`).
///
/// Types and values are those of the reader: an old date is a timestamp, a subtable with one column is a list of
/// values, and one with several columns is a list of dictionaries.
package struct LegacyDump: Sendable {
    package var tables: [Table] = []

    package struct Table: Sendable {
        package let name: String
        package var columns: [Column]
        package let size: Int
        package var rows: [[DumpValue]] = []
    }

    package struct Column: Hashable, Sendable {
        package let name: String
        package let type: String
        package let isNullable: Bool
        package let isIndexed: Bool
        /// The columns of a subtable that is not a list of values.
        package let subtable: [Column]
    }

    /// Reads a dump made by Realm Core 5.
    package init(contentsOf url: URL) throws {
        for line in try unpackedBytes(of: url).split(separator: UInt8(ascii: "\n")) {
            let members = try JSON(parsing: Array(line)).members()
            if members[optional: "table"] != nil {
                tables.append(
                    Table(
                        name: try members[required: "table"].string(),
                        columns: try members[required: "columns"].elements().map { try Column($0.members()) },
                        size: Int(try members[required: "size"].int())))
            } else {
                guard let last = tables.indices.last, try members[required: "t"].string() == tables[last].name,
                    Int(try members[required: "r"].int()) == tables[last].rows.count
                else { throw TestSupportError("a row outside of its table") }
                tables[last].rows.append(
                    try DumpValue.row(members[required: "v"].members(), columns: tables[last].columns))
            }
        }
        for table in tables where table.rows.count != table.size {
            throw TestSupportError("\(table.rows.count) rows of \(table.name), expected \(table.size)")
        }
    }

    /// Removes helpers of upgrades: tables, and columns of object numbers.
    package mutating func removeHelpers() {
        tables.removeAll { ["pk", "!UPDATE_PROGRESS"].contains($0.name) }
        for index in tables.indices {
            guard let column = tables[index].columns.firstIndex(where: { $0.name == "!OID" }) else { continue }
            tables[index].columns.remove(at: column)
            for row in tables[index].rows.indices { tables[index].rows[row].remove(at: column) }
        }
    }

    /// Returns at most `limit` descriptions of differences between `found` and this dump.
    package func differences(to found: LegacyDump, limit: Int = 5) -> [String] {
        var differences: [String] = []
        func check<T: Equatable>(_ place: String, _ expected: T, _ actual: T) {
            if expected != actual { differences.append("\(place): expected \(expected), found \(actual)") }
        }
        check("tables", tables.map(\.name), found.tables.map(\.name))
        for (expected, actual) in zip(tables, found.tables) where differences.count < limit {
            check("\(expected.name): columns", expected.columns, actual.columns)
            check("\(expected.name): size", expected.size, actual.size)
            check("\(expected.name): rows", expected.rows.count, actual.rows.count)
            for (row, (values, actualValues)) in zip(expected.rows, actual.rows).enumerated()
            where values != actualValues && differences.count < limit {
                check("\(expected.name), row \(row)", values.count, actualValues.count)
                for (column, (value, actualValue)) in zip(values, actualValues).enumerated() {
                    check("\(expected.name).\(expected.columns[column].name), row \(row)", value, actualValue)
                }
            }
        }
        return Array(differences.prefix(limit))
    }
}

extension LegacyDump.Column {
    fileprivate init(_ members: [JSON.Member]) throws {
        let subtable = try members[optional: "sub"]?.elements().map { try LegacyDump.Column($0.members()) } ?? []
        let name = try members[required: "name"].string()
        let isIndexed = try members[required: "index"].bool()
        let type = try members[required: "type"].string()
        let isNullable = try members[required: "nullable"].bool()
        switch type {
        case "table" where subtable.count == 1 && subtable[0].type != "list of embedded objects":
            self.init(
                name: name, type: "list of \(subtable[0].type)", isNullable: subtable[0].isNullable,
                isIndexed: isIndexed, subtable: [])
        case "table":
            self.init(
                name: name, type: "list of embedded objects", isNullable: false, isIndexed: isIndexed,
                subtable: subtable)
        case "olddatetime":
            self.init(name: name, type: "timestamp", isNullable: isNullable, isIndexed: isIndexed, subtable: [])
        case "oldmixed":
            self.init(name: name, type: "mixed", isNullable: isNullable, isIndexed: isIndexed, subtable: [])
        case "link":
            // Links are always nullable; the attribute in old files has no meaning.
            self.init(name: name, type: "link", isNullable: true, isIndexed: isIndexed, subtable: [])
        case "linklist":
            self.init(name: name, type: "list of link", isNullable: false, isIndexed: isIndexed, subtable: [])
        default:
            self.init(name: name, type: type, isNullable: isNullable, isIndexed: isIndexed, subtable: [])
        }
    }
}

extension DumpValue {
    fileprivate static func row(
        _ members: [JSON.Member], columns: [LegacyDump.Column]
    ) throws -> [DumpValue] {
        guard members.map(\.name) == columns.map(\.name) else {
            throw TestSupportError("values of \(members.map(\.name)), expected \(columns.map(\.name))")
        }
        return try zip(members, columns).map { try DumpValue(legacy: $0.value, $1) }
    }

    private init(legacy json: JSON, _ column: LegacyDump.Column) throws {
        guard json != .null else {
            self = .null
            return
        }
        let parts = try json.elements()
        switch try parts[0].string() {
        case "odt":
            self = .plain("ts", try parts[1].bytes() + Array(" 0".utf8))
        case "s#fnv", "b#fnv":
            let tag = String(try parts[0].string().prefix(2))
            self = .plain(tag, Array("\(try parts[1].int()) ".utf8) + (try parts[2].bytes()))
        case "T":
            let rows = try parts[1].elements().map { try $0.members() }
            if column.type.hasPrefix("list of "), column.subtable.isEmpty {
                self = .list(try rows.map { try DumpValue(legacy: $0[0].value, column) })
            } else {
                self = .list(try rows.map { try DumpValue.dictionary($0, column) })
            }
        default:
            self = try DumpValue(json)
        }
    }

    private static func dictionary(_ members: [JSON.Member], _ column: LegacyDump.Column) throws -> DumpValue {
        .dictionary(
            try members.map { member in
                // The dump does not contain the columns of a table in a Mixed.
                let inner = column.subtable.first { $0.name == member.name } ?? column
                return Entry(
                    key: .plain("s", Array(member.name.utf8)), value: try DumpValue(legacy: member.value, inner))
            })
    }
}
