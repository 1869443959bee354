/// Counts distinct values by their hashes, in bounded memory: exactly as long as there are few, else by those hashes
/// that are below a threshold, which falls as more values come.
package struct DistinctCount: Sendable {
    /// The number of hashes to keep; the count of more values is an estimate.
    private let most: Int
    private var hashes: Set<UInt64> = []
    /// Hashes from here on are not kept; nil while all are.
    private var threshold: UInt64?

    /// - Parameter most: the number of hashes to keep.
    package init(most: Int) { self.most = max(2, most) }

    /// Adds a value by its hash, all of whose bits are to be equally likely.
    @inline(__always)
    package mutating func add(_ hash: UInt64) {
        if let threshold, hash >= threshold { return }
        hashes.insert(hash)
        if hashes.count > most { keepHalf() }
    }

    @inline(never)
    private mutating func keepHalf() {
        let sorted = hashes.sorted()
        let kept = sorted[..<(most / 2)]
        threshold = sorted[kept.endIndex]
        hashes = Set(kept)
    }

    /// The number of distinct values.
    package var number: Int {
        guard let threshold, threshold > 0 else { return hashes.count }
        let estimate = Double(hashes.count) * (0x1p64 / Double(threshold))
        return Int(exactly: estimate.rounded()) ?? hashes.count
    }

    /// The error of an estimate, as part of the number: four times its standard deviation. Nil for an exact number.
    package var error: Double? { threshold.map { _ in 4 / Double(max(1, hashes.count)).squareRoot() } }

    /// Whether the number is exact.
    package var isExact: Bool { threshold == nil }
}
