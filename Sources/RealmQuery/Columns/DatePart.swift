internal import RealmCore
internal import RealmLayout

/// A part of a point in time, in UTC: `year(createdAt)`.
enum DatePart: String, CaseIterable, Sendable {
    case year, month, day, hour, minute, second
    /// 1 for Monday to 7 for Sunday, as in ISO 8601.
    case weekday
    /// The day as text: `2024-02-29`.
    case date

    /// The part of a value; of each element of a list, and null for values that are no points in time.
    func value(of value: Value) -> Value {
        switch value {
        case .timestamp(let time): part(of: time)
        case .list(let values): .list(values.map { self.value(of: $0) })
        default: .null
        }
    }

    private func part(of time: Timestamp) -> Value {
        // A time before 1970 has negative nanoseconds: it lies in the second before.
        let seconds = time.nanoseconds < 0 ? time.seconds.subtractingReportingOverflow(1).partialValue : time.seconds
        let days = seconds.flooredDivision(by: 86_400)
        let second = seconds &- days &* 86_400
        let day = CivilDate(daysSince1970: days)
        switch self {
        case .year: return .int(day.year)
        case .month: return .int(Int64(day.month))
        case .day: return .int(Int64(day.day))
        case .hour: return .int(second / 3600)
        case .minute: return .int(second / 60 % 60)
        case .second: return .int(second % 60)
        // 1970-01-01 was a Thursday.
        case .weekday: return .int((days &+ 3) &- (days &+ 3).flooredDivision(by: 7) &* 7 + 1)
        case .date: return .string(String(time.text.prefix { $0 != " " }))
        }
    }
}
