internal import RealmReader
internal import RealmWriter

// The protocols that property types conform to. Names that begin with an underscore are no part of the interface: they are public because
// generic code of clients needs them.

/// A type whose values are stored as values of a type.
public protocol _HasPersistedType {
    /// The type that is stored: most often the type itself.
    associatedtype PersistedType
}

/// A type that has a place in a schema.
public protocol _RealmSchemaDiscoverable {
    /// What a property of the type is in the file.
    static var _traits: _PropertyTraits { get }
}

/// A type that a property marked with `@Persisted` can have.
public protocol _Persistable: _RealmSchemaDiscoverable, _HasPersistedType {
    /// The value of a property of a managed object.
    static func _read(_ object: ObjectBase, _ index: Int32) -> Self
    /// Sets a property of a managed object.
    static func _write(_ object: ObjectBase, _ index: Int32, _ value: Self)
    /// The value of a property that has none yet.
    static func _default() -> Self
    /// Whether what was read is kept in the object: collections, which are objects themselves.
    static var _isKept: Bool { get }
    /// The value as it is written; nil for what is not stored.
    func _encoded(_ context: _WriteContext) -> _EncodedValue?
    /// Binds what lives inside a value that was written to what came of it.
    func _adopt(_ place: _AdoptedPlace)
    /// Makes a value of one of any type; nil where that does not fit.
    static func _converted(_ any: Any) -> Self?
    /// The value as users see it where no type is known; nil for null.
    var _dynamic: Any? { get }
}

/// A type that elements of collections can have.
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
    // What a stored type is stored as is the end of it: the compiler would look for ever otherwise.
    PersistedType.PersistedType.PersistedType == PersistedType.PersistedType
{
    /// Makes a value of what is stored; nil where that is of another type.
    static func _decoded(_ stored: _StoredValue) -> Self?
}

/// A type whose optional can be an element of a collection.
public protocol _RealmCollectionValueInsideOptional: RealmCollectionValue
where PersistedType: _RealmCollectionValueInsideOptional {}

/// A value of a file, and the realm that it was read in.
public struct _StoredValue {
    let value: RealmReader.Value
    let realm: RealmInstance
    /// The collection that the value is in, and where.
    private(set) var owner: (collection: ManagedCollection, step: NestedStep)?

    init(value: RealmReader.Value, realm: RealmInstance) { (self.value, self.realm) = (value, realm) }

    /// An element of a collection.
    init(_ value: RealmReader.Value, in collection: ManagedCollection, at step: NestedStep) {
        self.init(value: value, realm: collection.realm)
        owner = (collection, step)
    }
}

/// A value on its way into a file.
public struct _EncodedValue {
    let value: NewValue

    init(_ value: NewValue) { self.value = value }
}

/// The property, or the element, that a value was written to.
public struct _AdoptedPlace {
    let property: PropertyPlace
    /// Of an element, what is there.
    var element: RealmReader.Value?

    /// What was written.
    var value: RealmReader.Value { element ?? property.realm.value(at: property) }
}

extension _Persistable {
    /// Most values are read each time.
    public static var _isKept: Bool { false }
    /// Most values have nothing inside of them.
    public func _adopt(_ place: _AdoptedPlace) {}
    /// Most values are what they are.
    public var _dynamic: Any? { self }
}

extension RealmCollectionValue {
    /// Reads and decodes.
    public static func _read(_ object: ObjectBase, _ index: Int32) -> Self {
        object.decoded(index)
    }

    /// Encodes and writes.
    public static func _write(_ object: ObjectBase, _ index: Int32, _ value: Self) {
        object.write(index, value)
    }

    /// What is stored, as users see it where no type is known: not what a type of the program makes of it.
    static func dynamicValue(_ stored: _StoredValue) -> Any? { PersistedType._decoded(stored)?._dynamic }

    /// Takes a value of the type itself.
    public static func _converted(_ any: Any) -> Self? { any as? Self }
}

extension RealmCollectionValue {
    /// The value of what is stored; where nothing is, the default.
    ///
    /// - Parameter place: where it is, for the message.
    /// - Precondition: an enum has a case for it, a type of the program does not refuse it.
    static func shown(_ stored: _StoredValue, _ place: @autoclosure () -> String? = nil) -> Self {
        if let value = _decoded(stored) { return value }
        // Another one in its place would be written by whoever copies what is read.
        guard let refused = PersistedType.PersistedType._decoded(stored) else { return _default() }
        let property = (stored.owner?.collection.place.name ?? place()).map { " (property '\($0)')" } ?? ""
        Failure.stop(
            "Failed to convert persisted value '\(refused)' to type '\(Self.self)' in a non-optional context.\(property)"
        )
    }
}

extension _Persistable {
    /// A value of one of any type: what the type takes, and enums and types of the program that are stored as such; nil for others.
    static func made(of any: Any) -> Self? {
        if let value = _converted(any) { return value }
        switch any {
        case let value as any PersistableEnum: return made(of: value.rawValue)
        case let value as any _CustomPersistable: return made(of: value.persistableValue)
        default: return nil
        }
    }
}

/// A type that a primary key can have.
public protocol _PrimaryKey {}
/// A type that an indexed property can have.
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
/// A type that keys of a `Map` can have: `String`.
public protocol _MapKey: Hashable {
    /// The key as a text.
    var _text: String { get }
    /// Makes a key of a text.
    init?(_text: String)
}
