/// A JSON document in memory. Objects keep the order of their members. Used for reports, schemas and metadata;
/// documents with data are written straight to bytes and never take this form.
///
/// ```swift
/// let rex: JSONValue = ["name": "Rex", "age": 3]
/// print(rex.compact, rex["name"] == "Rex")
/// ```
public enum JSONValue: Sendable {
    /// `null`
    case null
    /// `true` or `false`
    case bool(Bool)
    /// An integer, written with all its digits.
    case int(Int64)
    /// A number. NaN and the infinities, which JSON lacks, are written as the strings `"NaN"`, `"Infinity"` and
    /// `"-Infinity"`.
    case double(Double)
    /// Text.
    case string(String)
    /// Values in order.
    case array([JSONValue])
    /// Names and values in order.
    case object([(String, JSONValue)])

    /// A number, or its digits as a string if it exceeds a signed 64-bit integer.
    public init(_ number: UInt64) {
        self = Int64(exactly: number).map { .int($0) } ?? .string(String(number))
    }

    /// A number.
    public init(_ number: some FixedWidthInteger) {
        self = Int64(exactly: number).map { .int($0) } ?? .string(String(number))
    }

    /// Text, or `null`.
    package init(_ text: String?) {
        self = text.map { .string($0) } ?? .null
    }

    /// An object of the members that have a value.
    package static func object(present members: [(String, JSONValue?)]) -> JSONValue {
        .object(members.compactMap { name, value in value.map { (name, $0) } })
    }

    /// The value of the first member with that name; nil if there is none, or if this is not an object.
    public subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.0 == name }?.1
    }
}

extension JSONValue: Equatable {
    /// Values are equal if they have the same kind and content; the order of an object's members matters.
    public static func == (left: JSONValue, right: JSONValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.int(let left), .int(let right)): left == right
        case (.double(let left), .double(let right)): left == right
        case (.string(let left), .string(let right)): left == right
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left.elementsEqual(right) { $0 == $1 }
        default: false
        }
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    /// Text.
    public init(stringLiteral value: String) { self = .string(value) }
    /// An integer.
    public init(integerLiteral value: Int64) { self = .int(value) }
    /// A truth value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// An array.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// An object with the members in the order of the literal.
    public init(dictionaryLiteral elements: (String, JSONValue)...) { self = .object(elements) }
    /// `null`
    public init(nilLiteral: ()) { self = .null }
}
