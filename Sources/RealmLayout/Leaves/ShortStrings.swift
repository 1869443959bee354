/// An element of a leaf of short strings: the bytes, zeros up to the width, and a last byte with the number of padding
/// bytes (Spec 30).
@usableFromInline
package enum ShortString {
    /// The length that stands for null; smaller ones are damage.
    @inlinable package static var nullLength: Int { -1 }

    /// The length of the string in an element of `width` bytes, at least 1, with the given last byte: `nullLength` for
    /// null, less for damage.
    @inlinable @inline(__always)
    package static func length(lastByte: UInt8, width: Int) -> Int { width &- 1 &- Int(lastByte) }

    /// The last byte of an element with a string of that length, or with null.
    @inlinable @inline(__always)
    package static func lastByte(length: Int, width: Int) -> UInt8 { UInt8(truncatingIfNeeded: width &- 1 &- length) }

    /// Bytes per element for strings of at most `longest` bytes: a power of two.
    package static func width(forLongest longest: Int) -> Int {
        var width = 1
        while width <= longest { width *= 2 }
        return width
    }

    /// Whether all bytes between the string and the last byte are zeros, as required.
    @inlinable @inline(__always)
    package static func isPadded(_ element: ByteView, length: Int) -> Bool {
        for offset in length..<(element.count &- 1) where element.byte(unchecked: offset) != 0 { return false }
        return true
    }
}

/// The strings of a leaf of short ones, without the state that other encodings need (Spec 30).
@usableFromInline
package struct ShortStrings: Sendable, BitwiseCopyable {
    @usableFromInline package let count: Int
    /// Bytes per string, with padding.
    @usableFromInline package let width: Int
    @usableFromInline package let bytes: ByteView

    @inlinable @inline(__always)
    package init(count: Int, width: Int, bytes: ByteView) {
        self.count = count
        self.width = width
        self.bytes = bytes
    }

    /// The bytes of the string at `index`, which must be below `count`; nil for null and for damage.
    /// `ColumnLeaf.string(at:in:)` distinguishes these.
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

    /// Whether all strings are ASCII.
    @inlinable @inline(__always)
    package var areASCII: Bool { bytes.isASCII }

    /// The element at `index`, which must be below `count`, as words including its padding; nil unless elements have 4,
    /// 8 or 16 bytes. Equal words of the same width mean equal strings.
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

    /// Strings shorter than this are copied in whole steps.
    @inlinable package static var longestCopied: Int { 64 }

    /// The number of bytes read to copy a string of `count` bytes, less than 64.
    @inlinable @inline(__always)
    package static func copied(_ count: Int) -> Int { count <= 16 ? 16 : count <= 32 ? 32 : 64 }
}
