extension Decimal128Bits {
    /// Sign, coefficient and exponent of a finite decimal.
    package struct Parts: Equatable, BitwiseCopyable {
        package var isNegative: Bool
        /// At most 34 digits.
        package var coefficient: UInt128
        /// -6176 to 6111.
        package var exponent: Int
    }

    /// The largest coefficient: 34 digits.
    package static let largestCoefficient: UInt128 = 9_999_999_999_999_999_999_999_999_999_999_999

    /// The parts of a finite decimal; nil for NaN and infinity.
    package var parts: Parts? {
        let combination = (high >> 58) & 0x1F
        guard combination < 0x1E else { return nil }
        let isNegative = high >> 63 != 0
        // The large-coefficient form can only hold coefficients beyond the limit, which count as 0.
        guard combination < 0x18 else {
            return Parts(isNegative: isNegative, coefficient: 0, exponent: Int((high >> 47) & 0x3FFF) - Self.bias)
        }
        let coefficient = UInt128(high & 0x1_FFFF_FFFF_FFFF) << 64 | UInt128(low)
        return Parts(
            isNegative: isNegative, coefficient: coefficient, exponent: Int((high >> 49) & 0x3FFF) - Self.bias)
    }

    /// Whether this is NaN.
    package var isNaN: Bool { (high >> 58) & 0x1F == 0x1F }

    /// Compares two decimals as numbers: negative when this one is lower; nil when either is not finite.
    package func numericOrder(_ other: Decimal128Bits) -> Int? {
        guard let left = parts, let right = other.parts else { return nil }
        if left.coefficient == 0 || right.coefficient == 0 { return (left.sign - right.sign).signum() }
        if left.isNegative != right.isNegative { return left.isNegative ? -1 : 1 }
        let (a, b) = (left.normalized, right.normalized)
        if a == b { return 0 }
        let isLess = (a.exponent, a.coefficient) < (b.exponent, b.coefficient)
        return isLess != left.isNegative ? -1 : 1
    }

    /// The total order of decimals: NaNs by their bits, -infinity, numbers, infinity (Spec 40).
    package func order(_ other: Decimal128Bits) -> Int {
        if let order = numericOrder(other) { return order }
        let ranks = (unusualRank, other.unusualRank)
        if ranks.0 != ranks.1 { return ranks.0 < ranks.1 ? -1 : 1 }
        // Two NaNs, or two equal infinities, whose other bits are meaningless.
        guard ranks.0 == -2, self != other else { return 0 }
        return (high, low) < (other.high, other.low) ? -1 : 1
    }

    /// -2 for NaN, -1 and 1 for the infinities, 0 for numbers.
    private var unusualRank: Int {
        switch (high >> 58) & 0x1F {
        case 0x1F: -2
        case 0x1E: high >> 63 != 0 ? -1 : 1
        default: 0
        }
    }
}

extension Decimal128Bits.Parts {
    fileprivate var sign: Int { coefficient == 0 ? 0 : isNegative ? -1 : 1 }

    /// The same number with a coefficient of 34 digits or more.
    fileprivate var normalized: (exponent: Int, coefficient: UInt128) {
        var (coefficient, exponent) = (coefficient, exponent)
        while coefficient <= Decimal128Bits.largestCoefficient / 10 {
            coefficient *= 10
            exponent -= 1
        }
        return (exponent, coefficient)
    }
}
