internal import RealmLayout

/// Values as `realmfile query` prints them. Realm's grammar has no meaning for these spellings of dates; a name that
/// looks like a UUID or an ObjectId needs a `#`.
extension Lexer {
    /// Reads a UUID or an ObjectId.
    mutating func printedIdentifier() -> Token.Kind? {
        if let length = length(ofHexadecimal: [8, 4, 4, 4, 12]) {
            defer { position += length }
            return .uuid(spelled(length))
        }
        // Digits alone are a number.
        if let length = length(ofHexadecimal: [24]), !spelled(length).utf8.allSatisfy({ (48...57).contains($0) }) {
            defer { position += length }
            return .objectId(spelled(length))
        }
        return nil
    }

    /// The length of some groups of hexadecimal digits with hyphens between; nil if something else is here.
    private func length(ofHexadecimal groups: [Int]) -> Int? {
        var at = 0
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
        return byte(at).map { isNameByte($0) } ?? false ? nil : at
    }

    /// Reads a date, `2024-02-29`, optionally followed by a time, `2024-02-29 12:34:56.789 UTC`. Without a zone it is
    /// one of UTC.
    ///
    /// - Parameter length: the length of a token that wins unless the date is longer.
    /// - Throws: `QuerySyntaxError` for a time that does not exist.
    mutating func printedDate(longerThan length: Int) throws(QuerySyntaxError) -> Token.Kind? {
        func matches(_ form: String, at start: Int) -> Int? {
            var at = start
            for expected in form.utf8 {
                guard expected == UInt8(ascii: "0") ? digits(from: at) > 0 : byte(at) == expected else { return nil }
                at += 1
            }
            return at
        }
        let year = digits(from: 0)
        guard year >= 4, var end = matches("-00-00", at: year) else { return nil }
        if let time = matches("T00:00", at: end) ?? matches(" 00:00", at: end) {
            end = matches(":00", at: time) ?? time
            if byte(end) == UInt8(ascii: "."), digits(from: end + 1) > 0 { end += 1 + digits(from: end + 1) }
            if byte(end) == UInt8(ascii: "Z") {
                end += 1
            } else {
                for zone in [" UTC", "+00:00", "-00:00", "+0000", "-0000"] {
                    guard let zoned = matches(zone, at: end) else { continue }
                    end = zoned
                    break
                }
            }
        }
        guard end > length, !isHex(byte(end)) else { return nil }
        guard let time = Timestamp(iso8601: spelled(end), assumesUTC: true) else {
            throw error("there is no such time")
        }
        position += end
        return .timestamp("T\(time.seconds):\(time.nanoseconds)")
    }
}
