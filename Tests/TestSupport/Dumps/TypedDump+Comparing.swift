extension TypedDump {
    /// Returns at most `limit` descriptions of differences between `found` and this dump.
    package func differences(to found: TypedDump, limit: Int = 5) -> [String] {
        var differences: [String] = []
        func check<T: Equatable>(_ place: String, _ expected: T, _ actual: T) {
            if expected != actual { differences.append("\(place): expected \(expected), found \(actual)") }
        }
        check("tables", tables.map(\.name), found.tables.map(\.name))
        for (expected, actual) in zip(tables, found.tables) where differences.count < limit {
            let name = expected.name
            check("\(name): table key", expected.key, actual.key)
            check("\(name): kind", expected.kind, actual.kind)
            check("\(name): primary key", expected.primaryKey, actual.primaryKey)
            check("\(name): size", expected.size, actual.size)
            check("\(name): tombstones", expected.tombstones, actual.tombstones)
            check("\(name): incoming", expected.incoming, actual.incoming)
            check("\(name): column names", expected.columns.map(\.name), actual.columns.map(\.name))
            for (column, actualColumn) in zip(expected.columns, actual.columns) {
                check("\(name).\(column.name)", column, actualColumn)
            }
            check("\(name): objects", expected.objects.count, actual.objects.count)
            for (object, actualObject) in zip(expected.objects, actual.objects) where differences.count < limit {
                check("\(name): object key", object.key, actualObject.key)
                check("\(name) \(object.key): backlinks", object.backlinks, actualObject.backlinks)
                check("\(name) \(object.key): number of values", object.values.count, actualObject.values.count)
                for (index, (value, actualValue)) in zip(object.values, actualObject.values).enumerated()
                where !expected.columns[index].accepts(actualValue, for: value) {
                    differences.append(
                        "\(name).\(expected.columns[index].name) (object \(object.key)): expected \(value), "
                            + "found \(actualValue)")
                }
            }
        }
        return Array(differences.prefix(limit))
    }
}

extension TypedDump.Column {
    /// Whether `found` agrees with the dump, as far as the dump contains links to tombstones.
    ///
    /// Realm Core's interface shows such a link as null in a Mixed, in a list or set of Mixed, and in a dictionary; the
    /// reader returns its target. In addition, the program that made the dumps checked null Mixed values for unresolved
    /// links, with random results.
    fileprivate func accepts(_ found: DumpValue, for expected: DumpValue) -> Bool {
        guard found != expected else { return true }
        switch (expected, found) {
        case (.unresolved(table: nil, key: nil), .unresolved): return true
        case (.unresolved(table: nil, key: nil), .null): return type == "mixed" && collection == ""
        case (.null, .unresolved): return type == "mixed" || collection == "dict"
        case (.list(let left), .list(let right)), (.set(let left), .set(let right)):
            return left.count == right.count && zip(left, right).allSatisfy { accepts($1, for: $0) }
        case (.dictionary(let left), .dictionary(let right)):
            return left.count == right.count
                && zip(left, right).allSatisfy { $0.key == $1.key && accepts($1.value, for: $0.value) }
        default: return false
        }
    }
}
