/// Ranges of numbers, with about as many rows each, by which rows are divided before they are sorted.
struct SortKeyRanges: Sendable {
    /// Where numbers are counted from, and by how many bits they are shortened.
    private let base: UInt64
    private let shift: UInt64
    /// The range of each shortened number; those beyond the last belong to it.
    private let table: [UInt8]
    /// How many there are; some may be empty.
    let count: Int

    /// How many there are at most.
    static let most = 256
    /// Rows whose numbers are looked at for each range.
    static let samples = 64

    /// - Parameters:
    ///   - samples: numbers of some rows.
    ///   - wanted: as many ranges at most.
    init(_ samples: [UInt64], wanted: Int) {
        let samples = samples.sorted()
        count = samples.isEmpty ? 1 : max(1, min(wanted, Self.most))
        // Some numbers may be far from the others, as zero from other fractions.
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
