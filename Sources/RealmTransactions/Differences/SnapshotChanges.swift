public import RealmContent
public import RealmLayout

/// What is different in a snapshot from another one of the same store (Spec 220).
///
/// ```swift
/// let changes = try store.snapshot().changes(since: snapshot)
/// print(changes.isEmpty, changes.tables.map(\.name))
/// ```
///
/// "Inserted" and "added" is what only the later one has: the one whose `changes(since:)` was called.
public struct SnapshotChanges: Sendable {
    /// The versions of the schema, the earlier one first; nil when they are the same.
    public let schemaVersions: ContentDifference.Pair<UInt64?>?
    /// Names of classes, and of other tables, that are new. All of their objects are.
    public let addedTables: [String]
    /// Names of those that are gone with all of their objects.
    public let removedTables: [String]
    /// The tables that both have and in which something is different, in the order of the file.
    public let tables: [ChangedTable]

    /// Whether nothing is different.
    public var isEmpty: Bool {
        schemaVersions == nil && addedTables.isEmpty && removedTables.isEmpty && tables.isEmpty
    }

    /// What is different in a class, or in another table; nil for nothing.
    ///
    /// - Parameter name: of the class in the later snapshot; the full name of another table.
    public func table(named name: String) -> ChangedTable? { tables.first { $0.name == name } }
}

/// What is different in a table.
///
/// ```swift
/// if let dogs = try store.snapshot().changes(since: snapshot).table(named: "Dog") {
///     print(dogs.inserted, dogs.modified.map(\.key), dogs.deleted)
/// }
/// ```
public struct ChangedTable: Sendable {
    /// The name of the class; the full name for other tables.
    public let name: String
    /// The name that it had before, where that was another.
    public let formerName: String?
    /// What is different in the properties. Objects are not modified by a property that comes, goes or gets another type.
    public let schema: [SchemaDifference]
    /// The keys of new objects, ascending.
    public internal(set) var inserted: [ObjectKey] = []
    /// The keys of objects that are gone, ascending.
    public internal(set) var deleted: [ObjectKey] = []
    /// The objects that have other values, by ascending key. An embedded object is one of its own class: that its values are others
    /// does not modify its owner. Links that lead to an object do not modify it.
    public internal(set) var modified: [ChangedObject] = []

    /// Whether nothing is different.
    var isEmpty: Bool {
        formerName == nil && schema.isEmpty && inserted.isEmpty && deleted.isEmpty && modified.isEmpty
    }
}

/// An object with other values.
///
/// ```swift
/// for object in try store.snapshot().changes(since: snapshot).table(named: "Dog")?.modified ?? [] {
///     print(object.key, object.properties.map(\.name))
/// }
/// ```
public struct ChangedObject: Equatable, Sendable {
    /// The object's key.
    public let key: ObjectKey
    /// The properties whose values are others, in the order of the class.
    public internal(set) var properties: [ChangedProperty]

    package init(key: ObjectKey, properties: [ChangedProperty]) {
        self.key = key
        self.properties = properties
    }
}

/// A property with another value.
///
/// ```swift
/// for object in try store.snapshot().changes(since: snapshot).table(named: "Dog")?.modified ?? [] {
///     for property in object.properties where property.elements == nil { print(property.name) }
/// }
/// ```
public struct ChangedProperty: Equatable, Sendable {
    /// Its name in the later snapshot.
    public let name: String
    /// What happened to the elements; nil for what is no list.
    public let elements: ListChanges?

    package init(name: String, elements: ListChanges?) {
        self.name = name
        self.elements = elements
    }
}
