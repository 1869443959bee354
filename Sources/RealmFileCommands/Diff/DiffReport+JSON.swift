internal import RealmCore
internal import RealmExchange
internal import RealmForensics
internal import RealmLayout

extension DiffReport {
    /// The members of the report.
    var members: [(String, JSONValue)] {
        [
            ("commits", .array([commits.first.json, commits.second.json])),
            ("identity", .string(difference.identity.rawValue)),
            ("equal", .bool(difference.isEmpty)),
            (
                "schemaVersions",
                difference.schemaVersions.map { .array([Self.version($0.first), Self.version($0.second)]) } ?? .null
            ),
            ("removedTables", .array(difference.removedTables.map { Self.json($0) })),
            ("addedTables", .array(difference.addedTables.map { Self.json($0) })),
            ("tables", .array(difference.tables.map { json($0) })),
        ]
    }

    private static func version(_ version: UInt64?) -> JSONValue { version.map { JSONValue($0) } ?? .null }

    private static func json(_ table: ContentDifference.LoneTable) -> JSONValue {
        .object([("name", .string(table.name)), ("objects", JSONValue(table.objectCount))])
    }

    private func json(_ table: TableDifference) -> JSONValue {
        .object([
            ("name", .string(table.name)), ("table", .string(table.tableName)),
            ("equal", .bool(table.isEmpty)),
            ("schema", .array(table.schema.map { Self.json($0) })),
            ("added", JSONValue(table.added)), ("removed", JSONValue(table.removed)),
            ("changed", JSONValue(table.changed)), ("same", JSONValue(table.equal)),
            ("tombstones", JSONValue(table.tombstones)),
            (
                "objects",
                .array(table.objects.enumerated().map { Self.json($0.element, values?[table, $0.offset]?.document) })
            ),
        ])
    }

    private static func json(_ schema: SchemaDifference) -> JSONValue {
        .object([
            ("property", JSONValue(schema.property)), ("part", .string(schema.part)),
            ("first", JSONValue(schema.first)), ("second", JSONValue(schema.second)),
        ])
    }

    private static func json(_ object: ObjectDifference, _ document: JSONValue?) -> JSONValue {
        .object(present: [
            ("kind", .string(object.kind.rawValue)),
            ("firstKey", object.firstKey.map { JSONValue($0.value) } ?? .null),
            ("secondKey", object.secondKey.map { JSONValue($0.value) } ?? .null),
            ("primaryKey", JSONValue(object.primaryKey)),
            ("document", document),
            (
                "changes",
                .array(
                    object.changes.map { change in
                        .object([
                            ("property", .string(change.property)), ("path", .string(change.path)),
                            ("first", .string(change.first)), ("second", .string(change.second)),
                        ])
                    })
            ),
        ])
    }
}
