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
        shortStrings.plainString(at: index)
    }

    /// Whether a string of such a leaf is null.
    @inlinable @inline(__always)
    package func isNullShortString(at index: Int) -> Bool {
        let width = Int(truncatingIfNeeded: parameter)
        return width == 0 || Int(bytes.byte(unchecked: index &* width &+ width &- 1)) == width
    }

    /// Whether a string of a leaf of medium ones is null.
    @inlinable @inline(__always)
    package func isNullMediumString(at index: Int) -> Bool { mediumValues.isNull(unchecked: index) }

    /// The bytes of a string of such a leaf; nil for null and for damage.
    @inlinable @inline(__always)
    package func plainMediumString(at index: Int) -> ByteView? {
        let values = mediumValues
        // Where none is null, the flags have no bits.
        guard auxiliary.width == 0 || !values.isNull(unchecked: index),
            let value = values.slice(values.bounds(unchecked: index)), value.count > 0
        else { return nil }
        return value.slice(unchecked: 0, count: value.count &- 1)
    }

    /// Whether a point in time is null.
    @inlinable @inline(__always)
    package func isNullTimestamp(at index: Int) -> Bool { nullableIntegers[unchecked: index] == nil }

    /// A point in time; nil for null and for damage, which `timestamp(at:)` tells apart.
    @inlinable @inline(__always)
    package func plainTimestamp(at index: Int) -> Timestamp? {
        if case .value(let timestamp) = timestamps[unchecked: index] { timestamp } else { nil }
    }

    /// A decimal of a leaf whose decimals have 16 bytes.
    @inlinable @inline(__always)
    package func decimal128(at index: Int) -> Decimal128Bits? {
        StoredDecimal.decimal(
            low: bytes.uint64(unchecked: index &* 16), high: bytes.uint64(unchecked: index &* 16 &+ 8))
    }

    /// A decimal of a leaf whose decimals have 4 bytes, widened to 128 bits.
    @inlinable @inline(__always)
    package func decimal32(at index: Int) -> Decimal128Bits? {
        StoredDecimal.decimal(bits32: bytes.uint32(unchecked: index &* 4))
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
