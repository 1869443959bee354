public import RealmCore
public import RealmLayout

/// The differences between the content of two snapshots; empty exactly when their content hashes are equal (Spec 170).
///
/// ```swift
/// let difference = try database.snapshot(.otherSlot).contentDifference(to: snapshot)
/// print(difference.isEmpty, difference.tables.map(\.name))
/// ```
///
/// "Added" refers to content that only the second snapshot has, "removed" to content that only the first has.
public struct ContentDifference: Sendable {
    /// How objects of the two snapshots were matched.
    public let identity: ContentIdentity
    /// The schema versions of both; nil when they are the same.
    public let schemaVersions: DifferingValues<UInt64?>?
    /// Tables that only the second snapshot has.
    public let addedTables: [LoneTable]
    /// Tables that only the first snapshot has.
    public let removedTables: [LoneTable]
    /// Tables that both snapshots have, ordered by the bytes of their full names.
    public let tables: [TableDifference]

    /// Whether the content is the same.
    public var isEmpty: Bool {
        schemaVersions == nil && addedTables.isEmpty && removedTables.isEmpty && tables.allSatisfy(\.isEmpty)
    }

    /// A table that only one of the snapshots has.
    public struct LoneTable: Sendable {
        /// The name of the class; the full name for other tables.
        public let name: String
        /// Number of objects.
        public let objectCount: Int
    }
}

/// The differences between the content of one table in two snapshots.
///
/// ```swift
/// for table in try database.snapshot(.otherSlot).contentDifference(to: snapshot).tables {
///     print(table.name, table.added, table.changed, table.removed)
/// }
/// ```
public struct TableDifference: Sendable {
    /// The name of the class; the full name for other tables.
    public let name: String
    /// The full name of the table.
    public let tableName: String
    /// Schema differences.
    public internal(set) var schema: [SchemaDifference] = []
    /// Number of objects that only the second snapshot has.
    public internal(set) var added = 0
    /// Number of objects that only the first snapshot has.
    public internal(set) var removed = 0
    /// Number of objects that both snapshots have, with different values.
    public internal(set) var changed = 0
    /// Number of objects that both snapshots have, with the same values.
    public internal(set) var equal = 0
    /// Number of differing tombstones: in one snapshot only, or with different primary keys.
    public internal(set) var tombstones = 0
    /// The first differing objects, up to the requested maximum.
    public internal(set) var objects: [ObjectDifference] = []

    /// Whether the content is the same.
    public var isEmpty: Bool { schema.isEmpty && added + removed + changed + tombstones == 0 }
}

/// An object that differs between two snapshots.
///
/// ```swift
/// for table in try database.snapshot(.otherSlot).contentDifference(to: snapshot).tables {
///     for object in table.objects { print(object.kind, object.changes.map(\.path)) }
/// }
/// ```
public struct ObjectDifference: Sendable {
    /// The kind of difference.
    public enum Kind: String, Sendable {
        case added
        case removed
        case changed
    }

    /// A value that differs.
    public struct Change: Equatable, Sendable {
        /// The property.
        public let property: String
        /// The property, followed by the first differing element or entry inside it: `tags[3]`.
        public let path: String
        /// The value in the first snapshot, abbreviated.
        public let first: String
        /// The value in the second snapshot, abbreviated.
        public let second: String
    }

    /// The kind of difference.
    public let kind: Kind
    /// The object key in the first snapshot; nil for an added object.
    public let firstKey: ObjectKey?
    /// The object key in the second snapshot; nil for a removed object.
    public let secondKey: ObjectKey?
    /// The primary key, abbreviated, taken from the first snapshot if both have the object; nil when the class has
    /// none.
    public let primaryKey: String?
    /// Whether the primary key itself differs. The two are then unlikely to be the same object.
    public let hasOtherPrimaryKey: Bool
    /// The differing values, ordered by property name; empty for added and removed objects.
    public let changes: [Change]
}
