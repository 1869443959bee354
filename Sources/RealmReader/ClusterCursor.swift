package import RealmLayout

/// Visits the clusters of a tree in key order, with an explicit stack and in bounded work.
package struct ClusterCursor: Sendable {
    private struct Level {
        let inner: ClusterInner
        let keyOffset: UInt64
        var next = 0
    }

    private let space: NodeSpace
    private var pendingRoot: Ref?
    private var levels: [Level] = []
    private var lastKey: ObjectKey?
    private var budget: WorkBudget

    package init(_ tree: ClusterTree) {
        space = tree.space
        pendingRoot = tree.root
        budget = WorkBudget(for: tree.space)
    }

    /// The next cluster that has objects; nil after the last.
    ///
    /// - Throws: `badCluster` when keys do not ascend or depths do not descend, `sharedNodes`, and what opening nodes
    ///   throws.
    package mutating func next() throws(FormatError) -> Cluster? {
        while let (node, keyOffset) = try nextNode() {
            guard !node.header.isInner else {
                let inner = try ClusterInner(node, in: space)
                try inner.checkDepth(below: levels.last?.inner.depth)
                try budget.spend(inner.childCount, at: node.ref)
                levels.append(Level(inner: inner, keyOffset: keyOffset))
                continue
            }
            let cluster = try Cluster(node, keyOffset: keyOffset, in: space)
            try budget.spend(cluster.count, at: node.ref)
            guard cluster.count > 0 else { continue }
            try cluster.checkKeys()
            if let lastKey, cluster.key(unchecked: 0) <= lastKey {
                throw FormatError(.badCluster, at: node.ref.offset, "object keys do not ascend from cluster to cluster")
            }
            lastKey = cluster.key(unchecked: cluster.count - 1)
            return cluster
        }
        return nil
    }

    private mutating func nextNode() throws(FormatError) -> (Node, keyOffset: UInt64)? {
        if let root = pendingRoot {
            pendingRoot = nil
            return (try space.node(at: root), 0)
        }
        while let level = levels.last {
            guard level.next < level.inner.childCount else {
                levels.removeLast()
                continue
            }
            levels[levels.count - 1].next += 1
            let offset = level.keyOffset &+ level.inner.keyOffset(ofChild: level.next)
            return (try space.node(at: level.inner.child(level.next)), offset)
        }
        return nil
    }
}
