/// A leaf of points in time: seconds of which some may be null, and nanoseconds (Spec 30).
@usableFromInline
package struct StoredTimestamps: Sendable, BitwiseCopyable {
    @usableFromInline package let seconds: NullableIntegers
    /// As many as there are seconds; those of null are any.
    @usableFromInline package let nanoseconds: IntegerVector

    @inlinable @inline(__always)
    package init(seconds: NullableIntegers, nanoseconds: IntegerVector) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    /// An element, which the caller has proven to be there.
    @usableFromInline
    package enum Element {
        case null
        case value(Timestamp)
        /// The nanoseconds are a second or more.
        case outOfRange
    }

    @inlinable @inline(__always)
    package subscript(unchecked index: Int) -> Element {
        guard let seconds = seconds[unchecked: index] else { return .null }
        return Timestamp(seconds: seconds, nanoseconds: nanoseconds[unchecked: index]).map { .value($0) } ?? .outOfRange
    }
}

extension Timestamp {
    /// What is wrong with seconds and nanoseconds of a point in time, if anything.
    package static func problem(seconds: Int64, nanoseconds: Int64) -> String? {
        if nanoseconds <= -1_000_000_000 || nanoseconds >= 1_000_000_000 {
            return "\(nanoseconds) nanoseconds are a second or more"
        }
        if (seconds > 0 && nanoseconds < 0) || (seconds < 0 && nanoseconds > 0) {
            return "\(seconds) seconds and \(nanoseconds) nanoseconds have different signs"
        }
        return nil
    }
}
