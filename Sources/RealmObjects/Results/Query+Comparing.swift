internal import RealmQuery

// Comparisons by order.

/// A type whose values have an order in queries.
public protocol _QueryNumeric {}
extension Int: _QueryNumeric {}
extension Int8: _QueryNumeric {}
extension Int16: _QueryNumeric {}
extension Int32: _QueryNumeric {}
extension Int64: _QueryNumeric {}
extension Float: _QueryNumeric {}
extension Double: _QueryNumeric {}
extension Decimal128: _QueryNumeric {}
extension AnyRealmValue: _QueryNumeric {}
extension Optional: _QueryNumeric where Wrapped: _Persistable, Wrapped.PersistedType: _QueryNumeric {}

/// Text or bytes in queries.
public protocol _QueryBinary {}
extension Optional: _QueryBinary where Wrapped: _Persistable, Wrapped.PersistedType: _QueryBinary {}

/// Text in queries.
public protocol _QueryString: _QueryBinary {}
extension String: _QueryString {}
extension Optional: _QueryString where Wrapped: _Persistable, Wrapped.PersistedType: _QueryString {}

extension Query where T: _HasPersistedType, T.PersistedType: _QueryNumeric {
    /// Whether the value is greater.
    public static func > (left: Query, right: T) -> Query<Bool> { left.compared(.greater, right) }
    /// Whether the value is greater.
    public static func > (left: Query, right: Query) -> Query<Bool> { left.compared(.greater, with: right) }
    /// Whether the value is greater or equal.
    public static func >= (left: Query, right: T) -> Query<Bool> { left.compared(.greaterOrEqual, right) }
    /// Whether the value is greater or equal.
    public static func >= (left: Query, right: Query) -> Query<Bool> { left.compared(.greaterOrEqual, with: right) }
    /// Whether the value is less.
    public static func < (left: Query, right: T) -> Query<Bool> { left.compared(.less, right) }
    /// Whether the value is less.
    public static func < (left: Query, right: Query) -> Query<Bool> { left.compared(.less, with: right) }
    /// Whether the value is less or equal.
    public static func <= (left: Query, right: T) -> Query<Bool> { left.compared(.lessOrEqual, right) }
    /// Whether the value is less or equal.
    public static func <= (left: Query, right: Query) -> Query<Bool> { left.compared(.lessOrEqual, with: right) }
}

extension Query where T: Comparable {
    /// Whether the value is in a range.
    public func contains(_ range: Range<T>) -> Query<Bool> {
        compared(.greaterOrEqual, range.lowerBound) && compared(.less, range.upperBound)
    }
    /// Whether the value is in a range.
    public func contains(_ range: ClosedRange<T>) -> Query<Bool> {
        between(range.lowerBound, range.upperBound)
    }
}

extension Query where T: OptionalProtocol, T.Wrapped: Comparable {
    /// Whether the value is in a range.
    public func contains(_ range: Range<T.Wrapped>) -> Query<Bool> {
        compared(.greaterOrEqual, range.lowerBound) && compared(.less, range.upperBound)
    }
    /// Whether the value is in a range.
    public func contains(_ range: ClosedRange<T.Wrapped>) -> Query<Bool> {
        between(range.lowerBound, range.upperBound)
    }
}

// Combined conditions.

extension Query where T == Bool {
    /// Whether a condition does not hold.
    public static prefix func ! (query: Query) -> Query<Bool> { Query(.not(query.condition)) }
    /// Whether both conditions hold.
    public static func && (left: Query, right: Query) -> Query<Bool> { Query(.and(left.condition, right.condition)) }
    /// Whether one of the conditions holds.
    public static func || (left: Query, right: Query) -> Query<Bool> { Query(.or(left.condition, right.condition)) }

    /// The query as a condition: a Boolean property is one.
    var condition: QueryNode { node.condition }

    /// The number of objects of a collection that meet a condition, which must concern one collection only.
    public var count: Query<Int> { Query<Int>(.subquery(condition)) }
}

// Texts.

extension Query where T: _HasPersistedType, T.PersistedType: _QueryString {
    /// Whether the text matches a pattern, in which `?` stands for one character and `*` for any number of them.
    public func like(_ value: T, caseInsensitive: Bool = false) -> Query<Bool> {
        compared(.like, value, caseInsensitive ? .caseInsensitive : [])
    }
    /// Whether the text matches a pattern, in which `?` stands for one character and `*` for any number of them.
    public func like<U>(_ column: Query<U>, caseInsensitive: Bool = false) -> Query<Bool> {
        compared(.like, with: column, caseInsensitive ? .caseInsensitive : [])
    }
}

extension Query where T: _HasPersistedType, T.PersistedType: _QueryBinary {
    /// Whether the text contains another one.
    public func contains(_ value: T, options: StringOptions = []) -> Query<Bool> { compared(.contains, value, options) }
    /// Whether the text contains another one.
    public func contains<U: _Persistable>(_ column: Query<U>, options: StringOptions = []) -> Query<Bool>
    where U.PersistedType: _QueryBinary {
        compared(.contains, with: column, options)
    }
    /// Whether the text begins with another one.
    public func starts(with value: T, options: StringOptions = []) -> Query<Bool> {
        compared(.beginsWith, value, options)
    }
    /// Whether the text begins with another one.
    public func starts<U>(with column: Query<U>, options: StringOptions = []) -> Query<Bool> {
        compared(.beginsWith, with: column, options)
    }
    /// Whether the text ends with another one.
    public func ends(with value: T, options: StringOptions = []) -> Query<Bool> { compared(.endsWith, value, options) }
    /// Whether the text ends with another one.
    public func ends<U>(with column: Query<U>, options: StringOptions = []) -> Query<Bool> {
        compared(.endsWith, with: column, options)
    }
    /// Whether the texts are equal.
    public func equals(_ value: T, options: StringOptions = []) -> Query<Bool> { compared(.equal, value, options) }
    /// Whether the texts are equal.
    public func equals<U>(_ column: Query<U>, options: StringOptions = []) -> Query<Bool> {
        compared(.equal, with: column, options)
    }
    /// Whether the texts differ.
    public func notEquals(_ value: T, options: StringOptions = []) -> Query<Bool> {
        compared(.notEqual, value, options)
    }
    /// Whether the texts differ.
    public func notEquals<U>(_ column: Query<U>, options: StringOptions = []) -> Query<Bool> {
        compared(.notEqual, with: column, options)
    }
    /// Whether the value is greater, byte by byte.
    public static func > (left: Query, right: T) -> Query<Bool> { left.compared(.greater, right) }
    /// Whether the value is greater, byte by byte.
    public static func > (left: Query, right: Query) -> Query<Bool> { left.compared(.greater, with: right) }
    /// Whether the value is greater or equal, byte by byte.
    public static func >= (left: Query, right: T) -> Query<Bool> { left.compared(.greaterOrEqual, right) }
    /// Whether the value is greater or equal, byte by byte.
    public static func >= (left: Query, right: Query) -> Query<Bool> { left.compared(.greaterOrEqual, with: right) }
    /// Whether the value is less, byte by byte.
    public static func < (left: Query, right: T) -> Query<Bool> { left.compared(.less, right) }
    /// Whether the value is less, byte by byte.
    public static func < (left: Query, right: Query) -> Query<Bool> { left.compared(.less, with: right) }
    /// Whether the value is less or equal, byte by byte.
    public static func <= (left: Query, right: T) -> Query<Bool> { left.compared(.lessOrEqual, right) }
    /// Whether the value is less or equal, byte by byte.
    public static func <= (left: Query, right: Query) -> Query<Bool> { left.compared(.lessOrEqual, with: right) }
}
