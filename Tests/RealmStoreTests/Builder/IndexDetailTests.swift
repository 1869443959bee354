import Expectations
import RealmCore
import RealmForensics
import RealmLayout
import Testing

/// Details of indexes as in Realm Core 14.14 (Spec 80).
@Suite struct IndexDetailTests {
    private func words(_ bytes: [UInt8]) -> Set<[UInt8]> { ByteView.with(bytes) { FullTextWords.words(in: $0) } }

    @Test func `malformed text has the words that Realm Core finds in it`() {
        // è from C3 and any next byte; FF separates.
        expectEqual(words([0xC3, 0x28, 0xFF]), [[0x65]])
        expectEqual(words([0x61, 0xFF, 0x62]), [[0x61], [0x62]])
        // Three and four bytes are skipped without examination; the text may end before.
        expectEqual(words([0x61, 0xE6, 0x62, 0x63, 0x64]), [[0x61], [0x64]])
        expectEqual(words([0x61, 0xF0, 0x62]), [[0x61]])
        expectEqual(words([0xC3]), [[0x61]])
        // C1 A1 would be an overlong "a".
        expectEqual(words([0xC1, 0xA1, 0x62]), [[0x62]])
    }

    @Test func `a word is cut at its maximum length`() {
        let a = [UInt8](repeating: 0x61, count: 63)
        // å takes two bytes, which do not fit after 63; a letter of one byte still fits.
        expectEqual(words(a + [0xC3, 0xA5, 0x62, 0x63]), [a + [0x62]])
    }

    @Test func `chunks of keys match their bytes`() {
        let number = IndexKeyBytes(.int(0x0102_0304_8506_0708))
        expectEqual((0..<4).map { number.chunk($0) }, [0x0807_0685, 0x0403_0201, IndexChunk.end, 0])
        expectEqual(IndexKeyBytes(.null).chunk(0), 0)
        for count in 0...40 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: 0xF0 &+ $0 &* 37) }
            ByteView.with(bytes) { view in
                let key = IndexKeyBytes(.string(view))
                expectEqual(key.bytes, bytes)
                for level in 0...12 {
                    expectEqual(key.chunk(level), IndexChunk.at(level, of: view), "\(count) bytes, level \(level)")
                }
            }
        }
    }

    @Test func `keys are in the order of their bytes`() {
        var texts: [[UInt8]] = [[], [0], [0, 0], [1], [0x7F], [0x80], [0xFF]]
        for count in [7, 8, 9, 15, 16, 17, 24] {
            let bytes = [UInt8](repeating: 0x61, count: count)
            texts += [bytes, bytes + [0], bytes + [0xFF], bytes.dropLast() + [0x62]]
        }
        for left in texts {
            expect(IndexKeyBytes(.null).orderOfBytes(IndexKeyBytes(word: left)) < 0)
            for right in texts {
                let order = IndexKeyBytes(word: left).orderOfBytes(IndexKeyBytes(word: right))
                expectEqual((order < 0), left.lexicographicallyPrecedes(right), "\(left), \(right)")
                expectEqual((order == 0), (left == right))
            }
        }
    }

    private func decimal(_ coefficient: UInt64, _ exponent: Int, isNegative: Bool = false) -> Decimal128Bits {
        Decimal128Bits(high: UInt64(6176 + exponent) << 49 | (isNegative ? 1 << 63 : 0), low: coefficient)
    }

    @Test func `decimals lose their fraction in an index`() {
        expectEqual(decimal(15, -1).wholePart, 1)
        expectEqual(decimal(19, -1, isNegative: true).wholePart, -1)
        expectEqual(decimal(5, -1, isNegative: true).wholePart, 0)
        expectEqual(decimal(1, -6000).wholePart, 0)
        expectEqual(decimal(15, 2).wholePart, 1500)
        expectEqual(decimal(1, 30).wholePart, nil)
        expectEqual(Decimal128Bits(high: 0x7C00_0000_0000_0000, low: 0).wholePart, nil)
    }

    @Test func `decimals with fractions are in order`() {
        let ascending = [
            decimal(99, -2, isNegative: true), decimal(9, -1, isNegative: true), decimal(5, -1, isNegative: true),
            decimal(5, -3000, isNegative: true), decimal(0, -3), decimal(4, -6176), decimal(5, -6176),
            decimal(5, -3000),
            decimal(5, -2), decimal(49, -2), decimal(5, -1), decimal(501, -3),
        ].map { IndexKeyBytes(.decimal128($0)) }
        for (left, right) in zip(ascending, ascending.dropFirst()) {
            expectEqual(left.bytes, right.bytes)
            expect(left.fraction < right.fraction)
        }
        expectEqual(
            IndexKeyBytes(.decimal128(decimal(50, -2))).fraction, IndexKeyBytes(.decimal128(decimal(5, -1))).fraction)
        expectEqual(IndexKeyBytes(.decimal128(decimal(20, -1))).fraction, IndexKeyBytes(.int(2)).fraction)
    }
}
