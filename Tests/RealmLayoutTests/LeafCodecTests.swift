import Expectations
import RealmLayout
import Testing

/// Properties of single leaf encodings (Spec 30); other tests compare whole leaves with files of Realm Core.
@Suite struct LeafCodecTests {
    /// The widths and the numbers for null are those of Spec 30's table.
    @Test(
        "the number for null is the largest of the width that it makes room for",
        arguments: [
            (0...0, 1, 1), (0...1, 2, 3), (0...2, 2, 3), (0...3, 4, 15), (0...14, 4, 15), (0...15, 8, 127),
            (-1...0, 8, 127), (-128...126, 8, 127), (0...127, 16, 32_767), (-129...0, 16, 32_767),
            (0...32_767, 32, 2_147_483_647), (0...2_147_483_646, 32, 2_147_483_647),
            (0...2_147_483_647, 64, Int64.max),
        ] as [(ClosedRange<Int64>, Int, Int64)])
    func sentinels(_ values: ClosedRange<Int64>, _ width: Int, _ sentinel: Int64) {
        var range = ValueRange()
        range.add(values.lowerBound)
        range.add(values.upperBound)
        let form = NullableIntegers.form(of: range) { _ in true }
        // With 64 bits, any number that is not a value can be used.
        expect(form == (width, sentinel))
        expectEqual(NullableIntegers.sentinel(ofWidth: width), (width < 64 ? sentinel : nil))
    }

    @Test func `the number for null in 64 bits is an unused value`() {
        var range = ValueRange()
        range.add(.max)
        let used: Set<Int64> = [.max, .max - 1, .max - 3]
        expect(NullableIntegers.form(of: range) { used.contains($0) } == (64, .max - 2))
        expect(NullableIntegers.form(of: nil) { _ in false } == (0, 0))
    }

    /// Eight ObjectIds and a byte of null bits are 97 bytes.
    @Test func `each block of eight values has a byte for nulls`() {
        expectEqual(FixedBlocks.objectIds.size(of: 8), 97)
        expectEqual(FixedBlocks.objectIds.size(of: 9), 110)
        expectEqual(FixedBlocks.uuids.size(of: 1), 17)
        expectEqual(FixedBlocks.uuids.offset(of: 8), 130)
        expectEqual(FixedBlocks.objectIds.count(inSize: 12), nil)
        for blocks in [FixedBlocks.objectIds, .uuids] {
            for count in 0..<40 { expectEqual(blocks.count(inSize: blocks.size(of: count)), count) }
        }
        // The second value is null, the third is not.
        let bytes = [UInt8(0b010)] + (0..<36).map { UInt8($0) }
        ByteView.with(bytes) {
            expect(FixedBlocks.objectIds.value(at: 1, unchecked: $0) == nil)
            expectEqual(FixedBlocks.objectIds.value(at: 2, unchecked: $0)?.bytes, (24..<36).map { UInt8($0) })
        }
    }

    @Test(
        "a decimal is the same after it was stored in the fewest bytes",
        arguments: [
            ("1.5", 4), ("-8388607E-90", 4), ("8388608", 8), ("1E91", 8), ("-9007199254740991E369", 8),
            ("9007199254740992", 16), ("1E370", 16), ("NaN", 16), ("Infinity", 16),
        ] as [(String, Int)])
    func decimals(_ text: String, _ width: Int) throws {
        let value = try #require(Decimal128Bits(text))
        expectEqual(value.narrowestWidth, width)
        if width == 4 { expectEqual(StoredDecimal.decimal(bits32: StoredDecimal.bits32(value)), value) }
        if width <= 8 { expectEqual(StoredDecimal.decimal(bits64: StoredDecimal.bits64(value)), value) }
        expectEqual(StoredDecimal.decimal(low: value.low, high: value.high), value)
    }

    @Test func `null has its own pattern in decimals of each width`() {
        expectEqual(StoredDecimal.decimal(bits32: StoredDecimal.bits32(nil)), nil)
        expectEqual(StoredDecimal.decimal(bits64: StoredDecimal.bits64(nil)), nil)
        expectEqual(StoredDecimal.decimal(low: 0xAA, high: 0x7C00_0000_0000_0000), nil)
    }

    @Test func `a pair of integers gives the value that it was made of`() throws {
        let time = try #require(Timestamp(seconds: -5, nanoseconds: -7))
        expectEqual(MixedPair(time).timestamp, time)
        let link = MixedPair(TableKey(3), ObjectKey(-4)).link
        expect(link.table == TableKey(3) && link.key == ObjectKey(-4))
        // No table has such a number.
        expectEqual(MixedPair(1 << 32 | 3, 4).link.table, nil)
        expectEqual(MixedPair(0, 1_000_000_000).timestamp, nil)
    }
}
