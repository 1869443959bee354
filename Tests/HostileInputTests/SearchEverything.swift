import RealmCore
import RealmForensics
import RealmLayout

/// Searches in all values, names and free space of `bytes`, with and without a matcher. Returns for any bytes.
///
/// - Returns: violations: more matches than the file has room for; ways of searching that disagree.
func searchEverything(_ bytes: [UInt8]) -> [String] {
    guard let database = try? RealmDatabase(bytes: bytes) else { return [] }
    var violations: [String] = []
    for selection in [SnapshotSelection.current, .otherSlot] {
        guard let snapshot = try? database.snapshot(selection, toleratingDamage: true) else { continue }
        for text in ["1", "a", "ff", "false"] {
            let limit = 10_000 + 128 * bytes.count
            let found = MatchCounter(SearchPattern(text: text), in: snapshot, limit: limit)
            if found.count >= limit { violations.append("'\(text)': \(found.count) matches") }
            let matched = MatchCounter(
                SearchPattern(ByteMatcher(text), binaryDigits: false), in: snapshot, limit: limit)
            if found.isComplete, matched.isComplete, found.strings != matched.strings {
                violations.append(
                    "'\(text)': \(found.strings) matches in strings, or with a matcher \(matched.strings)")
            }
        }
    }
    return violations
}

/// Counts the matches of a search.
private final class MatchCounter: SearchSink {
    private(set) var count = 0
    /// The matches in strings, names and free space.
    private(set) var strings = 0
    /// Whether the search came to its end.
    private(set) var isComplete = false
    private let limit: Int

    init(_ pattern: SearchPattern, in snapshot: Snapshot, limit: Int) {
        self.limit = limit
        var scope = SearchScope()
        scope.includesNames = true
        scope.includesFreeSpace = true
        scope.includesSystemTables = true
        isComplete = (try? ContentSearch(pattern, in: snapshot, scope, self).run()) != nil
    }

    func add(_ match: SearchMatch) -> Bool {
        count += 1
        if match.type == .string || match.type == nil { strings += 1 }
        return count < limit
    }
}

private final class ByteMatcher: TextMatcher {
    private let bytes: [UInt8]

    init(_ text: String) { bytes = Array(text.utf8) }

    func firstMatch(in text: ByteView) -> Range<Int>? {
        ByteView.with(bytes) { text.firstIndex(of: $0) }.map { $0..<$0 + bytes.count }
    }

    func canMatch(onlyOf alphabet: ByteSet) -> Bool { bytes.allSatisfy { alphabet.contains($0) } }
}
