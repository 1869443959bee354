/// An IEEE 754-2008 decimal of 128 bits in BID form, also used by BSON (Spec 30).
///
/// ```swift
/// print(Decimal128Bits("1.50")?.description ?? "no number")
/// ```
public struct Decimal128Bits: Hashable, Sendable, BitwiseCopyable {
    /// The most significant 64 bits: sign, exponent, upper part of the coefficient.
    public let high: UInt64
    /// The least significant 64 bits of the coefficient.
    public let low: UInt64

    /// Makes a decimal from its two halves.
    @inlinable
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// +0E0.
    @inlinable package static var zero: Decimal128Bits { Decimal128Bits(high: 6176 &<< 49, low: 0) }

    /// The number to subtract from the stored exponent.
    package static let bias = 6176
    /// The biases of the 64-bit and the 32-bit form.
    package static let bias64 = 398
    package static let bias32 = 101

    /// Whether this is the pattern that stands for null in a Decimal128 leaf.
    @inlinable
    package var isNullPattern: Bool { low == NullPattern.decimal128Low && high == NullPattern.decimal128High }

    /// Widens the 64-bit form; sign, exponent and coefficient do not change.
    @inlinable
    package init(bid64 bits: UInt64) {
        let sign = bits & 0x8000_0000_0000_0000
        if bits & 0x6000_0000_0000_0000 != 0x6000_0000_0000_0000 {
            let exponent = (bits &>> 53) & 0x3FF
            self.init(sign: sign, exponent: exponent &+ 5778, coefficient: bits & 0x1F_FFFF_FFFF_FFFF)
        } else if bits & 0x7800_0000_0000_0000 == 0x7800_0000_0000_0000 {
            // Infinity and NaN keep the five bits that distinguish them; a NaN's payload has no counterpart.
            self.init(high: bits & 0xFC00_0000_0000_0000, low: 0)
        } else {
            let exponent = (bits &>> 51) & 0x3FF
            let coefficient = bits & 0x7_FFFF_FFFF_FFFF | 0x20_0000_0000_0000
            self.init(sign: sign, exponent: exponent &+ 5778, coefficient: coefficient)
        }
    }

    /// Widens the 32-bit form; sign, exponent and coefficient do not change.
    @inlinable
    package init(bid32 bits: UInt32) {
        let wide = UInt64(bits)
        let sign = (wide & 0x8000_0000) &<< 32
        if wide & 0x6000_0000 != 0x6000_0000 {
            self.init(sign: sign, exponent: ((wide &>> 23) & 0xFF) &+ 6075, coefficient: wide & 0x7F_FFFF)
        } else if wide & 0x7800_0000 == 0x7800_0000 {
            self.init(high: (wide & 0xFC00_0000) &<< 32, low: 0)
        } else {
            let coefficient = wide & 0x1F_FFFF | 0x80_0000
            self.init(sign: sign, exponent: ((wide &>> 21) & 0xFF) &+ 6075, coefficient: coefficient)
        }
    }

    /// Assembles the 128-bit form from a sign bit in place, a biased exponent and a small coefficient.
    @inlinable
    package init(sign: UInt64, exponent: UInt64, coefficient: UInt64) {
        self.init(high: sign | exponent &<< 49, low: coefficient)
    }
}
