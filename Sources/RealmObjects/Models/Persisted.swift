internal import RealmLayout

/// Marks a property of a model as one that is stored.
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
/// An object that is in no realm has its values here. Of a managed object the wrapper knows only which property it is: reading looks
/// up no name and needs no key path.
@propertyWrapper
public struct Persisted<Value: _Persistable> {
    /// The index of the property in its class, of a managed object; -1 of one that is not; below that in a probe (`KeyPathRecorder`).
    @usableFromInline var index: Int32 = -1
    @usableFromInline let isPrimaryKey: Bool
    @usableFromInline let isIndexed: Bool
    /// The value of an object that is not managed, if it was set or asked for; of a managed one a collection that was.
    @usableFromInline var value: Value?

    @inlinable
    init(value: Value?, isPrimaryKey: Bool = false, isIndexed: Bool = false) {
        self.value = value
        self.isPrimaryKey = isPrimaryKey
        self.isIndexed = isIndexed
    }

    /// A property with the default of its type: zero, empty, nil, or a new identifier.
    @inlinable
    public init() { self.init(value: nil) }

    /// A property with a default.
    @inlinable
    public init(wrappedValue: Value) { self.init(value: wrappedValue) }

    /// The value belongs to the object around it.
    @available(
        *, unavailable,
        message:
            "@Persisted can only be used as a property of a class that inherits from Object, EmbeddedObject or AsymmetricObject"
    )
    public var wrappedValue: Value {
        get { fatalError() }
        set { fatalError("\(newValue)") }
    }

    /// The value, from the object's realm if it has one.
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
        // In the program's own setter the key path is known, and needs no look at what it consists of.
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

    /// The value of an object that is not managed, or a collection of one that is.
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

    /// Takes the value for an object that is not managed: of a collection the elements, so that who has it already goes on with it.
    @usableFromInline
    mutating func take(_ newValue: Value) {
        if Value._isKept, let known = value as? any CopiedCollection {
            known.take(newValue)
        } else {
            value = newValue.ownCopy
        }
    }

    /// Notes which property is asked for; of a link the object behind it is a probe as well.
    private func probed(_ object: ObjectBase, _ index: Int32) -> Value {
        guard let recorder = object.recorder else { return Value._default() }
        recorder.note(ModelClass.of(type(of: object)).properties[Int(-2 - index)].name)
        guard let target = Value._traits.target else { return Value._default() }
        let probe = recorder.probe(target)
        // What a type of the program asks the object that it is made of for is no part of the path.
        return recorder.silently {
            switch Value._traits.collection {
            case nil: Value._converted(probe) ?? Value._default()
            // A key path may go on with the first element, or with that of a key.
            case .list, .set: Value._converted([probe]) ?? Value._default()
            case .dictionary: Value._converted(ProbedEntry(value: probe)) ?? Value._default()
            }
        }
    }
}

extension Persisted where Value.PersistedType: _PrimaryKey {
    /// The property that identifies objects of the class.
    @inlinable
    public init(primaryKey: Bool) { self.init(value: nil, isPrimaryKey: primaryKey) }
    /// The property that identifies objects of the class, with a default.
    @inlinable
    public init(wrappedValue: Value, primaryKey: Bool) { self.init(value: wrappedValue, isPrimaryKey: primaryKey) }
}

extension Persisted where Value.PersistedType: _Indexable {
    /// A property with a search index.
    @inlinable
    public init(indexed: Bool) { self.init(value: nil, isIndexed: indexed) }
    /// A property with a search index and a default.
    @inlinable
    public init(wrappedValue: Value, indexed: Bool) { self.init(value: wrappedValue, isIndexed: indexed) }
}

extension Persisted where Value: LinkingObjectsProtocol {
    /// The objects that link here from a property of their class.
    public init(originProperty: String) {
        self.init(value: Value(fromType: Value.Element.self, property: originProperty))
    }
}

extension Persisted: Decodable where Value: Decodable {
    /// Reads a value.
    public init(from decoder: any Decoder) throws {
        self.init(value: try decoder.singleValueContainer().decode(Value.self))
    }
}

extension Persisted: Encodable where Value: Encodable {
    /// Writes the value of an object that is not managed.
    ///
    /// - Throws: `EncodingError` for an object of a realm, whose properties do not know it: models write `encode(to:)` themselves then.
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
    /// Reads an optional property, which is nil where there is no such key.
    public func decode<Value: Decodable & _RealmCollectionValueInsideOptional>(
        _ type: Persisted<Value?>.Type, forKey key: Key
    ) throws -> Persisted<Value?> {
        try decodeIfPresent(type, forKey: key) ?? Persisted(wrappedValue: nil)
    }
}
