/// A point in time: seconds since 1970-01-01 00:00 UTC and nanoseconds, both of the same sign (Spec 30).
public struct Timestamp: Hashable, Sendable, BitwiseCopyable {
    /// Whole seconds, rounded toward zero.
    public let seconds: Int64
    /// -999,999,999 to 999,999,999; never of the other sign than `seconds`.
    public let nanoseconds: Int32

    /// Makes a timestamp, or returns nil when the nanoseconds are out of range.
    @inlinable
    public init?(seconds: Int64, nanoseconds: Int64) {
        guard nanoseconds > -1_000_000_000, nanoseconds < 1_000_000_000 else { return nil }
        self.seconds = seconds
        self.nanoseconds = Int32(truncatingIfNeeded: nanoseconds)
    }
}
