public import RealmCore
internal import RealmLayout

/// JSON schemas for the documents of a class, as written by an export in the `mongo` profile.
///
/// ```swift
/// print(DocumentSchema(snapshot.schema, dialect: .mongoValidator).document(for: people.schema).pretty)
/// ```
///
/// Two dialects share one traversal of the classes. **App Services** is the format of Atlas App Services for Device
/// Sync, with its own types `uuid` and `mixed`. It has no null type: optional properties are those that are not
/// required, and links have the type of the target's primary key. **Validator** is MongoDB's `$jsonSchema`, without
/// types that MongoDB lacks and without constraints that an exported document might violate.
///
/// Neither dialect supports references: where an embedded class recurs within itself, an object without properties ends
/// the recursion.
public struct DocumentSchema: Sendable {
    /// The schema language.
    public enum Dialect: Sendable {
        /// `schema.json` of Atlas App Services.
        case appServices
        /// MongoDB's `$jsonSchema`.
        case mongoValidator
    }

    let dialect: Dialect
    let tables: [String: TableSchema]
    private let nestedProperties: Int
    private let escapesDollar: Bool

    /// Prepares for the classes of `schema`.
    public init(_ schema: StoredSchema, dialect: Dialect) { self.init(schema, dialect: dialect, escapesDollar: false) }

    /// Prepares for the classes of `schema`, with or without escaping a leading `$` in names.
    init(_ schema: StoredSchema, dialect: Dialect, escapesDollar: Bool) {
        self.dialect = dialect
        self.escapesDollar = escapesDollar
        tables = Dictionary(schema.tables.map { ($0.tableName, $0) }, uniquingKeysWith: { first, _ in first })
        // Classes that embed each other several times multiply at each level.
        nestedProperties = max(1000, 1_000_000 / max(1, schema.tables.count))
    }

    /// The schema of the documents of `table`, or of the nested documents for an embedded class.
    public func document(for table: TableSchema) -> JSONValue {
        var walk = Walk(remaining: nestedProperties)
        let object = object(table, &walk)
        return dialect == .mongoValidator ? .object([("$jsonSchema", object)]) : object
    }

    /// Limits for the descent into embedded classes.
    private struct Walk {
        var open: [String] = []
        var remaining: Int
        /// MongoDB accepts documents, and therefore schemas, of 100 levels; an embedded class takes up to three.
        static let depth = 30
    }

    private func object(_ table: TableSchema, _ walk: inout Walk) -> JSONValue {
        guard !walk.open.contains(table.tableName), walk.open.count < Walk.depth, walk.remaining > 0 else {
            return .object([("title", .string(table.name)), ("bsonType", "object")])
        }
        walk.open.append(table.tableName)
        defer { walk.open.removeLast() }
        if walk.open.count > 1 { walk.remaining -= table.properties.count + 1 }
        var required: [JSONValue] = []
        var properties: [(String, JSONValue)] = []
        if table.kind != .embedded {
            required.append(.string(TableSchema.identityField))
            let orNull = table.primaryKey?.isNullable ?? false
            properties.append((TableSchema.identityField, identity(of: table, orNull: orNull)))
        }
        for (property, name) in zip(table.properties, table.fieldNames(escapingDollar: escapesDollar)) {
            guard table.kind == .embedded || name != TableSchema.identityField else { continue }
            properties.append((name, value(of: property, &walk)))
            if property.isRequired { required.append(.string(name)) }
        }
        var members: [(String, JSONValue)] = [("title", .string(table.name)), ("bsonType", "object")]
        // MongoDB rejects an empty list; App Services writes one.
        if !required.isEmpty || dialect == .appServices { members.append(("required", .array(required))) }
        members.append(("properties", .object(properties)))
        return .object(members)
    }

    private func value(of property: StoredProperty, _ walk: inout Walk) -> JSONValue {
        switch property.collection {
        case nil:
            return element(of: property, orNull: property.isNullable || property.type == .link, &walk)
        case .list:
            return .object([
                ("bsonType", "array"), ("items", element(of: property, orNull: property.elementsMayBeNull, &walk)),
            ])
        case .set:
            var members: [(String, JSONValue)] = [("bsonType", "array")]
            if dialect == .appServices || property.type.staysUnique { members.append(("uniqueItems", true)) }
            members.append(("items", element(of: property, orNull: property.elementsMayBeNull, &walk)))
            return .object(members)
        case .dictionary:
            return .object([
                ("bsonType", "object"),
                ("additionalProperties", element(of: property, orNull: property.elementsMayBeNull, &walk)),
            ])
        }
    }

    private func element(of property: StoredProperty, orNull: Bool, _ walk: inout Walk) -> JSONValue {
        guard property.type == .link else { return scalar(property.type, orNull: orNull) }
        guard let target = property.target.flatMap({ tables[$0] }) else { return scalar(.mixed, orNull: true) }
        guard property.isTargetEmbedded else { return identity(of: target, orNull: true) }
        let object = object(target, &walk)
        guard dialect == .mongoValidator, orNull, case .object(let members) = object else { return object }
        return .object(members.map { $0.0 == "bsonType" ? ($0.0, ["object", "null"]) : $0 })
    }

    /// The type of a class's document identity: its primary key, or the object key.
    private func identity(of table: TableSchema, orNull: Bool) -> JSONValue {
        scalar(table.primaryKey?.type ?? .int, orNull: orNull)
    }

    private func scalar(_ type: StoredPropertyType, orNull: Bool) -> JSONValue {
        switch dialect {
        case .appServices:
            return .object([("bsonType", .string(type.appServicesName))])
        case .mongoValidator:
            // A validator accepts any type if no type is given.
            guard let name = type.bsonName else { return .object([]) }
            return .object([("bsonType", orNull ? .array([.string(name), "null"]) : .string(name))])
        }
    }
}

extension StoredProperty {
    /// Whether every document has a value here. Arrays, documents and links are never required.
    var isRequired: Bool { collection == nil && !isNullable && type != .link && type != .mixed }

    /// Whether elements of the collection may be null: links to missing objects become null.
    var elementsMayBeNull: Bool { isNullable || (type == .link && !isTargetEmbedded) }
}

extension StoredPropertyType {
    /// Whether distinct elements of a set are distinct in BSON too. Times are truncated to milliseconds, strings may be
    /// repaired, and MongoDB treats NaNs, and equal numbers of different types, as equal.
    fileprivate var staysUnique: Bool {
        switch self {
        case .int, .bool, .binary, .objectId, .uuid: true
        case .string, .mixed, .timestamp, .float, .double, .decimal128, .link: false
        }
    }
}
