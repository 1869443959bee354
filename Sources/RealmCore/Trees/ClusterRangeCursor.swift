package import RealmLayout

/// Visits the clusters of a tree that have objects with keys in a range, in key order, with bounded work.
package struct ClusterRangeCursor: Sendable {
    private let space: NodeSpace
    private var lookup: ClusterLookup
    /// The next key to visit, as an unsigned number; nil at the end.
    private var nextKey: UInt64?
    private let last: UInt64
    private var budget: WorkBudget

    /// - Parameter keys: the range, as unsigned numbers.
    package init(_ tree: ClusterTree, _ keys: ClosedRange<UInt64>) {
        space = tree.space
        lookup = ClusterLookup(tree)
        nextKey = keys.lowerBound
        last = keys.upperBound
        budget = WorkBudget(for: tree.space)
    }

    /// Returns the next cluster and its rows in the range; nil after the last.
    ///
    /// - Throws: `badCluster`, `sharedNodes`, and errors from opening nodes; the cursor is then at its end.
    package mutating func next() throws(FormatError) -> (cluster: Cluster, rows: Range<Int>)? {
        while let first = nextKey {
            // An error ends the iteration.
            nextKey = nil
            let location = try lookup.location(of: ObjectKey(Int64(bitPattern: first)))
            let node = try space.node(at: location.ref)
            let cluster = try Cluster(node, keyOffset: location.keyOffset, in: space)
            try budget.spend(node, elements: cluster.count)
            try cluster.checkKeys()
            if location.lastKey < last, location.lastKey >= first { nextKey = location.lastKey + 1 }
            // Rows are in key order, so those outside the range are at either end.
            var rows = 0..<cluster.count
            while let row = rows.first, key(cluster, row) < first { rows.removeFirst() }
            while let row = rows.last, key(cluster, row) > last { rows.removeLast() }
            if !rows.isEmpty { return (cluster, rows) }
        }
        return nil
    }

    private func key(_ cluster: Cluster, _ row: Int) -> UInt64 { UInt64(bitPattern: cluster.key(unchecked: row).value) }
}
