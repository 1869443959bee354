public import RealmCore
internal import RealmLayout

/// An operand that a `QueryTerm` can be compared with: another term, or a value.
///
/// ```swift
/// let limit: any QueryOperand = 18
/// print(limit.queryTerm.expression)
/// ```
public protocol QueryOperand {
    /// The operand as a term.
    var queryTerm: QueryTerm { get }
}

extension QueryTerm: QueryOperand {
    /// Itself.
    public var queryTerm: QueryTerm { self }
}

/// A value in a query that is the same for all objects; it can also be an element of a list.
///
/// ```swift
/// let wanted: [any QueryValue] = [18, "adult"]
/// for value in wanted { print(value.queryConstant) }
/// ```
public protocol QueryValue: QueryOperand {
    /// The value as a constant of a query.
    var queryConstant: QueryConstant { get }
}

extension QueryValue {
    /// The value.
    public var queryTerm: QueryTerm { QueryTerm(.constant(queryConstant)) }
}

extension QueryValue where Self: BinaryInteger {
    /// An integer; running the query fails if it exceeds 64 bits.
    public var queryConstant: QueryConstant { .integer("\(self)") }
}

extension Int: QueryValue {}
extension Int8: QueryValue {}
extension Int16: QueryValue {}
extension Int32: QueryValue {}
extension Int64: QueryValue {}
extension UInt8: QueryValue {}

extension Bool: QueryValue {
    /// A Boolean.
    public var queryConstant: QueryConstant { .bool(self) }
}

extension String: QueryValue {
    /// A string.
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
    /// The value; an embedded object becomes a link to it, and a collection null.
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

    /// The value as a constant; a collection becomes null.
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
            // The constant keeps its digits: the type of the other operand makes it a decimal.
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
