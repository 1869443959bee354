/// A collection of a realm whose type is not known: results, a list, a set, or linking objects.
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
    /// Goes through the elements as they are when it is made.
    public func makeIterator() -> RLMIterator<Element> { base.makeIterator() }
    /// Where queries start.
    public var _origin: _CollectionOrigin { base._origin }
    /// Whether what the collection belongs to was deleted, or its realm invalidated.
    public var isInvalidated: Bool { base.isInvalidated }

    /// Whether both wrap the same collection.
    public static func == (left: AnyRealmCollection<Element>, right: AnyRealmCollection<Element>) -> Bool {
        func isSame<C: RealmCollection>(_ collection: C) -> Bool { (right.base as? C) == collection }
        return isSame(left.base)
    }

    /// The same collection in another realm.
    public func _inRealm(_ realm: Realm) -> AnyRealmCollection<Element>? {
        func moved<C: RealmCollection<Element>>(_ collection: C) -> AnyRealmCollection<Element>? {
            collection._inRealm(realm).map { AnyRealmCollection($0) }
        }
        return moved(base)
    }
}

extension AnyRealmCollection: Encodable where Element: Encodable {}
