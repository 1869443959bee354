internal import RealmLayout

/// Converts tokens to constants.
struct ConstantReader {
    private let text: String

    init(_ text: String) {
        self.text = text
    }

    /// The value of a token; nil if it is not a constant.
    func constant(_ token: Token) throws(QuerySyntaxError) -> QueryConstant? {
        switch token.kind {
        case .natural(let digits), .integer(let digits): return .integer(digits)
        case .real(let digits): return .real(digits)
        case .infinity(let negative): return .infinity(negative: negative)
        case .notANumber: return .notANumber
        case .string(let string): return .string(string)
        case .base64(let digits):
            guard let bytes = Base64.bytes(digits.utf8) else {
                throw error("these characters are no base64 data", token)
            }
            return .base64(bytes)
        case .timestamp(let digits): return try timestamp(digits, token)
        case .uuid(let digits): return .uuid(Hexadecimal.uuidBytes(digits.utf8) ?? [])
        case .objectId(let digits): return .objectId(Hexadecimal.bytes(digits.utf8) ?? [])
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
        // As in Core, a day beyond the end of the month continues into the next month.
        let days = CivilDate.daysSince1970(year, month, day)
        let seconds = days * 86400 + hour * 3600 + minute * 60 + second
        // As in Core, nanoseconds count backwards before 1970: `1969-12-31@23:59:59:1` is a nanosecond before that
        // second.
        if seconds < 0 { nanoseconds = -nanoseconds }
        return .timestamp(seconds: seconds, nanoseconds: Int32(nanoseconds))
    }
}
