/// Timestamps, ids and links in Realm's notation.
extension Lexer {
    /// `T<seconds>:<nanoseconds>`, or `year-month-day` with `T` or `@` before `hour:minute:second[:nanoseconds]`.
    mutating func timestamp() throws(QuerySyntaxError) -> Token.Kind? {
        let ownEnd = timestampEnd
        if takesPrintedValues, let kind = try printedDate(longerThan: ownEnd ?? 0) { return kind }
        guard let ownEnd else { return nil }
        defer { position += ownEnd }
        return .timestamp(spelled(ownEnd))
    }

    /// The length of a timestamp in Realm's notation.
    private var timestampEnd: Int? {
        func signed(_ start: Int) -> Int? {
            let sign = byte(start) == UInt8(ascii: "-") || byte(start) == UInt8(ascii: "+") ? 1 : 0
            let count = digits(from: start + sign)
            return count > 0 ? start + sign + count : nil
        }
        func separated(_ start: Int, by marks: String) -> Int? {
            guard let mark = byte(start), marks.utf8.contains(mark) else { return nil }
            let count = digits(from: start + 1)
            return count > 0 ? start + 1 + count : nil
        }
        var end: Int?
        if byte(0) == UInt8(ascii: "T") {
            if let seconds = signed(1), byte(seconds) == UInt8(ascii: ":") { end = signed(seconds + 1) }
        } else if isDigit(byte(0)), let month = separated(digits(from: 0), by: "-"),
            let day = separated(month, by: "-"),
            let hour = separated(day, by: "@T"), let minute = separated(hour, by: ":"),
            let second = separated(minute, by: ":")
        {
            end = separated(second, by: ":") ?? second
        }
        return end
    }

    /// `uuid(…)`, `oid(…)`, `O1`, `L1:2`, `B64"…"`.
    mutating func special() -> Token.Kind? {
        func hexadecimal(_ groups: [Int], from start: Int) -> Int? {
            var at = start
            for (index, count) in groups.enumerated() {
                if index > 0 {
                    guard byte(at) == UInt8(ascii: "-") else { return nil }
                    at += 1
                }
                for _ in 0..<count {
                    guard isHex(byte(at)) else { return nil }
                    at += 1
                }
            }
            return byte(at) == UInt8(ascii: ")") ? at : nil
        }
        if spelled(5) == "uuid(", let end = hexadecimal([8, 4, 4, 4, 12], from: 5) {
            defer { position += end + 1 }
            return .uuid(String(spelled(end).dropFirst(5)))
        }
        if spelled(4) == "oid(", let end = hexadecimal([24], from: 4) {
            defer { position += end + 1 }
            return .objectId(String(spelled(end).dropFirst(4)))
        }
        if spelled(4) == "B64\"" {
            var end = 4
            while let next = byte(end), isLetter(next) || isDigit(next) || "+/=".utf8.contains(next) { end += 1 }
            guard byte(end) == UInt8(ascii: "\"") else { return nil }
            defer { position += end + 1 }
            return .base64(String(spelled(end).dropFirst(4)))
        }
        let first = byte(0)
        guard first == UInt8(ascii: "O") || first == UInt8(ascii: "L") else { return nil }
        var end = 1 + digits(from: 1)
        guard end > 1 else { return nil }
        if first == UInt8(ascii: "L") {
            guard byte(end) == UInt8(ascii: ":") else { return nil }
            let key = digits(from: end + 1)
            guard key > 0 else { return nil }
            end += 1 + key
        } else if let next = byte(end), isNameByte(next) {
            return nil
        }
        defer { position += end }
        let text = String(spelled(end).dropFirst())
        return first == UInt8(ascii: "O") ? .objectKey(text) : .typedLink(text)
    }
}
