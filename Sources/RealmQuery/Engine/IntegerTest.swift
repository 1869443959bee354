internal import RealmCore
internal import RealmLayout

/// A set of integers, prepared for leaves with narrow elements.
struct IntegerTest: Sendable {
    let ranges: ValueRanges<Int64>
    /// Results for each 8-bit number, as bytes 0 and 1, indexed by the number's bits. Nil for few ranges.
    private let table: TextTest.Bytes?

    /// With more ranges, elements are looked up in the table.
    private static let mostRanges = 4

    init(_ ranges: ValueRanges<Int64>) {
        self.ranges = ranges
        guard ranges.ranges.count > Self.mostRanges else {
            table = nil
            return
        }
        table = TextTest.Bytes((0..<256).map { ranges.contains(Int64(Int8(truncatingIfNeeded: $0))) ? 1 : 0 })
    }

    /// The matching candidates among `count` elements from `start` on.
    @inline(__always)
    func rows(of numbers: IntegerVector, _ start: Int, _ count: Int, among candidates: RowMask) -> RowMask {
        if ranges.ranges.count == 1 {
            return RowMask(words: numbers.rows(in: ranges.ranges[0], unchecked: start, count: count))
                .intersection(candidates)
        }
        guard let table else {
            var found = RowMask.none
            for range in ranges.ranges {
                found = found.union(RowMask(words: numbers.rows(in: range, unchecked: start, count: count)))
            }
            return found.intersection(candidates)
        }
        guard numbers.width == 8 else {
            return RowMask(among: candidates) { ranges.contains(numbers[unchecked: start &+ $0]) }
        }
        let holds = table.view
        return RowMask(among: candidates, count: count) { first, count in
            var bits: UInt64 = 0
            var index = 0
            while index < count {
                let byte = UInt8(truncatingIfNeeded: numbers.int8(unchecked: start &+ first &+ index))
                bits |= UInt64(holds.byte(unchecked: Int(byte))) &<< UInt64(truncatingIfNeeded: index)
                index &+= 1
            }
            return bits
        }
    }
}
