/// A day of the proleptic Gregorian calendar.
package struct CivilDate: Equatable {
    package let year: Int64
    package let month: Int
    package let day: Int

    /// Makes the date that many days after 1970-01-01; valid for all days reachable with 64-bit seconds.
    @inlinable
    package init(daysSince1970 days: Int64) {
        // Eras of 400 years have 146,097 days; counting from March puts leap days last.
        let shifted = days + 719_468
        let era = shifted.flooredDivision(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = Int(dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
        month = Int(shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9)
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// The number of days from 1970-01-01 to a date. A day past the month's end counts into the next month.
    ///
    /// - Parameters:
    ///   - year: up to 10^13, of either sign.
    ///   - month: 1 to 12.
    package static func daysSince1970(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted.flooredDivision(by: 400)
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}

extension Int64 {
    /// The quotient rounded down.
    @inlinable
    package func flooredDivision(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}

extension Timestamp {
    /// The time as readable text, `2020-09-13 12:38:39.312 UTC`; years beyond four digits are not truncated.
    package var text: String {
        var day = seconds.flooredDivision(by: 86_400)
        var second = Int(seconds &- day &* 86_400)
        var nanosecond = Int(nanoseconds)
        if nanosecond < 0 {
            nanosecond += 1_000_000_000
            second -= 1
            if second < 0 { (day, second) = (day - 1, 86_399) }
        }
        let date = CivilDate(daysSince1970: day)
        let year = Self.digits(Int(date.year.magnitude), 4)
        let clock = [second / 3600, second / 60 % 60, second % 60].map { Self.digits($0, 2) }.joined(separator: ":")
        var fraction = ""
        if nanosecond != 0 {
            fraction = "." + Self.digits(nanosecond, 9)
            while fraction.hasSuffix("0") { fraction.removeLast() }
        }
        return "\(date.year < 0 ? "-" : "")\(year)-\(Self.digits(date.month, 2))-\(Self.digits(date.day, 2)) "
            + "\(clock)\(fraction) UTC"
    }

    private static func digits(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }
}
