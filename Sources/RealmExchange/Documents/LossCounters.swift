internal import RealmLayout

/// Counts of each kind of loss by field, collected while documents are written.
struct LossCounters: Sendable {
    private var counts: [Int: Int] = [:]

    /// Counts a loss for the field with that number; -1 stands for the whole document.
    @inline(never)
    mutating func count(_ kind: LossKind, field: Int, times: Int = 1) {
        counts[field * LossKind.allCases.count + kind.rawValue, default: 0] += times
    }

    /// Adds the counts of another writer.
    mutating func add(_ other: LossCounters) {
        counts.merge(other.counts, uniquingKeysWith: +)
    }

    /// The counts by field and kind, in that order.
    var sorted: [(field: Int, kind: LossKind, count: Int)] {
        let kinds = LossKind.allCases.count
        return counts.inOrder { $0.key < $1.key }.compactMap { key, count in
            let field = key < 0 ? -1 : key / kinds
            return LossKind(rawValue: key - field * kinds).map { (field, $0, count) }
        }
    }
}
