internal import RealmCore

/// Objects of a realm that match a query, or values: looked up on demand, and live.
///
/// ```swift
/// let puppies = realm.objects(Dog.self).where { $0.age < 2 }.sorted(by: \.name)
/// print(puppies.count, puppies.first?.name ?? "none")
/// ```
public struct Results<Element: RealmCollectionValue>: RealmCollection {
    let found: ResultSet

    init(_ found: ResultSet) { self.found = found }

    /// The number of elements.
    public var count: Int { found.count }

    /// The first element; nil if there is none. Unless the results are sorted, the search stops there.
    public var first: Element? { found.first.map { element($0) } }

    /// The element at an index.
    public subscript(position: Int) -> Element { element(found.value(at: position)) }

    private func element(_ value: Value) -> Element {
        Element.shown(_StoredValue(value: value, realm: found.realm))
    }

    /// Iterates over the elements as they are at the beginning.
    public func makeIterator() -> RLMIterator<Element> {
        if let objects = found.iteration(Element.self) { return RLMIterator(objects) }
        let next = found.makeNext()
        return RLMIterator { next().map { element($0) } }
    }

    /// The starting point of queries.
    public var _origin: _CollectionOrigin { _CollectionOrigin(found.source, found) }

    /// Whether the realm was invalidated. Results whose source was deleted are empty instead.
    public var isInvalidated: Bool { found.isInvalidated }

    /// Whether both were returned by the same call. Results of equal queries are not equal.
    public static func == (left: Results<Element>, right: Results<Element>) -> Bool { left.found === right.found }
}
