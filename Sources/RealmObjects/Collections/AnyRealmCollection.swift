/// A type-erased collection of a realm: results, a list, a set, or linking objects.
///
/// ```swift
/// func show(_ dogs: AnyRealmCollection<Dog>) { print(dogs.count) }
/// show(AnyRealmCollection(person.dogs))
/// ```
public struct AnyRealmCollection<Element: RealmCollectionValue>: RealmCollection {
    private let base: any RealmCollection<Element>

    /// Wraps a collection, which stays live.
    public init<C: RealmCollection>(_ base: C) where C.Element == Element {
        self.base = (base as? AnyRealmCollection<Element>)?.base ?? base
    }

    /// The number of elements.
    public var count: Int { base.count }
    /// The element at an index.
    public subscript(position: Int) -> Element { base[position] }
    /// Returns an iterator over the current elements. Later changes do not affect it.
    public func makeIterator() -> RLMIterator<Element> { base.makeIterator() }
    /// The starting point of queries.
    public var _origin: _CollectionOrigin { base._origin }
    /// Whether the owner of the collection was deleted, or its realm invalidated.
    public var isInvalidated: Bool { base.isInvalidated }

    /// Whether both wrap the same collection.
    public static func == (left: AnyRealmCollection<Element>, right: AnyRealmCollection<Element>) -> Bool {
        func isSame<C: RealmCollection>(_ collection: C) -> Bool { (right.base as? C) == collection }
        return isSame(left.base)
    }

    /// Returns the same collection in another realm.
    public func _inRealm(_ realm: Realm) -> AnyRealmCollection<Element>? {
        func moved<C: RealmCollection<Element>>(_ collection: C) -> AnyRealmCollection<Element>? {
            collection._inRealm(realm).map { AnyRealmCollection($0) }
        }
        return moved(base)
    }
}

extension AnyRealmCollection: Encodable where Element: Encodable {}
