extension Timestamp {
    /// Parses a time in the notation of exports, `2024-02-29T12:34:56.123456789Z`, in that of `text`, or in another form
    /// of ISO 8601: a day alone, meaning midnight UTC; with a space instead of the T; without seconds; with an offset,
    /// `+02:00`. Returns nil for other texts. Years beyond 9999 have a sign.
    ///
    /// - Parameter assumesUTC: whether a time of day without a zone is one of UTC; otherwise it is nil.
    package init?(iso8601 text: String, assumesUTC: Bool = false) {
        var rest = text[...]
        var sign: Int64 = 1
        if let first = rest.first, first == "-" || first == "+" {
            if first == "-" { sign = -1 }
            rest = rest.dropFirst()
        }
        let end = rest.firstIndex { $0 == "T" || $0 == " " } ?? rest.endIndex
        let dates = rest[..<end].split(separator: "-", omittingEmptySubsequences: false)
        let time = rest[end...].dropFirst()
        guard let (clock, offset) = Self.zone(time, isDay: end == rest.endIndex) ?? (assumesUTC ? (time, 0) : nil)
        else { return nil }
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
        if text.hasSuffix(" UTC") { return (text.dropLast(4), 0) }
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
    package static func dayCount(ofMonth month: Int64, year: Int64) -> Int64 {
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
