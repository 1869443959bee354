internal import RealmLayout
package import RealmReader

/// The bytes that a search index makes of a Mixed value (Spec 80).
package struct IndexKeyBytes: Hashable {
    /// nil for null.
    package let bytes: [UInt8]?
    /// The order of objects whose values have the same bytes: first by type, numbers of any type being one,
    let rank: UInt8
    /// then by what decimals have behind the point, which their bytes do not tell.
    package private(set) var fraction = Self.noFraction
    /// Numbers below it are of negative fractions.
    static let noFraction: UInt128 = 1 << 127

    package init(_ value: MixedValue) {
        let key = IndexKey(value, upTo: .max)
        bytes = key.count == nil ? nil : key.start
        rank = value.rank
        if case .decimal128(let value) = value, value.wholePart != nil { fraction = Self.fraction(of: value) }
    }

    /// The bytes of a word; nil for null in a list of strings.
    package init(word bytes: [UInt8]?) {
        self.bytes = bytes
        rank = 0
    }

    /// The order of values with the same bytes in a list of objects: below 0 when this one comes first.
    package func orderInList(_ other: IndexKeyBytes) -> Int {
        if rank != other.rank { return rank < other.rank ? -1 : 1 }
        return fraction < other.fraction ? -1 : fraction > other.fraction ? 1 : 0
    }

    /// A number for what is behind the point, in the order of the decimals with the same whole part: zeros right behind the
    /// point, of which fewer are more, and 34 digits.
    private static func fraction(of value: Decimal128Bits) -> UInt128 {
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
}
