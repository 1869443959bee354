public import Dispatch
internal import RealmCore

/// Selected properties of a model and its linked objects, under their own names. A projection is a live view of its
/// object.
///
/// ```swift
/// class PersonProjection: Projection<Person> {
///     @Projected(\Person.firstName) var name
///     @Projected(\Person.address?.city) var homeCity
///     @Projected(\Person.friends.projectTo.firstName) var friends: ProjectedCollection<String>
/// }
/// for person in realm.objects(PersonProjection.self) { print(person.name, person.homeCity ?? "unknown") }
/// ```
open class Projection<Root: ObjectBase & RealmCollectionValue & ThreadConfined>: ProjectionObservable {
    /// The stored type of the model.
    public typealias PersistedType = Root.PersistedType

    /// The projected object.
    public let rootObject: Root

    /// Creates a view of an object.
    public required init(projecting object: Root) { rootObject = object }

    /// Whether both project the same object.
    public static func == (left: Projection, right: Projection) -> Bool {
        left.rootObject.isSame(as: right.rootObject)
    }
    /// Hashes the projected object.
    public func hash(into hasher: inout Hasher) { rootObject.hashPlace(into: &hasher) }

    /// A readable form of the properties and their values.
    open var description: String {
        let lines = Self.properties.map { property in
            "\t\(property.name)(\\.\(property.path)) = \(property.access.value(property.place(self), rootObject));"
        }
        let name = "\(type(of: self))<\(type(of: rootObject))> <\(Described.address(self))>"
        return "\(name) {\n\t\(lines.joined(separator: "\n"))\n}"
    }
}

/// The protocol of all projections.
///
/// ```swift
/// func owner<P: ProjectionObservable>(of projection: P) -> P.Root { projection.rootObject }
/// ```
public protocol ProjectionObservable: AnyObject, ThreadConfined, RealmFetchable, CustomStringConvertible {
    /// The projected model.
    associatedtype Root: ObjectBase & RealmCollectionValue & ThreadConfined
    /// The projected object.
    var rootObject: Root { get }
    /// Creates a view of an object.
    init(projecting object: Root)
}

/// A property of a projection, given by a key path.
///
/// ```swift
/// class Card: Projection<Person> {
///     @Projected(\Person.name) var title
///     @Projected(\Person.address?.city) var city
/// }
/// if let card = realm.objects(Card.self).first { print(card.title, card.city ?? "unknown") }
/// ```
@propertyWrapper
public struct Projected<T: ObjectBase, Value> {
    let keyPath: KeyPath<T, Value>

    /// Creates a property with the value at a key path.
    public init(_ projectedKeyPath: KeyPath<T, Value>) { keyPath = projectedKeyPath }

    /// Unavailable: the value is accessed through the enclosing projection.
    @available(*, unavailable, message: "@Projected can only be used as a property of a Projection")
    public var wrappedValue: Value {
        get { fatalError() }
        set { fatalError("\(newValue)") }
    }

    /// The value of the object. Setting it sets the property of the object.
    public static subscript<Enclosing: Projection<T>>(
        _enclosingInstance projection: Enclosing, wrapped wrapped: ReferenceWritableKeyPath<Enclosing, Value>,
        storage storage: ReferenceWritableKeyPath<Enclosing, Self>
    ) -> Value {
        get { projection.rootObject[keyPath: projection[keyPath: storage].keyPath] }
        set {
            guard let keyPath = projection[keyPath: storage].keyPath as? WritableKeyPath<T, Value> else {
                Failure.stop("KeyPath is not writable")
            }
            var object = projection.rootObject as T
            object[keyPath: keyPath] = newValue
        }
    }
}

/// `Projected` of any value.
protocol ProjectedAccess: SendableMetatype {
    /// The path of the property in the object.
    static func path(_ place: FieldPlace) -> String?
    static func value(_ place: FieldPlace, _ root: ObjectBase) -> Any
}

extension Projected: ProjectedAccess {
    static func path(_ place: FieldPlace) -> String? {
        KeyPathRecorder.path(place.with(Self.self) { $0.keyPath }, T.self)
    }
    static func value(_ place: FieldPlace, _ root: ObjectBase) -> Any {
        guard let root = root as? T else { return Optional<Any>.none as Any }
        return root[keyPath: place.with(Self.self) { $0.keyPath }]
    }
}

/// The declaration of a property of a projection.
struct ProjectedProperty {
    let name: String
    /// The path of the property in the object.
    let path: String
    let offset: Int
    let access: any ProjectedAccess.Type

    /// Whether `names` contains the name of the property, its path in the object, or a leading part of that path.
    func isMeant(by names: [String]) -> Bool {
        names.contains { $0 == name || path == $0 || path.hasPrefix($0 + ".") }
    }

    func place(_ projection: AnyObject) -> FieldPlace { FieldPlace(projection, offset: offset) }
}

extension ProjectionObservable {
    /// The properties, in their order.
    static var properties: [ProjectedProperty] {
        // All projections have the same key paths, so one of a new object provides them.
        let sample = Self(projecting: Root.init())
        return Field.all(of: Self.self).compactMap { field in
            guard let access = field.type as? any ProjectedAccess.Type else { return nil }
            let name = field.name.hasPrefix("_") ? String(field.name.dropFirst()) : field.name
            let path = access.path(FieldPlace(sample, offset: field.offset))
            return ProjectedProperty(name: name, path: path ?? "", offset: field.offset, access: access)
        }
    }

    /// Returns the path in the object for a key path of the projection.
    static func rootPath(_ keyPath: AnyKeyPath) -> String {
        let recorder = KeyPathRecorder()
        guard let probe = recorder.probe(Root.self) as? Root else { return "" }
        func ask<T>(_ projection: T) { _ = projection[keyPath: keyPath] }
        ask(Self(projecting: probe))
        return recorder.path
    }

    /// The realm of the object.
    public var realm: Realm? { rootObject.realm }
    /// Whether the object was deleted, or its realm invalidated.
    public var isInvalidated: Bool { rootObject.isInvalidated }
    /// Whether the object belongs to a frozen realm.
    public var isFrozen: Bool { rootObject.isFrozen }
    /// Returns the same projection of the object in another realm.
    public func _inRealm(_ realm: Realm) -> Self? { rootObject._inRealm(realm).map { Self(projecting: $0) } }
    /// The name of the class in the file.
    public static func className() -> String { Root.className() }

    /// The traits of a link to the object.
    public static var _traits: _PropertyTraits { Root._traits }
    /// Returns a projection of a new object.
    public static func _default() -> Self { Self(projecting: Root._default()) }
    /// Decodes what the model decodes.
    public static func _decoded(_ stored: _StoredValue) -> Self? { Root._decoded(stored).map { Self(projecting: $0) } }
    /// Encodes a link to the object.
    public func _encoded(_ context: _WriteContext) -> _EncodedValue? { rootObject._encoded(context) }
    /// Accepts a projection or an object.
    public static func _converted(_ any: Any) -> Self? { any as? Self ?? (any as? Root).map { Self(projecting: $0) } }
    /// The model of the object.
    public static var _modelType: ObjectBase.Type { Root.self }

    /// Calls a block each time the object changes, and when it is deleted; see `Object.observe`.
    ///
    /// - Parameters:
    ///   - keyPaths: the names of the properties of the projection to observe, or paths in its object; nil for all.
    ///   - queue: the queue to call the block on; nil for the realm's own thread, queue or actor.
    ///   - block: called with each change.
    /// - Returns: a token that keeps the observation active.
    public func observe(
        keyPaths: [String]? = nil, on queue: DispatchQueue? = nil, _ block: @escaping (ObjectChange<Self>) -> Void
    ) -> NotificationToken {
        guard let state = rootObject.boundRealm else { Failure.stop(Failure.notManaged) }
        if let queue { return state.observe(self, on: queue) { $0.observe(keyPaths: keyPaths, block) } }
        let properties = Self.properties
        // An empty list means all, as in RealmSwift.
        let names = keyPaths ?? []
        let counting = names.isEmpty ? properties : properties.filter { $0.isMeant(by: names) }
        return rootObject.observeChanges(counting.map(\.path)) { [self] change in
            switch change {
            case .deleted: block(.deleted)
            case .changed(let changes, let version):
                let names = Set(changes.map(\.name))
                let changed = counting.filter { names.contains(String($0.path.prefix { $0 != "." })) }
                let before = before(version, state)
                let told = changed.compactMap { property -> PropertyChange? in
                    let new = property.access.value(property.place(self), rootObject)
                    let old = before.map { property.access.value(property.place(self), $0) }
                    // A link may lead to another object with the same value.
                    if let old = old as? AnyHashable, let new = new as? AnyHashable, old == new { return nil }
                    return PropertyChange(
                        name: property.name, oldValue: old.flatMap { unwrapped($0) }, newValue: unwrapped(new))
                }
                if !told.isEmpty { block(.change(self, told)) }
            }
        }
    }

    /// Returns the object in an older version. Returns nil if the realm made the change itself, because no old values
    /// are then reported.
    private func before(_ version: Snapshot, _ state: RealmInstance) -> ObjectBase? {
        guard !state.hasChangedItself(since: version) else { return nil }
        return rootObject.moved(
            to: RealmInstance(state.database, state.configuration, .everywhere, state.models, version))
    }

    /// Calls a block each time the object changes at the given key paths of the projection, and when it is deleted.
    public func observe(
        keyPaths: [PartialKeyPath<Self>], on queue: DispatchQueue? = nil,
        _ block: @escaping (ObjectChange<Self>) -> Void
    ) -> NotificationToken {
        observe(keyPaths: Self.names(keyPaths), on: queue, block)
    }

    /// Returns the names of the properties at the given key paths.
    static func names(_ keyPaths: [PartialKeyPath<Self>]) -> [String] {
        let paths = Set(keyPaths.map { rootPath($0) })
        return properties.filter { paths.contains($0.path) }.map(\.name)
    }
}
