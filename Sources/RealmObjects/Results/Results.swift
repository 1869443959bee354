internal import RealmReader

/// Objects of a realm that a query finds, or values: looked up when they are asked for, and live.
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

    /// The first element; nil where there is none. Nothing behind it is looked for, unless the results are sorted.
    public var first: Element? { found.first.map { element($0) } }

    /// The element at an index.
    public subscript(position: Int) -> Element { element(found.value(at: position)) }

    private func element(_ value: Value) -> Element {
        Element.shown(_StoredValue(value: value, realm: found.realm))
    }

    /// Goes through the elements as they are when it is made.
    public func makeIterator() -> RLMIterator<Element> {
        if let objects = found.iteration(Element.self) { return RLMIterator(objects) }
        let next = found.makeNext()
        return RLMIterator { next().map { element($0) } }
    }

    /// Where queries start.
    public var _origin: _CollectionOrigin { _CollectionOrigin(found.source, found) }

    /// Whether the realm was invalidated. Results of what was deleted are empty.
    public var isInvalidated: Bool { found.isInvalidated }

    /// Whether both are one: made by the same call. What is asked for twice is not equal.
    public static func == (left: Results<Element>, right: Results<Element>) -> Bool { left.found === right.found }
}
