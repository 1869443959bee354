package import RealmLayout

// Numbers and bytes as text.
extension ByteBuffer {
    /// Appends a decimal number of at most 20 characters.
    package mutating func append(decimal value: Int64) {
        reserve(20)
        store(decimal: value)
    }

    /// Stores a decimal number; 20 bytes must have been reserved.
    @inline(__always)
    mutating func store(decimal value: Int64) {
        if value < 0 { store(UInt8(ascii: "-")) }
        storeDigits(value.magnitude)
    }

    /// Stores the digits of a number; 20 bytes must have been reserved.
    @inline(__always)
    mutating func storeDigits(_ value: UInt64) {
        if value < 10 {
            store(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: value))
        } else if value < 100_000_000 {
            storeShort(UInt32(truncatingIfNeeded: value))
        } else {
            storeLong(value)
        }
    }

    /// Stores up to eight digits, computed in parallel in one word, without leading zeros.
    @inline(__always)
    private mutating func storeShort(_ value: UInt32) {
        let digits = Self.eightDigits(value)
        let zeros = digits.trailingZeroBitCount &>> 3
        store((digits | 0x3030_3030_3030_3030) &>> UInt64(zeros &* 8), length: 8 &- zeros)
    }

    private mutating func storeLong(_ value: UInt64) {
        let (upper, low) = value.quotientAndRemainder(dividingBy: 100_000_000)
        if upper < 100_000_000 {
            storeShort(UInt32(truncatingIfNeeded: upper))
        } else {
            let (top, middle) = upper.quotientAndRemainder(dividingBy: 100_000_000)
            storeShort(UInt32(truncatingIfNeeded: top))
            store(Self.eightDigits(UInt32(truncatingIfNeeded: middle)) | 0x3030_3030_3030_3030)
        }
        store(Self.eightDigits(UInt32(truncatingIfNeeded: low)) | 0x3030_3030_3030_3030)
    }

    /// The eight decimal digits of a number below 10^8, one per byte, with the first digit in the lowest byte.
    @inline(__always)
    package static func eightDigits(_ value: UInt32) -> UInt64 {
        // Splits into halves of four digits, pairs and digits; each step divides all lanes at once by multiplication.
        let value = UInt64(value)
        let upper = (value &* 3_518_437_209) &>> 45
        let halves = upper | (value &- upper &* 10_000) &<< 32
        let hundreds = ((halves &* 10_486) &>> 20) & 0x0000_007F_0000_007F
        let pairs = hundreds | (halves &- hundreds &* 100) &<< 16
        let tens = ((pairs &* 103) &>> 10) & 0x000F_000F_000F_000F
        return tens | (pairs &- tens &* 10) &<< 8
    }

    /// Stores a number below 10^`digits` as exactly `digits` digits, at most 18, with leading zeros. 18 bytes must have
    /// been reserved.
    @inline(__always)
    mutating func store(_ value: Int, digits: Int) {
        var (rest, digits) = (UInt64(truncatingIfNeeded: value), digits)
        if digits > 8 { (rest, digits) = storeUpperDigits(rest, digits) }
        let word = Self.eightDigits(UInt32(truncatingIfNeeded: rest)) | 0x3030_3030_3030_3030
        store(word &>> UInt64((8 &- digits) &* 8), length: digits)
    }

    /// Stores all but the last eight digits, and returns those.
    @inline(never)
    private mutating func storeUpperDigits(_ value: UInt64, _ digits: Int) -> (UInt64, Int) {
        let (upper, low) = value.quotientAndRemainder(dividingBy: 100_000_000)
        store(Int(upper), digits: digits - 8)
        return (low, 8)
    }

    /// Appends two lowercase hexadecimal digits per byte.
    package mutating func append(hexadecimal bytes: ByteView) {
        reserve(bytes.count * 2)
        store(hexadecimal: bytes)
    }

    /// Stores two lowercase hexadecimal digits per byte; room must have been reserved.
    @inline(__always)
    mutating func store(hexadecimal bytes: ByteView) {
        var offset = 0
        while offset &+ 4 <= bytes.count {
            store(Self.hexadecimalDigits(bytes.uint32(unchecked: offset)))
            offset &+= 4
        }
        while offset < bytes.count {
            storeHexadecimal(bytes.byte(unchecked: offset))
            offset &+= 1
        }
    }

    /// The digits of four bytes, computed in parallel; the first byte is the lowest.
    @inline(__always)
    private static func hexadecimalDigits(_ bytes: UInt32) -> UInt64 {
        // Spreads to one byte per 16 bits, then puts the high digit before the low one.
        let pairs = (UInt64(bytes) | UInt64(bytes) &<< 16) & 0x0000_FFFF_0000_FFFF
        let spread = (pairs | pairs &<< 8) & 0x00FF_00FF_00FF_00FF
        let digits = (spread &>> 4) & 0x000F_000F_000F_000F | (spread & 0x000F_000F_000F_000F) &<< 8
        // Adding 6 carries digits above 9 into bit 4: those become letters, which are 39 further on.
        let letters = ((digits &+ 0x0606_0606_0606_0606) &>> 4) & 0x0101_0101_0101_0101
        return digits &+ 0x3030_3030_3030_3030 &+ letters &* 39
    }

    /// Stores two hexadecimal digits; 2 bytes must have been reserved.
    @inline(__always)
    mutating func storeHexadecimal(_ byte: UInt8) {
        store(Self.hexadecimalDigit(byte &>> 4))
        store(Self.hexadecimalDigit(byte & 15))
    }

    @inline(__always)
    private static func hexadecimalDigit(_ value: UInt8) -> UInt8 {
        // '0'...'9', then 'a'...'f' 39 further on.
        value &+ 48 &+ (value > 9 ? 39 : 0)
    }

    /// Appends the hexadecimal digits of a number, with leading zeros.
    package mutating func append(hexadecimal value: UInt64, bytes: Int) {
        reserve(bytes * 2)
        for index in (0..<bytes).reversed() {
            storeHexadecimal(UInt8(truncatingIfNeeded: value >> UInt64(index * 8)))
        }
    }

    /// Appends a UUID in its usual form of 36 characters.
    package mutating func append(uuid bytes: ByteView) {
        reserve(36)
        for offset in 0..<bytes.count {
            if offset == 4 || offset == 6 || offset == 8 || offset == 10 { store(UInt8(ascii: "-")) }
            storeHexadecimal(bytes.byte(unchecked: offset))
        }
    }

    /// Appends base64 with padding (RFC 4648).
    package mutating func append(base64 bytes: ByteView) {
        reserve((bytes.count + 2) / 3 * 4)
        var offset = 0
        while offset &+ 8 <= bytes.count {
            // Six of the eight loaded bytes, as one number.
            store(Self.base64Digits(bytes.uint64(unchecked: offset).byteSwapped &>> 16))
            offset &+= 6
        }
        while offset &+ 3 <= bytes.count {
            let group =
                UInt32(bytes.byte(unchecked: offset)) &<< 16 | UInt32(bytes.byte(unchecked: offset &+ 1)) &<< 8
                | UInt32(bytes.byte(unchecked: offset &+ 2))
            storeBase64(group, digits: 4)
            offset &+= 3
        }
        switch bytes.count - offset {
        case 1:
            storeBase64(UInt32(bytes.byte(unchecked: offset)) &<< 16, digits: 2)
            store("==")
        case 2:
            let group = UInt32(bytes.byte(unchecked: offset)) &<< 16 | UInt32(bytes.byte(unchecked: offset &+ 1)) &<< 8
            storeBase64(group, digits: 3)
            store("=")
        default:
            break
        }
    }

    @inline(__always)
    private mutating func storeBase64(_ group: UInt32, digits: Int) {
        store(Self.base64Digits(UInt64(group) &<< 24), length: digits)
    }

    /// The eight digits of a 48-bit number, with the first one lowest.
    @inline(__always)
    private static func base64Digits(_ number: UInt64) -> UInt64 {
        var values: UInt64 = 0
        for digit: UInt64 in 0..<8 { values |= ((number &>> (42 &- digit &* 6)) & 63) &<< (digit &* 8) }
        // One bit in each byte whose value exceeds a bound; no byte carries into the next.
        func above(_ bound: UInt64) -> UInt64 {
            ((values &+ (127 &- bound) &* 0x0101_0101_0101_0101) &>> 7) & 0x0101_0101_0101_0101
        }
        // Starting from A-Z: a-z are 6 further on, 0-9 then 75 back, + another 15 back, / 3 forward.
        let letters = values &+ 0x4141_4141_4141_4141 &+ above(25) &* 6
        return letters &- above(51) &* 75 &- above(61) &* 15 &+ above(62) &* 3
    }
}
