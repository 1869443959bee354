public import Dispatch
internal import RealmReader
internal import RealmWriter

/// Some properties of a model, under names of their own, also of what it links to. A projection is a live view of its object.
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
    /// The model.
    public typealias PersistedType = Root.PersistedType

    /// The object that is projected.
    public let rootObject: Root

    /// A view of an object.
    public required init(projecting object: Root) { rootObject = object }

    /// Whether both are of one object.
    public static func == (left: Projection, right: Projection) -> Bool {
        left.rootObject.isSame(as: right.rootObject)
    }
    /// Hashes the object.
    public func hash(into hasher: inout Hasher) { rootObject.hashPlace(into: &hasher) }

    /// The properties with their values, for people.
    open var description: String {
        let lines = Self.properties.map { property in
            "\t\(property.name)(\\.\(property.path)) = \(property.access.value(property.place(self), rootObject));"
        }
        let name = "\(type(of: self))<\(type(of: rootObject))> <\(Described.address(self))>"
        return "\(name) {\n\t\(lines.joined(separator: "\n"))\n}"
    }
}

/// What `Projection` is, whatever it is of.
///
/// ```swift
/// func owner<P: ProjectionObservable>(of projection: P) -> P.Root { projection.rootObject }
/// ```
public protocol ProjectionObservable: AnyObject, ThreadConfined, RealmFetchable, CustomStringConvertible {
    /// The model that is projected.
    associatedtype Root: ObjectBase & RealmCollectionValue & ThreadConfined
    /// The object that is projected.
    var rootObject: Root { get }
    /// A view of an object.
    init(projecting object: Root)
}

/// A property of a projection: what a key path leads to.
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

    /// The value that a key path leads to.
    public init(_ projectedKeyPath: KeyPath<T, Value>) { keyPath = projectedKeyPath }

    /// The value belongs to the projection around it.
    @available(*, unavailable, message: "@Projected can only be used as a property of a Projection")
    public var wrappedValue: Value {
        get { fatalError() }
        set { fatalError("\(newValue)") }
    }

    /// The value of the object; setting it sets the object's.
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

/// A property of a projection, as it is declared.
struct ProjectedProperty {
    let name: String
    /// The path of the property in the object.
    let path: String
    let offset: Int
    let access: any ProjectedAccess.Type

    /// Whether its name, or the path in the object or a part of it, is among some.
    func isMeant(by names: [String]) -> Bool {
        names.contains { $0 == name || path == $0 || path.hasPrefix($0 + ".") }
    }

    func place(_ projection: AnyObject) -> FieldPlace { FieldPlace(projection, offset: offset) }
}

extension ProjectionObservable {
    /// The properties, in their order.
    static var properties: [ProjectedProperty] {
        // A projection of a new object has the key paths, which are the same of all.
        let sample = Self(projecting: Root.init())
        return Field.all(of: Self.self).compactMap { field in
            guard let access = field.type as? any ProjectedAccess.Type else { return nil }
            let name = field.name.hasPrefix("_") ? String(field.name.dropFirst()) : field.name
            let path = access.path(FieldPlace(sample, offset: field.offset))
            return ProjectedProperty(name: name, path: path ?? "", offset: field.offset, access: access)
        }
    }

    /// The path in the object of a key path of the projection.
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
    /// Whether the object is of a frozen realm.
    public var isFrozen: Bool { rootObject.isFrozen }
    /// The same projection of the object in another realm.
    public func _inRealm(_ realm: Realm) -> Self? { rootObject._inRealm(realm).map { Self(projecting: $0) } }
    /// The name of the class in the file.
    public static func className() -> String { Root.className() }

    /// A link to the object.
    public static var _traits: _PropertyTraits { Root._traits }
    /// A projection of a new object.
    public static func _default() -> Self { Self(projecting: Root._default()) }
    /// Takes what the model takes.
    public static func _decoded(_ stored: _StoredValue) -> Self? { Root._decoded(stored).map { Self(projecting: $0) } }
    /// A link to the object.
    public func _encoded(_ context: _WriteContext) -> _EncodedValue? { rootObject._encoded(context) }
    /// Takes a projection, and an object.
    public static func _converted(_ any: Any) -> Self? { any as? Self ?? (any as? Root).map { Self(projecting: $0) } }
    /// The object's model.
    public static var _modelType: ObjectBase.Type { Root.self }

    /// Calls a block each time that the object has changed, and when it is deleted; see `Object.observe`.
    ///
    /// - Parameters:
    ///   - keyPaths: names of properties of the projection that count, or paths of its object; nil for all of it.
    ///   - queue: where the block is called; nil for where the realm belongs.
    ///   - block: is told of changes.
    /// - Returns: what keeps the observer going.
    public func observe(
        keyPaths: [String]? = nil, on queue: DispatchQueue? = nil, _ block: @escaping (ObjectChange<Self>) -> Void
    ) -> NotificationToken {
        guard let state = rootObject.boundRealm else { Failure.stop(Failure.notManaged) }
        if let queue { return state.observe(self, on: queue) { $0.observe(keyPaths: keyPaths, block) } }
        let properties = Self.properties
        // None are all, as in RealmSwift.
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
                    // What is behind links may be another object with the same value.
                    if let old = old as? AnyHashable, let new = new as? AnyHashable, old == new { return nil }
                    return PropertyChange(
                        name: property.name, oldValue: old.flatMap { unwrapped($0) }, newValue: unwrapped(new))
                }
                if !told.isEmpty { block(.change(self, told)) }
            }
        }
    }

    /// The object in an older version; nil where the realm itself has made the change, of which no old values are told.
    private func before(_ version: Snapshot, _ state: RealmInstance) -> ObjectBase? {
        guard !state.hasChangedItself(since: version) else { return nil }
        return rootObject.moved(
            to: RealmInstance(state.database, state.configuration, .everywhere, state.models, version))
    }

    /// Calls a block each time that the object has changed where key paths of the projection lead to, and when it is deleted.
    public func observe(
        keyPaths: [PartialKeyPath<Self>], on queue: DispatchQueue? = nil,
        _ block: @escaping (ObjectChange<Self>) -> Void
    ) -> NotificationToken {
        observe(keyPaths: Self.names(keyPaths), on: queue, block)
    }

    /// The names in the projection of what key paths lead to.
    static func names(_ keyPaths: [PartialKeyPath<Self>]) -> [String] {
        let paths = Set(keyPaths.map { rootPath($0) })
        return properties.filter { paths.contains($0.path) }.map(\.name)
    }
}
