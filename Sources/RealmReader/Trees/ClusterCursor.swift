package import RealmLayout

/// Visits the clusters of a tree in key order, with an explicit stack and in bounded work.
package struct ClusterCursor: Sendable {
    private struct Level {
        let inner: ClusterInner
        let keyOffset: UInt64
        var next = 0
    }

    private let space: NodeSpace
    private let root: Ref
    private var hasBegun = false
    private var levels: [Level] = []
    /// What the root says about the number of objects; nil when it is a leaf, or when this was compared already.
    private var expectedCount: Int?
    private var visitedCount = 0
    private var lastKey: ObjectKey?
    private var budget: WorkBudget
    private let keysAreHashes: Bool

    /// - Parameter keysAreHashes: whether the tree is a dictionary of formats 21 and 22, in which keys below 0, of entries
    ///   whose place was taken, follow all others (Spec 40).
    package init(_ tree: ClusterTree, keysAreHashes: Bool = false) {
        self.keysAreHashes = keysAreHashes
        space = tree.space
        root = tree.root
        budget = WorkBudget(for: tree.space)
    }

    /// The next cluster that has objects; nil after the last.
    ///
    /// - Throws: `badCluster` when keys do not ascend or depths do not descend, `sharedNodes`, `wrongCount` after the
    ///   last cluster when there were more or fewer objects than the root says, and what opening nodes throws.
    package mutating func next() throws(FormatError) -> Cluster? {
        while let (node, keyOffset) = try nextNode() {
            guard !node.header.isInner else {
                let inner = try ClusterInner(node, in: space)
                try inner.checkDepth(below: levels.last?.inner.depth)
                try budget.spend(node, elements: inner.childCount)
                if levels.isEmpty { expectedCount = inner.objectCount }
                levels.append(Level(inner: inner, keyOffset: keyOffset))
                continue
            }
            let cluster = try Cluster(node, keyOffset: keyOffset, in: space)
            try budget.spend(node, elements: cluster.count)
            guard cluster.count > 0 else { continue }
            try cluster.checkKeys()
            let (first, last) = (cluster.key(unchecked: 0), cluster.key(unchecked: cluster.count - 1))
            guard !isLess(last, first), lastKey.map({ isLess($0, first) }) ?? true else {
                throw FormatError(.badCluster, at: node.ref.offset, "object keys do not ascend from cluster to cluster")
            }
            lastKey = last
            visitedCount &+= cluster.count
            return cluster
        }
        try checkCount()
        return nil
    }

    private func isLess(_ left: ObjectKey, _ right: ObjectKey) -> Bool {
        keysAreHashes
            ? UInt64(bitPattern: left.value) < UInt64(bitPattern: right.value) : left < right
    }

    private mutating func checkCount() throws(FormatError) {
        guard let expected = expectedCount else { return }
        expectedCount = nil
        guard visitedCount == expected else {
            throw FormatError(.wrongCount, at: root.offset, "found \(visitedCount) objects, expected \(expected)")
        }
    }

    private mutating func nextNode() throws(FormatError) -> (Node, keyOffset: UInt64)? {
        guard hasBegun else {
            hasBegun = true
            return (try space.node(at: root), 0)
        }
        while let level = levels.last {
            guard level.next < level.inner.childCount else {
                levels.removeLast()
                continue
            }
            levels[levels.count - 1].next += 1
            let inner = try level.inner.current(in: space)
            let offset = level.keyOffset &+ inner.keyOffset(ofChild: level.next)
            return (try space.node(at: inner.child(level.next)), offset)
        }
        return nil
    }
}
