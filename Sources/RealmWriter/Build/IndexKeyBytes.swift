internal import RealmLayout
internal import RealmReader
internal import RealmVerifier

/// The bytes that a search index makes of a Mixed value (Spec 80).
struct IndexKeyBytes {
    /// nil for null.
    let bytes: [UInt8]?
    /// The order of objects whose values have the same bytes: first by type, numbers of any type being one,
    let rank: UInt8
    /// then by what decimals have behind the point, which their bytes do not tell.
    private(set) var fraction = Self.noFraction
    /// Numbers below it are of negative fractions.
    static let noFraction: UInt128 = 1 << 127

    init(_ value: MixedValue) {
        switch value {
        case .null: (bytes, rank) = (nil, 0)
        case .bool(let value): (bytes, rank) = (Self.littleEndian(value ? 1 : 0, 8), 1)
        case .int(let value): (bytes, rank) = (Self.littleEndian(UInt64(bitPattern: value), 8), 2)
        case .float(let bits):
            (bytes, rank) = (
                Self.number(
                    Int32(exactly: Float(bitPattern: bits)).map { Int64($0) }, Self.littleEndian(UInt64(bits), 4)), 2
            )
        case .double(let bits):
            (bytes, rank) = (
                Self.number(Int32(exactly: Double(bitPattern: bits)).map { Int64($0) }, Self.littleEndian(bits, 8)), 2
            )
        case .decimal128(let value):
            (bytes, rank) = (
                Self.number(value.wholePart, Self.littleEndian(value.low, 8) + Self.littleEndian(value.high, 8)), 2
            )
            if value.wholePart != nil { fraction = Self.fraction(of: value) }
        case .string(let view): (bytes, rank) = (view.bytes, 3)
        case .binary(let view): (bytes, rank) = (view.bytes, 4)
        case .timestamp(let time): (bytes, rank) = (Self.bytes(of: time), 5)
        case .objectId(let view): (bytes, rank) = (view.bytes, 6)
        case .uuid(let view): (bytes, rank) = (view.bytes, 7)
        case .link(let table, let key):
            (bytes, rank) = (
                Self.littleEndian(UInt64(table.value), 4) + Self.littleEndian(UInt64(bitPattern: key.value), 8), 8
            )
        case .list: (bytes, rank) = (Array("__List__".utf8), 9)
        case .dictionary: (bytes, rank) = (Array("__Dictionary__".utf8), 9)
        }
    }

    static func bytes(of time: Timestamp) -> [UInt8] {
        littleEndian(UInt64(bitPattern: time.seconds), 8) + littleEndian(UInt64(bitPattern: Int64(time.nanoseconds)), 4)
    }

    private static func littleEndian(_ number: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
    }

    /// A number for what is behind the point, in the order of the decimals with the same whole part: zeros right behind the
    /// point, of which fewer are more, and 34 digits.
    private static func fraction(of value: Decimal128) -> UInt128 {
        guard let parts = value.parts, parts.exponent < 0 else { return noFraction }
        let places = -parts.exponent
        // No coefficient has more digits than 34.
        var digits = places > digitCount ? parts.coefficient : parts.coefficient % power(places)
        guard digits != 0 else { return noFraction }
        var zeros = places - digitCount
        while digits < power(digitCount - 1) {
            digits *= 10
            zeros += 1
        }
        let magnitude = UInt128(mostZeros - zeros) << digitBits | digits
        return parts.isNegative ? noFraction - magnitude : noFraction + magnitude
    }

    private static let digitCount = 34
    /// Enough for 34 digits.
    private static let digitBits: UInt128 = 113
    /// More than the exponents allow.
    private static let mostZeros = 8191

    private static func power(_ exponent: Int) -> UInt128 { (0..<exponent).reduce(1) { power, _ in power * 10 } }

    /// Whole numbers are as integers.
    private static func number(_ whole: Int64?, _ bytes: [UInt8]) -> [UInt8] {
        whole.map { littleEndian(UInt64(bitPattern: $0), 8) } ?? bytes
    }
}
