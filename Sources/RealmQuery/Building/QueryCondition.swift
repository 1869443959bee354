public import RealmCore

/// A condition on an object, built from `QueryTerm`s in Swift.
///
/// ```swift
/// func isGrown(_ person: QueryTerm) -> QueryCondition { person["age"] >= 18 && person["name"] != nil }
/// print(try people.where(isGrown).count)
/// ```
public struct QueryCondition: Sendable {
    /// The condition as part of a query.
    public let predicate: QueryPredicate
    /// Whether it refers to the object of the outermost query.
    let isOutermost: Bool

    init(_ predicate: QueryPredicate, isOutermost: Bool) {
        self.predicate = predicate
        self.isOutermost = isOutermost
    }

    /// Creates a condition from a predicate on the objects of the query; not valid inside a subquery.
    public init(_ predicate: QueryPredicate) { self.init(predicate, isOutermost: true) }

    /// Whether both hold.
    public static func && (left: QueryCondition, right: QueryCondition) -> QueryCondition {
        var parts = [left.predicate]
        // A chain is one conjunction, however long.
        if case .and(let chain) = left.predicate { parts = chain }
        return QueryCondition(.and(parts + [right.predicate]), isOutermost: left.isOutermost || right.isOutermost)
    }

    /// Whether at least one of them holds.
    public static func || (left: QueryCondition, right: QueryCondition) -> QueryCondition {
        var parts = [left.predicate]
        if case .or(let chain) = left.predicate { parts = chain }
        return QueryCondition(.or(parts + [right.predicate]), isOutermost: left.isOutermost || right.isOutermost)
    }

    /// Whether it does not hold.
    public static prefix func ! (condition: QueryCondition) -> QueryCondition {
        QueryCondition(.not(condition.predicate), isOutermost: condition.isOutermost)
    }
}

extension QueryTerm {
    fileprivate func compared(
        _ operation: ComparisonOperation, _ other: some QueryOperand, caseInsensitive: Bool = false
    ) -> QueryCondition {
        let other = other.queryTerm
        return QueryCondition(
            .comparison(expression, operation, other.expression, caseInsensitive: caseInsensitive),
            isOutermost: isOutermost || other.isOutermost)
    }

    private func calculated(_ operation: ArithmeticOperation, _ other: some QueryOperand) -> QueryTerm {
        let other = other.queryTerm
        return QueryTerm(
            .arithmetic(expression, operation, other.expression), isOutermost: isOutermost || other.isOutermost)
    }

    // MARK: Comparisons

    /// Whether the values are equal.
    public static func == (left: QueryTerm, right: some QueryOperand) -> QueryCondition { left.compared(.equal, right) }
    /// Whether there is no value.
    public static func == (left: QueryTerm, right: _OptionalNilComparisonType) -> QueryCondition {
        left.compared(.equal, Int?.none)
    }
    /// Whether the values differ.
    public static func != (left: QueryTerm, right: some QueryOperand) -> QueryCondition {
        left.compared(.notEqual, right)
    }
    /// Whether there is a value.
    public static func != (left: QueryTerm, right: _OptionalNilComparisonType) -> QueryCondition {
        left.compared(.notEqual, Int?.none)
    }
    /// Whether the value is less.
    public static func < (left: QueryTerm, right: some QueryOperand) -> QueryCondition { left.compared(.less, right) }
    /// Whether the value is less, or equal.
    public static func <= (left: QueryTerm, right: some QueryOperand) -> QueryCondition {
        left.compared(.lessOrEqual, right)
    }
    /// Whether the value is greater.
    public static func > (left: QueryTerm, right: some QueryOperand) -> QueryCondition {
        left.compared(.greater, right)
    }
    /// Whether the value is greater, or equal.
    public static func >= (left: QueryTerm, right: some QueryOperand) -> QueryCondition {
        left.compared(.greaterOrEqual, right)
    }

    /// Whether the value is among the given ones.
    public func isIn(_ values: [some QueryValue], caseInsensitive: Bool = false) -> QueryCondition {
        QueryCondition(
            .comparison(expression, .isIn, .list(values.map(\.queryConstant), nil), caseInsensitive: caseInsensitive),
            isOutermost: isOutermost)
    }

    /// Whether the value is in a range.
    public func isIn<Bound: QueryValue>(_ range: ClosedRange<Bound>) -> QueryCondition {
        self >= range.lowerBound && self <= range.upperBound
    }

    /// Whether the value is in a range.
    public func isIn<Bound: QueryValue>(_ range: Range<Bound>) -> QueryCondition {
        self >= range.lowerBound && self < range.upperBound
    }

    // MARK: Texts

    /// Whether the strings are equal, optionally ignoring case.
    public func equals(_ text: some QueryOperand, caseInsensitive: Bool) -> QueryCondition {
        compared(.equal, text, caseInsensitive: caseInsensitive)
    }
    /// Whether it begins with a string or bytes.
    public func begins(with text: some QueryOperand, caseInsensitive: Bool = false) -> QueryCondition {
        compared(.beginsWith, text, caseInsensitive: caseInsensitive)
    }
    /// Whether it ends with a string or bytes.
    public func ends(with text: some QueryOperand, caseInsensitive: Bool = false) -> QueryCondition {
        compared(.endsWith, text, caseInsensitive: caseInsensitive)
    }
    /// Whether it contains a string or bytes.
    public func contains(_ text: some QueryOperand, caseInsensitive: Bool = false) -> QueryCondition {
        compared(.contains, text, caseInsensitive: caseInsensitive)
    }
    /// Whether it matches a pattern in which `?` stands for one character and `*` for any number of them.
    public func like(_ pattern: some QueryOperand, caseInsensitive: Bool = false) -> QueryCondition {
        compared(.like, pattern, caseInsensitive: caseInsensitive)
    }
    /// Whether it contains words, found through a full-text index.
    public func hasWords(_ words: String) -> QueryCondition { compared(.text, words) }

    // MARK: Places

    /// Whether embedded GeoJSON points lie in a shape.
    public func isWithin(_ shape: GeoShape) -> QueryCondition {
        QueryCondition(.within(path, shape), isOutermost: isOutermost)
    }

    // MARK: Arithmetic

    /// The sum of two numbers.
    public static func + (left: QueryTerm, right: some QueryOperand) -> QueryTerm { left.calculated(.plus, right) }
    /// The difference of two numbers.
    public static func - (left: QueryTerm, right: some QueryOperand) -> QueryTerm { left.calculated(.minus, right) }
    /// The product of two numbers.
    public static func * (left: QueryTerm, right: some QueryOperand) -> QueryTerm { left.calculated(.times, right) }
    /// The quotient of two numbers.
    public static func / (left: QueryTerm, right: some QueryOperand) -> QueryTerm { left.calculated(.divided, right) }
}

extension ObjectQuery {
    /// Creates a query from a condition written in Swift.
    ///
    /// ```swift
    /// let query = ObjectQuery { $0["age"] > 30 && $0["dogs"].count > 1 }.sorted { $0["name"] }.limited(to: 10)
    /// print(query)  // age > 30 AND dogs.@count > 1 SORT(name ASC) LIMIT(10)
    /// ```
    public init(where condition: (QueryTerm) -> QueryCondition) {
        self.init(condition(QueryTerm(object: nil)).predicate)
    }

    /// Adds a sort by a value of each object. Of several sorts, the last takes precedence.
    public func sorted(ascending: Bool = true, by value: (QueryTerm) -> QueryTerm) -> ObjectQuery {
        adding(.sort([SortKey(path: value(QueryTerm(object: nil)).path, ascending: ascending)]))
    }

    /// Adds a DISTINCT: keeps the first object of each value.
    public func distinct(by value: (QueryTerm) -> QueryTerm) -> ObjectQuery {
        adding(.distinct([value(QueryTerm(object: nil)).path]))
    }

    /// Adds a LIMIT: keeps at most `count` objects.
    public func limited(to count: Int) -> ObjectQuery { adding(.limit(count)) }

    private func adding(_ step: ResultStep) -> ObjectQuery { ObjectQuery(predicate, steps: steps + [step]) }
}

extension Table {
    /// The objects that match a condition written in Swift, in key order.
    ///
    /// ```swift
    /// for key in try people.where({ $0["age"] > 30 && $0["dogs"]["name"].contains("rex") }).keys { print(key) }
    /// ```
    ///
    /// - Throws: `QueryError`, as `objects(matching:arguments:options:)` does.
    public func `where`(
        options: QueryOptions = QueryOptions(), _ condition: (QueryTerm) -> QueryCondition
    ) throws(QueryError) -> QueryResults {
        try objects(matching: ObjectQuery(where: condition), options: options)
    }
}
