import Expectations
import RealmLayout
import Testing

/// Packed integers of every width, compared with an oracle that reads bit by bit.
@Suite struct IntegerVectorTests {
    static let widths = [0, 1, 2, 4, 8, 16, 32, 64]

    private func oracle(_ payload: [UInt8], width: Int, at index: Int) -> UInt64 {
        (0..<width).reduce(0) { value, bit in
            let position = index * width + bit
            return value | UInt64(payload[position / 8] >> UInt8(position % 8) & 1) << UInt64(bit)
        }
    }

    @Test(arguments: widths)
    func `elements of every width are read`(ofWidth width: Int) throws {
        // Arbitrary bytes, also in the bits after the last element.
        var state: UInt64 = UInt64(width) + 1
        let payload = (0..<1024).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
        let view = ByteView.copy(of: payload)
        defer { view.deallocateCopy() }
        for count in [0, 1, 7, 8, 63, 100, 128] {
            let vector = IntegerVector(width: width, count: count, payload: view)
            expectEqual(vector.elements.count, count)
            for index in 0..<count {
                let bits = oracle(payload, width: width, at: index)
                expectEqual(vector.unsigned(at: index), bits)
                let isNegative = width >= 8 && bits >> UInt64(width - 1) == 1
                let high = isNegative && width < 64 ? UInt64.max << UInt64(width) : 0
                expectEqual(vector.element(at: index), Int64(bitPattern: bits | high))
            }
            expectEqual(vector.element(at: count), nil)
            expectEqual(vector.element(at: -1), nil)
            expectEqual(vector.unsigned(at: count), nil)
        }
    }

    /// A comparison one word at a time gives the same result as one element at a time.
    @Test(arguments: widths)
    func `comparing words finds the same elements in a range as comparing each`(ofWidth width: Int) {
        let payload = (0..<2048).map { UInt8(truncatingIfNeeded: ($0 &* 0x9E37_79B9) >> 13) }
        let view = ByteView.copy(of: payload)
        defer { view.deallocateCopy() }
        let vector = IntegerVector(width: width, count: 200, payload: view)
        let elements = vector.elements
        var ends = Set(elements[0..<6] + [Int64.min, -1, 0, 1, 2, 3, 100, .max])
        for bits in [7, 8, 15, 16, 31, 32] as [Int64] { ends.formUnion([1 << bits, (1 << bits) - 1, -1 << bits]) }
        let bounds = ends.sorted()
        for (index, low) in bounds.enumerated() {
            for high in bounds[index...] {
                for (first, count) in [(0, 64), (0, 1), (3, 64), (65, 30), (7, 9), (136, 64)] {
                    let expected = (0..<count).reduce(0) { bits, place in
                        (low...high).contains(elements[first + place]) ? bits | UInt64(1) << UInt64(place) : bits
                    }
                    expectEqual(vector.bits(in: low...high, unchecked: first, count: count), expected)
                }
                for (first, count) in [(0, 200), (8, 192), (1, 199), (64, 70), (0, 5), (128, 0)] {
                    var expected = SIMD4<UInt64>.zero
                    for place in 0..<count where (low...high).contains(elements[first + place]) {
                        expected[place / 64] |= 1 << UInt64(place % 64)
                    }
                    expectEqual(vector.rows(in: low...high, unchecked: first, count: count), expected)
                    let bits = (0..<4).reduce(0) { $0 + expected[$1].nonzeroBitCount }
                    expectEqual(vector.count(in: low...high, unchecked: first, count: count), bits)
                }
            }
        }
    }

    /// Sums accumulated in bytes do not overflow.
    @Test func `many bytes in a range are counted without overflow`() {
        let payload: [UInt8] = (0..<10_000).map { (index: Int) -> UInt8 in index % 5 == 0 ? 200 : UInt8(index % 50) }
        let view = ByteView.copy(of: payload)
        defer { view.deallocateCopy() }
        let vector = IntegerVector(width: 8, count: 9_999, payload: view)
        expectEqual(vector.count(in: 0...49, unchecked: 0, count: 9_999), 7_999)
        expectEqual(vector.count(in: -56 ... -56, unchecked: 8, count: 9_990), 1_998)
    }

    /// Loops over many elements give the same result as single reads, for all bounds.
    @Test(arguments: widths)
    func `loops over many elements give the same result as single reads`(overWidth width: Int) {
        let payload = (0..<2048).map { UInt8(truncatingIfNeeded: ($0 &* 0x9E37_79B9) >> 13) }
        let view = ByteView.copy(of: payload)
        defer { view.deallocateCopy() }
        let vector = IntegerVector(width: width, count: 200, payload: view)
        let elements = vector.elements
        for first in 0..<70 {
            for count in [0, 1, 2, 15, 16, 17, 63, 64, 65, 130] {
                var found: [Int64] = []
                vector.forEach(unchecked: first, count: count) { index, element in
                    expectEqual(index, found.count)
                    found.append(element)
                }
                expectEqual(found, Array(elements[first..<first + count]))
                guard count <= 64 else { continue }
                let nonzero = (0..<count).reduce(0) { $0 | (elements[first + $1] != 0 ? UInt64(1) << UInt64($1) : 0) }
                expectEqual(vector.nonzero(unchecked: first, count: count), nonzero)
            }
        }
        for count in [0, 1, 2, 3, 4, 5, 200] {
            let vector = IntegerVector(width: width, count: count, payload: view)
            expect(vector.isEqual { elements[$0] })
            for wrong in 0..<count {
                expect(!vector.isEqual { elements[$0] ^ ($0 == wrong ? 1 << 40 : 0) }, "element \(wrong) of \(count)")
            }
        }
    }

    @Test func `a search gives the same result as single reads`() throws {
        let keys: [UInt8] = [0, 3, 4, 9, 200, 255, 0, 0]
        let view = ByteView.copy(of: keys)
        defer { view.deallocateCopy() }
        let vector = IntegerVector(width: 8, count: 6, payload: view)
        for key in UInt64(0)...300 {
            expectEqual(vector.lastIndex(unsignedAtMost: key), keys[..<6].lastIndex { UInt64($0) <= key })
        }
        expectEqual(IntegerVector.empty.lastIndex(unsignedAtMost: 5), nil)
    }
}
