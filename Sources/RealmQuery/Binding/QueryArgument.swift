public import RealmCore

/// A value passed with a query: `$0`, `$1` … in its text.
///
/// ```swift
/// print(try people.objects(matching: "name == $0 AND age > $1", "Ann", 30).count)
/// ```
public enum QueryArgument: Sendable {
    /// A single value.
    case value(Value)
    /// The elements of a list.
    case list([Value])
    /// A shape for GEOWITHIN. The text of a shape is accepted as well.
    case shape(GeoShape)
}

extension QueryArgument: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
    /// An integer.
    public init(integerLiteral value: Int64) { self = .value(.int(value)) }
    /// Text.
    public init(stringLiteral value: String) { self = .value(.string(value)) }
    /// A double.
    public init(floatLiteral value: Double) { self = .value(.double(value)) }
    /// A Boolean.
    public init(booleanLiteral value: Bool) { self = .value(.bool(value)) }
    /// Null.
    public init(nilLiteral: ()) { self = .value(.null) }
}
