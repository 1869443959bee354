internal import RealmLayout
internal import RealmReader
internal import RealmWriter

/// The base class of models whose objects stand on their own.
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
    /// An object is stored as one.
    public typealias PersistedType = Object

    /// An object in memory with the defaults of its class.
    public required init() {}

    /// An object in memory with values.
    ///
    /// - Parameter value: a dictionary by names of properties, an array in their order, or another object.
    /// - Precondition: the values fit.
    public convenience init(value: Any) {
        self.init()
        ObjectValues.assign(value, to: self)
    }

    /// Whether both are the same: one object in memory, or of a class with a primary key the same one of a realm.
    public static func == (left: Object, right: Object) -> Bool { left.isEqual(right) }
    /// Hashes what equal objects have in common.
    public func hash(into hasher: inout Hasher) { hasher.combine(hash) }

    /// Whether both are views of the same object of the same realm.
    public final func isSameObject(as object: Object?) -> Bool { isSame(as: object) }

    // What a property that links to the class is.

    /// A link.
    public class var _traits: _PropertyTraits { _PropertyTraits(.object, target: self) }
    /// An object in memory.
    public static func _default() -> Self { Self.init() }
    /// Takes a link that leads somewhere.
    public static func _decoded(_ stored: _StoredValue) -> Self? { stored.object(Self.self) }
    /// A link to the object, which is added if it is in no realm.
    public func _encoded(_ context: _WriteContext) -> _EncodedValue? {
        _EncodedValue(.link(context.reference(to: self)))
    }
    /// Takes an object, also under the name of its class in the file, and what one can be made of.
    public static func _converted(_ any: Any) -> Self? {
        any as? Self ?? (any as? DynamicObject)?.object(Self.self) ?? ObjectValues.object(Self.self, of: any)
    }
}

/// The base class of models whose objects live inside others.
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
    /// An object is stored as one.
    public typealias PersistedType = EmbeddedObject

    /// An object in memory with the defaults of its class.
    public required init() {}

    /// An object in memory with values; see `Object.init(value:)`.
    public convenience init(value: Any) {
        self.init()
        ObjectValues.assign(value, to: self)
    }

    /// Whether both are one object in memory, or the same one of a realm.
    public static func == (left: EmbeddedObject, right: EmbeddedObject) -> Bool { left.isEqual(right) }
    /// Hashes what equal objects have in common.
    public func hash(into hasher: inout Hasher) { hasher.combine(hash) }

    /// Whether both are views of the same object of the same realm.
    public final func isSameObject(as object: EmbeddedObject?) -> Bool { isSame(as: object) }

    /// A link to an embedded object.
    public class var _traits: _PropertyTraits { _PropertyTraits(.object, target: self) }
    /// An object in memory.
    public static func _default() -> Self { Self.init() }
    /// Takes an embedded object.
    public static func _decoded(_ stored: _StoredValue) -> Self? { stored.object(Self.self) }
    /// A copy of the object with all that is in it.
    public func _encoded(_ context: _WriteContext) -> _EncodedValue? {
        _EncodedValue(.embedded(context.values(of: self)))
    }
    /// Takes an object, and what one can be made of.
    public static func _converted(_ any: Any) -> Self? { any as? Self ?? ObjectValues.object(Self.self, of: any) }
    /// Becomes a view of what it was written to.
    public func _adopt(_ place: _AdoptedPlace) { adopt(place) }
}

/// The base class of models whose objects are written and never read. Without a server they stay in the file.
///
/// ```swift
/// class Reading: AsymmetricObject {
///     @Persisted(primaryKey: true) var _id: ObjectId
///     @Persisted var degrees = 0.0
/// }
/// ```
open class AsymmetricObject: ObjectBase {
    /// An object in memory with the defaults of its class.
    public required init() {}

    /// An object in memory with values; see `Object.init(value:)`.
    public convenience init(value: Any) {
        self.init()
        ObjectValues.assign(value, to: self)
    }
}

/// What RealmSwift's `Object` is an alias of.
public typealias RealmSwiftObject = Object
/// What RealmSwift's `EmbeddedObject` is an alias of.
public typealias RealmSwiftEmbeddedObject = EmbeddedObject
/// What RealmSwift's `AsymmetricObject` is an alias of.
public typealias RealmSwiftAsymmetricObject = AsymmetricObject
