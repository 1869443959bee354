internal import RealmLayout

/// Marks a property of a model as stored.
///
/// ```swift
/// class Dog: Object {
///     @Persisted(primaryKey: true) var _id: ObjectId
///     @Persisted var name = ""
///     @Persisted(indexed: true) var age = 0
///     @Persisted var owner: Person?
/// }
/// ```
///
/// An unmanaged object keeps its values in the wrapper. For a managed object, the wrapper knows only the index of the
/// property: reading it needs no name lookup and no key path.
@propertyWrapper
public struct Persisted<Value: _Persistable> {
    /// The index of the property in its class for a managed object; -1 for an unmanaged one; lower in a probe
    /// (`KeyPathRecorder`).
    @usableFromInline var index: Int32 = -1
    @usableFromInline let isPrimaryKey: Bool
    @usableFromInline let isIndexed: Bool
    /// The value of an unmanaged object, if it was set or read; for a managed object, a collection that was read.
    @usableFromInline var value: Value?

    @inlinable
    init(value: Value?, isPrimaryKey: Bool = false, isIndexed: Bool = false) {
        self.value = value
        self.isPrimaryKey = isPrimaryKey
        self.isIndexed = isIndexed
    }

    /// Creates a property with the default of its type: zero, empty, nil, or a new identifier.
    @inlinable
    public init() { self.init(value: nil) }

    /// Creates a property with a default.
    @inlinable
    public init(wrappedValue: Value) { self.init(value: wrappedValue) }

    /// Unavailable: the value is accessed through the enclosing object.
    @available(
        *, unavailable,
        message:
            "@Persisted can only be used as a property of a class that inherits from Object, EmbeddedObject or AsymmetricObject"
    )
    public var wrappedValue: Value {
        get { fatalError() }
        set { fatalError("\(newValue)") }
    }

    /// The value, read from the object's realm if it has one.
    @inlinable
    public static subscript<Enclosing: ObjectBase>(
        _enclosingInstance object: Enclosing, wrapped wrapped: ReferenceWritableKeyPath<Enclosing, Value>,
        storage storage: ReferenceWritableKeyPath<Enclosing, Self>
    ) -> Value {
        get {
            let index = object[keyPath: storage].index
            if index >= 0, !Value._isKept || object.isShared { return Value._read(object, index) }
            return object[keyPath: storage].kept(of: object, index)
        }
        // Inlined into the program's own setter, where the key path is known and its components need not be inspected.
        @inline(__always)
        set {
            let index = object[keyPath: storage].index
            if index >= 0 {
                Value._write(object, index, newValue)
            } else if Value._isKept {
                object[keyPath: storage].take(newValue)
            } else {
                object[keyPath: storage].value = newValue
            }
        }
    }

    /// Returns the value of an unmanaged object, or a collection of a managed one.
    ///
    /// - Precondition: no other thread reads the object at the same time.
    @usableFromInline
    mutating func kept(of object: ObjectBase, _ index: Int32) -> Value {
        if let value { return value }
        if index < -1 { return probed(object, index) }
        let new = index >= 0 ? Value._read(object, index) : Value._default()
        value = new
        return new
    }

    /// Sets the value of an unmanaged object. An existing collection takes the new elements, so that references to it
    /// stay valid.
    @usableFromInline
    mutating func take(_ newValue: Value) {
        if Value._isKept, let known = value as? any CopiedCollection {
            known.take(newValue)
        } else {
            value = newValue.ownCopy
        }
    }

    /// Records the property that is read. If it is a link, the linked object is a probe as well.
    private func probed(_ object: ObjectBase, _ index: Int32) -> Value {
        guard let recorder = object.recorder else { return Value._default() }
        recorder.note(ModelClass.of(type(of: object)).properties[Int(-2 - index)].name)
        guard let target = Value._traits.target else { return Value._default() }
        let probe = recorder.probe(target)
        // Properties that a custom type reads from its stored object are not part of the path.
        return recorder.silently {
            switch Value._traits.collection {
            case nil: Value._converted(probe) ?? Value._default()
            // A key path may continue with the first element, or with the value of a key.
            case .list, .set: Value._converted([probe]) ?? Value._default()
            case .dictionary: Value._converted(ProbedEntry(value: probe)) ?? Value._default()
            }
        }
    }
}

extension Persisted where Value.PersistedType: _PrimaryKey {
    /// Creates the property that identifies objects of the class.
    @inlinable
    public init(primaryKey: Bool) { self.init(value: nil, isPrimaryKey: primaryKey) }
    /// Creates the property that identifies objects of the class, with a default.
    @inlinable
    public init(wrappedValue: Value, primaryKey: Bool) { self.init(value: wrappedValue, isPrimaryKey: primaryKey) }
}

extension Persisted where Value.PersistedType: _Indexable {
    /// Creates a property with a search index.
    @inlinable
    public init(indexed: Bool) { self.init(value: nil, isIndexed: indexed) }
    /// Creates a property with a search index and a default.
    @inlinable
    public init(wrappedValue: Value, indexed: Bool) { self.init(value: wrappedValue, isIndexed: indexed) }
}

extension Persisted where Value: LinkingObjectsProtocol {
    /// Creates the collection of the objects that link here through a property of their class.
    public init(originProperty: String) {
        self.init(value: Value(fromType: Value.Element.self, property: originProperty))
    }
}

extension Persisted: Decodable where Value: Decodable {
    /// Decodes a value.
    public init(from decoder: any Decoder) throws {
        self.init(value: try decoder.singleValueContainer().decode(Value.self))
    }
}

extension Persisted: Encodable where Value: Encodable {
    /// Encodes the value of an unmanaged object.
    ///
    /// - Throws: `EncodingError` for a managed object, which the wrapper does not know. Models must then implement
    ///   `encode(to:)` themselves.
    public func encode(to encoder: any Encoder) throws {
        guard index < 0 else {
            throw EncodingError.invalidValue(
                self,
                EncodingError.Context(
                    codingPath: encoder.codingPath,
                    debugDescription:
                        "Only unmanaged Realm objects can be encoded using automatic Codable synthesis. You must explicitly define encode(to:) on your model class to support managed Realm objects."
                ))
        }
        var container = encoder.singleValueContainer()
        try container.encode(value ?? Value._default())
    }
}

extension KeyedDecodingContainer {
    /// Decodes an optional property, which is nil if the key is missing.
    public func decode<Value: Decodable & _RealmCollectionValueInsideOptional>(
        _ type: Persisted<Value?>.Type, forKey key: Key
    ) throws -> Persisted<Value?> {
        try decodeIfPresent(type, forKey: key) ?? Persisted(wrappedValue: nil)
    }
}
