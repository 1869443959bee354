public import RealmLayout

/// The classes of a database and the tables beside them.
///
/// ```swift
/// for table in snapshot.schema.classes { print(table.name, table.properties.map(\.name)) }
/// ```
public struct StoredSchema: Equatable, Sendable {
    /// All tables that could be read, in the order of the file.
    public let tables: [TableSchema]
    /// The version that the app gave its schema; nil when the file does not say.
    public let version: UInt64?

    package init(tables: [TableSchema], version: UInt64?) {
        self.tables = tables
        self.version = version
    }

    /// The classes: the tables whose names begin with `class_`.
    public var classes: [TableSchema] { tables.filter(\.isClass) }
}

/// What a table holds: for a class its properties, exactly as the file has them.
///
/// ```swift
/// print(people.schema.name, people.schema.primaryKeyName ?? "without a primary key")
/// ```
public struct TableSchema: Equatable, Sendable {
    /// The table of the schema version, which SDKs make.
    package static let metadataName = "metadata"

    /// Whether a table of that name, which is no class, is one that Realm Core or its SDKs make for themselves.
    package static func isMadeByRealm(_ tableName: String) -> Bool {
        tableName.hasPrefix("flx_") || ownTables.contains(tableName)
    }

    private static let ownTables: Set<String> = [
        "pk", metadataName, "!UPDATE_PROGRESS", "sync_internal_schemas", "client_reset_metadata",
        "schema_migration_metadata",
    ]

    /// The full name of the table, `class_Person` for a class.
    public let tableName: String
    /// The table's key.
    public let key: TableKey
    /// What the objects are.
    public let kind: TableKind
    /// The properties in column order, which is the order of their creation.
    public let properties: [StoredProperty]
    /// The name of the primary key property.
    public let primaryKeyName: String?
    /// The properties of other tables whose links lead here.
    public let incoming: [IncomingLinks]

    package init(
        tableName: String, key: TableKey, kind: TableKind, properties: [StoredProperty], primaryKeyName: String?,
        incoming: [IncomingLinks]
    ) {
        self.tableName = tableName
        self.key = key
        self.kind = kind
        self.properties = properties
        self.primaryKeyName = primaryKeyName
        self.incoming = incoming
    }

    /// Whether the table is a class of the app's model.
    public var isClass: Bool { TableName.isClass(tableName) }
    /// The name of the class; the full name for other tables.
    public var name: String { TableName.className(of: tableName) }
    /// The primary key property.
    public var primaryKey: StoredProperty? { primaryKeyName.flatMap { property(named: $0) } }

    /// The property of that name.
    public func property(named name: String) -> StoredProperty? {
        properties.propertyIndex(named: name).map { properties[$0] }
    }
}

/// A property of a class.
///
/// ```swift
/// for property in people.schema.properties { print(property.name, property.type, property.isNullable) }
/// ```
public struct StoredProperty: Equatable, Sendable {
    /// The name in the file.
    public let name: String
    /// The column's key.
    package let columnKey: ColumnKey
    /// The type of values, or of the collection's elements.
    public let type: StoredPropertyType
    /// Whether values may be null; of a collection, whether its elements may.
    public let isNullable: Bool
    /// Which collection the property holds, if any.
    public let collection: CollectionKind?
    /// The full name of the table that links lead to.
    public let target: String?
    /// Whether the linked objects are embedded: they live inside this one.
    public let isTargetEmbedded: Bool
    /// The search index.
    public let index: IndexKind
    /// Whether the strings are stored once each, with a number an object.
    public let isEnumerated: Bool

    package init(
        name: String, columnKey: ColumnKey, type: StoredPropertyType, isNullable: Bool, collection: CollectionKind?,
        target: String?, isTargetEmbedded: Bool, index: IndexKind, isEnumerated: Bool
    ) {
        self.name = name
        self.columnKey = columnKey
        self.type = type
        self.isNullable = isNullable
        self.collection = collection
        self.target = target
        self.isTargetEmbedded = isTargetEmbedded
        self.index = index
        self.isEnumerated = isEnumerated
    }
}

/// The type of a property.
///
/// ```swift
/// print(people.schema.properties.filter { $0.type == .link }.map(\.name))
/// ```
public enum StoredPropertyType: String, CaseIterable, Sendable, BitwiseCopyable {
    case int
    case bool
    case string
    case binary
    case mixed
    case timestamp
    case float
    case double
    case decimal128
    case link
    case objectId
    case uuid
}

extension StoredPropertyType {
    /// The type of the values of a column; nil for columns that are no property's.
    init?(_ type: ColumnType) {
        // Lists of links have a type of their own.
        let type = type == .linkList ? .link : type
        guard let found = Self.allCases.first(where: { $0.columnType == type }) else { return nil }
        self = found
    }

    /// The number of the type in column keys and specs (Spec 60).
    package var columnType: ColumnType {
        switch self {
        case .int: .int
        case .bool: .bool
        case .string: .string
        case .binary: .binary
        case .mixed: .mixed
        case .timestamp: .timestamp
        case .float: .float
        case .double: .double
        case .decimal128: .decimal128
        case .link: .link
        case .objectId: .objectId
        case .uuid: .uuid
        }
    }
}

/// A kind of search index.
///
/// ```swift
/// print(people.schema.properties.filter { $0.index == .fullText }.map(\.name))
/// ```
public enum IndexKind: Int, Sendable {
    case none = 0
    case general = 1
    case fullText = 2
}

/// Links from a property of another table.
///
/// ```swift
/// for incoming in dog.table.schema.incoming { print(incoming.tableName, try dog.linkingObjects(incoming).count) }
/// ```
public struct IncomingLinks: Hashable, Sendable {
    /// The full name of the table where the links start.
    public let tableName: String
    /// The property that holds them.
    public let propertyName: String

    package init(tableName: String, propertyName: String) {
        self.tableName = tableName
        self.propertyName = propertyName
    }
}
