public import RealmLayout
public import RealmReader

/// The exact schema as JSON: what the sidecar `realm-schema.json` of a lossless export holds.
///
/// ```swift
/// let options = ImportOptions(schema: RealmSchemaJSON.document(of: snapshot))
/// print(try await Importer(["dump"], options).run(to: "new.realm").objects)
/// ```
public enum RealmSchemaJSON {
    /// The version of the object's own layout.
    public static let documentVersion = 1

    /// The schema of all classes of a snapshot, for imports that are to make the same
    /// (`ImportOptions.schema`).
    public static func document(of snapshot: Snapshot) -> JSONValue {
        document(of: snapshot.schema.classes, version: snapshot.version, schemaVersion: snapshot.schema.version)
    }

    /// The schema of `tables`.
    ///
    /// - Parameters:
    ///   - tables: what to write, in this order.
    ///   - version: the file format that the schema was read from.
    ///   - schemaVersion: the version that the app gave its schema.
    ///   - keyEncoding: how the export spells keys that its format cannot hold, e.g. `percent`; nil for a schema
    ///     without data.
    ///   - fieldNames: the names that the properties of a class have in documents; nil for a schema without data.
    ///   - tombstones: what the export says about the tombstones of a class; nil for nothing.
    ///   - members: further members of a class's object, e.g. the name of its file.
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
            // The full name, as only that tells a class from a system table for certain.
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
