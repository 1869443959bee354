internal import RealmCore
internal import RealmLayout

/// The protocol of `LinkingObjects`, for `@Persisted(originProperty:)`.
///
/// ```swift
/// class Dog: Object {
///     @Persisted(originProperty: "dogs") var keepers: LinkingObjects<Person>
/// }
/// ```
public protocol LinkingObjectsProtocol {
    /// The class with the property that links here.
    associatedtype Element: ObjectBase
    /// Creates the collection of the objects of a class that link here through a property.
    init(fromType type: Element.Type, property: String)
}

/// The objects of a class that link to an object through a property.
///
/// ```swift
/// class Dog: Object {
///     @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
/// }
/// ```
public struct LinkingObjects<Element: ObjectBase & RealmCollectionValue>: RealmCollection, LinkingObjectsProtocol {
    let originProperty: String
    private var results: Results<Element>?
    /// The probe object that a key path continues with.
    private var probe: Element?

    /// Creates the collection of the objects of a class that link here through a property.
    public init(fromType type: Element.Type, property: String) { originProperty = property }

    private init(_ place: PropertyPlace, _ property: String) {
        originProperty = property
        let realm = place.realm
        results = Results(
            ResultSet(realm, .linking(place, realm.binding(of: Element.self), property), Element.self))
    }

    func moved(to realm: Realm) -> LinkingObjects<Element>? {
        guard let results, results.found.source.isThere(in: realm.state), let other = results._inRealm(realm) else {
            return nil
        }
        var moved = self
        moved.results = other
        return moved
    }

    /// The number of links.
    public var count: Int { results?.count ?? 0 }

    /// The object at an index.
    public subscript(position: Int) -> Element {
        if let probe { return probe }
        guard let results else { Failure.stop("Index \(position) is out of bounds (must be less than 0).") }
        return results[position]
    }

    /// Returns an iterator over the current objects. Later changes do not affect it.
    public func makeIterator() -> RLMIterator<Element> { results?.makeIterator() ?? RLMIterator([]) }
    /// The starting point of queries.
    public var _origin: _CollectionOrigin { results?._origin ?? _CollectionOrigin(nil) }
    /// Whether the realm was invalidated. A deleted object has no linking objects.
    public var isInvalidated: Bool { results?.isInvalidated ?? false }

    /// Whether both belong to the same object and property.
    public static func == (left: LinkingObjects<Element>, right: LinkingObjects<Element>) -> Bool {
        left.originProperty == right.originProperty && left.results == right.results
    }
}

/// `LinkingObjects` of any class.
protocol AnyLinkingObjects {
    var originProperty: String { get }
}

extension LinkingObjects: AnyLinkingObjects {}

extension LinkingObjects: _Persistable {
    /// Linking objects are read without conversion.
    public typealias PersistedType = LinkingObjects<Element>
    /// The traits of linking objects, which are not stored.
    public static var _traits: _PropertyTraits { _PropertyTraits(.linkingObjects, target: Element.self) }
    /// Returns an empty collection.
    public static func _default() -> LinkingObjects<Element> { LinkingObjects(fromType: Element.self, property: "") }
    /// Returns the objects that link to an object.
    public static func _read(_ object: ObjectBase, _ index: Int32) -> LinkingObjects<Element> {
        guard let place = object.place(index) else { return _default() }
        return LinkingObjects(place, place.property.originProperty ?? "")
    }
    /// Does nothing: links are set on the objects that they start from.
    public static func _write(_ object: ObjectBase, _ index: Int32, _ value: LinkingObjects<Element>) {}
    /// Returns nil: linking objects are not stored.
    public func _encoded(_ context: _WriteContext) -> _EncodedValue? { nil }
    /// Accepts linking objects, and the probe object of a key path.
    public static func _converted(_ any: Any) -> LinkingObjects<Element>? {
        guard let probe = any as? Element, probe.recorder != nil else { return any as? LinkingObjects<Element> }
        var objects = _default()
        objects.probe = probe
        return objects
    }
}
