package import RealmLayout

// Non-integer numbers and dates as text.
extension ByteBuffer {
    /// Appends the shortest text that reads back as the same finite double, always with a point or an exponent.
    @inline(__always)
    package mutating func append(double value: Double) {
        // Most doubles entered by people have few decimals. Up to 15 digits, a text is the only one of its length that
        // reads back as the value, so the one with the fewest decimals is the shortest.
        let magnitude = value.magnitude
        if magnitude < 1e9, magnitude > 0 {
            let rounded = Int64(magnitude * 1e4 + 0.5)
            if Double(rounded) / 1e4 == magnitude {
                let scaled = UInt64(truncatingIfNeeded: rounded)
                reserve(32)
                if value < 0 { store(UInt8(ascii: "-")) }
                let (hundredths, rest) = scaled.quotientAndRemainder(dividingBy: 100)
                if rest == 0 {
                    storeHundredths(hundredths)
                    // There is always at least one decimal.
                    if hundredths % 10 == 0 { advance(-1) }
                } else {
                    storeDigits(scaled / 10_000)
                    store(UInt8(ascii: "."))
                    store(Int(truncatingIfNeeded: scaled % 10_000), digits: 4)
                    if scaled % 10 == 0 { advance(-1) }
                }
                return
            }
        }
        appendDescription(value)
    }

    @inline(never)
    private mutating func appendDescription(_ value: Double) { append(value.description) }

    /// Stores a number of hundredths with two decimals, like most prices; 32 bytes must have been reserved.
    @inline(__always)
    mutating func storeHundredths(_ value: UInt64) {
        guard value < 100_000_000 else {
            storeDigits(value / 100)
            store(UInt8(ascii: "."))
            store(Int(truncatingIfNeeded: value % 100), digits: 2)
            return
        }
        let digits = Self.eightDigits(UInt32(truncatingIfNeeded: value))
        let text = digits | 0x3030_3030_3030_3030
        // There is always at least one digit before the point.
        let zeros = min(digits.trailingZeroBitCount &>> 3, 5)
        store(text &>> UInt64(truncatingIfNeeded: zeros &* 8), length: 6 &- zeros)
        store((text &>> 48) &<< 8 | UInt64(UInt8(ascii: ".")), length: 3)
    }

    private static func powerOfTen(_ exponent: Int) -> UInt64 {
        var power: UInt64 = 1
        for _ in 0..<exponent { power &*= 10 }
        return power
    }

    /// Appends a Decimal128 in the scientific form that Extended JSON requires.
    @inline(__always)
    package mutating func append(decimal128 value: Decimal128Bits) {
        guard value.isHundredths else { return appendOther(decimal128: value) }
        reserve(32)
        if value.high &>> 63 != 0 { store(UInt8(ascii: "-")) }
        storeHundredths(value.low)
    }

    @inline(never)
    private mutating func appendOther(decimal128 value: Decimal128Bits) {
        let exponent = Int(truncatingIfNeeded: (value.high &>> 49) & 0x3FFF) - Decimal128Bits.bias
        let isPlain = value.high & 0x6000_0000_0000_0000 != 0x6000_0000_0000_0000
        // Handles coefficients of one word with a point among the digits, which covers prices. Everything else is left
        // to libbson.
        guard isPlain, value.high & 0x1_FFFF_FFFF_FFFF == 0, exponent <= 0, exponent >= -18 else {
            append(decimalText: value)
            return
        }
        let divisor = Self.powerOfTen(-exponent)
        let whole = value.low / divisor
        // For values below 1, the form depends on the number of zeros after the point.
        guard whole > 0 || exponent >= -6 || value.low >= divisor / 1_000_000 else {
            append(decimalText: value)
            return
        }
        reserve(48)
        if value.high >> 63 != 0 { store(UInt8(ascii: "-")) }
        storeDigits(whole)
        guard exponent < 0 else { return }
        store(UInt8(ascii: "."))
        store(Int(truncatingIfNeeded: value.low % divisor), digits: -exponent)
    }

    /// Appends a date as ISO 8601 in UTC, with 0, 3, 6 or 9 decimals of the second, as needed. Years beyond four digits
    /// have a sign and at least six digits, as in ECMAScript.
    package mutating func append(iso8601 timestamp: Timestamp) {
        var day = timestamp.seconds.flooredDivision(by: 86_400)
        var secondOfDay = Int(timestamp.seconds &- day &* 86_400)
        var nanosecond = Int(timestamp.nanoseconds)
        if nanosecond < 0 {
            nanosecond += 1_000_000_000
            secondOfDay -= 1
            if secondOfDay < 0 { (day, secondOfDay) = (day - 1, 86_399) }
        }
        let date = CivilDate(daysSince1970: day)
        reserve(48)
        if date.year < 0 || date.year > 9999 {
            store(UInt8(ascii: date.year < 0 ? "-" : "+"))
            let year = Int(date.year.magnitude)
            if year < 1_000_000 { store(year, digits: 6) } else { append(decimal: Int64(year)) }
        } else {
            store(Int(date.year), digits: 4)
        }
        reserve(32)
        store(UInt8(ascii: "-"))
        store(date.month, digits: 2)
        store(UInt8(ascii: "-"))
        store(date.day, digits: 2)
        store(UInt8(ascii: "T"))
        store(secondOfDay / 3600, digits: 2)
        store(UInt8(ascii: ":"))
        store(secondOfDay / 60 % 60, digits: 2)
        store(UInt8(ascii: ":"))
        store(secondOfDay % 60, digits: 2)
        if nanosecond != 0 {
            store(UInt8(ascii: "."))
            if nanosecond % 1_000_000 == 0 {
                store(nanosecond / 1_000_000, digits: 3)
            } else if nanosecond % 1000 == 0 {
                store(nanosecond / 1000, digits: 6)
            } else {
                store(nanosecond, digits: 9)
            }
        }
        store(UInt8(ascii: "Z"))
    }
}

extension Timestamp {
    /// Milliseconds since 1970, rounded down; nil beyond 64 bits.
    @inline(__always)
    package var flooredMilliseconds: Int64? {
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        let milliseconds = Int64((nanoseconds &- (nanoseconds < 0 ? 999_999 : 0)) / 1_000_000)
        let (sum, overflow2) = product.addingReportingOverflow(milliseconds)
        return overflow || overflow2 ? nil : sum
    }

    /// Whether the time is a whole number of milliseconds.
    @inline(__always)
    var isWholeMilliseconds: Bool { nanoseconds % 1_000_000 == 0 }
}
