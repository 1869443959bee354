internal import CLibBSON
internal import RealmCore
internal import RealmLayout

/// Values that plain JSON and CSV spell as text, in the notation of exports.
extension ObjectImporter {
    /// The value that a text spells for a property of another type; nil if the text is invalid, which is counted.
    @inline(never)
    func value(ofText element: BSONElement, _ number: Int) -> MixedValue? {
        guard let text = element.value.string, let value = value(of: text, fields[unchecked: number].form) else {
            note(.wrongType, number, element.value, sample: element.sample)
            return nil
        }
        if !Self.isExact(value, text) { note(.inexactNumber, number, element.value, sample: element.sample) }
        return value
    }

    private func value(of text: String, _ form: ScalarKind) -> MixedValue? {
        switch form {
        case .int, .nullableInt: return Int64(text).map { .int($0) }
        case .bool: return Bool(spelled: text).map { .bool($0) }
        case .double: return Double(spelled: text).map { .double(bits: $0.bitPattern) }
        case .float:
            guard let value = Double(spelled: text) else { return nil }
            let float = value.isFinite ? Float(text) ?? Float(value) : Float(value)
            guard float.isFinite == value.isFinite else { return nil }
            return .float(bits: value.isNaN ? Float.nan.bitPattern : float.bitPattern)
        case .timestamp: return Timestamp(iso8601: text).map { .timestamp($0) }
        case .decimal128: return Decimal128Bits(parsing: text).map { .decimal128($0) }
        case .objectId: return Hexadecimal.objectId(text).map { .objectId(texts.add($0)) }
        case .uuid: return Hexadecimal.uuid(text).map { .uuid(texts.add($0)) }
        case .binary: return Base64.bytes(text.utf8).map { .binary(texts.add($0)) }
        case .string, .mixed, .link, .embedded: return nil
        }
    }

    /// Whether an integer is preserved exactly. For fractions, the nearest value is considered exact.
    private static func isExact(_ value: MixedValue, _ text: String) -> Bool {
        guard let integer = Int64(text) else {
            let isWhole = text.utf8.count > 18 && text.utf8.allSatisfy { "0123456789+-".utf8.contains($0) }
            return switch value {
            case .double(let bits) where isWhole: Double(bitPattern: bits).isMeant(byInteger: text)
            case .float(let bits) where isWhole: Double(Float(bitPattern: bits)).isMeant(byInteger: text)
            default: true
            }
        }
        switch value {
        case .double(let bits): return Int64(exactly: Double(bitPattern: bits)) == integer
        case .float(let bits): return Int64(exactly: Float(bitPattern: bits)) == integer
        default: return true
        }
    }
}

extension Bool {
    /// The value that a text spells, as exports (`true`), spreadsheets (`TRUE`) or Python (`True`) write it.
    init?(spelled text: String) {
        switch text {
        case "true", "TRUE", "True": self = true
        case "false", "FALSE", "False": self = false
        default: return nil
        }
    }
}

extension BSONElement {
    /// The value as abbreviated text; nil for nested values and types without a text form.
    var sample: String? {
        switch type {
        case .string:
            let text = value.slice(at: 0, count: min(value.count, 40))?.repairedString.singleLine ?? ""
            return "\"\(text)\(value.count > 40 ? "…" : "")\""
        case .int32, .int64: return integer.map { String($0) }
        case .double: return Double(bitPattern: word).description
        case .bool: return bool ? "true" : "false"
        default: return nil
        }
    }
}

extension Fingerprint {
    /// Creates the fingerprint of an identity spelled as text. Returns nil if the text does not have that form.
    init?(parsing text: String, _ form: ScalarKind) {
        switch form {
        case .int:
            guard let number = Int64(text) else { return nil }
            self.init(number)
        case .objectId, .uuid:
            let bytes = form == .uuid ? Hexadecimal.uuid(text) : Hexadecimal.objectId(text)
            guard let bytes else { return nil }
            self = ByteView.with(bytes) { Fingerprint(fixed: $0) }
        default: return nil
        }
    }
}

extension Hexadecimal {
    /// The 12 bytes of an ObjectId's 24 digits; nil for other text.
    static func objectId(_ text: String) -> [UInt8]? {
        text.utf8.count == 24 ? bytes(text.utf8) : nil
    }

    /// The 16 bytes of a UUID, with or without hyphens; nil for other text.
    static func uuid(_ text: String) -> [UInt8]? {
        text.utf8.count == 32 ? bytes(text.utf8) : uuidBytes(text.utf8)
    }
}

extension Decimal128Bits {
    /// The decimal that a text spells, as read by libbson; nil if it is invalid.
    init?(parsing text: String) {
        var value = bson_decimal128_t()
        guard unsafe bson_decimal128_from_string(text, &value) else { return nil }
        self.init(high: value.high, low: value.low)
    }
}

extension Timestamp {
    /// Parses a time in the notation of exports, `2024-02-29T12:34:56.123456789Z`, or in another form of ISO 8601: a
    /// day alone, meaning midnight UTC; with a space instead of the T; without seconds; with an offset, `+02:00`.
    /// Returns nil for other texts, and for a time of day without a zone. Years beyond 9999 have a sign.
    init?(iso8601 text: String) {
        var rest = text[...]
        var sign: Int64 = 1
        if let first = rest.first, first == "-" || first == "+" {
            if first == "-" { sign = -1 }
            rest = rest.dropFirst()
        }
        let end = rest.firstIndex { $0 == "T" || $0 == " " } ?? rest.endIndex
        let dates = rest[..<end].split(separator: "-", omittingEmptySubsequences: false)
        guard let (clock, offset) = Self.zone(rest[end...].dropFirst(), isDay: end == rest.endIndex) else { return nil }
        let parts = clock.split(separator: ".", omittingEmptySubsequences: false)
        let times = (parts.first ?? "").split(separator: ":", omittingEmptySubsequences: false)
        guard dates.count == 3, dates[0].count >= 4, dates[1].count == 2, dates[2].count == 2,
            times.count == 3 || times.count == 2 && parts.count == 1, parts.count <= 2,
            let year = Self.number(dates[0], 1_000_000_000_000),
            let month = Self.number(dates[1], 12), month > 0,
            let dayOfMonth = Self.number(dates[2], Self.dayCount(ofMonth: month, year: year)), dayOfMonth > 0,
            let hour = Self.number(times[0], 23), let minute = Self.number(times[1], 59),
            let second = times.count == 2 ? 0 : Self.number(times[2], 59)
        else { return nil }
        var nanoseconds: Int64 = 0
        if parts.count == 2 {
            guard (1...9).contains(parts[1].utf8.count), let digits = Self.number(parts[1], 999_999_999) else {
                return nil
            }
            nanoseconds = digits
            for _ in parts[1].utf8.count..<9 { nanoseconds *= 10 }
        }
        let (midnight, overflow) = CivilDate.daysSince1970(sign * year, month, dayOfMonth).multipliedReportingOverflow(
            by: 86400)
        let (sum, overflow2) = midnight.addingReportingOverflow(hour * 3600 + minute * 60 + second - offset)
        guard !overflow, !overflow2 else { return nil }
        var seconds = sum
        // Both have the same sign.
        if seconds < 0, nanoseconds > 0 {
            seconds += 1
            nanoseconds -= 1_000_000_000
        }
        self.init(seconds: seconds, nanoseconds: nanoseconds)
    }

    /// The time of day and its offset from UTC in seconds, from the text after the day.
    private static func zone(_ text: Substring, isDay: Bool) -> (clock: Substring, offset: Int64)? {
        if isDay { return ("00:00:00", 0) }
        if text.last == "Z" { return (text.dropLast(), 0) }
        guard let place = text.lastIndex(where: { $0 == "+" || $0 == "-" }) else { return nil }
        let digits = text[place...].dropFirst().split(separator: ":", omittingEmptySubsequences: false)
        let (hours, minutes): (Substring, Substring)
        switch (digits.count, digits.first?.count) {
        case (2, 2) where digits[1].count == 2: (hours, minutes) = (digits[0], digits[1])
        case (1, 4): (hours, minutes) = (digits[0].prefix(2), digits[0].suffix(2))
        case (1, 2): (hours, minutes) = (digits[0], "00")
        default: return nil
        }
        guard let hour = number(hours, 23), let minute = number(minutes, 59) else { return nil }
        let offset = hour * 3600 + minute * 60
        return (text[..<place], text[place] == "-" ? -offset : offset)
    }

    /// Number of days of a month, 1 to 12, in the Gregorian calendar.
    static func dayCount(ofMonth month: Int64, year: Int64) -> Int64 {
        if month == 2 { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28 }
        return [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    private static func number(_ text: Substring, _ largest: Int64) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }), let number = Int64(text),
            number <= largest
        else { return nil }
        return number
    }
}
