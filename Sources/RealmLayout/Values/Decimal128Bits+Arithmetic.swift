extension Decimal128Bits {
    /// The default NaN.
    package static let notANumber = Decimal128Bits(high: 0x7C << 56, low: 0)

    /// Makes the decimal that equals an integer.
    package init(_ number: Int64) {
        self.init(sign: number < 0 ? 1 << 63 : 0, exponent: UInt64(Self.bias), coefficient: number.magnitude)
    }

    private var isInfinite: Bool { (high >> 58) & 0x1F == 0x1E }
    private var isNegative: Bool { high >> 63 != 0 }

    private static func infinity(_ isNegative: Bool) -> Decimal128Bits {
        Decimal128Bits(high: (isNegative ? 1 << 63 : 0) | 0x78 << 56, low: 0)
    }

    /// Returns the negated number.
    package static prefix func - (number: Decimal128Bits) -> Decimal128Bits {
        Decimal128Bits(high: number.high ^ (1 << 63), low: number.low)
    }

    /// Returns the sum, rounded to 34 digits.
    package static func + (left: Decimal128Bits, right: Decimal128Bits) -> Decimal128Bits {
        guard var large = left.parts, var small = right.parts else {
            if left.isNaN || right.isNaN { return notANumber }
            if left.isInfinite, right.isInfinite { return left.isNegative == right.isNegative ? left : notANumber }
            return left.isInfinite ? left : right
        }
        if large.exponent < small.exponent { swap(&large, &small) }
        // Appends zeros to the number with the higher exponent while there is room, leaving a digit for the carry.
        while large.exponent > small.exponent, large.coefficient != 0, large.coefficient < largestCoefficient * 100 {
            large.coefficient *= 10
            large.exponent -= 1
        }
        if large.coefficient == 0 { large.exponent = small.exponent }
        var isMore = false
        while large.exponent > small.exponent {
            if small.coefficient == 0 {
                small.exponent = large.exponent
                break
            }
            if small.coefficient % 10 != 0 { isMore = true }
            small.coefficient /= 10
            small.exponent += 1
        }
        if large.isNegative == small.isNegative {
            large.coefficient += small.coefficient
            return Decimal128Bits(rounding: large, isMore: isMore)
        }
        // The digits dropped from the smaller number are subtracted too: the result lies slightly above the next lower
        // number.
        if isMore { small.coefficient += 1 }
        if large.coefficient >= small.coefficient {
            large.coefficient -= small.coefficient
        } else {
            large.coefficient = small.coefficient - large.coefficient
            large.isNegative.toggle()
        }
        if large.coefficient == 0, !isMore { large.isNegative = false }
        return Decimal128Bits(rounding: large, isMore: isMore)
    }

    /// Returns the difference, rounded to 34 digits.
    package static func - (left: Decimal128Bits, right: Decimal128Bits) -> Decimal128Bits { left + -right }

    /// Returns the product, rounded to 34 digits.
    package static func * (left: Decimal128Bits, right: Decimal128Bits) -> Decimal128Bits {
        let isNegative = left.isNegative != right.isNegative
        guard let first = left.parts, let second = right.parts else {
            if left.isNaN || right.isNaN { return notANumber }
            if left.parts?.coefficient == 0 || right.parts?.coefficient == 0 { return notANumber }
            return infinity(isNegative)
        }
        var product = first.coefficient.multipliedFullWidth(by: second.coefficient)
        var exponent = first.exponent + second.exponent
        var isMore = false
        // Drops all digits that do not fit in 128 bits at once.
        if product.high != 0 {
            var power: UInt128 = 1
            while product.high >= power {
                power *= 10
                exponent += 1
            }
            let (quotient, remainder) = power.dividingFullWidth(product)
            product = (0, UInt128.Magnitude(quotient))
            isMore = remainder != 0
        }
        return Decimal128Bits(
            rounding: Parts(isNegative: isNegative, coefficient: UInt128(product.low), exponent: exponent),
            isMore: isMore)
    }

    /// Returns the quotient, rounded to 34 digits.
    package static func / (left: Decimal128Bits, right: Decimal128Bits) -> Decimal128Bits {
        let isNegative = left.isNegative != right.isNegative
        guard var dividend = left.parts, let divisor = right.parts else {
            if left.isNaN || right.isNaN || left.isInfinite && right.isInfinite { return notANumber }
            if left.isInfinite { return infinity(isNegative) }
            return Decimal128Bits(rounding: Parts(isNegative: isNegative, coefficient: 0, exponent: -bias))
        }
        if divisor.coefficient == 0 { return dividend.coefficient == 0 ? notANumber : infinity(isNegative) }
        let ideal = dividend.exponent - divisor.exponent
        var (quotient, remainder) = dividend.coefficient.quotientAndRemainder(dividingBy: divisor.coefficient)
        dividend.exponent = ideal
        // Divides digit by digit, until the remainder is 0 or the quotient has four excess digits.
        while remainder != 0, quotient < largestCoefficient * 100 {
            quotient = quotient * 10 + remainder * 10 / divisor.coefficient
            remainder = remainder * 10 % divisor.coefficient
            dividend.exponent -= 1
        }
        return Decimal128Bits(
            rounding: Parts(isNegative: isNegative, coefficient: quotient, exponent: dividend.exponent),
            isMore: remainder != 0)
    }
}
