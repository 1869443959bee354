internal import RealmQuery

extension Query where T: RealmCollection {
    /// The number of elements.
    public var count: Query<Int> { Query<Int>(node.counted) }

    /// Whether an element is there.
    public func contains(_ value: T.Element) -> Query<Bool> {
        Query<Bool>(.comparison(.constant(queryArgument(value)), .isIn, node, caseInsensitive: false))
    }

    /// Whether one of some elements is there.
    public func containsAny<U: Sequence>(in collection: U) -> Query<Bool> where U.Element == T.Element {
        compared(.isIn, collection.map { $0 as Any })
    }

    /// Whether an element is equal to a value.
    public static func == (left: Query, right: T.Element) -> Query<Bool> { left.compared(.equal, right) }
    /// Whether an element differs from a value.
    public static func != (left: Query, right: T.Element) -> Query<Bool> { left.compared(.notEqual, right) }
}

extension Query where T: RealmCollection, T.Element: _QueryNumeric {
    /// Whether an element is greater.
    public static func > (left: Query, right: T.Element) -> Query<Bool> { left.compared(.greater, right) }
    /// Whether an element is greater or equal.
    public static func >= (left: Query, right: T.Element) -> Query<Bool> { left.compared(.greaterOrEqual, right) }
    /// Whether an element is less.
    public static func < (left: Query, right: T.Element) -> Query<Bool> { left.compared(.less, right) }
    /// Whether an element is less or equal.
    public static func <= (left: Query, right: T.Element) -> Query<Bool> { left.compared(.lessOrEqual, right) }
    /// The lowest element.
    public var min: Query<T.Element> { Query<T.Element>(node.aggregated(.minimum)) }
    /// The highest element.
    public var max: Query<T.Element> { Query<T.Element>(node.aggregated(.maximum)) }
    /// The average of the elements.
    public var avg: Query<T.Element> { Query<T.Element>(node.aggregated(.average)) }
    /// The sum of the elements.
    public var sum: Query<T.Element> { Query<T.Element>(node.aggregated(.sum)) }
}

// A property of the objects of a collection.
extension Query where T: _QueryNumeric {
    /// The lowest value of the objects of a collection.
    public var min: Query { Query(node.aggregated(.minimum)) }
    /// The highest value of the objects of a collection.
    public var max: Query { Query(node.aggregated(.maximum)) }
    /// The average of the values of the objects of a collection.
    public var avg: Query { Query(node.aggregated(.average)) }
    /// The sum of the values of the objects of a collection.
    public var sum: Query { Query(node.aggregated(.sum)) }
}

extension Query {
    /// The value of a key of a map.
    public subscript<Key, Value>(key: Key) -> Query<Value> where T == Map<Key, Value> {
        Query<Value>(node.adding(.key(key._text)))
    }

}
