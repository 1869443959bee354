/// A parsed query: a predicate, and steps such as sorting. Names and types are not checked until the query is bound to
/// a class.
///
/// ```swift
/// let query = try ObjectQuery("age > 30 AND ANY dogs.name BEGINSWITH[c] 're' SORT(name ASC)")
/// print(try people.objects(matching: query).keys.count)
/// ```
///
/// `description` is a text that parses to an equal query.
public struct ObjectQuery: Equatable, Sendable {
    /// The condition that objects must satisfy.
    public var predicate: QueryPredicate
    /// The steps applied to the matching objects, in order.
    public var steps: [ResultStep]

    /// Creates a query from its parts.
    public init(_ predicate: QueryPredicate, steps: [ResultStep] = []) {
        self.predicate = predicate
        self.steps = steps
    }

    /// Parses a query in Realm Query Language, or in the NSPredicate syntax that Realm's Swift documentation uses.
    ///
    /// - Throws: `QuerySyntaxError` with the position.
    public init(_ text: String) throws(QuerySyntaxError) {
        var parser = try QueryParser(text)
        self = try parser.query()
    }
}

/// A condition that decides whether an object belongs to the result.
///
/// ```swift
/// let young = QueryPredicate.comparison(
///     .property(try QueryPath("age")), .less, .constant(.integer("18")), caseInsensitive: false)
/// print(try people.count(matching: ObjectQuery(.not(young))))
/// ```
public indirect enum QueryPredicate: Equatable, Sendable {
    /// `TRUEPREDICATE` or `FALSEPREDICATE`.
    case constant(Bool)
    /// All of the predicates.
    case and([QueryPredicate])
    /// At least one of the predicates.
    case or([QueryPredicate])
    /// The negation of a predicate.
    case not(QueryPredicate)
    /// `left operation right`; `[c]`, `[d]` or `[cd]` may follow the operation.
    case comparison(
        QueryExpression, ComparisonOperation, QueryExpression, caseInsensitive: Bool,
        diacriticInsensitive: Bool = false)
    /// `value BETWEEN {low, high}`; the list has two elements, or an argument that is such a list.
    case between(QueryExpression, [QueryConstant])
    /// `place GEOWITHIN shape`.
    case within(QueryPath, GeoShape)
}

/// An operator that compares two expressions.
///
/// ```swift
/// let young = QueryPredicate.comparison(
///     .property(try QueryPath("age")), .less, .constant(.integer("18")), caseInsensitive: false)
/// print(young)
/// ```
public enum ComparisonOperation: String, Sendable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case isIn = "IN"
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
    case contains = "CONTAINS"
    case like = "LIKE"
    case text = "TEXT"
}

/// An operand of a comparison.
///
/// ```swift
/// print(QueryExpression.property(try QueryPath("dogs.age")))
/// ```
public indirect enum QueryExpression: Equatable, Sendable {
    case constant(QueryConstant)
    /// `{1, 2, 3}`, optionally preceded by `ANY`, `ALL` or `NONE`.
    case list([QueryConstant], Quantifier?)
    case property(QueryPath)
    /// `path.@sum` over a list of values, or `path.@sum.property` over linked objects.
    case aggregate(QueryPath, QueryAggregate, property: String?)
    /// `SUBQUERY(path, $variable, predicate).@count`.
    case subquery(QueryPath, variable: String, QueryPredicate)
    case arithmetic(QueryExpression, ArithmeticOperation, QueryExpression)
}

/// A calculation with two numbers.
///
/// ```swift
/// print(QueryExpression.arithmetic(.property(try QueryPath("age")), .plus, .constant(.integer("1"))))
/// ```
public enum ArithmeticOperation: String, Sendable {
    case plus = "+"
    case minus = "-"
    case times = "*"
    case divided = "/"
}

/// A calculation with many values.
///
/// ```swift
/// print(QueryExpression.aggregate(try QueryPath("dogs"), .average, property: "age"))
/// ```
public enum QueryAggregate: String, Sendable {
    case minimum = "@min"
    case maximum = "@max"
    case sum = "@sum"
    case average = "@avg"
}

/// The share of several values that must satisfy a comparison; ANY by default.
///
/// ```swift
/// print(QueryPath([.name("dogs"), .name("age")], quantifier: .all))
/// ```
public enum Quantifier: String, Sendable {
    case any = "ANY"
    case all = "ALL"
    case none = "NONE"
}

/// A path from an object to a value.
///
/// ```swift
/// print(try QueryPath("dogs.age"))
/// ```
public struct QueryPath: Equatable, Sendable {
    /// The quantifier before the path.
    public var quantifier: Quantifier?
    /// Names, positions and keys; never empty.
    public var elements: [Element]
    /// The suffix that is applied to the value at the end.
    public var suffix: Suffix?

    /// Creates a path from its parts.
    public init(_ elements: [Element], quantifier: Quantifier? = nil, suffix: Suffix? = nil) {
        self.elements = elements
        self.quantifier = quantifier
        self.suffix = suffix
    }

    /// A step of a path.
    public enum Element: Equatable, Sendable {
        /// A property, `@links`, `@keys`, `@values`, or a key of a dictionary after a dot.
        case name(String)
        /// A path passed as an argument.
        case argument(Int)
        /// `[3]`
        case index(Int)
        /// `[FIRST]`
        case first
        /// `[LAST]`
        case last
        /// `[*]`
        case all
        /// `['key']`
        case key(String)
        /// `[$0]`, an index or a key passed as an argument.
        case keyArgument(Int)
    }

    /// An optional end of a path.
    public enum Suffix: Equatable, Sendable {
        /// `.@size`, `.@count` or `[SIZE]`.
        case size
        /// `.@type`
        case type
    }
}

/// A constant in the text of a query. Numbers are kept as digits: the other operand decides their type.
///
/// ```swift
/// print(QueryConstant.timestamp(seconds: 1_700_000_000, nanoseconds: 0))
/// ```
public indirect enum QueryConstant: Equatable, Sendable {
    case null
    case bool(Bool)
    /// An integer in decimal or hexadecimal digits.
    case integer(String)
    /// A number with a decimal point, an exponent or an `f`.
    case real(String)
    case infinity(negative: Bool)
    case notANumber
    case string(String)
    /// Bytes for a string or for binary data, depending on the other operand.
    case base64([UInt8])
    case binary([UInt8])
    /// Seconds since 1970 and nanoseconds of the same sign.
    case timestamp(seconds: Int64, nanoseconds: Int32)
    /// 16 bytes.
    case uuid([UInt8])
    /// 12 bytes.
    case objectId([UInt8])
    /// The key of an object of the class that the other operand links to.
    case objectKey(Int64)
    /// The keys of a table and of an object in it.
    case typedLink(table: UInt32, object: Int64)
    /// The object of a class with a primary key.
    case object(className: String, primaryKey: QueryConstant)
    /// A value passed with the query; a list may have a quantifier.
    case argument(Int, Quantifier?)
}

extension QueryConstant {
    /// A key that no object has, because its column would need one more. It equals no stored value.
    package static var noObject: QueryConstant { .objectKey(.max) }
}

/// A shape on the earth; coordinates are longitude and latitude in degrees.
///
/// ```swift
/// print(GeoShape.circle(GeoPosition(longitude: .number(2.3), latitude: .number(48.9)), radius: .number(0.01)))
/// ```
public enum GeoShape: Equatable, Sendable {
    case box(GeoPosition, GeoPosition)
    /// The radius in radians.
    case circle(GeoPosition, radius: GeoCoordinate)
    /// The outer ring, followed by holes.
    case polygon([[GeoPosition]])
    case argument(Int)
}

/// Longitude, latitude, and an optional altitude that has no effect.
///
/// ```swift
/// print(GeoPosition(longitude: .number(2.3), latitude: .number(48.9)))
/// ```
public struct GeoPosition: Equatable, Sendable {
    /// Degrees east.
    public let longitude: GeoCoordinate
    /// Degrees north.
    public let latitude: GeoCoordinate
    /// Metres.
    public let altitude: Double?

    /// Creates a position in degrees and metres.
    public init(longitude: GeoCoordinate, latitude: GeoCoordinate, altitude: Double? = nil) {
        self.longitude = longitude
        self.latitude = latitude
        self.altitude = altitude
    }
}

/// A number, or an argument that stands for one.
///
/// ```swift
/// print(GeoPosition(longitude: .number(2.3), latitude: .argument(0)))
/// ```
public enum GeoCoordinate: Equatable, Sendable {
    case number(Double)
    case argument(Int)
}

/// A step applied to the matching objects.
///
/// ```swift
/// print(ObjectQuery(.constant(true), steps: [.sort([SortKey(path: try QueryPath("age"), ascending: false)]), .limit(10)]))
/// ```
public enum ResultStep: Equatable, Sendable {
    /// Sorts by several keys, the first taking precedence.
    case sort([SortKey])
    /// Keeps the first object of each combination of values.
    case distinct([QueryPath])
    /// Keeps at most this many objects.
    case limit(Int)
}

/// A sort key.
///
/// ```swift
/// print(ObjectQuery(.constant(true), steps: [.sort([SortKey(path: try QueryPath("name"), ascending: true)])]))
/// ```
public struct SortKey: Equatable, Sendable {
    /// The path to the value.
    public let path: QueryPath
    /// Whether low values come first.
    public let ascending: Bool

    /// Creates a sort key for the value at the end of `path`.
    public init(path: QueryPath, ascending: Bool) {
        self.path = path
        self.ascending = ascending
    }
}
