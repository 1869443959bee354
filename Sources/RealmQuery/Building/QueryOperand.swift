internal import RealmLayout
public import RealmReader

/// What a `QueryTerm` can be compared with: another one, or a value.
///
/// ```swift
/// let limit: any QueryOperand = 18
/// print(limit.queryTerm.expression)
/// ```
public protocol QueryOperand {
    /// What it is in a query.
    var queryTerm: QueryTerm { get }
}

extension QueryTerm: QueryOperand {
    /// Itself.
    public var queryTerm: QueryTerm { self }
}

/// A value that a query compares with, also as one of a list: what is the same for all objects.
///
/// ```swift
/// let wanted: [any QueryValue] = [18, "adult"]
/// for value in wanted { print(value.queryConstant) }
/// ```
public protocol QueryValue: QueryOperand {
    /// What it is in a query.
    var queryConstant: QueryConstant { get }
}

extension QueryValue {
    /// The value.
    public var queryTerm: QueryTerm { QueryTerm(.constant(queryConstant)) }
}

extension QueryValue where Self: BinaryInteger {
    /// An integer; one of more than 64 bits is refused when the query is run.
    public var queryConstant: QueryConstant { .integer("\(self)") }
}

extension Int: QueryValue {}
extension Int8: QueryValue {}
extension Int16: QueryValue {}
extension Int32: QueryValue {}
extension Int64: QueryValue {}
extension UInt8: QueryValue {}

extension Bool: QueryValue {
    /// A truth value.
    public var queryConstant: QueryConstant { .bool(self) }
}

extension String: QueryValue {
    /// A text.
    public var queryConstant: QueryConstant { .string(self) }
}

extension Double: QueryValue {
    /// A number.
    public var queryConstant: QueryConstant { .number(self, "\(self)") }
}

extension Float: QueryValue {
    /// A number.
    public var queryConstant: QueryConstant { .number(Double(self), "\(self)f") }
}

extension Value: QueryValue {
    /// The value; a collection is none that a query can have, and an embedded object is a link to it.
    public var queryConstant: QueryConstant { QueryConstant(self) }
}

extension Optional: QueryOperand where Wrapped: QueryOperand {
    /// The value, or null.
    public var queryTerm: QueryTerm { self?.queryTerm ?? QueryTerm(.constant(.null)) }
}

extension Optional: QueryValue where Wrapped: QueryValue {
    /// The value, or null.
    public var queryConstant: QueryConstant { self?.queryConstant ?? .null }
}

extension QueryConstant {
    fileprivate static func number(_ number: Double, _ digits: String) -> QueryConstant {
        if number.isNaN { return .notANumber }
        return number.isInfinite ? .infinity(negative: number < 0) : .real(digits)
    }

    /// The value as a query has it; a collection is null.
    package init(_ value: Value) {
        switch value {
        case .null, .list, .set, .dictionary: self = .null
        case .int(let number): self = .integer("\(number)")
        case .bool(let truth): self = .bool(truth)
        case .string(let text): self = .string(text)
        case .malformedString(let bytes): self = .base64(bytes)
        case .binary(let bytes): self = .binary(bytes)
        case .timestamp(let time): self = .timestamp(seconds: time.seconds, nanoseconds: time.nanoseconds)
        case .float(let number): self = .number(Double(number), "\(number)f")
        case .double(let number): self = .number(number, "\(number)")
        case .decimal128(let number):
            // Digits keep their number: what they are compared with says that they are a decimal.
            let text = number.description
            self =
                number.isNaN
                ? .notANumber : text.hasSuffix("Infinity") ? .infinity(negative: text.first == "-") : .real(text)
        case .objectId(let id): self = .objectId(id.bytes)
        case .uuid(let id): self = .uuid(id.bytes)
        case .link(let link): self = .typedLink(table: link.table.schema.key.value, object: link.objectKey.value)
        case .embedded(let object):
            self = .typedLink(table: object.table.schema.key.value, object: object.key.value)
        }
    }
}
