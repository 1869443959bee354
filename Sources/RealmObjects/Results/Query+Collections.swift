internal import RealmQuery

// Conditions on collections. A comparison holds if it holds for one of the elements.

extension Query where T: RealmCollection {
    /// The number of elements.
    public var count: Query<Int> { Query<Int>(node.counted) }

    /// Whether the collection contains a value.
    public func contains(_ value: T.Element) -> Query<Bool> { node.contains(value) }
    /// Whether the collection contains one of several values.
    public func containsAny<U: Sequence>(in collection: U) -> Query<Bool> where U.Element == T.Element {
        compared(.isIn, collection.map { $0 as Any })
    }

    /// Whether an element is equal to a value.
    public static func == (left: Query, right: T.Element) -> Query<Bool> { left.compared(.equal, right) }
    /// Whether an element differs from a value.
    public static func != (left: Query, right: T.Element) -> Query<Bool> { left.compared(.notEqual, right) }

    /// The elements in stored form.
    public var persistableValue: Query<AnyRealmCollection<T.Element.PersistedType>> {
        Query<AnyRealmCollection<T.Element.PersistedType>>(node)
    }
}

extension Query where T: RealmCollection, T.Element: Comparable {
    /// Whether all elements are in a range.
    public func contains(_ range: Range<T.Element>) -> Query<Bool> { node.spans(range) }
    /// Whether all elements are in a range.
    public func contains(_ range: ClosedRange<T.Element>) -> Query<Bool> { node.spans(range) }
}

extension Query where T: RealmCollection, T.Element: OptionalProtocol, T.Element.Wrapped: Comparable {
    /// Whether all elements are in a range.
    public func contains(_ range: Range<T.Element.Wrapped>) -> Query<Bool> { node.spans(range) }
    /// Whether all elements are in a range.
    public func contains(_ range: ClosedRange<T.Element.Wrapped>) -> Query<Bool> { node.spans(range) }
}

extension Query where T: RealmCollection, T.Element.PersistedType: _QueryNumeric {
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
extension Query where T: _HasPersistedType, T.PersistedType: _QueryNumeric {
    /// The lowest value of the objects of a collection.
    public var min: Query { Query(node.aggregated(.minimum)) }
    /// The highest value of the objects of a collection.
    public var max: Query { Query(node.aggregated(.maximum)) }
    /// The average of the values of the objects of a collection.
    public var avg: Query { Query(node.aggregated(.average)) }
    /// The sum of the values of the objects of a collection.
    public var sum: Query { Query(node.aggregated(.sum)) }
}

extension Query where T: RealmKeyedCollection {
    /// The number of entries.
    public var count: Query<Int> { Query<Int>(node.counted) }
    /// The values; a comparison holds if it holds for one of them.
    public var values: Query<T.Value> { Query<T.Value>(node.adding(.name("@values"))) }
    /// The value of a key.
    public subscript(key: T.Key) -> Query<T.Value> { Query<T.Value>(node.adding(.key(key._text))) }

    /// Whether the map contains a value.
    public func contains(_ value: T.Value) -> Query<Bool> { values.node.contains(value) }
    /// Whether the map contains one of several values.
    public func containsAny<U: Sequence>(in collection: U) -> Query<Bool> where U.Element == T.Value {
        values.compared(.isIn, collection.map { $0 as Any })
    }

    /// The values in stored form.
    public var persistableValue: Query<Map<T.Key, T.Value.PersistedType>> {
        Query<Map<T.Key, T.Value.PersistedType>>(node)
    }
}

extension Query where T: RealmKeyedCollection, T.Key == String {
    /// The keys; a comparison holds if it holds for one of them.
    public var keys: Query<String> { Query<String>(node.adding(.name("@keys"))) }
}

extension Query where T: RealmKeyedCollection, T.Value: Comparable {
    /// Whether all values are in a range.
    public func contains(_ range: Range<T.Value>) -> Query<Bool> { node.spans(range) }
    /// Whether all values are in a range.
    public func contains(_ range: ClosedRange<T.Value>) -> Query<Bool> { node.spans(range) }
}

extension Query where T: RealmKeyedCollection, T.Value: OptionalProtocol, T.Value.Wrapped: Comparable {
    /// Whether all values are in a range.
    public func contains(_ range: Range<T.Value.Wrapped>) -> Query<Bool> { node.spans(range) }
    /// Whether all values are in a range.
    public func contains(_ range: ClosedRange<T.Value.Wrapped>) -> Query<Bool> { node.spans(range) }
}

extension Query where T: RealmKeyedCollection, T.Value.PersistedType: _QueryNumeric {
    /// The lowest value.
    public var min: Query<T.Value> { Query<T.Value>(node.aggregated(.minimum)) }
    /// The highest value.
    public var max: Query<T.Value> { Query<T.Value>(node.aggregated(.maximum)) }
    /// The average of the values.
    public var avg: Query<T.Value> { Query<T.Value>(node.aggregated(.average)) }
    /// The sum of the values.
    public var sum: Query<T.Value> { Query<T.Value>(node.aggregated(.sum)) }
}

extension QueryNode {
    fileprivate func contains(_ value: Any) -> Query<Bool> {
        if isCompared(byPartsOf: value) { return Query<Bool>(compared(.equal, value)) }
        return Query<Bool>(.comparison(.constant(queryArgument(value), databases(of: value)), .isIn, self))
    }

    fileprivate func spans<B: Comparable>(_ range: Range<B>) -> Query<Bool> {
        Query<Bool>(
            .and(
                aggregated(.minimum).compared(.greaterOrEqual, range.lowerBound),
                aggregated(.maximum).compared(.less, range.upperBound)))
    }

    fileprivate func spans<B: Comparable>(_ range: ClosedRange<B>) -> Query<Bool> {
        Query<Bool>(
            .and(
                aggregated(.minimum).compared(.greaterOrEqual, range.lowerBound),
                aggregated(.maximum).compared(.lessOrEqual, range.upperBound)))
    }
}

// Collections inside mixed values.
extension Query where T == AnyRealmValue {
    /// The element at an index of a list.
    public subscript(position: Int) -> Query<AnyRealmValue> { Query<AnyRealmValue>(node.adding(.index(position))) }
    /// The value of a key of a dictionary.
    public subscript(key: String) -> Query<AnyRealmValue> { Query<AnyRealmValue>(node.adding(.key(key))) }
    /// All elements of a list or dictionary; a comparison holds if it holds for one of them.
    public var any: Query<AnyRealmValue> { Query<AnyRealmValue>(node.adding(.all)) }
}
