internal import RealmLayout
public import RealmReader

/// JSON schemas of a class's documents, as an export in the `mongo` profile writes them.
///
/// ```swift
/// print(DocumentSchema(snapshot.schema, dialect: .mongoValidator).document(for: people.schema).pretty)
/// ```
///
/// Two dialects share one way through the classes. **App Services**: what Atlas App Services kept for Device Sync, with
/// its own types `uuid` and `mixed`; null is not a type, optional is what is not required; links have the type of the
/// target's primary key. **Validator**: what MongoDB takes as `$jsonSchema`, without types that it does not know and
/// without promises that an exported document might not keep.
///
/// JSON schemas of these dialects have no references: an embedded class that contains itself ends with an object
/// without properties where it occurs again.
public struct DocumentSchema: Sendable {
    /// Whose schema language to use.
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

    /// Prepares for the classes of `schema`, with a `$` in front of names escaped or not.
    init(_ schema: StoredSchema, dialect: Dialect, escapesDollar: Bool) {
        self.dialect = dialect
        self.escapesDollar = escapesDollar
        tables = Dictionary(schema.tables.map { ($0.tableName, $0) }, uniquingKeysWith: { first, _ in first })
        // Classes that embed each other several times multiply at each level.
        nestedProperties = max(1000, 1_000_000 / max(1, schema.tables.count))
    }

    /// The schema of the documents of `table`; of the nested documents for an embedded class.
    public func document(for table: TableSchema) -> JSONValue {
        var walk = Walk(remaining: nestedProperties)
        let object = object(table, &walk)
        return dialect == .mongoValidator ? .object([("$jsonSchema", object)]) : object
    }

    /// What bounds the way into embedded classes.
    private struct Walk {
        var open: [String] = []
        var remaining: Int
        /// MongoDB takes documents, and so schemas, of 100 levels; one embedded class takes up to three.
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
        // MongoDB refuses an empty list; App Services writes it.
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

    /// The type of what identifies the documents of a class: its primary key, or the object key.
    private func identity(of table: TableSchema, orNull: Bool) -> JSONValue {
        scalar(table.primaryKey?.type ?? .int, orNull: orNull)
    }

    private func scalar(_ type: StoredPropertyType, orNull: Bool) -> JSONValue {
        switch dialect {
        case .appServices:
            return .object([("bsonType", .string(type.appServicesName))])
        case .mongoValidator:
            // No type at all is how a validator spells any type.
            guard let name = type.bsonName else { return .object([]) }
            return .object([("bsonType", orNull ? .array([.string(name), "null"]) : .string(name))])
        }
    }
}

extension StoredProperty {
    /// Whether every document has a value here. Arrays, documents and links never are required.
    var isRequired: Bool { collection == nil && !isNullable && type != .link && type != .mixed }

    /// Whether elements of the collection may be null: links to objects that are gone become null.
    var elementsMayBeNull: Bool { isNullable || (type == .link && !isTargetEmbedded) }
}

extension StoredPropertyType {
    /// Whether different elements of a set are different in BSON too: times are cut to milliseconds, strings may be
    /// repaired, NaN and numbers of several types are equal to MongoDB.
    fileprivate var staysUnique: Bool {
        switch self {
        case .int, .bool, .binary, .objectId, .uuid: true
        case .string, .mixed, .timestamp, .float, .double, .decimal128, .link: false
        }
    }
}
