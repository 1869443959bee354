/// An element of a leaf of short strings: the bytes, zeros up to the width, and a last byte that says how many of the others are
/// not the string's (Spec 30).
@usableFromInline
package enum ShortString {
    /// The length of null; lengths below it are damage.
    @inlinable package static var nullLength: Int { -1 }

    /// The length of the string in an element of `width` bytes, 1 or more, whose last byte is given: `nullLength` for null, less
    /// than that for damage.
    @inlinable @inline(__always)
    package static func length(lastByte: UInt8, width: Int) -> Int { width &- 1 &- Int(lastByte) }

    /// The last byte of an element with a string of that length, or with null.
    @inlinable @inline(__always)
    package static func lastByte(length: Int, width: Int) -> UInt8 { UInt8(truncatingIfNeeded: width &- 1 &- length) }

    /// The bytes an element for strings of at most `longest` bytes: a power of two.
    package static func width(forLongest longest: Int) -> Int {
        var width = 1
        while width <= longest { width *= 2 }
        return width
    }

    /// Whether all bytes between the string and the last byte are zeros, as they must be.
    @inlinable @inline(__always)
    package static func isPadded(_ element: ByteView, length: Int) -> Bool {
        for offset in length..<(element.count &- 1) where element.byte(unchecked: offset) != 0 { return false }
        return true
    }
}

/// The strings of a leaf of short ones, without what other encodings need (Spec 30).
@usableFromInline
package struct ShortStrings: Sendable, BitwiseCopyable {
    @usableFromInline package let count: Int
    /// Bytes a string, with padding.
    @usableFromInline package let width: Int
    @usableFromInline package let bytes: ByteView

    @inlinable @inline(__always)
    package init(count: Int, width: Int, bytes: ByteView) {
        self.count = count
        self.width = width
        self.bytes = bytes
    }

    /// The bytes of the string at `index`, which must be below `count`; nil for null and for damage, which
    /// `ColumnLeaf.string(at:in:)` tells apart.
    @inlinable @inline(__always)
    package func plainString(at index: Int) -> ByteView? {
        guard width > 0 else { return nil }
        let start = index &* width
        let length = ShortString.length(lastByte: bytes.byte(unchecked: start &+ width &- 1), width: width)
        return length >= 0 ? bytes.slice(unchecked: start, count: length) : nil
    }
}

extension ShortStrings {
    /// Bytes of all strings, with padding.
    package var size: Int { bytes.count }

    /// Whether there is no byte beyond ASCII in any of them.
    @inlinable @inline(__always)
    package var areASCII: Bool { bytes.isASCII }

    /// The element at `index`, which must be below `count`, with its padding, in words; nil for those of other sizes than 4,
    /// 8, and 16 bytes. What a string is follows from these and from the size.
    @inlinable @inline(__always)
    package func words(at index: Int) -> (first: UInt64, last: UInt64)? {
        let start = index &* width
        switch width {
        case 4: return (UInt64(bytes.uint32(unchecked: start)), 0)
        case 8: return (bytes.uint64(unchecked: start), 0)
        case 16: return (bytes.uint64(unchecked: start), bytes.uint64(unchecked: start &+ 8))
        default: return nil
        }
    }

    /// Strings of less bytes are copied in whole steps.
    @inlinable package static var longestCopied: Int { 64 }

    /// The bytes that are read to copy a string of `count` bytes, less than 64.
    @inlinable @inline(__always)
    package static func copied(_ count: Int) -> Int { count <= 16 ? 16 : count <= 32 ? 32 : 64 }
}
