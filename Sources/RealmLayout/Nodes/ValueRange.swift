/// The minimum and maximum of some integers, and the width that holds them (Spec 20).
@usableFromInline
package struct ValueRange: Sendable {
    @usableFromInline package var lowest: Int64 = 0
    @usableFromInline package var highest: Int64 = 0

    @inlinable
    package init() {}

    /// The range of all of `values`, and of zero.
    @inlinable
    package init(of values: some Sequence<Int64>) {
        self.init()
        for value in values { add(value) }
    }

    @inlinable @inline(__always)
    package mutating func add(_ value: Int64) {
        if value < lowest { lowest = value }
        if value > highest { highest = value }
    }

    /// Bits per element.
    @inlinable package var width: Int {
        Self.width(ofBits: UInt64(bitPattern: lowest ^ (lowest &>> 63) | highest), areNegative: lowest < 0)
    }

    /// Bits per element.
    ///
    /// - Parameters:
    ///   - bits: the union of the elements' bits, with negative elements inverted.
    ///   - areNegative: whether any element is negative.
    @inlinable @inline(__always)
    package static func width(ofBits bits: UInt64, areNegative: Bool) -> Int {
        if bits <= 15, !areNegative { return bits <= 1 ? Int(truncatingIfNeeded: bits) : bits <= 3 ? 2 : 4 }
        return bits <= 0x7F ? 8 : bits <= 0x7FFF ? 16 : bits <= 0x7FFF_FFFF ? 32 : 64
    }
}
