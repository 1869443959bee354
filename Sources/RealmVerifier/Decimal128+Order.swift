package import RealmLayout

extension Decimal128 {
    /// Sign, coefficient and exponent of a finite decimal; nil for NaN and infinity.
    package var parts: (isNegative: Bool, coefficient: UInt128, exponent: Int)? {
        let combination = (high >> 58) & 0x1F
        guard combination < 0x1E else { return nil }
        let isNegative = high >> 63 != 0
        // The other form can only hold coefficients that are too large, which count as 0.
        guard combination < 0x18 else { return (isNegative, 0, Int((high >> 47) & 0x3FFF) - Self.bias) }
        let coefficient = UInt128(high & 0x1_FFFF_FFFF_FFFF) << 64 | UInt128(low)
        return (isNegative, coefficient, Int((high >> 49) & 0x3FFF) - Self.bias)
    }

    /// The order of two decimals as numbers; nil when one of them is no finite number.
    package func numericOrder(_ other: Decimal128) -> ValueOrder.Comparison? {
        guard let left = parts, let right = other.parts else { return nil }
        if left.coefficient == 0 || right.coefficient == 0 {
            let signs = (Self.sign(left), Self.sign(right))
            return signs.0 < signs.1 ? .ascending : signs.0 == signs.1 ? .equal : .descending
        }
        if left.isNegative != right.isNegative { return left.isNegative ? .ascending : .descending }
        let (a, b) = (Self.normalized(left), Self.normalized(right))
        let isLess = (a.exponent, a.coefficient) < (b.exponent, b.coefficient)
        if a == b { return .equal }
        return isLess != left.isNegative ? .ascending : .descending
    }

    private static func sign(_ parts: (isNegative: Bool, coefficient: UInt128, exponent: Int)) -> Int {
        parts.coefficient == 0 ? 0 : parts.isNegative ? -1 : 1
    }

    /// The same number with a coefficient of 34 digits or more.
    private static func normalized(
        _ parts: (isNegative: Bool, coefficient: UInt128, exponent: Int)
    ) -> (exponent: Int, coefficient: UInt128) {
        var (coefficient, exponent) = (parts.coefficient, parts.exponent)
        let full: UInt128 = 1_000_000_000_000_000_000_000_000_000_000_000
        while coefficient < full {
            coefficient *= 10
            exponent -= 1
        }
        return (exponent, coefficient)
    }
}
