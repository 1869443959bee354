/// A leaf of medium strings or binaries: the values back to back in a blob, the offset at which each ends, and the null
/// flags (Spec 30).
@usableFromInline
package struct MediumValues: Sendable, BitwiseCopyable {
    @usableFromInline package let ends: IntegerVector
    /// As many elements as `ends`.
    @usableFromInline package let nullFlags: IntegerVector
    @usableFromInline package let bytes: ByteView
    /// The flag of a value that is not null.
    @usableFromInline package let valueFlag: Int64

    @inlinable @inline(__always)
    package init(ends: IntegerVector, nullFlags: IntegerVector, bytes: ByteView, valueFlag: Int64 = Self.valueFlag) {
        self.ends = ends
        self.nullFlags = nullFlags
        self.bytes = bytes
        self.valueFlag = valueFlag
    }

    /// The flags of values and of nulls.
    @inlinable package static var valueFlag: Int64 { 0 }
    package static var nullFlag: Int64 { 1 }
    /// The flag of values in strings before format 10, whose flags mean "not null"; those of binaries never changed.
    package static var legacyStringValueFlag: Int64 { 1 }

    @inlinable @inline(__always)
    package func isNull(unchecked index: Int) -> Bool { nullFlags[unchecked: index] != valueFlag }

    /// The bounds of the value at `index`, unchecked.
    @inlinable @inline(__always)
    package func bounds(unchecked index: Int) -> (start: Int64, end: Int64) {
        (index == 0 ? 0 : ends[unchecked: index &- 1], ends[unchecked: index])
    }

    /// The bytes between such bounds; nil when they are not inside the blob.
    @inlinable @inline(__always)
    package func slice(_ bounds: (start: Int64, end: Int64)) -> ByteView? {
        guard bounds.start >= 0, bounds.start <= bounds.end, bounds.end <= bytes.count else { return nil }
        return bytes.slice(
            unchecked: Int(truncatingIfNeeded: bounds.start), count: Int(truncatingIfNeeded: bounds.end &- bounds.start)
        )
    }
}
