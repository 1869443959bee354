/// Decimals of a leaf: 4, 8 or 16 bytes each, as the widest value needs, or 0 when all are null or zero (Spec 30).
@usableFromInline
package enum StoredDecimal {
    /// The widths that decimals may have in a leaf, in bytes.
    package static let widths: Set<Int> = [0, 4, 8, 16]

    /// A decimal of 4 bytes; nil for null.
    @inlinable @inline(__always)
    package static func decimal(bits32 bits: UInt32) -> Decimal128Bits? {
        bits == NullPattern.decimal32 ? nil : Decimal128Bits(bid32: bits)
    }

    /// A decimal of 8 bytes; nil for null.
    @inlinable @inline(__always)
    package static func decimal(bits64 bits: UInt64) -> Decimal128Bits? {
        bits == NullPattern.decimal64 ? nil : Decimal128Bits(bid64: bits)
    }

    /// A decimal of 16 bytes; nil for null.
    @inlinable @inline(__always)
    package static func decimal(low: UInt64, high: UInt64) -> Decimal128Bits? {
        let decimal = Decimal128Bits(high: high, low: low)
        return decimal.isNullPattern ? nil : decimal
    }

    /// The 4-byte form of a decimal, or the pattern for null.
    @inline(__always)
    package static func bits32(_ decimal: Decimal128Bits?) -> UInt32 { decimal?.bid32 ?? NullPattern.decimal32 }

    /// The 8-byte form of a decimal, or the pattern for null.
    @inline(__always)
    package static func bits64(_ decimal: Decimal128Bits?) -> UInt64 { decimal?.bid64 ?? NullPattern.decimal64 }
}

extension Decimal128Bits {
    /// The pattern that stands for null in a leaf of 16-byte decimals.
    package static let nullPattern = Decimal128Bits(high: NullPattern.decimal128High, low: NullPattern.decimal128Low)

    /// The narrowest width, 4, 8 or 16 bytes, that holds sign, exponent and coefficient unchanged.
    package var narrowestWidth: Int {
        // The large-coefficient form, infinity and NaN are only stored in 16 bytes.
        guard high & 0x6000_0000_0000_0000 != 0x6000_0000_0000_0000, high & 0x1_FFFF_FFFF_FFFF == 0 else { return 16 }
        let exponent = Int((high >> 49) & 0x3FFF) - Self.bias
        if low < 1 << 23, exponent > -91, exponent < 91 { return 4 }
        return low < 1 << 53 && exponent > -370 && exponent < 370 ? 8 : 16
    }

    fileprivate var bid32: UInt32 {
        let exponent = UInt32(truncatingIfNeeded: Int((high >> 49) & 0x3FFF) - Self.bias + Self.bias32)
        return UInt32(truncatingIfNeeded: high >> 63) << 31 | exponent << 23 | UInt32(truncatingIfNeeded: low)
    }

    fileprivate var bid64: UInt64 {
        let exponent = UInt64(truncatingIfNeeded: Int((high >> 49) & 0x3FFF) - Self.bias + Self.bias64)
        return high & 0x8000_0000_0000_0000 | exponent << 53 | low
    }

    /// Whether the coefficient has at most 34 digits, and NaN and infinity have no other bits.
    package var isCanonical: Bool {
        let combination = (high >> 58) & 0x1F
        if combination >= 0x1E {
            // Infinity has no payload; that of NaN has at most 33 digits in the lower 110 bits.
            if combination == 0x1E { return high & 0x03FF_FFFF_FFFF_FFFF == 0 && low == 0 }
            return high & 0x01FF_C000_0000_0000 == 0 && coefficient(mask: 0x3FFF_FFFF_FFFF) < Self.tenTo33
        }
        // The large-coefficient form can only hold coefficients of more than 34 digits.
        if combination >= 0x18 { return false }
        return coefficient(mask: 0x1_FFFF_FFFF_FFFF) < Self.tenTo33 * 10
    }

    private static let tenTo33: UInt128 = 1_000_000_000_000_000_000_000_000_000_000_000

    private func coefficient(mask: UInt64) -> UInt128 { UInt128(high & mask) << 64 | UInt128(low) }
}
