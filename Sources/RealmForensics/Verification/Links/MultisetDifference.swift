/// Compares two multisets of pairs of numbers exactly, one part at a time: in bounded memory, at the cost of producing
/// them several times.
struct MultisetDifference {
    struct Pair: Comparable {
        let first: Int64
        let second: Int64

        static func < (left: Pair, right: Pair) -> Bool { (left.first, left.second) < (right.first, right.second) }
    }

    /// The number of pairs of both multisets held in memory at a time.
    private static let partSize = 1 << 20

    /// Calls `produce` as often as needed, which must deliver all pairs of both sides each time, and `report` for each
    /// pair that occurs more often on one side.
    ///
    /// - Parameter count: approximate number of pairs of both sides.
    static func find(
        count: Int, produce: ((_ pair: Pair, _ isRight: Bool) -> Void) -> Void,
        report: (_ pair: Pair, _ isMissingOnRight: Bool) -> Void
    ) {
        let parts = UInt64(1 + count / partSize)
        for part in 0..<parts {
            var left: [Pair] = []
            var right: [Pair] = []
            produce { pair, isRight in
                guard MultisetSum.hash(pair.first, pair.second) % parts == part else { return }
                if isRight { right.append(pair) } else { left.append(pair) }
            }
            left.sort()
            right.sort()
            compare(left, right, report)
        }
    }

    private static func compare(_ left: [Pair], _ right: [Pair], _ report: (Pair, Bool) -> Void) {
        var (i, j) = (0, 0)
        while i < left.count || j < right.count {
            if j == right.count || (i < left.count && left[i] < right[j]) {
                report(left[i], true)
                i += 1
            } else if i == left.count || right[j] < left[i] {
                report(right[j], false)
                j += 1
            } else {
                i += 1
                j += 1
            }
        }
    }
}
