internal import RealmCore
internal import RealmLayout
internal import RealmStorage

// The text of values as the tool prints them, written without an allocation for each value where many are written.
extension GrowingBytes {
    /// Appends a number in decimal digits.
    mutating func append(decimal number: Int64) {
        if number < 0 { append(UInt8(ascii: "-")) }
        append(digits: number.magnitude, atLeast: 1)
    }

    /// Appends the digits of a number, with zeros before it.
    mutating func append(digits number: UInt64, atLeast count: Int) {
        var (rest, digits) = (number, SIMD32<UInt8>(repeating: UInt8(ascii: "0")))
        var length = 0
        while rest > 0 {
            let (quotient, digit) = (rest / 10, rest % 10)
            digits[length] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: digit)
            rest = quotient
            length &+= 1
        }
        length = max(length, count)
        while length > 0 {
            length &-= 1
            append(digits[length])
        }
    }

    /// Appends a point in time: as in tables, `2020-09-13 12:38:39.312 UTC`, or as in documents,
    /// `2020-09-13T12:38:39.312Z`.
    mutating func append(_ time: Timestamp, isDocument: Bool) {
        var day = time.seconds.flooredDivision(by: 86_400)
        var second = Int(truncatingIfNeeded: time.seconds &- day &* 86_400)
        var nanosecond = Int(time.nanoseconds)
        if nanosecond < 0 {
            nanosecond &+= 1_000_000_000
            second &-= 1
            if second < 0 { (day, second) = (day &- 1, 86_399) }
        }
        let date = CivilDate(daysSince1970: day)
        if date.year < 0 { append(UInt8(ascii: "-")) }
        append(digits: date.year.magnitude, atLeast: 4)
        append(UInt8(ascii: "-"), twoDigits: date.month)
        append(UInt8(ascii: "-"), twoDigits: date.day)
        append(UInt8(ascii: isDocument ? "T" : " "), twoDigits: second / 3600)
        append(UInt8(ascii: ":"), twoDigits: second / 60 % 60)
        append(UInt8(ascii: ":"), twoDigits: second % 60)
        if nanosecond > 0 {
            var (fraction, places) = (UInt64(truncatingIfNeeded: nanosecond), 9)
            while fraction % 10 == 0 { (fraction, places) = (fraction / 10, places &- 1) }
            append(UInt8(ascii: "."))
            append(digits: fraction, atLeast: places)
        }
        append(text: isDocument ? "Z" : " UTC")
    }

    private mutating func append(_ separator: UInt8, twoDigits number: Int) {
        append(separator)
        append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number / 10))
        append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number % 10))
    }

    /// Appends two lowercase hexadecimal digits for each byte, with the hyphens of a UUID.
    mutating func append(hexadecimal bytes: ByteView, isUUID: Bool = false) {
        for offset in 0..<bytes.count {
            if isUUID, offset == 4 || offset == 6 || offset == 8 || offset == 10 { append(UInt8(ascii: "-")) }
            let byte = bytes.byte(unchecked: offset)
            append(Self.digit(byte &>> 4))
            append(Self.digit(byte & 15))
        }
    }

    private static func digit(_ number: UInt8) -> UInt8 {
        number < 10 ? UInt8(ascii: "0") &+ number : UInt8(ascii: "a") &- 10 &+ number
    }

    /// Appends the text of a value that is neither a string, binary, link nor collection, which have no text here.
    mutating func append(textOf value: MixedValue, dateAsInDocuments isDocument: Bool) {
        switch value {
        case .null, .string, .binary, .link, .list, .dictionary: break
        case .int(let number): append(decimal: number)
        case .bool(let truth): append(text: truth ? "true" : "false")
        case .float(let bits): append(number: Float(bitPattern: bits))
        case .double(let bits): append(number: Double(bitPattern: bits))
        case .decimal128(let number): append(text: number.description)
        case .timestamp(let time): append(time, isDocument: isDocument)
        case .objectId(let bytes): append(hexadecimal: bytes)
        case .uuid(let bytes): append(hexadecimal: bytes, isUUID: true)
        }
    }

    private mutating func append(number: some BinaryFloatingPoint & CustomStringConvertible) {
        append(text: number.isNaN ? "NaN" : number.description)
    }

    /// Appends a short text.
    mutating func append(text: String) {
        for byte in text.utf8 { append(byte) }
    }
}
