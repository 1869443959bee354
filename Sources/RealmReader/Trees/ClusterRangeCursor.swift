package import RealmLayout

/// Visits the clusters of a tree that have objects with keys in a range, in key order, in bounded work.
package struct ClusterRangeCursor: Sendable {
    private let space: NodeSpace
    private var seeker: ClusterLookup
    /// The first key that is still wanted, as an unsigned number; nil at the end.
    private var nextKey: UInt64?
    private let last: UInt64
    private var budget: WorkBudget

    /// - Parameter keys: as unsigned numbers.
    package init(_ tree: ClusterTree, _ keys: ClosedRange<UInt64>) {
        space = tree.space
        seeker = ClusterLookup(tree)
        nextKey = keys.lowerBound
        last = keys.upperBound
        budget = WorkBudget(for: tree.space)
    }

    /// The next cluster and its rows that are wanted; nil after the last.
    ///
    /// - Throws: `badCluster`, `sharedNodes`, and what opening nodes throws; the cursor is at its end then.
    package mutating func next() throws(FormatError) -> (cluster: Cluster, rows: Range<Int>)? {
        while let first = nextKey {
            // Nothing is left when something is wrong.
            nextKey = nil
            let location = try seeker.location(of: ObjectKey(Int64(bitPattern: first)))
            let node = try space.node(at: location.ref)
            let cluster = try Cluster(node, keyOffset: location.keyOffset, in: space)
            try budget.spend(node, elements: cluster.count)
            try cluster.checkKeys()
            if location.lastKey < last, location.lastKey >= first { nextKey = location.lastKey + 1 }
            // Rows are in key order: those outside of the range are at either end.
            var rows = 0..<cluster.count
            while let row = rows.first, key(cluster, row) < first { rows.removeFirst() }
            while let row = rows.last, key(cluster, row) > last { rows.removeLast() }
            if !rows.isEmpty { return (cluster, rows) }
        }
        return nil
    }

    private func key(_ cluster: Cluster, _ row: Int) -> UInt64 { UInt64(bitPattern: cluster.key(unchecked: row).value) }
}

extension ClusterTree {
    /// The first keys of parts of the tree with about as many objects each, as unsigned numbers; the first is 0.
    ///
    /// - Parameter count: how many parts are wanted; there may be more, or fewer in a small tree.
    /// - Throws: `badCluster`, `tooDeep`, and what opening nodes throws.
    func parts(atLeast count: Int) throws(FormatError) -> [UInt64] {
        var parts: [(node: Node, offset: UInt64, depth: Int?)] = [(try space.node(at: root), 0, nil)]
        while parts.count < count, parts.contains(where: { $0.node.header.isInner }) {
            var finer: [(node: Node, offset: UInt64, depth: Int?)] = []
            for part in parts {
                guard part.node.header.isInner else {
                    finer.append(part)
                    continue
                }
                let inner = try ClusterInner(part.node, in: space)
                try inner.checkDepth(below: part.depth)
                for index in 0..<inner.childCount {
                    let offset = part.offset &+ inner.keyOffset(ofChild: index)
                    finer.append((try space.node(at: inner.child(index)), offset, inner.depth))
                }
            }
            parts = finer
        }
        var starts: [UInt64] = [0]
        for part in parts.dropFirst() where part.offset > starts[starts.count - 1] { starts.append(part.offset) }
        return starts
    }
}
