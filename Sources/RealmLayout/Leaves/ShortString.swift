/// An element of a leaf of short strings: the bytes, zeros up to the width, and a last byte that says how many of the others are
/// not the string's (Spec 30).
@usableFromInline
package enum ShortString {
    /// The length of null; lengths below it are damage.
    @inlinable package static var nullLength: Int { -1 }

    /// The most bytes of a string that has room in an element.
    package static var longest: Int { 15 }

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
