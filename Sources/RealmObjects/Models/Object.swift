internal import RealmCore
internal import RealmLayout

/// The base class of models with top-level objects.
///
/// ```swift
/// class Dog: Object {
///     @Persisted(primaryKey: true) var _id: ObjectId
///     @Persisted var name = ""
///     @Persisted var age = 0
/// }
/// let dog = Dog(value: ["name": "Rex", "age": 3])
/// try realm.write { realm.add(dog) }
/// ```
open class Object: ObjectBase, _RealmCollectionValueInsideOptional {
    /// Objects are stored without conversion.
    public typealias PersistedType = Object

    /// Creates an object in memory with the defaults of its class.
    public required init() {}

    /// Creates an object in memory from values.
    ///
    /// - Parameter value: a dictionary keyed by property name, an array in property order, or another object.
    /// - Precondition: the values fit the properties.
    public convenience init(value: Any) {
        self.init()
        ObjectValues.assign(value, to: self)
    }

    /// Returns true if both are the same object in memory, or views of the same realm object that has a primary key or
    /// is frozen.
    public static func == (left: Object, right: Object) -> Bool { left.isEqual(right) }
    /// Hashes the identity that equal objects share.
    public func hash(into hasher: inout Hasher) { hasher.combine(hash) }

    /// Whether both are views of the same object of the same realm.
    public final func isSameObject(as object: Object?) -> Bool { isSame(as: object) }

    // The class as the type of a property.

    /// The traits of a link.
    public class var _traits: _PropertyTraits { _PropertyTraits(.object, target: self) }
    /// Returns a new object in memory.
    public static func _default() -> Self { Self.init() }
    /// Returns the object that a stored link leads to; nil if there is none.
    public static func _decoded(_ stored: _StoredValue) -> Self? { stored.object(Self.self) }
    /// Encodes a link to the object, which is added to the realm if it is unmanaged.
    public func _encoded(_ context: _WriteContext) -> _EncodedValue? {
        _EncodedValue(.link(context.reference(to: self)))
    }
    /// Accepts an object, an instance of `DynamicObject` of the same class, and values that an object can be made from.
    public static func _converted(_ any: Any) -> Self? {
        any as? Self ?? (any as? DynamicObject)?.object(Self.self) ?? ObjectValues.object(Self.self, of: any)
    }
}

/// The base class of models with embedded objects.
///
/// ```swift
/// class Address: EmbeddedObject {
///     @Persisted var street = ""
///     @Persisted var city: String?
/// }
/// class Person: Object {
///     @Persisted var address: Address?
///     @Persisted var formerAddresses: List<Address>
/// }
/// ```
open class EmbeddedObject: ObjectBase, _RealmCollectionValueInsideOptional {
    /// Objects are stored without conversion.
    public typealias PersistedType = EmbeddedObject

    /// Creates an object in memory with the defaults of its class.
    public required init() {}

    /// Creates an object in memory from values; see `Object.init(value:)`.
    public convenience init(value: Any) {
        self.init()
        ObjectValues.assign(value, to: self)
    }

    /// Returns true if both are the same object in memory, or frozen views of the same realm object.
    public static func == (left: EmbeddedObject, right: EmbeddedObject) -> Bool { left.isEqual(right) }
    /// Hashes the identity that equal objects share.
    public func hash(into hasher: inout Hasher) { hasher.combine(hash) }

    /// Whether both are views of the same object of the same realm.
    public final func isSameObject(as object: EmbeddedObject?) -> Bool { isSame(as: object) }

    /// The traits of a link to an embedded object.
    public class var _traits: _PropertyTraits { _PropertyTraits(.object, target: self) }
    /// Returns a new object in memory.
    public static func _default() -> Self { Self.init() }
    /// Returns the stored embedded object.
    public static func _decoded(_ stored: _StoredValue) -> Self? { stored.object(Self.self) }
    /// Encodes a copy of the object and everything in it.
    public func _encoded(_ context: _WriteContext) -> _EncodedValue? {
        _EncodedValue(.embedded(context.values(of: self)))
    }
    /// Accepts an object, and values that an object can be made from.
    public static func _converted(_ any: Any) -> Self? { any as? Self ?? ObjectValues.object(Self.self, of: any) }
    /// Becomes a view of the object that was written.
    public func _adopt(_ place: _AdoptedPlace) { adopt(place) }
}

/// The base class of models whose objects are written but never read. Without a server they stay in the file.
///
/// ```swift
/// class Reading: AsymmetricObject {
///     @Persisted(primaryKey: true) var _id: ObjectId
///     @Persisted var degrees = 0.0
/// }
/// ```
open class AsymmetricObject: ObjectBase {
    /// Creates an object in memory with the defaults of its class.
    public required init() {}

    /// Creates an object in memory from values; see `Object.init(value:)`.
    public convenience init(value: Any) {
        self.init()
        ObjectValues.assign(value, to: self)
    }
}

/// RealmSwift's name for `Object`.
public typealias RealmSwiftObject = Object
/// RealmSwift's name for `EmbeddedObject`.
public typealias RealmSwiftEmbeddedObject = EmbeddedObject
/// RealmSwift's name for `AsymmetricObject`.
public typealias RealmSwiftAsymmetricObject = AsymmetricObject
