/// The 8 bytes before the payload of every node (Spec 20).
@usableFromInline
package struct NodeHeader: Equatable, Sendable {
    /// Size of the header in bytes.
    @usableFromInline package static let size = 8

    /// The rule that derives the payload's length from count and width.
    @usableFromInline package enum WidthType: UInt8, CaseIterable, Sendable {
        /// Elements of `width` bits.
        case bits = 0
        /// Elements of `width` bytes.
        case multiply = 1
        /// Elements of one byte.
        case ignore = 2
    }

    /// Masks of the flags byte.
    @usableFromInline
    package enum Mask {
        @inlinable package static var inner: UInt8 { 0x80 }
        @inlinable package static var hasRefs: UInt8 { 0x40 }
        @inlinable package static var context: UInt8 { 0x20 }
        @inlinable package static var widthType: UInt8 { 0x18 }
        @inlinable package static var widthCode: UInt8 { 0x07 }
    }

    /// The eight bytes as a little-endian number.
    @usableFromInline package let word: UInt64

    /// Makes a header from its eight bytes as a number.
    @inlinable
    package init(word: UInt64) { self.word = word }

    /// Makes the header that every writer gives to such a node.
    ///
    /// - Parameters:
    ///   - flags: the upper three bits of the flags byte.
    ///   - width: 0, 1, 2, 4, 8, 16, 32 or 64.
    ///   - count: at most 2^24 - 1.
    @inlinable
    package init(flags: UInt8, _ type: WidthType, width: Int, count: Int) {
        let code = width == 0 ? 0 : UInt64(truncatingIfNeeded: width.trailingZeroBitCount &+ 1)
        let kind = UInt64(flags) | UInt64(type.rawValue) &<< 3 | code
        let number = UInt64(truncatingIfNeeded: count)
        let bigEndianCount = (number &>> 16) & 0xFF | number & 0xFF00 | (number & 0xFF) &<< 16
        word = UInt64(Self.dummyChecksum) | kind &<< 32 | bigEndianCount &<< 40
    }

    /// The flags byte.
    @inlinable package var flags: UInt8 { UInt8(truncatingIfNeeded: word &>> 32) }
    /// Whether the node is an inner node of a tree.
    @inlinable package var isInner: Bool { word & (0x80 &<< 32) != 0 }
    /// Whether elements may be refs.
    @inlinable package var hasRefs: Bool { word & (0x40 &<< 32) != 0 }
    /// The flag whose meaning depends on the structure that uses the node.
    @inlinable package var isContext: Bool { word & (0x20 &<< 32) != 0 }
    /// The element width: bits for width type "bits", bytes for "multiply", meaningless for "ignore".
    @inlinable package var width: Int { (1 &<< Int(truncatingIfNeeded: (word &>> 32) & 7)) &>> 1 }
    /// The number of elements; stored big-endian in 24 bits.
    @inlinable @inline(__always) package var count: Int {
        Int(truncatingIfNeeded: word.byteSwapped & 0xFF_FFFF)
    }
    /// The rule that derives the payload's length from width and count, or nil for the unused number 3.
    @inlinable package var widthType: WidthType? {
        WidthType(rawValue: UInt8(truncatingIfNeeded: (word &>> 35) & 3))
    }
    /// Whether the first four bytes are `AAAA`, as left by every writer since Realm Core 2.2.
    @inlinable package var hasDummyChecksum: Bool { UInt32(truncatingIfNeeded: word) == Self.dummyChecksum }
    /// Whether the first four bytes are those of some release of Realm Core (Spec 20): `AAAA`, the number that Core
    /// 0.96 to 2.1 used in its place, that of earlier debug builds, or the node's capacity in bytes, a 24-bit number
    /// with the highest byte first.
    package var hasReleasedStart: Bool {
        let start = UInt32(truncatingIfNeeded: word)
        if start == Self.dummyChecksum || start == 0x0277_EDFD || start == 0x0101_0101 { return true }
        let capacity = Int(start.byteSwapped >> 8)
        return payloadSize.map { capacity >= Self.size + $0 } ?? false
    }
    /// `AAAA`, as a little-endian number.
    @inlinable package static var dummyChecksum: UInt32 { 0x4141_4141 }

    /// Whether the width type is "bits".
    @inlinable package var isBits: Bool { word & (0x18 &<< 32) == 0 }

    /// Bytes of payload without padding, or nil for an unknown width type.
    @inlinable @inline(__always) package var payloadSize: Int? {
        // Avoids a branch per type: nodes of the first two types come in any order.
        let type = (word &>> 35) & 3
        let size = count &* (type < 2 ? width : 1)
        return type == 3 ? nil : type == 0 ? (size &+ 7) &>> 3 : size
    }
}
