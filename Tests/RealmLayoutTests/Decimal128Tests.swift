import Expectations
import RealmLayout
import Testing

/// Narrow decimals keep sign, exponent and coefficient when they are widened; expectations were computed by hand from
/// IEEE 754-2008, section 3.5.2.
@Suite struct Decimal128Tests {
    /// `exponent` is the unbiased one; 6176 is the bias of the wide form.
    private func wide(_ coefficient: UInt64, _ exponent: Int, negative: Bool = false) -> Decimal128Bits {
        Decimal128Bits(high: (negative ? 1 << 63 : 0) | UInt64(6176 + exponent) << 49, low: coefficient)
    }

    @Test func `decimals of 32 bits are widened`() {
        // Exponent in bits 23 to 30, bias 101.
        expectEqual(Decimal128Bits(bid32: 0x3280_0001), wide(1, 0))
        expectEqual(Decimal128Bits(bid32: 0xB280_0001), wide(1, 0, negative: true))
        expectEqual(Decimal128Bits(bid32: 0x0000_0000), wide(0, -101))
        expectEqual(Decimal128Bits(bid32: 0x3200_000F), wide(15, -1))
        // The largest coefficient of the first form, 2^23 - 1, with its largest exponent, 191 - 101.
        expectEqual(Decimal128Bits(bid32: 0x5FFF_FFFF), wide(0x7F_FFFF, 90))
        // The second form: 11 after the sign, exponent in bits 21 to 28, coefficient 100 and 21 bits.
        expectEqual(Decimal128Bits(bid32: 0x6CA0_0000), wide(0x80_0000, 0))
        expectEqual(Decimal128Bits(bid32: 0xECB8_967F), wide(9_999_999, 0, negative: true))
    }

    @Test func `decimals of 64 bits are widened`() {
        // Exponent in bits 53 to 62, bias 398.
        expectEqual(Decimal128Bits(bid64: 0x31C0_0000_0000_0001), wide(1, 0))
        expectEqual(Decimal128Bits(bid64: 0xB1C0_0000_0000_0007), wide(7, 0, negative: true))
        expectEqual(Decimal128Bits(bid64: 0x0000_0000_0000_0000), wide(0, -398))
        expectEqual(Decimal128Bits(bid64: 0x5FFF_FFFF_FFFF_FFFF), wide(0x1F_FFFF_FFFF_FFFF, 369))
        // The second form: exponent in bits 51 to 60, coefficient 100 and 51 bits.
        expectEqual(Decimal128Bits(bid64: 0x6C70_0000_0000_0000), wide(0x20_0000_0000_0000, 0))
        expectEqual(Decimal128Bits(bid64: 0x6C73_86F2_6FC0_FFFF), wide(9_999_999_999_999_999, 0))
    }

    @Test func `infinities and NaNs are unchanged`() {
        expectEqual(Decimal128Bits(bid32: 0x7800_0000), Decimal128Bits(high: 0x7800_0000_0000_0000, low: 0))
        expectEqual(Decimal128Bits(bid32: 0xF800_0000), Decimal128Bits(high: 0xF800_0000_0000_0000, low: 0))
        expectEqual(Decimal128Bits(bid32: 0x7C00_0000), Decimal128Bits(high: 0x7C00_0000_0000_0000, low: 0))
        expectEqual(Decimal128Bits(bid64: 0x7800_0000_0000_0000), Decimal128Bits(high: 0x7800_0000_0000_0000, low: 0))
        expectEqual(Decimal128Bits(bid64: 0xFC00_0000_0000_0000), Decimal128Bits(high: 0xFC00_0000_0000_0000, low: 0))
    }

    @Test func `the pattern of null is null`() {
        expect(Decimal128Bits(high: 0x7C00_0000_0000_0000, low: 0xAA).isNullPattern)
        expect(!Decimal128Bits(high: 0x7C00_0000_0000_0000, low: 0).isNullPattern)
        expectEqual(Decimal128Bits.zero, wide(0, 0))
    }
}
