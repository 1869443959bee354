extension Decimal128Bits {
    /// Makes the nearest decimal with that many digits, as Realm Core does: 15 digits for a double, 7 for a float.
    package init(_ number: Double, digits: Int) {
        var limit: UInt128 = 1
        for _ in 0..<digits { limit *= 10 }
        // A whole number has no digits after the point, unlike its text; negative zero is not affected.
        if let whole = Int64(exactly: number), whole.magnitude < limit, whole != 0 || number.sign == .plus {
            self.init(whole)
            return
        }
        let all = Decimal128Bits(number)
        guard var parts = all.parts else {
            self = all
            return
        }
        var power: UInt128 = 1
        while parts.coefficient / power >= limit { power *= 10 }
        guard power > 1 else {
            self = all
            return
        }
        let (quotient, rest) = parts.coefficient.quotientAndRemainder(dividingBy: power)
        // The shortest digits that identify a double may end exactly half way when the double itself does not.
        let half = rest == power / 2 ? Self.order(number.magnitude, parts.coefficient, parts.exponent) : 0
        let isUp = rest > power / 2 || rest == power / 2 && (half > 0 || half == 0 && quotient & 1 == 1)
        parts.coefficient = isUp ? quotient + 1 : quotient
        while power > 1 {
            power /= 10
            parts.exponent += 1
        }
        self.init(rounding: parts)
    }

    /// Compares a double with a decimal: −1, 0 or 1; also 0 when 128 bits do not suffice.
    private static func order(_ number: Double, _ coefficient: UInt128, _ exponent: Int) -> Int {
        // number = left · 2^binary; both sides are divided by 2^exponent, since 10^n is 2^n · 5^n.
        var (left, right) = (UInt128(number.significandBitPattern | 1 << 52), coefficient)
        let binary = Int(number.exponent) - 52 - exponent
        var overflows = !number.isNormal
        func multiply(_ value: inout UInt128, by factor: UInt128, _ times: Int) {
            for _ in 0..<times where !overflows { (value, overflows) = value.multipliedReportingOverflow(by: factor) }
        }
        multiply(&left, by: 5, max(-exponent, 0))
        multiply(&right, by: 5, max(exponent, 0))
        multiply(&left, by: 2, max(binary, 0))
        multiply(&right, by: 2, max(-binary, 0))
        return overflows || left == right ? 0 : left > right ? 1 : -1
    }
}
