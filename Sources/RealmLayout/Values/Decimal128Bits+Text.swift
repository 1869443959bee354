extension Decimal128Bits {
    /// Makes the decimal with these parts, rounded to 34 digits, with ties to even.
    ///
    /// - Parameter isMore: whether the coefficient is slightly more than given, because digits were dropped.
    package init(rounding parts: Parts, isMore: Bool = false) {
        var (coefficient, exponent) = (parts.coefficient, parts.exponent)
        let sign: UInt64 = parts.isNegative ? 1 << 63 : 0
        var dropped: UInt128 = 0
        var half: UInt128 = 0
        var power: UInt128 = 1
        // At most five digits exceed the 34; more are dropped when the exponent is too low.
        while coefficient / power > Self.largestCoefficient || exponent < -Self.bias, coefficient / power > 0 {
            power *= 10
            exponent += 1
            if power > Self.largestCoefficient { break }
        }
        if power > 1 {
            dropped = coefficient % power
            half = power / 2
            coefficient /= power
            let isUp = dropped > half || dropped == half && (isMore || coefficient & 1 == 1)
            if isUp { coefficient += 1 }
            if coefficient > Self.largestCoefficient {
                coefficient /= 10
                exponent += 1
            }
        }
        // When the exponent is too high, zeros are appended to the coefficient instead.
        while exponent > Self.largestExponent, coefficient != 0, coefficient <= Self.largestCoefficient / 10 {
            coefficient *= 10
            exponent -= 1
        }
        if exponent > Self.largestExponent {
            self.init(
                high: coefficient == 0 ? sign | UInt64(Self.largestExponent + Self.bias) << 49 : sign | 0x78 << 56,
                low: 0)
            return
        }
        let stored = UInt64(Swift.max(exponent, -Self.bias) + Self.bias)
        self.init(
            high: sign | stored << 49 | UInt64(truncatingIfNeeded: coefficient >> 64),
            low: UInt64(truncatingIfNeeded: coefficient))
    }

    private static let largestExponent = 6111

    /// Reads a number such as `-12.50`, `1E+3`, `Infinity` or `NaN`; nil for other text. More than 34 digits are rounded.
    public init?(_ text: some StringProtocol) {
        var bytes = Array(text.utf8)[...]
        var parts = Parts(isNegative: false, coefficient: 0, exponent: 0)
        if let first = bytes.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
            parts.isNegative = first == UInt8(ascii: "-")
            bytes.removeFirst()
        }
        switch String(decoding: bytes, as: UTF8.self).lowercased() {
        case "inf", "infinity":
            self.init(high: (parts.isNegative ? 1 << 63 : 0) | 0x78 << 56, low: 0)
            return
        case "nan":
            self.init(high: 0x7C << 56, low: 0)
            return
        default: break
        }
        var digitCount = 0
        var isFraction = false
        var isMore = false
        while let byte = bytes.first, byte != UInt8(ascii: "e"), byte != UInt8(ascii: "E") {
            bytes.removeFirst()
            if byte == UInt8(ascii: "."), !isFraction {
                isFraction = true
                continue
            }
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            digitCount += 1
            if parts.coefficient <= Self.largestCoefficient * 100 {
                parts.coefficient = parts.coefficient * 10 + UInt128(byte - UInt8(ascii: "0"))
                if isFraction { parts.exponent -= 1 }
            } else {
                if byte != UInt8(ascii: "0") { isMore = true }
                if !isFraction { parts.exponent += 1 }
            }
        }
        guard digitCount > 0 else { return nil }
        if !bytes.isEmpty {
            guard let exponent = Int(String(decoding: bytes.dropFirst(), as: UTF8.self)), abs(exponent) < 1 << 40 else {
                return nil
            }
            parts.exponent += exponent
        }
        self.init(rounding: parts, isMore: isMore)
    }

    /// Makes the decimal with the shortest digits that identify the number.
    package init(_ number: Double) { self = Decimal128Bits(number.description) ?? .notANumber }

    /// Makes the decimal with the shortest digits that identify the number.
    package init(_ number: Float) { self = Decimal128Bits(number.description) ?? .notANumber }
}

extension Decimal128Bits: CustomStringConvertible {
    /// The number in the notation of IEEE 754 and BSON: plain digits when they are few, otherwise with an exponent.
    public var description: String {
        let sign = high >> 63 != 0 ? "-" : ""
        guard let parts else { return isNaN ? "NaN" : "\(sign)Infinity" }
        let coefficient = parts.coefficient > Self.largestCoefficient ? 0 : parts.coefficient
        let digits = String(coefficient)
        let scientific = parts.exponent + digits.count - 1
        if parts.exponent > 0 || scientific < -6 {
            let fraction = digits.count > 1 ? ".\(digits.dropFirst())" : ""
            return "\(sign)\(digits.prefix(1))\(fraction)E\(scientific < 0 ? "" : "+")\(scientific)"
        }
        guard parts.exponent < 0 else { return sign + digits }
        let places = -parts.exponent
        let padded = String(repeating: "0", count: Swift.max(places + 1 - digits.count, 0)) + digits
        return "\(sign)\(padded.dropLast(places)).\(padded.suffix(places))"
    }
}
