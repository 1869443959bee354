public import RealmLayout

/// Where the content of two snapshots differs; nothing exactly when their content hashes are equal (Spec 170).
///
/// ```swift
/// let difference = try database.snapshot(.otherSlot).contentDifference(to: snapshot)
/// print(difference.isEmpty, difference.tables.map(\.name))
/// ```
///
/// "Added" is what only the second has, "removed" what only the first has.
public struct ContentDifference: Sendable {
    /// What tells one object from another.
    public let identity: ContentIdentity
    /// The schema versions of both; nil when they are the same.
    public let schemaVersions: Pair<UInt64?>?
    /// Tables that only the second snapshot has.
    public let addedTables: [LoneTable]
    /// Tables that only the first snapshot has.
    public let removedTables: [LoneTable]
    /// The tables that both have, in the order of the bytes of their full names.
    public let tables: [TableDifference]

    /// Whether the content is the same.
    public var isEmpty: Bool {
        schemaVersions == nil && addedTables.isEmpty && removedTables.isEmpty && tables.allSatisfy(\.isEmpty)
    }

    /// What the first and the second have.
    public struct Pair<Item: Sendable>: Sendable {
        /// Of the first snapshot.
        public let first: Item
        /// Of the second snapshot.
        public let second: Item

        package init(_ first: Item, _ second: Item) {
            self.first = first
            self.second = second
        }
    }

    /// A table that only one of the snapshots has.
    public struct LoneTable: Sendable {
        /// The name of the class; the full name for other tables.
        public let name: String
        /// Number of objects.
        public let objectCount: Int
    }
}

extension ContentDifference.Pair: Equatable where Item: Equatable {}

/// Where the content of a table differs between two snapshots.
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
    /// What differs in the schema.
    public internal(set) var schema: [SchemaDifference] = []
    /// Objects that only the second has.
    public internal(set) var added = 0
    /// Objects that only the first has.
    public internal(set) var removed = 0
    /// Objects that both have, with values that differ.
    public internal(set) var changed = 0
    /// Objects that both have, with the same values.
    public internal(set) var equal = 0
    /// Tombstones that differ: only in the first, only in the second, or with other primary keys.
    public internal(set) var tombstones = 0
    /// The first of the objects that differ, as many as were asked for.
    public internal(set) var objects: [ObjectDifference] = []

    /// Whether the content is the same.
    public var isEmpty: Bool { schema.isEmpty && added + removed + changed + tombstones == 0 }
}

/// Something that differs in the schema of a table.
///
/// ```swift
/// for table in try database.snapshot(.otherSlot).contentDifference(to: snapshot).tables {
///     for change in table.schema { print(change.part, change.first ?? "", change.second ?? "") }
/// }
/// ```
public struct SchemaDifference: Equatable, Sendable {
    /// The property; nil for the table itself.
    public let property: String?
    /// Which part of the schema: `property` where one has the property and the other not, otherwise `kind`, `primaryKey`,
    /// `type`, `nullable`, `collection`, `target`, `index`.
    public let part: String
    /// In the first snapshot, in words; nil for nothing.
    public let first: String?
    /// In the second snapshot, in words; nil for nothing.
    public let second: String?
}

/// An object that differs.
///
/// ```swift
/// for table in try database.snapshot(.otherSlot).contentDifference(to: snapshot).tables {
///     for object in table.objects { print(object.kind, object.changes.map(\.path)) }
/// }
/// ```
public struct ObjectDifference: Sendable {
    /// How it differs.
    public enum Kind: String, Sendable {
        case added
        case removed
        case changed
    }

    /// A value that differs.
    public struct Change: Equatable, Sendable {
        /// The property.
        public let property: String
        /// The property, and inside of it the first element or entry that differs: `tags[3]`.
        public let path: String
        /// The value in the first snapshot, in short.
        public let first: String
        /// The value in the second snapshot, in short.
        public let second: String
    }

    /// How it differs.
    public let kind: Kind
    /// The object key in the first snapshot; nil for an added object.
    public let firstKey: ObjectKey?
    /// The object key in the second snapshot; nil for a removed object.
    public let secondKey: ObjectKey?
    /// The primary key in short, of the first snapshot where both have the object; nil when the class has none.
    public let primaryKey: String?
    /// Whether the primary key is among the values that differ: then the two are hardly the same object.
    public let hasOtherPrimaryKey: Bool
    /// The values that differ, in the order of the properties' names; none for added and removed objects.
    public let changes: [Change]
}
