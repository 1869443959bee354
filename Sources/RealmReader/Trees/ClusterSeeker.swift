package import RealmLayout

/// Finds the clusters in which objects are, one after the other: those that have the same inner node above them as the last one without
/// coming down from the root.
package struct ClusterSeeker {
    private let tree: ClusterTree
    private var lowest: Lowest?

    /// An inner node above clusters.
    private struct Lowest {
        let inner: ClusterInner
        let keyOffset: UInt64
        /// The keys that are found below it.
        let keys: ClosedRange<UInt64>
    }

    package init(_ tree: ClusterTree) { self.tree = tree }

    /// The cluster in which an object is, or would be.
    ///
    /// - Throws: `badCluster`, `tooDeep`, and what opening nodes throws.
    package mutating func cluster(for key: ObjectKey) throws(FormatError) -> Cluster {
        let wanted = UInt64(bitPattern: key.value)
        if let lowest, lowest.keys.contains(wanted) {
            let index = lowest.inner.childIndex(for: wanted &- lowest.keyOffset)
            let node = try tree.space.node(at: lowest.inner.child(index))
            // In a damaged tree there may be inner nodes beside clusters.
            if !node.header.isInner {
                return try Cluster(
                    node, keyOffset: lowest.keyOffset &+ lowest.inner.keyOffset(ofChild: index), in: tree.space)
            }
        }
        return try search(wanted)
    }

    @inline(never)
    private mutating func search(_ wanted: UInt64) throws(FormatError) -> Cluster {
        let space = tree.space
        var node = try space.node(at: tree.root)
        var keyOffset: UInt64 = 0
        var (first, last) = (UInt64(0), UInt64.max)
        var depth: Int?
        while node.header.isInner {
            let inner = try ClusterInner(node, in: space)
            try inner.checkDepth(below: depth)
            depth = inner.depth
            let index = inner.childIndex(for: wanted &- keyOffset)
            node = try space.node(at: inner.child(index))
            // Of an encrypted file nothing may be looked at later.
            if !node.header.isInner, !space.isTransient, first <= wanted, wanted <= last {
                lowest = Lowest(inner: inner, keyOffset: keyOffset, keys: first...last)
            }
            if index + 1 < inner.childCount {
                last = min(last, keyOffset &+ inner.keyOffset(ofChild: index + 1) &- 1)
            }
            keyOffset &+= inner.keyOffset(ofChild: index)
            first = max(first, keyOffset)
        }
        return try Cluster(node, keyOffset: keyOffset, in: space)
    }
}
