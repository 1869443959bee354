/// A query as it was written: which objects, and in which order. Names are not looked up and types not compared; that is
/// done when a query is bound to a class.
///
/// ```swift
/// let query = try ObjectQuery("age > 30 AND ANY dogs.name BEGINSWITH[c] 're' SORT(name ASC)")
/// print(try people.objects(matching: query).keys.count)
/// ```
///
/// `description` gives a text that parses to an equal query.
public struct ObjectQuery: Equatable, Sendable {
    /// Which objects.
    public var predicate: QueryPredicate
    /// What is done with them, in this order.
    public var steps: [ResultStep]

    /// A query made of its parts.
    public init(_ predicate: QueryPredicate, steps: [ResultStep] = []) {
        self.predicate = predicate
        self.steps = steps
    }

    /// Reads a query in Realm Query Language, or in the form of NSPredicate that Realm's Swift documentation uses.
    ///
    /// - Throws: `QuerySyntaxError`, which shows the place.
    public init(_ text: String) throws(QuerySyntaxError) {
        var parser = try QueryParser(text)
        self = try parser.query()
    }
}

/// Whether an object belongs to the result.
///
/// ```swift
/// let young = QueryPredicate.comparison(
///     .property(try QueryPath("age")), .less, .constant(.integer("18")), caseInsensitive: false)
/// print(try people.count(matching: Query(.not(young))))
/// ```
public indirect enum QueryPredicate: Equatable, Sendable {
    /// `TRUEPREDICATE` or `FALSEPREDICATE`.
    case constant(Bool)
    /// All of them.
    case and([QueryPredicate])
    /// At least one of them.
    case or([QueryPredicate])
    /// The opposite.
    case not(QueryPredicate)
    /// `left operation right`; behind the operation may stand `[c]`, `[d]` or `[cd]`.
    case comparison(
        QueryExpression, ComparisonOperation, QueryExpression, caseInsensitive: Bool,
        diacriticInsensitive: Bool = false)
    /// `value BETWEEN {low, high}`; the list has two elements, or an argument that is such a list.
    case between(QueryExpression, [QueryConstant])
    /// `place GEOWITHIN shape`.
    case within(QueryPath, GeoShape)
}

/// How two expressions are compared.
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

/// What is compared.
///
/// ```swift
/// print(QueryExpression.property(try QueryPath("dogs.age")))
/// ```
public indirect enum QueryExpression: Equatable, Sendable {
    case constant(QueryConstant)
    /// `{1, 2, 3}`, with `ANY`, `ALL` or `NONE` before it.
    case list([QueryConstant], Quantifier?)
    case property(QueryPath)
    /// `path.@sum` over a list of values, or `path.@sum.property` over linked objects.
    case aggregate(QueryPath, QueryAggregate, property: String?)
    /// `SUBQUERY(path, $variable, predicate).@count`.
    case subquery(QueryPath, variable: String, QueryPredicate)
    case arithmetic(QueryExpression, ArithmeticOperation, QueryExpression)
}

/// What is calculated of two numbers.
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

/// What is calculated of many values.
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

/// Of how many of several values a comparison must hold; without one, of any.
///
/// ```swift
/// print(QueryPath([.name("dogs"), .name("age")], quantifier: .all))
/// ```
public enum Quantifier: String, Sendable {
    case any = "ANY"
    case all = "ALL"
    case none = "NONE"
}

/// The way from an object to a value.
///
/// ```swift
/// print(try QueryPath("dogs.age"))
/// ```
public struct QueryPath: Equatable, Sendable {
    /// What stands before it.
    public var quantifier: Quantifier?
    /// Names, positions and keys; never empty.
    public var elements: [Element]
    /// What is asked of the value at its end.
    public var suffix: Suffix?

    /// A path made of its parts.
    public init(_ elements: [Element], quantifier: Quantifier? = nil, suffix: Suffix? = nil) {
        self.elements = elements
        self.quantifier = quantifier
        self.suffix = suffix
    }

    /// A step of a path.
    public enum Element: Equatable, Sendable {
        /// A property, `@links`, `@keys`, `@values`, or a key of a dictionary behind a point.
        case name(String)
        /// A path that is an argument.
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
        /// `[$0]`, an index or a key that is an argument.
        case keyArgument(Int)
    }

    /// What a path can end with.
    public enum Suffix: Equatable, Sendable {
        /// `.@size`, `.@count` or `[SIZE]`.
        case size
        /// `.@type`
        case type
    }
}

/// A value in the text of a query. Numbers stay digits: what they are compared with says which type they become.
///
/// ```swift
/// print(QueryConstant.timestamp(seconds: 1_700_000_000, nanoseconds: 0))
/// ```
public indirect enum QueryConstant: Equatable, Sendable {
    case null
    case bool(Bool)
    /// An integer in decimal or hexadecimal digits.
    case integer(String)
    /// A number with a point, an exponent or an `f`.
    case real(String)
    case infinity(negative: Bool)
    case notANumber
    case string(String)
    /// Bytes that stand for a string or for binary data, whichever they are compared with.
    case base64([UInt8])
    case binary([UInt8])
    /// Seconds since 1970 and nanoseconds of the same sign.
    case timestamp(seconds: Int64, nanoseconds: Int32)
    /// 16 bytes.
    case uuid([UInt8])
    /// 12 bytes.
    case objectId([UInt8])
    /// The key of an object of the class that is linked to.
    case objectKey(Int64)
    /// The keys of a table and of an object in it.
    case typedLink(table: UInt32, object: Int64)
    /// The object of a class with this primary key.
    case object(className: String, primaryKey: QueryConstant)
    /// The value that is given with the query, with its quantifier when it is a list.
    case argument(Int, Quantifier?)
}

extension QueryConstant {
    /// A key that no object has: its column would have to hold one more. Nothing that is stored is equal to it.
    package static var noObject: QueryConstant { .objectKey(.max) }
}

/// A shape on the earth: longitude and latitude in degrees.
///
/// ```swift
/// print(GeoShape.circle(GeoPosition(longitude: .number(2.3), latitude: .number(48.9)), radius: .number(0.01)))
/// ```
public enum GeoShape: Equatable, Sendable {
    case box(GeoPosition, GeoPosition)
    /// The radius in radians.
    case circle(GeoPosition, radius: GeoCoordinate)
    /// The outer ring, then holes.
    case polygon([[GeoPosition]])
    case argument(Int)
}

/// Longitude, latitude, and height, which has no effect.
///
/// ```swift
/// print(GeoPosition(longitude: .number(2.3), latitude: .number(48.9)))
/// ```
public struct GeoPosition: Equatable, Sendable {
    /// Degrees to the east.
    public let longitude: GeoCoordinate
    /// Degrees to the north.
    public let latitude: GeoCoordinate
    /// Metres.
    public let altitude: Double?

    /// A position in degrees and metres.
    public init(longitude: GeoCoordinate, latitude: GeoCoordinate, altitude: Double? = nil) {
        self.longitude = longitude
        self.latitude = latitude
        self.altitude = altitude
    }
}

/// A number, or an argument that is one.
///
/// ```swift
/// print(GeoPosition(longitude: .number(2.3), latitude: .argument(0)))
/// ```
public enum GeoCoordinate: Equatable, Sendable {
    case number(Double)
    case argument(Int)
}

/// What is done with the objects that were found.
///
/// ```swift
/// print(ObjectQuery(.constant(true), steps: [.sort([SortKey(path: try QueryPath("age"), ascending: false)]), .limit(10)]))
/// ```
public enum ResultStep: Equatable, Sendable {
    /// By these, the first one first.
    case sort([SortKey])
    /// The first object of each combination of values.
    case distinct([QueryPath])
    /// Not more than so many.
    case limit(Int)
}

/// What objects are sorted by.
///
/// ```swift
/// print(ObjectQuery(.constant(true), steps: [.sort([SortKey(path: try QueryPath("name"), ascending: true)])]))
/// ```
public struct SortKey: Equatable, Sendable {
    /// Where the value is.
    public let path: QueryPath
    /// Whether low values come first.
    public let ascending: Bool

    /// Sorts by the value at the end of `path`.
    public init(path: QueryPath, ascending: Bool) {
        self.path = path
        self.ascending = ascending
    }
}
