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

    fileprivate init(_ constant: QueryConstant) { self.init(.constant(constant)) }
}

extension QueryOperand where Self: BinaryInteger {
    /// An integer; one of more than 64 bits is refused when the query is run.
    public var queryTerm: QueryTerm { QueryTerm(.integer("\(self)")) }
}

extension Int: QueryOperand {}
extension Int8: QueryOperand {}
extension Int16: QueryOperand {}
extension Int32: QueryOperand {}
extension Int64: QueryOperand {}
extension UInt8: QueryOperand {}

extension Bool: QueryOperand {
    /// A truth value.
    public var queryTerm: QueryTerm { QueryTerm(.bool(self)) }
}

extension String: QueryOperand {
    /// A text.
    public var queryTerm: QueryTerm { QueryTerm(.string(self)) }
}

extension Double: QueryOperand {
    /// A number.
    public var queryTerm: QueryTerm { QueryTerm(.number(self, "\(self)")) }
}

extension Float: QueryOperand {
    /// A number.
    public var queryTerm: QueryTerm { QueryTerm(.number(Double(self), "\(self)f")) }
}

extension Value: QueryOperand {
    /// The value; a collection is none that a query can have, and an embedded object is a link to it.
    public var queryTerm: QueryTerm { QueryTerm(QueryConstant(self)) }
}

extension Optional: QueryOperand where Wrapped: QueryOperand {
    /// The value, or null.
    public var queryTerm: QueryTerm { self?.queryTerm ?? QueryTerm(.null) }
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
