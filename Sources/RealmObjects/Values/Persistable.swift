internal import RealmCore

// Protocols of property types. Names with a leading underscore are not part of the interface: they are public because
// generic code of clients needs them.

/// A type whose values are stored as values of some type.
public protocol _HasPersistedType {
    /// The stored type, usually the type itself.
    associatedtype PersistedType
}

/// A type that can occur in a schema.
public protocol _RealmSchemaDiscoverable {
    /// The traits of a property of the type, as stored in the file.
    static var _traits: _PropertyTraits { get }
}

/// A type that a property marked with `@Persisted` can have.
public protocol _Persistable: _RealmSchemaDiscoverable, _HasPersistedType {
    /// Reads a property of a managed object.
    static func _read(_ object: ObjectBase, _ index: Int32) -> Self
    /// Sets a property of a managed object.
    static func _write(_ object: ObjectBase, _ index: Int32, _ value: Self)
    /// Returns the value of a property that has none yet.
    static func _default() -> Self
    /// Whether the object keeps values that were read: true for collections, which are objects themselves.
    static var _isKept: Bool { get }
    /// Encodes the value for writing; nil if it is not stored.
    func _encoded(_ context: _WriteContext) -> _EncodedValue?
    /// Binds the content of a written value to its stored counterpart.
    func _adopt(_ place: _AdoptedPlace)
    /// Converts a value of any type; nil if it does not fit.
    static func _converted(_ any: Any) -> Self?
    /// The value for users that do not know its type; nil for null.
    var _dynamic: Any? { get }
}

/// A type for elements of collections.
///
/// ```swift
/// func list<T: RealmCollectionValue>(_ values: T...) -> List<T> {
///     let list = List<T>()
///     list.append(objectsIn: values)
///     return list
/// }
/// print(list(1, 2, 3).count, list("a", nil).count)
/// ```
public protocol RealmCollectionValue: Hashable, _Persistable
where
    PersistedType: RealmCollectionValue,
    // Ends the chain of stored types: without it the compiler would follow the chain for ever.
    PersistedType.PersistedType.PersistedType == PersistedType.PersistedType
{
    /// Decodes a stored value; nil if it is of another type.
    static func _decoded(_ stored: _StoredValue) -> Self?
}

/// A type whose optional can be an element of a collection.
public protocol _RealmCollectionValueInsideOptional: RealmCollectionValue
where PersistedType: _RealmCollectionValueInsideOptional {}

/// A stored value, and the realm from which it was read.
public struct _StoredValue {
    let value: RealmCore.Value
    let realm: RealmInstance
    /// The collection that contains the value, and the place there.
    private(set) var owner: (collection: ManagedCollection, step: NestedStep<String>)?

    init(value: RealmCore.Value, realm: RealmInstance) { (self.value, self.realm) = (value, realm) }

    /// Creates the value of an element of a collection.
    init(_ value: RealmCore.Value, in collection: ManagedCollection, at step: NestedStep<String>) {
        self.init(value: value, realm: collection.realm)
        owner = (collection, step)
    }
}

/// A value encoded for writing.
public struct _EncodedValue {
    let value: NewValue

    init(_ value: NewValue) { self.value = value }
}

/// The property, or the element, that a value was written to.
public struct _AdoptedPlace {
    let property: PropertyPlace
    /// For an element, the stored value.
    var element: RealmCore.Value?

    /// The written value.
    var value: RealmCore.Value { element ?? property.realm.value(at: property) }
}

extension _Persistable {
    /// False by default: values are read each time.
    public static var _isKept: Bool { false }
    /// Does nothing by default: most values have no content to bind.
    public func _adopt(_ place: _AdoptedPlace) {}
    /// The value itself by default.
    public var _dynamic: Any? { self }
}

extension RealmCollectionValue {
    /// Reads and decodes the value.
    public static func _read(_ object: ObjectBase, _ index: Int32) -> Self {
        object.decoded(index)
    }

    /// Encodes and writes the value.
    public static func _write(_ object: ObjectBase, _ index: Int32, _ value: Self) {
        object.write(index, value)
    }

    /// Returns a stored value for users that do not know its type, not converted to a type of the program.
    static func dynamicValue(_ stored: _StoredValue) -> Any? { PersistedType._decoded(stored)?._dynamic }

    /// Accepts a value of the type itself.
    public static func _converted(_ any: Any) -> Self? { any as? Self }
}

extension RealmCollectionValue {
    /// Returns the value of a stored one; the default if nothing is stored.
    ///
    /// - Parameter place: the location, for the message.
    /// - Precondition: an enum has a case for it; a type of the program does not refuse it.
    static func shown(_ stored: _StoredValue, _ place: @autoclosure () -> String? = nil) -> Self {
        if let value = _decoded(stored) { return value }
        // Code that copies what it reads would write a substitute back.
        guard let refused = PersistedType.PersistedType._decoded(stored) else { return _default() }
        let property = (stored.owner?.collection.place.name ?? place()).map { " (property '\($0)')" } ?? ""
        Failure.stop(
            "Failed to convert persisted value '\(refused)' to type '\(Self.self)' in a non-optional context.\(property)"
        )
    }
}

extension _Persistable {
    /// Converts a value of any type: what the type accepts, and enums and types of the program that are stored as such;
    /// nil for others.
    static func made(of any: Any) -> Self? {
        if let value = _converted(any) { return value }
        switch any {
        case let value as any PersistableEnum: return made(of: value.rawValue)
        case let value as any _CustomPersistable: return made(of: value.persistableValue)
        default: return nil
        }
    }
}

/// A type for primary keys.
public protocol _PrimaryKey {}
/// A type for indexed properties.
public protocol _Indexable {}
/// A type whose values have a lowest and a highest one.
///
/// ```swift
/// func spread<C: RealmCollection>(_ values: C) -> (C.Element, C.Element)? where C.Element.PersistedType: MinMaxType {
///     values.min().flatMap { low in values.max().map { (low, $0) } }
/// }
/// ```
public protocol MinMaxType {}
/// A type whose values have a sum and an average.
///
/// ```swift
/// func total<C: RealmCollection>(_ values: C) -> C.Element where C.Element.PersistedType: AddableType { values.sum() }
/// ```
public protocol AddableType {}
/// A type whose values can be sorted.
///
/// ```swift
/// func ordered<C: RealmCollection>(_ values: C) -> Results<C.Element> where C.Element.PersistedType: SortableType {
///     values.sorted()
/// }
/// print(ordered(club.tags).first ?? "none")
/// ```
public protocol SortableType {}
/// A type for keys of a `Map`: `String`.
public protocol _MapKey: Hashable {
    /// The key as text.
    var _text: String { get }
    /// Creates a key from text.
    init?(_text: String)
}
