internal import RealmCore
internal import RealmLayout

/// A decimal number of 34 digits, as defined by IEEE 754.
///
/// ```swift
/// let price: Decimal128 = 19.99
/// print(price * 3 + Decimal128(1))
/// ```
public struct Decimal128: Sendable {
    let bits: Decimal128Bits

    init(_ bits: Decimal128Bits) { self.bits = bits }

    /// Parses a number such as `-12.50` or `1E+3`; any other text becomes NaN.
    ///
    /// - Throws: never; the declaration follows RealmSwift.
    public init(string: String) throws { self.init(stringLiteral: string) }

    /// Converts an integer.
    public init(_ number: Int) { self.init(Decimal128Bits(Int64(number))) }
    /// Converts a double, with 15 digits as in RealmSwift: 0.1 + 0.2 is 0.3.
    public init(_ number: Double) { self.init(Decimal128Bits(number, digits: 15)) }
    /// Converts an integer of any type; nil if it does not fit into 64 bits.
    public init?<T: BinaryInteger>(exactly source: T) {
        guard let bits = Self.bits(of: source) else { return nil }
        self.init(bits)
    }
    /// Returns the bits of an integer that fits into 64 bits; nil for any other.
    private static func bits(of integer: some BinaryInteger) -> Decimal128Bits? {
        if let number = Int64(exactly: integer) { return Decimal128Bits(number) }
        return UInt64(exactly: integer).flatMap { Decimal128Bits("\($0)") }
    }
    /// Converts a number or its text; null becomes NaN.
    ///
    /// - Precondition: the value is a number, its text, or null.
    public init(value: Any) {
        if isNull(value) {
            self.init(.notANumber)
            return
        }
        guard let number = Decimal128._converted(value) else {
            Failure.stop("Cannot convert value '\(value)' of type '\(type(of: value))' to decimal128")
        }
        self = number
    }
    /// Converts a number of any type.
    ///
    /// - Precondition: the value is a number.
    public init(number: Any) { self.init(value: number) }
    /// Creates zero.
    public init() { self.init(Decimal128Bits(Int64(0))) }

    /// The number in RealmSwift's notation: with a point after the first digit if there is an exponent, as in `1.23E6`,
    /// and without trailing zeros after a point. A coefficient that exceeds 64 bits has the usual notation
    /// (`12345678901234567890123`); RealmSwift writes `+12345678901234567890123E+0`.
    public var stringValue: String {
        guard let parts = bits.parts else { return isNaN ? "NaN" : self < 0 ? "-Inf" : "Inf" }
        guard parts.coefficient <= UInt64.max else { return bits.description }
        let digits = String(parts.coefficient)
        var (before, exponent) = (digits.count, parts.exponent)
        while before > 1, exponent != 0 { (before, exponent) = (before - 1, exponent + 1) }
        var fraction = digits.dropFirst(before)
        while fraction.last == "0" { fraction.removeLast() }
        return (parts.isNegative ? "-" : "") + digits.prefix(before) + (fraction.isEmpty ? "" : ".\(fraction)")
            + (exponent == 0 ? "" : "E\(exponent)")
    }
    /// The nearest double.
    public var doubleValue: Double { Double(bits.description) ?? .nan }
    /// Whether it is not a number.
    public var isNaN: Bool { bits.isNaN }
    /// The lowest number.
    public static var min: Decimal128 {
        Decimal128(Decimal128Bits("-9.999999999999999999999999999999999E+6144") ?? .notANumber)
    }
    /// The highest number.
    public static var max: Decimal128 {
        Decimal128(Decimal128Bits("9.999999999999999999999999999999999E+6144") ?? .notANumber)
    }

    /// Returns the sum.
    public static func + (left: Decimal128, right: Decimal128) -> Decimal128 { Decimal128(left.bits + right.bits) }
    /// Returns the difference.
    public static func - (left: Decimal128, right: Decimal128) -> Decimal128 { Decimal128(left.bits - right.bits) }
    /// Returns the product.
    public static func * (left: Decimal128, right: Decimal128) -> Decimal128 { Decimal128(left.bits * right.bits) }
    /// Returns the quotient.
    public static func / (left: Decimal128, right: Decimal128) -> Decimal128 { Decimal128(left.bits / right.bits) }
    /// Returns the negated number.
    public static prefix func - (number: Decimal128) -> Decimal128 { Decimal128(-number.bits) }
}

extension Decimal128: Hashable, Comparable, CustomStringConvertible, Codable {
    /// Whether both are the same number, whatever their digits.
    public static func == (left: Decimal128, right: Decimal128) -> Bool { left.bits.order(right.bits) == 0 }
    /// Whether the left number is less than the right one.
    public static func < (left: Decimal128, right: Decimal128) -> Bool { left.bits.order(right.bits) < 0 }
    /// Hashes the nearest double, which equal numbers share.
    public func hash(into hasher: inout Hasher) { hasher.combine(doubleValue) }
    /// See `stringValue`.
    public var description: String { stringValue }
    /// Decodes a text or a number.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            try self.init(string: text)
        } else if let number = try? container.decode(Int64.self) {
            // Not through a Double, which has fewer digits.
            self.init(integerLiteral: number)
        } else {
            self.init(try container.decode(Double.self))
        }
    }
    /// Encodes the number as text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(stringValue)
    }
}

extension Decimal128: SignedNumeric, Strideable {
    /// The type of the absolute value.
    public typealias Magnitude = Decimal128
    /// The type of the difference of two numbers.
    public typealias Stride = Decimal128
    /// The absolute value.
    public var magnitude: Decimal128 { self < Decimal128() ? -self : self }
    /// Multiplies the number.
    public static func *= (left: inout Decimal128, right: Decimal128) { left = left * right }
    /// Returns the difference from this number to another one.
    public func distance(to other: Decimal128) -> Decimal128 { other - self }
    /// Returns the sum of this number and another one.
    public func advanced(by n: Decimal128) -> Decimal128 { self + n }
    /// Whether it is not a number, as in RealmSwift.
    public var isSignaling: Bool { isNaN }
    /// Whether it is not a number, as in RealmSwift.
    public var isSignalingNaN: Bool { isNaN }
}

extension Decimal128: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral {
    /// Creates a number.
    public init(integerLiteral value: Int64) { self.init(Decimal128Bits(value)) }
    /// Creates a number.
    public init(floatLiteral value: Double) { self.init(value) }
    /// Creates a number; any other text becomes NaN.
    public init(stringLiteral value: String) { self.init(Decimal128Bits(value) ?? .notANumber) }
}

extension Decimal128: _RealmCollectionValueInsideOptional, MinMaxType, AddableType, SortableType {
    /// Stored as itself.
    public typealias PersistedType = Decimal128
    /// A decimal.
    public static var _traits: _PropertyTraits { _PropertyTraits(.decimal128) }
    /// Returns zero.
    public static func _default() -> Decimal128 { Decimal128() }
    /// Decodes a decimal.
    public static func _decoded(_ stored: _StoredValue) -> Decimal128? {
        if case .decimal128(let bits) = stored.value { Decimal128(bits) } else { nil }
    }
    /// Encodes a decimal.
    public func _encoded(_ context: _WriteContext) -> _EncodedValue? { _EncodedValue(.decimal128(bits)) }
    /// Accepts decimals, numbers and texts.
    public static func _converted(_ any: Any) -> Decimal128? {
        if let number = any as? Decimal128 { return number }
        if let number = any as? any BinaryInteger { return bits(of: number).map { Decimal128($0) } }
        if let number = any as? Double { return Decimal128(number) }
        if let number = any as? Float { return Decimal128(Double(number)) }
        let bits = (any as? String ?? FoundationAccess.decimalText(any)).flatMap { Decimal128Bits($0) }
        return bits.map { Decimal128($0) }
    }
}
