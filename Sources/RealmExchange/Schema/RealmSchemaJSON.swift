public import RealmCore
public import RealmLayout

/// The exact schema as JSON: the contents of the sidecar `realm-schema.json` of a lossless export.
///
/// ```swift
/// let options = ImportOptions(schema: RealmSchemaJSON.document(of: snapshot))
/// print(try await Importer(["dump"], options).run(to: "new.realm").objects)
/// ```
public enum RealmSchemaJSON {
    /// The version of the document's layout.
    public static let documentVersion = 1

    /// The schema of all classes of a snapshot, for imports that should recreate it (`ImportOptions.schema`).
    public static func document(of snapshot: Snapshot) -> JSONValue {
        document(of: snapshot.schema.classes, version: snapshot.version, schemaVersion: snapshot.schema.version)
    }

    /// The schema of `tables`.
    ///
    /// - Parameters:
    ///   - tables: The tables, in output order.
    ///   - version: The file format that the schema was read from.
    ///   - schemaVersion: The app's schema version.
    ///   - keyEncoding: The spelling of keys that the export format cannot hold, e.g. `percent`; nil for a schema
    ///     without data.
    ///   - fieldNames: The document field names of a class's properties; nil for a schema without data.
    ///   - tombstones: The exported tombstones of a class, or nil.
    ///   - members: Additional members of a class's object, e.g. the name of its file.
    package static func document(
        of tables: [TableSchema], version: FormatVersion, schemaVersion: UInt64?, keyEncoding: String? = nil,
        fieldNames: ((TableSchema) -> [String])? = nil,
        tombstones: (TableSchema) -> JSONValue? = { _ in nil },
        members: (TableSchema) -> [(String, JSONValue)] = { _ in [] }
    ) -> JSONValue {
        .object(present: [
            ("realmSchema", JSONValue(documentVersion)),
            ("fileFormat", JSONValue(version.number)),
            ("schemaVersion", schemaVersion.map { JSONValue($0) } ?? .null),
            ("keyEncoding", keyEncoding.map { .string($0) }),
            (
                "classes",
                .array(
                    tables.map { table in
                        var object = self.members(of: table, fieldNames?(table)) + members(table)
                        if let tombstones = tombstones(table) { object.append(("tombstones", tombstones)) }
                        return .object(object)
                    })
            ),
        ])
    }

    private static func members(of table: TableSchema, _ fields: [String]?) -> [(String, JSONValue)] {
        let fields = fields ?? table.properties.map(\.name)
        return [
            ("name", .string(table.name)),
            ("table", .string(table.tableName)),
            ("kind", .string("\(table.kind)")),
            ("primaryKey", JSONValue(table.primaryKeyName)),
            ("tableKey", JSONValue(table.key.value)),
            ("properties", .array(zip(table.properties, fields).map { json($0, field: $1) })),
            (
                "incoming",
                .array(
                    table.incoming.map { link in
                        .object([("table", .string(link.tableName)), ("property", .string(link.propertyName))])
                    })
            ),
        ]
    }

    private static func json(_ property: StoredProperty, field: String) -> JSONValue {
        .object(present: [
            ("name", .string(property.name)),
            ("field", field == property.name ? nil : .string(field)),
            ("type", .string(property.type.rawValue)),
            ("nullable", .bool(property.isNullable)),
            ("collection", property.collection.map { .string($0.name) }),
            ("keyType", property.collection?.keyType.map { .string("\($0)") }),
            // The full name, because only that reliably distinguishes classes from system tables.
            ("target", property.target.map { .string($0) }),
            ("embedded", property.target.map { _ in .bool(property.isTargetEmbedded) }),
            ("index", .string("\(property.index)")),
            ("enumerated", .bool(property.isEnumerated)),
            ("columnKey", .int(property.columnKey.value)),
        ])
    }
}

extension CollectionKind {
    /// `list`, `set` or `dictionary`.
    public var name: String {
        switch self {
        case .list: "list"
        case .set: "set"
        case .dictionary: "dictionary"
        }
    }

    /// The type of a dictionary's keys.
    public var keyType: DictionaryKeyType? {
        if case .dictionary(let type) = self { type } else { nil }
    }
}
