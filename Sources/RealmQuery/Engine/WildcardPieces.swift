internal import RealmLayout

/// A LIKE pattern without `?`, split at its stars.
final class WildcardPieces: Sendable {
    /// The required beginning; empty if the pattern begins with a star.
    private let first: TextTest.Sought
    /// The required ending; nil if the pattern has no star.
    private let last: TextTest.Sought?
    /// The pieces in between, in order.
    private let middle: [TextTest.Sought]
    /// The minimum length of a match in bytes.
    let fewest: Int
    /// Owns the bytes of all pieces.
    private let needles: [TextTest.Needle]

    /// - Returns: nil for patterns with `?`, or that cannot be folded.
    init?(_ pattern: [UInt8], caseInsensitive: Bool) {
        guard !pattern.contains(UInt8(ascii: "?")) else { return nil }
        var needles: [TextTest.Needle] = []
        for part in pattern.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false) {
            guard let needle = TextTest.Needle(Array(part), caseInsensitive: caseInsensitive) else { return nil }
            needles.append(needle)
        }
        self.needles = needles
        var pieces = needles.map(\.sought)
        first = pieces.removeFirst()
        last = pieces.popLast()
        middle = pieces.filter { $0.count > 0 }
        fewest = first.count + (last?.count ?? 0) + middle.reduce(0) { $0 + $1.count }
    }

    @inline(__always)
    func match(_ text: ByteView) -> Bool {
        guard text.count >= fewest else { return false }
        guard let last else { return text.count == first.count && TextTest.matches(first, text, at: 0) }
        let end = text.count &- last.count
        // The ends first: their positions are known.
        guard TextTest.matches(last, text, at: end), TextTest.matches(first, text, at: 0) else { return false }
        var place = first.count
        for piece in middle {
            guard let found = TextTest.firstPlace(of: piece, in: text, from: place, to: end) else { return false }
            place = found &+ piece.count
        }
        return true
    }
}
