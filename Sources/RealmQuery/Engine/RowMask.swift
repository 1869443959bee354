/// A subset of the rows of a block: up to 256 rows of one cluster, one bit each.
struct RowMask: Equatable {
    /// Maximum number of rows in a block; clusters of formats before 10 span several blocks.
    static let most = 256

    private(set) var words: SIMD4<UInt64>

    static let none = RowMask(words: .zero)
    /// Only the first row.
    static let first = RowMask(words: SIMD4(1, 0, 0, 0))

    init(words: SIMD4<UInt64>) { self.words = words }

    /// The first `count` rows.
    init(first count: Int) {
        guard count < Self.most else {
            words = SIMD4(repeating: .max)
            return
        }
        words = .zero
        for word in 0..<4 {
            let rows = min(max(count &- word &* 64, 0), 64)
            words[word] = rows == 0 ? 0 : UInt64.max &>> UInt64(truncatingIfNeeded: 64 &- rows)
        }
    }

    /// The given rows of a cluster that lie in the block beginning at `first`.
    init(_ rows: [Int], from first: Int) {
        words = .zero
        for row in rows where row >= first && row < first + Self.most { insert(row - first) }
    }

    /// Collects matching rows as bits, 64 at a time; skips groups without candidates.
    @inline(__always)
    init(
        among candidates: RowMask, count: Int, _ bits: (_ first: Int, _ count: Int) -> UInt64
    ) {
        words = .zero
        var word = 0
        while word &* 64 < count {
            if candidates.words[word] != 0 {
                words[word] = bits(word &* 64, min(64, count &- word &* 64)) & candidates.words[word]
            }
            word &+= 1
        }
    }

    /// The candidates for which a closure returns true.
    @inline(__always)
    init<E: Error>(among candidates: RowMask, where holds: (_ row: Int) throws(E) -> Bool) throws(E) {
        words = .zero
        for word in 0..<4 {
            var left = candidates.words[word]
            var bits: UInt64 = 0
            while left != 0 {
                let place = left.trailingZeroBitCount
                left &= left &- 1
                if try holds(word &* 64 &+ place) { bits |= 1 &<< UInt64(truncatingIfNeeded: place) }
            }
            words[word] = bits
        }
    }

    var isEmpty: Bool { words == .zero }

    var count: Int {
        var count = 0
        for word in 0..<4 { count &+= words[word].nonzeroBitCount }
        return count
    }

    /// Whether testing row by row is cheaper than a loop over all rows: at most one row in each word.
    var hasFew: Bool { words & (words &- SIMD4(repeating: 1)) == .zero }

    func contains(_ row: Int) -> Bool { words[row &>> 6] >> UInt64(truncatingIfNeeded: row & 63) & 1 == 1 }

    mutating func insert(_ row: Int) { words[row &>> 6] |= 1 &<< UInt64(truncatingIfNeeded: row & 63) }

    mutating func remove(_ row: Int) { words[row &>> 6] &= ~(1 &<< UInt64(truncatingIfNeeded: row & 63)) }

    /// Adds up to 64 rows, as bits.
    mutating func insert(_ bits: UInt64, at first: Int) { words[first &>> 6] |= bits }

    func union(_ other: RowMask) -> RowMask { RowMask(words: words | other.words) }
    func intersection(_ other: RowMask) -> RowMask { RowMask(words: words & other.words) }
    func subtracting(_ other: RowMask) -> RowMask { RowMask(words: words & ~other.words) }

    /// Passes the rows to a closure in order.
    @inline(__always)
    func forEach<E: Error>(_ body: (_ row: Int) throws(E) -> Void) throws(E) {
        for word in 0..<4 {
            var left = words[word]
            while left != 0 {
                try body(word &* 64 &+ left.trailingZeroBitCount)
                left &= left &- 1
            }
        }
    }
}
