public import RealmLayout

// Reads values in loops that choose the access once per leaf. Every `index` must be below `count`.
extension ColumnLeaf {
    /// The leaf's main numbers, for loops that read many values: integers, truth values or refs; keys of linked objects
    /// plus `bias`; for nullable integers and timestamps, `sentinel` followed by the integers or seconds; for medium
    /// strings the end offsets.
    @inlinable @inline(__always)
    package var numbers: IntegerVector { integers }

    /// The nanoseconds of timestamps, or the null flags of medium strings.
    @inlinable @inline(__always)
    package var secondNumbers: IntegerVector { auxiliary }

    /// The number that stands for null in nullable integers and seconds.
    @inlinable @inline(__always)
    package var sentinel: Int64 { parameter }

    /// The number added to the keys of linked objects.
    @inlinable @inline(__always)
    package var bias: Int64 { parameter }

    /// Whether strings use the current null flags and the leaf is not enumerated: the precondition of the plain
    /// accessors below.
    package var hasPlainStrings: Bool {
        !isEnumerated && !nullIsEmpty && (encoding != .mediumStrings || parameter == 0)
    }

    /// The bytes of a string in a leaf of short strings; nil for null and for damage, which `string(at:in:)`
    /// distinguishes.
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

    /// Whether a string of a leaf of medium strings is null.
    @inlinable @inline(__always)
    package func isNullMediumString(at index: Int) -> Bool { mediumValues.isNull(unchecked: index) }

    /// The bytes of a string of such a leaf; nil for null and for damage.
    @inlinable @inline(__always)
    package func plainMediumString(at index: Int) -> ByteView? {
        let values = mediumValues
        // When no value is null, the flags have width 0.
        guard auxiliary.width == 0 || !values.isNull(unchecked: index),
            let value = values.slice(values.bounds(unchecked: index)), value.count > 0
        else { return nil }
        return value.slice(unchecked: 0, count: value.count &- 1)
    }

    /// Whether a timestamp is null.
    @inlinable @inline(__always)
    package func isNullTimestamp(at index: Int) -> Bool { nullableIntegers[unchecked: index] == nil }

    /// A timestamp; nil for null and for damage, which `timestamp(at:)` distinguishes.
    @inlinable @inline(__always)
    package func plainTimestamp(at index: Int) -> Timestamp? {
        if case .value(let timestamp) = timestamps[unchecked: index] { timestamp } else { nil }
    }

    /// A decimal of a leaf of 16-byte decimals.
    @inlinable @inline(__always)
    package func decimal128(at index: Int) -> Decimal128Bits? {
        StoredDecimal.decimal(
            low: bytes.uint64(unchecked: index &* 16), high: bytes.uint64(unchecked: index &* 16 &+ 8))
    }

    /// A decimal of a leaf of 4-byte decimals, widened to 128 bits.
    @inlinable @inline(__always)
    package func decimal32(at index: Int) -> Decimal128Bits? {
        StoredDecimal.decimal(bits32: bytes.uint32(unchecked: index &* 4))
    }

    // MARK: Copying strings in whole steps

    /// The bytes that contain the leaf's short or medium strings; a copy in whole steps must stay inside them.
    @inlinable @inline(__always)
    package var stringBytes: ByteView { bytes }

    /// Bytes per element of a leaf of short strings; the last byte is the number of unused bytes before it.
    @inlinable @inline(__always)
    package var shortStringWidth: Int { Int(truncatingIfNeeded: parameter) }

    /// Whether a short or medium string of this leaf may be copied in steps of sixteen bytes: it has fewer than 64, and
    /// the bytes read past its end belong to the leaf.
    @inlinable @inline(__always)
    package func canCopy(_ text: ByteView) -> Bool {
        text.count < ShortStrings.longestCopied && text.extends(to: ShortStrings.copied(text.count), in: bytes)
    }
}
