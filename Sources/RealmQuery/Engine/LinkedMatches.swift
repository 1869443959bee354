internal import RealmLayout
internal import RealmReader

/// For which objects of a table something holds.
struct LinkedMatches {
    /// Two bits for a key from `first` on: whether there is such an object, and whether it holds.
    private var words: [UInt64] = []
    private var first: UInt64 = 0
    /// Of objects whose keys lie far apart.
    private var others: [ObjectKey: Bool] = [:]

    /// Nothing is known of any object.
    static let none = LinkedMatches()

    private init() {}

    /// - Parameter run: a run on the table.
    /// - Throws: what looking at the objects throws.
    init(_ step: QueryPlan.Step, of table: Table, _ run: inout PlanRun) throws(FormatError) {
        var cursor = ClusterCursor(table.core.objects)
        while let cluster = try cursor.next() {
            var rows: [Int: RowMask] = [:]
            _ = try run.rows(of: step, in: cluster) { found, first in
                rows[first] = found
                return true
            }
            if words.isEmpty { first = UInt64(bitPattern: cluster.key(unchecked: 0).value) }
            let last = UInt64(bitPattern: cluster.key(unchecked: cluster.count - 1).value)
            // Without gaps that cost more than the objects.
            let isDense = last >= first && (last - first) / 32 <= UInt64(words.count + cluster.count * Self.mostGaps)
            if isDense { grow(to: last) }
            for row in 0..<cluster.count {
                let key = cluster.key(unchecked: row)
                let block = row / RowMask.most * RowMask.most
                let holds = rows[block]?.contains(row - block) ?? false
                if isDense { set(key, holds) } else { others[key] = holds }
            }
        }
    }

    private static let mostGaps = 4

    private mutating func grow(to last: UInt64) {
        let count = Int(truncatingIfNeeded: (last - first) / 32) + 1
        while words.count < count { words.append(0) }
    }

    private mutating func set(_ key: ObjectKey, _ holds: Bool) {
        let place = UInt64(bitPattern: key.value) - first
        words[Int(truncatingIfNeeded: place / 32)] |= (holds ? 3 : 1) << (place % 32 * 2)
    }

    /// Whether it holds for the object with that key; nil when nothing is known of it.
    @inline(__always)
    subscript(key: ObjectKey) -> Bool? {
        let number = UInt64(bitPattern: key.value)
        if number >= first, (number - first) / 32 < UInt64(words.count) {
            let place = number - first
            let bits = words[Int(truncatingIfNeeded: place / 32)] >> (place % 32 * 2) & 3
            return bits == 0 ? others[key] : bits == 3
        }
        return others[key]
    }
}
