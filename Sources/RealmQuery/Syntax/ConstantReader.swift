/// Makes values of tokens.
struct ConstantReader {
    private let text: String

    init(_ text: String) {
        self.text = text
    }

    /// The value of one token; nil when the token is none.
    func constant(_ token: Token) throws(QuerySyntaxError) -> QueryConstant? {
        switch token.kind {
        case .natural(let digits), .integer(let digits): return .integer(digits)
        case .real(let digits): return .real(digits)
        case .infinity(let negative): return .infinity(negative: negative)
        case .notANumber: return .notANumber
        case .string(let string): return .string(string)
        case .base64(let digits):
            guard let bytes = decodeBase64(digits) else { throw error("these characters are no base64 data", token) }
            return .base64(bytes)
        case .timestamp(let digits): return try timestamp(digits, token)
        case .uuid(let digits): return .uuid(hexadecimalBytes(digits))
        case .objectId(let digits): return .objectId(hexadecimalBytes(digits))
        case .objectKey(let digits):
            guard let key = Int64(digits) else { throw error("the key of an object is too large", token) }
            return .objectKey(key)
        case .typedLink(let digits):
            let parts = digits.split(separator: ":")
            guard parts.count == 2, let table = UInt32(parts[0]), let key = Int64(parts[1]) else {
                throw error("the keys of a link are too large", token)
            }
            return .typedLink(table: table, object: key)
        case .argument(let number): return .argument(number, nil)
        case .word(.true, _): return .bool(true)
        case .word(.false, _): return .bool(false)
        case .word(.null, _): return .null
        default: return nil
        }
    }

    private func error(_ message: String, _ token: Token) -> QuerySyntaxError {
        QuerySyntaxError(message, at: token.range.lowerBound, in: text)
    }

    private func hexadecimalBytes(_ digits: String) -> [UInt8] {
        var bytes: [UInt8] = []
        var high: UInt8?
        for character in digits {
            guard let digit = character.hexDigitValue else { continue }
            if let first = high {
                bytes.append(first << 4 | UInt8(digit))
                high = nil
            } else {
                high = UInt8(digit)
            }
        }
        return bytes
    }

    private func decodeBase64(_ digits: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        var padding = 0
        for byte in digits.utf8 {
            let value: UInt32
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = UInt32(byte - UInt8(ascii: "A"))
            case UInt8(ascii: "a")...UInt8(ascii: "z"): value = UInt32(byte - UInt8(ascii: "a")) + 26
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = UInt32(byte - UInt8(ascii: "0")) + 52
            case UInt8(ascii: "+"): value = 62
            case UInt8(ascii: "/"): value = 63
            case UInt8(ascii: "="):
                padding += 1
                continue
            default: return nil
            }
            guard padding == 0 else { return nil }
            bits = bits << 6 | value
            count += 1
            if count % 4 != 1 { bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32([0, 0, 4, 2][count % 4]))) }
        }
        guard padding <= 2, count % 4 != 1, (count + padding) % 4 == 0 || padding == 0 else { return nil }
        return bytes
    }

    private func timestamp(_ digits: String, _ token: Token) throws(QuerySyntaxError) -> QueryConstant {
        if digits.hasPrefix("T") {
            let parts = digits.dropFirst().split(separator: ":")
            guard parts.count == 2, let seconds = Int64(parts[0]), let nanoseconds = Int32(parts[1]),
                nanoseconds.magnitude < 1_000_000_000
            else { throw error("seconds or nanoseconds of a timestamp are too large", token) }
            guard seconds == 0 || nanoseconds == 0 || (seconds < 0) == (nanoseconds < 0) else {
                throw error("seconds and nanoseconds of a timestamp have different signs", token)
            }
            return .timestamp(seconds: seconds, nanoseconds: nanoseconds)
        }
        let parts = digits.split { "-@T:".contains($0) }.map { Int64($0) }
        guard (6...7).contains(parts.count), let year = parts[0], let month = parts[1], let day = parts[2],
            let hour = parts[3], let minute = parts[4], let second = parts[5],
            (0...9999).contains(year), (1...12).contains(month), (1...31).contains(day), (0...23).contains(hour),
            (0...59).contains(minute), (0...60).contains(second)
        else { throw error("there is no such time", token) }
        var nanoseconds: Int64 = 0
        if parts.count == 7 {
            guard let given = parts[6], given < 1_000_000_000 else {
                throw error("there are less than 10^9 nanoseconds", token)
            }
            nanoseconds = given
        }
        let days = daysFrom1970(year: year, month: month, day: day)
        var seconds = days * 86400 + hour * 3600 + minute * 60 + second
        if seconds < 0, nanoseconds > 0 {
            seconds += 1
            nanoseconds -= 1_000_000_000
        }
        return .timestamp(seconds: seconds, nanoseconds: Int32(nanoseconds))
    }

    /// Days of the Gregorian calendar; a day beyond the month's end counts into the next month, as in Core.
    private func daysFrom1970(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
