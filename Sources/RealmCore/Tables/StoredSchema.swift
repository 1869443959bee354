public import RealmLayout

/// The classes of a database, and its other tables.
///
/// ```swift
/// for table in snapshot.schema.classes { print(table.name, table.properties.map(\.name)) }
/// ```
public struct StoredSchema: Equatable, Sendable {
    /// All readable tables, in file order.
    public let tables: [TableSchema]
    /// The app's schema version; nil when the file does not store it.
    public let version: UInt64?

    package init(tables: [TableSchema], version: UInt64?) {
        self.tables = tables
        self.version = version
    }

    /// The classes: the tables whose names begin with `class_`.
    public var classes: [TableSchema] { tables.filter(\.isClass) }
}

/// The schema of a table: for a class, its properties exactly as stored in the file.
///
/// ```swift
/// print(people.schema.name, people.schema.primaryKeyName ?? "without a primary key")
/// ```
public struct TableSchema: Equatable, Sendable {
    /// The table with the schema version, created by SDKs.
    package static let metadataName = "metadata"

    /// Whether a table of that name, which is not a class, is an internal table of Realm Core or its SDKs.
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
    /// The kind of the objects.
    public let kind: TableKind
    /// The properties in column order, the order of their creation.
    public let properties: [StoredProperty]
    /// The name of the primary key property.
    public let primaryKeyName: String?
    /// The properties of other tables that link here.
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
    /// Whether values may be null; for a collection, whether its elements may be.
    public let isNullable: Bool
    /// The kind of collection, if any.
    public let collection: CollectionKind?
    /// The full name of the target table of links.
    public let target: String?
    /// Whether the linked objects are embedded, owned by this one.
    public let isTargetEmbedded: Bool
    /// The search index.
    public let index: IndexKind
    /// Whether distinct strings are stored once, and objects contain indexes into them.
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
    /// Converts the type of a column; returns nil for columns that are not properties.
    init?(_ type: ColumnType) {
        // Lists of links have a separate column type.
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
    /// The full name of the table that contains the links.
    public let tableName: String
    /// The property that contains the links.
    public let propertyName: String

    package init(tableName: String, propertyName: String) {
        self.tableName = tableName
        self.propertyName = propertyName
    }
}

extension [StoredProperty] {
    /// The property with that name. Not generic, since loops of other modules look up names.
    package func propertyIndex(named name: String) -> PropertyIndex? {
        firstIndex(named: name) { $0.name }.map { PropertyIndex($0) }
    }

    /// The first property that satisfies a condition.
    package func propertyIndex(where isMeant: (StoredProperty) -> Bool) -> PropertyIndex? {
        firstIndex(where: isMeant).map { PropertyIndex($0) }
    }

    /// The indexes of the properties.
    package var propertyIndexes: Range<PropertyIndex> { PropertyIndex(0)..<PropertyIndex(count) }

    /// The property at an index.
    package subscript(index: PropertyIndex) -> StoredProperty { self[index.number] }
}
