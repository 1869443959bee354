/// A point in time: seconds since 1970-01-01 00:00 UTC and nanoseconds, both of the same sign (Spec 30).
///
/// ```swift
/// if let born = Timestamp(seconds: 1_700_000_000, nanoseconds: 5) { print(born, born.date) }
/// ```
public struct Timestamp: Hashable, Sendable, BitwiseCopyable {
    /// Whole seconds, rounded toward zero.
    public let seconds: Int64
    /// -999,999,999 to 999,999,999; never of the opposite sign to `seconds`.
    public let nanoseconds: Int32

    /// Makes a timestamp, or returns nil when the nanoseconds are out of range.
    ///
    /// Nanoseconds of the opposite sign, found only in damaged files, are carried into the seconds: the time is the
    /// same.
    @inlinable
    public init?(seconds: Int64, nanoseconds: Int64) {
        guard nanoseconds > -1_000_000_000, nanoseconds < 1_000_000_000 else { return nil }
        let areOpposite = seconds ^ nanoseconds < 0 && seconds != 0 && nanoseconds != 0
        let step: Int64 = !areOpposite ? 0 : seconds < 0 ? 1 : -1
        self.seconds = seconds &+ step
        self.nanoseconds = Int32(truncatingIfNeeded: nanoseconds &- step &* 1_000_000_000)
    }
}
