internal import RealmLayout
internal import RealmReader

/// What `LinkingObjects` is, for `@Persisted(originProperty:)`.
///
/// ```swift
/// class Dog: Object {
///     @Persisted(originProperty: "dogs") var keepers: LinkingObjects<Person>
/// }
/// ```
public protocol LinkingObjectsProtocol {
    /// The class that the links start from.
    associatedtype Element: ObjectBase
    /// The objects of a class that link here from a property.
    init(fromType type: Element.Type, property: String)
}

/// The objects that link to one from a property of their class.
///
/// ```swift
/// class Dog: Object {
///     @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
/// }
/// ```
public struct LinkingObjects<Element: ObjectBase & RealmCollectionValue>: RealmCollection, LinkingObjectsProtocol {
    let originProperty: String
    private var results: Results<Element>?
    /// What a key path goes on with.
    private var probe: Element?

    /// The objects of a class that link here from a property.
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

    /// Goes through the objects as they are when it is made.
    public func makeIterator() -> RLMIterator<Element> { results?.makeIterator() ?? RLMIterator([]) }
    /// Where queries start.
    public var _origin: _CollectionOrigin { results?._origin ?? _CollectionOrigin(nil) }
    /// Whether the realm was invalidated. Of an object that was deleted there are none.
    public var isInvalidated: Bool { results?.isInvalidated ?? false }

    /// Whether both are of the same object and property.
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
    /// It is stored as it is.
    public typealias PersistedType = LinkingObjects<Element>
    /// Nothing that is stored.
    public static var _traits: _PropertyTraits { _PropertyTraits(.linkingObjects, target: Element.self) }
    /// Links that lead nowhere.
    public static func _default() -> LinkingObjects<Element> { LinkingObjects(fromType: Element.self, property: "") }
    /// The objects that link to one.
    public static func _read(_ object: ObjectBase, _ index: Int32) -> LinkingObjects<Element> {
        guard let place = object.place(index) else { return _default() }
        return LinkingObjects(place, place.property.originProperty ?? "")
    }
    /// Does nothing: links are set where they start.
    public static func _write(_ object: ObjectBase, _ index: Int32, _ value: LinkingObjects<Element>) {}
    /// Nothing.
    public func _encoded(_ context: _WriteContext) -> _EncodedValue? { nil }
    /// Takes linking objects, and an object that notes how a key path goes on.
    public static func _converted(_ any: Any) -> LinkingObjects<Element>? {
        guard let probe = any as? Element, probe.recorder != nil else { return any as? LinkingObjects<Element> }
        var objects = _default()
        objects.probe = probe
        return objects
    }
}
