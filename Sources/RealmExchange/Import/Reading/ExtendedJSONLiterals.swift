internal import RealmCore
internal import RealmLayout

/// Checks for errors that libbson ignores silently: it turns decimals that do not fit into NaN, non-numeric text into
/// the number it begins with or 0, and invalid days into other dates.
enum ExtendedJSONLiterals {
    /// Checks the texts under `$numberDecimal`, `$numberDouble` and `$date`.
    ///
    /// - Throws: `malformed`.
    static func check(_ text: ByteView) throws(DocumentError) {
        var rest = text.firstIndex(of: UInt8(ascii: "$"), from: 0)
        while let dollar = rest {
            if let literal = literal("numberDecimal", text, after: dollar) {
                guard Decimal128Bits(parsing: literal) != nil else {
                    throw DocumentError(
                        .malformed, at: dollar, "\"\(literal.singleLine)\" is not a decimal of 128 bits")
                }
            } else if let literal = literal("numberDouble", text, after: dollar) {
                guard Double(spelled: literal) != nil else {
                    throw DocumentError(.malformed, at: dollar, "\"\(literal.singleLine)\" is not a double")
                }
            } else if let literal = literal("date", text, after: dollar), !isDay(literal) {
                throw DocumentError(.malformed, at: dollar, "the date \"\(literal.singleLine)\" is in no calendar")
            }
            rest = text.firstIndex(of: UInt8(ascii: "$"), from: dollar + 1)
        }
    }

    /// The first value that libbson refuses, in words; nil if none of the usual ones is wrong.
    static func refused(_ text: ByteView) -> DocumentError? {
        var rest = text.firstIndex(of: UInt8(ascii: "$"), from: 0)
        while let dollar = rest {
            for (name, isRight, words) in literals {
                guard let literal = literal(name, text, after: dollar), !isRight(literal) else { continue }
                let shown = literal.count > 60 ? "\(literal.prefix(60))…" : literal
                return DocumentError(.malformed, at: dollar, "\"\(shown.singleLine)\" is not \(words)")
            }
            rest = text.firstIndex(of: UInt8(ascii: "$"), from: dollar + 1)
        }
        return nil
    }

    /// The texts under names of Extended JSON: a check, and words for what is expected.
    private static let literals: [(name: StaticString, isRight: @Sendable (String) -> Bool, words: String)] = [
        ("oid", { Hexadecimal.objectId($0) != nil }, "an ObjectId, which has 24 hexadecimal digits"),
        ("uuid", { $0.utf8.count == 36 && Hexadecimal.uuid($0) != nil }, "a UUID"),
        ("numberInt", { Int32($0) != nil }, "an integer of 32 bits"),
        ("numberLong", { Int64($0) != nil }, "an integer of 64 bits"),
        ("date", { Timestamp(iso8601: $0) != nil }, "a date of ISO 8601, such as 2024-02-29T12:34:56.123Z"),
        ("base64", { Base64.bytes($0.utf8) != nil }, "base64"),
    ]

    /// The text that follows a name and a colon; nil if anything else follows.
    private static func literal(_ name: StaticString, _ text: ByteView, after dollar: Int) -> String? {
        guard dollar > 0, text.byte(unchecked: dollar - 1) == UInt8(ascii: "\"") else { return nil }
        var offset = dollar + 1
        for byte in name.description.utf8 {
            guard offset < text.count, text.byte(unchecked: offset) == byte else { return nil }
            offset += 1
        }
        guard take("\"", text, &offset), take(":", text, &offset), take("\"", text, &offset),
            let end = text.firstIndex(of: UInt8(ascii: "\""), from: offset)
        else { return nil }
        return String(decoding: text.slice(unchecked: offset, count: end - offset).bytes, as: UTF8.self)
    }

    /// Skips white space and one byte. Returns false if that byte is not the wanted one.
    private static func take(_ wanted: Unicode.Scalar, _ text: ByteView, _ offset: inout Int) -> Bool {
        offset = text.skippingJSONSpace(from: offset)
        guard offset < text.count, text.byte(unchecked: offset) == UInt8(ascii: wanted) else { return false }
        offset += 1
        return true
    }

    /// Whether the day exists in its month, for a date that begins with year, month and day. Other dates are left to
    /// libbson.
    private static func isDay(_ text: String) -> Bool {
        let parts = text.prefix { $0 != "T" }.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, let year = Int64(parts[0]), let month = Int64(parts[1]), let day = Int64(parts[2])
        else {
            return true
        }
        return (1...12).contains(month) && day >= 1 && day <= Timestamp.dayCount(ofMonth: month, year: year)
    }
}

extension Double {
    /// The double that a text spells in the notation of exports: a finite decimal number, `NaN`, `Infinity` or
    /// `-Infinity`.
    init?(spelled text: String) {
        switch text {
        case "NaN": self = .nan
        case "Infinity": self = .infinity
        case "-Infinity": self = -.infinity
        default:
            // `Double` also accepts hexadecimal digits, and other names of infinity and NaN.
            let isDecimal = text.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
            guard isDecimal, let value = Double(text), value.isFinite else { return nil }
            self = value
        }
    }
}
