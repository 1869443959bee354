public import RealmCore
public import RealmLayout

/// The differences between two snapshots of the same store (Spec 220).
///
/// ```swift
/// let changes = try store.snapshot().changes(since: snapshot)
/// print(changes.isEmpty, changes.tables.map(\.name))
/// ```
///
/// "Inserted" and "added" refer to the later snapshot, on which `changes(since:)` was called.
public struct SnapshotChanges: Sendable {
    /// The schema versions, the earlier one first; nil if they are equal.
    public let schemaVersions: DifferingValues<UInt64?>?
    /// The names of new classes and other tables. All of their objects are new.
    public let addedTables: [String]
    /// The names of removed classes and other tables, with all of their objects.
    public let removedTables: [String]
    /// The tables in both snapshots that differ, in the order of the file.
    public let tables: [ChangedTable]

    /// Whether there are no differences.
    public var isEmpty: Bool {
        schemaVersions == nil && addedTables.isEmpty && removedTables.isEmpty && tables.isEmpty
    }

    /// Returns the differences in a class or another table; nil if there are none.
    ///
    /// - Parameter name: the name of the class in the later snapshot, or the full name of another table.
    public func table(named name: String) -> ChangedTable? { tables.first { $0.name == name } }
}

/// The differences in a table.
///
/// ```swift
/// if let dogs = try store.snapshot().changes(since: snapshot).table(named: "Dog") {
///     print(dogs.inserted, dogs.modified.map(\.key), dogs.deleted)
/// }
/// ```
public struct ChangedTable: Sendable {
    /// The name of the class; the full name for other tables.
    public let name: String
    /// The former name, if it was different.
    public let formerName: String?
    /// The differences in the properties. Adding, removing or retyping a property does not modify objects.
    public let schema: [SchemaDifference]
    /// The keys of new objects, ascending.
    public internal(set) var inserted: [ObjectKey] = []
    /// The keys of deleted objects, ascending.
    public internal(set) var deleted: [ObjectKey] = []
    /// The objects with changed values, by ascending key. Embedded objects belong to their own class: their changes do
    /// not modify the owner. Links that lead to an object do not modify it.
    public internal(set) var modified: [ChangedObject] = []

    /// Whether there are no differences.
    var isEmpty: Bool {
        formerName == nil && schema.isEmpty && inserted.isEmpty && deleted.isEmpty && modified.isEmpty
    }
}

/// An object with changed values.
///
/// ```swift
/// for object in try store.snapshot().changes(since: snapshot).table(named: "Dog")?.modified ?? [] {
///     print(object.key, object.properties.map(\.name))
/// }
/// ```
public struct ChangedObject: Equatable, Sendable {
    /// The object's key.
    public let key: ObjectKey
    /// The properties with changed values, in the order of the class.
    public internal(set) var properties: [ChangedProperty]

    package init(key: ObjectKey, properties: [ChangedProperty]) {
        self.key = key
        self.properties = properties
    }
}

/// A property with a changed value.
///
/// ```swift
/// for object in try store.snapshot().changes(since: snapshot).table(named: "Dog")?.modified ?? [] {
///     for property in object.properties where property.elements == nil { print(property.name) }
/// }
/// ```
public struct ChangedProperty: Equatable, Sendable {
    /// Its name in the later snapshot.
    public let name: String
    /// The changes of the elements; nil if the property is not a list.
    public let elements: ListChanges?

    package init(name: String, elements: ListChanges?) {
        self.name = name
        self.elements = elements
    }
}
