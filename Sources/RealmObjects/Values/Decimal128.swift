internal import RealmLayout
internal import RealmReader
internal import RealmWriter

/// A decimal number of 34 digits, as IEEE 754 has it.
///
/// ```swift
/// let price: Decimal128 = 19.99
/// print(price * 3 + Decimal128(1))
/// ```
public struct Decimal128: Sendable {
    let bits: Decimal128Bits

    init(_ bits: Decimal128Bits) { self.bits = bits }

    /// Reads a number such as `-12.50` or `1E+3`; other text is not a number.
    ///
    /// - Throws: nothing, as in RealmSwift.
    public init(string: String) throws { self.init(stringLiteral: string) }

    /// Makes a number of another one.
    public init(_ number: Int) { self.init(Decimal128Bits(Int64(number))) }
    /// Makes a number of another one, with 15 digits, as RealmSwift does: 0.1 + 0.2 is 0.3.
    public init(_ number: Double) { self.init(Decimal128Bits(number, digits: 15)) }
    /// Makes a number of an integer of any type.
    public init?<T: BinaryInteger>(exactly source: T) {
        guard let bits = Self.bits(of: source) else { return nil }
        self.init(bits)
    }
    /// Those of an integer that 64 bits have room for.
    private static func bits(of integer: some BinaryInteger) -> Decimal128Bits? {
        if let number = Int64(exactly: integer) { return Decimal128Bits(number) }
        return UInt64(exactly: integer).flatMap { Decimal128Bits("\($0)") }
    }
    /// Makes a number of a value that is one, or its text; of null what is no number.
    ///
    /// - Precondition: it is.
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
    /// Makes a number of another one of any type.
    ///
    /// - Precondition: it is one.
    public init(number: Any) { self.init(value: number) }
    /// Zero.
    public init() { self.init(Decimal128Bits(Int64(0))) }

    /// The number as RealmSwift writes it: with a point behind the first digit where there is an exponent, as in `1.23E6`, and without zeros at
    /// the end behind a point. A coefficient that 64 bits have no room for is written as anywhere else (`12345678901234567890123`); RealmSwift
    /// writes `+12345678901234567890123E+0`.
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
    /// The double that is nearest.
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

    /// The sum.
    public static func + (left: Decimal128, right: Decimal128) -> Decimal128 { Decimal128(left.bits + right.bits) }
    /// The difference.
    public static func - (left: Decimal128, right: Decimal128) -> Decimal128 { Decimal128(left.bits - right.bits) }
    /// The product.
    public static func * (left: Decimal128, right: Decimal128) -> Decimal128 { Decimal128(left.bits * right.bits) }
    /// The quotient.
    public static func / (left: Decimal128, right: Decimal128) -> Decimal128 { Decimal128(left.bits / right.bits) }
    /// The opposite number.
    public static prefix func - (number: Decimal128) -> Decimal128 { Decimal128(-number.bits) }
}

extension Decimal128: Hashable, Comparable, CustomStringConvertible, Codable {
    /// Whether both are the same number, whatever digits they have.
    public static func == (left: Decimal128, right: Decimal128) -> Bool { left.bits.order(right.bits) == 0 }
    /// The order of numbers.
    public static func < (left: Decimal128, right: Decimal128) -> Bool { left.bits.order(right.bits) < 0 }
    /// Hashes what equal numbers have in common.
    public func hash(into hasher: inout Hasher) { hasher.combine(doubleValue) }
    /// See `stringValue`.
    public var description: String { stringValue }
    /// Reads a text or a number.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            try self.init(string: text)
        } else if let number = try? container.decode(Int64.self) {
            // Not by way of a Double, which has fewer digits.
            self.init(integerLiteral: number)
        } else {
            self.init(try container.decode(Double.self))
        }
    }
    /// Writes a text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(stringValue)
    }
}

extension Decimal128: SignedNumeric, Strideable {
    /// A number without its sign.
    public typealias Magnitude = Decimal128
    /// The difference of two numbers.
    public typealias Stride = Decimal128
    /// The number without its sign.
    public var magnitude: Decimal128 { self < Decimal128() ? -self : self }
    /// Multiplies the number.
    public static func *= (left: inout Decimal128, right: Decimal128) { left = left * right }
    /// What has to be added to come to another number.
    public func distance(to other: Decimal128) -> Decimal128 { other - self }
    /// The number with another one added.
    public func advanced(by n: Decimal128) -> Decimal128 { self + n }
    /// Whether it is not a number, as RealmSwift has it.
    public var isSignaling: Bool { isNaN }
    /// Whether it is not a number, as RealmSwift has it.
    public var isSignalingNaN: Bool { isNaN }
}

extension Decimal128: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral {
    /// A number.
    public init(integerLiteral value: Int64) { self.init(Decimal128Bits(value)) }
    /// A number.
    public init(floatLiteral value: Double) { self.init(value) }
    /// A number; text that is none is not a number.
    public init(stringLiteral value: String) { self.init(Decimal128Bits(value) ?? .notANumber) }
}

extension Decimal128: _RealmCollectionValueInsideOptional, MinMaxType, AddableType, SortableType {
    /// It is stored as it is.
    public typealias PersistedType = Decimal128
    /// A decimal.
    public static var _traits: _PropertyTraits { _PropertyTraits(.decimal128) }
    /// Zero.
    public static func _default() -> Decimal128 { Decimal128() }
    /// Takes a decimal.
    public static func _decoded(_ stored: _StoredValue) -> Decimal128? {
        if case .decimal128(let bits) = stored.value { Decimal128(bits) } else { nil }
    }
    /// A decimal.
    public func _encoded(_ context: _WriteContext) -> _EncodedValue? { _EncodedValue(.decimal128(bits)) }
    /// Takes decimals, numbers and texts.
    public static func _converted(_ any: Any) -> Decimal128? {
        if let number = any as? Decimal128 { return number }
        if let number = any as? any BinaryInteger { return bits(of: number).map { Decimal128($0) } }
        if let number = any as? Double { return Decimal128(number) }
        if let number = any as? Float { return Decimal128(Double(number)) }
        let bits = (any as? String ?? FoundationAccess.decimalText(any)).flatMap { Decimal128Bits($0) }
        return bits.map { Decimal128($0) }
    }
}
