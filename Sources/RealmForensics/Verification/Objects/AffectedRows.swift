/// The rows of a cluster affected by findings.
struct AffectedRows {
    private var bits: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    mutating func insert(_ row: Int) {
        let bit = UInt64(1) << UInt64(row & 63)
        switch row >> 6 {
        case 0: bits.0 |= bit
        case 1: bits.1 |= bit
        case 2: bits.2 |= bit
        case 3: bits.3 |= bit
        default: break
        }
    }

    /// Marks the first `count` rows.
    mutating func insertAll(_ count: Int) {
        for row in 0..<min(count, 256) { insert(row) }
    }

    var count: Int {
        bits.0.nonzeroBitCount + bits.1.nonzeroBitCount + bits.2.nonzeroBitCount + bits.3.nonzeroBitCount
    }
}
