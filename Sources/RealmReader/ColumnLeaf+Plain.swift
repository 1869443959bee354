public import RealmLayout

// Reading values in loops that decide once a leaf how each is read. Every `index` must be below `count`.
extension ColumnLeaf {
    /// Bits an element of a leaf of integers or links: 0, 1, 2, 4, 8, 16, 32 or 64.
    package var integerWidth: Int { integers.width }

    /// An integer of a leaf whose integers have 8 bits; the same for 16, 32 and 64.
    @inlinable @inline(__always)
    package func int8(at index: Int) -> Int64 { integers.int8(unchecked: index) }

    @inlinable @inline(__always)
    package func int16(at index: Int) -> Int64 { integers.int16(unchecked: index) }

    @inlinable @inline(__always)
    package func int32(at index: Int) -> Int64 { integers.int32(unchecked: index) }

    @inlinable @inline(__always)
    package func int64(at index: Int) -> Int64 { integers.int64(unchecked: index) }

    /// Bytes an element of a leaf of short strings; the last one says how many before it are not used.
    package var shortStringWidth: Int { Int(truncatingIfNeeded: parameter) }

    /// Word `word` of an element of a leaf of short strings whose elements have `width` bytes.
    @inlinable @inline(__always)
    package func shortStringWord(_ word: Int, at index: Int, width: Int) -> UInt64 {
        bytes.uint64(unchecked: index &* width &+ word &* 8)
    }

    /// Whether strings are null where today's formats say so, and the leaf is not enumerated: what the plain accesses
    /// below rely on.
    package var hasPlainStrings: Bool {
        !isEnumerated && !nullIsEmpty && (encoding != .mediumStrings || parameter == 0)
    }

    /// The bytes of a string of a leaf of short strings; nil for null and for damage, which `string(at:in:)` tells apart.
    @inlinable @inline(__always)
    package func plainShortString(at index: Int) -> ByteView? {
        ShortStrings(count: count, width: Int(truncatingIfNeeded: parameter), bytes: bytes).plainString(at: index)
    }

    /// Whether a string of such a leaf is null.
    @inlinable @inline(__always)
    package func isNullShortString(at index: Int) -> Bool {
        let width = Int(truncatingIfNeeded: parameter)
        return width == 0 || Int(bytes.byte(unchecked: index &* width &+ width &- 1)) == width
    }

    /// Whether a string of a leaf of medium ones is null.
    @inlinable @inline(__always)
    package func isNullMediumString(at index: Int) -> Bool { auxiliary[unchecked: index] != 0 }

    /// The bytes of a string of such a leaf; nil for null and for damage.
    @inlinable @inline(__always)
    package func plainMediumString(at index: Int) -> ByteView? {
        let end = integers[unchecked: index]
        let start = index == 0 ? 0 : integers[unchecked: index &- 1]
        guard auxiliary[unchecked: index] == 0, start >= 0, start < end, end <= bytes.count else { return nil }
        return bytes.slice(
            unchecked: Int(truncatingIfNeeded: start), count: Int(truncatingIfNeeded: end &- start &- 1))
    }

    /// Whether a point in time is null.
    @inlinable @inline(__always)
    package func isNullTimestamp(at index: Int) -> Bool { integers[unchecked: index &+ 1] == parameter }

    /// A point in time; nil for null and for damage, which `timestamp(at:)` tells apart.
    @inlinable @inline(__always)
    package func plainTimestamp(at index: Int) -> Timestamp? {
        let seconds = integers[unchecked: index &+ 1]
        return seconds == parameter ? nil : Timestamp(seconds: seconds, nanoseconds: auxiliary[unchecked: index])
    }
}
