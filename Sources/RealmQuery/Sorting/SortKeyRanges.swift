/// Ranges of numbers with about the same number of rows, for dividing rows before they are sorted.
struct SortKeyRanges: Sendable {
    /// Numbers are shortened by subtracting `base` and shifting by `shift` bits.
    private let base: UInt64
    private let shift: UInt64
    /// The range of each shortened number; the last entry also covers larger numbers.
    private let table: [UInt8]
    /// The number of ranges; some may be empty.
    let count: Int

    /// Maximum number of ranges.
    static let most = 256
    /// The number of sampled rows per range.
    static let samples = 64

    /// - Parameters:
    ///   - samples: numbers of some rows.
    ///   - wanted: maximum number of ranges.
    init(_ samples: [UInt64], wanted: Int) {
        let samples = samples.sorted()
        count = samples.isEmpty ? 1 : max(1, min(wanted, Self.most))
        // Ignores a few outliers, such as zero among fractions.
        let few = samples.count / 64
        base = samples.isEmpty ? 0 : samples[few]
        let span = samples.isEmpty ? 0 : samples[samples.count - 1 - few] - base
        let bits = UInt64(64 - span.leadingZeroBitCount)
        shift = bits > Self.tableBits ? bits - Self.tableBits : 0
        var counts = [Int](repeating: 0, count: Int(truncatingIfNeeded: span &>> shift) + 1)
        for sample in samples { counts[Self.shortened(sample, base, shift, counts.count - 1)] += 1 }
        var before = 0
        var table: [UInt8] = []
        for some in counts {
            table.append(UInt8(truncatingIfNeeded: before * count / max(samples.count, 1)))
            before += some
        }
        self.table = table
    }

    private static let tableBits: UInt64 = 11

    @inline(__always)
    private static func shortened(_ number: UInt64, _ base: UInt64, _ shift: UInt64, _ last: Int) -> Int {
        Int(truncatingIfNeeded: min((max(number, base) &- base) &>> shift, UInt64(truncatingIfNeeded: last)))
    }

    /// The range of a number.
    @inline(__always)
    func range(of number: UInt64) -> Int { Int(table[Self.shortened(number, base, shift, table.count &- 1)]) }
}
