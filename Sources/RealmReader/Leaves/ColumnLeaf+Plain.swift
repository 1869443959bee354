public import RealmLayout

// Reading values in loops that decide once a leaf how each is read. Every `index` must be below `count`.
extension ColumnLeaf {
    /// The numbers that a leaf's values are made of, for loops that read many: integers, truth values, refs; keys of linked
    /// objects plus `bias`; of nullable integers and of times, `sentinel` and then the integers or seconds; of medium strings
    /// where each ends.
    @inlinable @inline(__always)
    package var numbers: IntegerVector { integers }

    /// The nanoseconds of times; of medium strings, whether each is null.
    @inlinable @inline(__always)
    package var secondNumbers: IntegerVector { auxiliary }

    /// The number of nullable integers and of seconds that stands for null.
    @inlinable @inline(__always)
    package var sentinel: Int64 { parameter }

    /// What has been added to the keys of linked objects.
    @inlinable @inline(__always)
    package var bias: Int64 { parameter }

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
        // Where none is null, the flags have no bits.
        guard auxiliary.width == 0 || auxiliary[unchecked: index] == 0, start >= 0, start < end, end <= bytes.count
        else { return nil }
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

    /// A decimal of a leaf whose decimals have 16 bytes.
    @inlinable @inline(__always)
    package func decimal128(at index: Int) -> Decimal128Bits? {
        let value = Decimal128Bits(
            high: bytes.uint64(unchecked: index &* 16 &+ 8), low: bytes.uint64(unchecked: index &* 16))
        return value.isNullPattern ? nil : value
    }

    /// A decimal of a leaf whose decimals have 4 bytes, widened to 128 bits.
    @inlinable @inline(__always)
    package func decimal32(at index: Int) -> Decimal128Bits? {
        let bits = bytes.uint32(unchecked: index &* 4)
        return bits == NullPattern.decimal32 ? nil : Decimal128Bits(bid32: bits)
    }

    // MARK: Copying strings in whole steps

    /// The bytes that strings of the leaf, short or medium, are in: what is copied in whole steps has to be inside.
    @inlinable @inline(__always)
    package var stringBytes: ByteView { bytes }

    /// Bytes an element of a leaf of short strings; the last one says how many before it are not used.
    @inlinable @inline(__always)
    package var shortStringWidth: Int { Int(truncatingIfNeeded: parameter) }

    /// Whether a string of this leaf, short or medium, may be copied in steps of sixteen bytes: it has less than 64, and
    /// what is read behind it is part of the leaf.
    @inlinable @inline(__always)
    package func canCopy(_ text: ByteView) -> Bool {
        text.count < ShortStrings.longestCopied && text.extends(to: ShortStrings.copied(text.count), in: bytes)
    }
}
