/// The layout of ObjectIds or UUIDs in a leaf: blocks of eight values, each preceded by a byte of null bits (Spec 30).
@usableFromInline
package struct FixedBlocks: Sendable, BitwiseCopyable {
    /// Bytes per value.
    @usableFromInline package let width: Int

    @inlinable @inline(__always)
    package init(width: Int) { self.width = width }

    @inlinable package static var objectIds: FixedBlocks { FixedBlocks(width: 12) }
    @inlinable package static var uuids: FixedBlocks { FixedBlocks(width: 16) }

    /// The size in bytes of a leaf of `count` values.
    package func size(of count: Int) -> Int { count * width + (count + 7) / 8 }

    /// The number of values in a leaf of `size` bytes; nil when that is not a whole number.
    package func count(inSize size: Int) -> Int? {
        let block = 8 * width + 1
        let valueBytes = size - (size + block - 1) / block
        return valueBytes % width == 0 ? valueBytes / width : nil
    }

    /// The offset of the byte that holds the null bit of the value at `index`.
    @inlinable @inline(__always)
    package func nullByte(of index: Int) -> Int { (index &>> 3) &* (8 &* width &+ 1) }

    /// The bit of the value at `index` in that byte.
    @inlinable @inline(__always)
    package func nullBit(of index: Int) -> UInt8 { 1 &<< UInt8(truncatingIfNeeded: index & 7) }

    /// The offset of the value at `index`.
    @inlinable @inline(__always)
    package func offset(of index: Int) -> Int { nullByte(of: index) &+ 1 &+ (index & 7) &* width }

    /// The value at `index` in a leaf with these bytes; the caller has proven that it is inside. Nil for null.
    @inlinable @inline(__always)
    package func value(at index: Int, unchecked bytes: ByteView) -> ByteView? {
        guard bytes.byte(unchecked: nullByte(of: index)) & nullBit(of: index) == 0 else { return nil }
        return bytes.slice(unchecked: offset(of: index), count: width)
    }
}
