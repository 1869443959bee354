/// A leaf of timestamps: nullable seconds, and nanoseconds (Spec 30).
@usableFromInline
package struct StoredTimestamps: Sendable, BitwiseCopyable {
    @usableFromInline package let seconds: NullableIntegers
    /// As many elements as `seconds`; those of nulls are arbitrary.
    @usableFromInline package let nanoseconds: IntegerVector

    @inlinable @inline(__always)
    package init(seconds: NullableIntegers, nanoseconds: IntegerVector) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    /// An element, which the caller has proven to exist.
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
    /// Describes the problem with the seconds and nanoseconds of a timestamp, if any.
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
