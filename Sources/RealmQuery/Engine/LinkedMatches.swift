internal import RealmCore
internal import RealmLayout

/// Results of a condition for the objects of a table.
struct LinkedMatches {
    /// Two bits per key: whether the object exists, and whether it matches. Each page covers 256 keys.
    private var words: [UInt64] = []
    /// The page of each 256 keys from `firstPage` on, plus one; 0 for none. Keys within a cluster are usually
    /// consecutive, but the next cluster may be far away.
    private var pages: [UInt32] = []
    private var firstPage: UInt64 = 0
    /// Results for keys that are far apart.
    private var others: [ObjectKey: Bool] = [:]

    /// No results for any object.
    static let none = LinkedMatches()

    private static let wordsOfPage = 8
    /// Maximum number of page slots per cluster.
    private static let mostGaps: UInt64 = 1024

    private init() {}

    /// - Parameter run: a run on the table.
    /// - Throws: errors of evaluating the objects.
    init(_ step: QueryPlan.Step, of table: Table, _ run: inout PlanRun) throws(FormatError) {
        var cursor = ClusterCursor(table.tree)
        var clusters: UInt64 = 0
        while let cluster = try cursor.next() {
            clusters += 1
            var rows: [RowMask] = Array(repeating: .none, count: cluster.count / RowMask.most + 1)
            _ = try run.rows(of: step, in: cluster) { found, first in
                rows[first / RowMask.most] = found
                return true
            }
            let first = UInt64(bitPattern: cluster.key(unchecked: 0).value) >> 8
            let last = UInt64(bitPattern: cluster.key(unchecked: cluster.count - 1).value) >> 8
            if pages.isEmpty { firstPage = first }
            let isNear = first >= firstPage && last >= first && last - firstPage <= clusters * Self.mostGaps
            if isNear {
                while UInt64(pages.count) <= last - firstPage { pages.append(0) }
            }
            for row in 0..<cluster.count {
                let key = cluster.key(unchecked: row)
                let holds = rows[row / RowMask.most].contains(row % RowMask.most)
                if isNear { set(key, holds) } else { others[key] = holds }
            }
        }
    }

    private mutating func set(_ key: ObjectKey, _ holds: Bool) {
        let number = UInt64(bitPattern: key.value)
        // In an intact file all keys ascend.
        guard number >> 8 >= firstPage, number >> 8 - firstPage < UInt64(pages.count) else {
            others[key] = holds
            return
        }
        let place = Int(truncatingIfNeeded: number >> 8 - firstPage)
        if pages[place] == 0 {
            words += [UInt64](repeating: 0, count: Self.wordsOfPage)
            pages[place] = UInt32(truncatingIfNeeded: words.count / Self.wordsOfPage)
        }
        let word = (Int(pages[place]) - 1) * Self.wordsOfPage + Int(truncatingIfNeeded: number >> 5 & 7)
        words[word] |= (holds ? 3 : 1) << ((number & 31) * 2)
    }

    /// Two bits: 1 for a known key, 2 for a match.
    @inline(__always)
    private func bits(_ key: UInt64) -> UInt64 {
        let place = key &>> 8 &- firstPage
        guard place < UInt64(pages.count) else { return 0 }
        let page = Int(pages[Int(truncatingIfNeeded: place)])
        guard page > 0 else { return 0 }
        return words[(page &- 1) &* Self.wordsOfPage &+ Int(truncatingIfNeeded: key &>> 5 & 7)] &>> ((key & 31) &* 2)
            & 3
    }

    /// The candidates that link to matching objects, and those that link to unknown objects.
    ///
    /// - Parameter null: whether candidates without a link match.
    func rows(
        of leaf: ColumnLeaf, _ start: Int, _ count: Int, among candidates: RowMask, null: Bool
    ) -> (found: RowMask, unknown: RowMask) {
        let (numbers, bias) = (leaf.numbers, leaf.bias)
        var unknown = RowMask.none
        let found = RowMask(among: candidates, count: count) { first, count in
            var (bits, missing) = (UInt64(0), UInt64(0))
            numbers.forEach(unchecked: start &+ first, count: count) { index, number in
                let key = number &- bias
                let answer = key < 0 ? (null ? 3 : 1) : self.bits(UInt64(bitPattern: key))
                bits |= (answer >> 1) &<< UInt64(truncatingIfNeeded: index)
                missing |= (~answer & 1) &<< UInt64(truncatingIfNeeded: index)
            }
            unknown.insert(missing, at: first)
            return bits
        }
        unknown = unknown.intersection(candidates)
        guard !unknown.isEmpty, !others.isEmpty else { return (found, unknown) }
        var (more, left) = (found, unknown)
        unknown.forEach { row in
            guard let holds = leaf.link(at: start &+ row).flatMap({ others[$0] }) else { return }
            if holds { more.insert(row) }
            left.remove(row)
        }
        return (more, left)
    }
}
