public import RealmLayout

/// Finds the clusters in which objects are, one after the other: those that have the same inner node above them as the last one without
/// coming down from the root.
package struct ClusterLookup: Sendable {
    private let tree: ClusterTree
    private var lowest: Lowest?
    /// What was loaded in vain.
    private var loaded: UInt64 = 0

    /// An inner node above clusters.
    private struct Lowest: Sendable {
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
        try cluster(at: place(of: key))
    }

    /// Where the cluster is in which an object is, or would be; it is not opened yet.
    ///
    /// - Throws: `badCluster`, `tooDeep`, and what opening nodes throws.
    @inline(__always)
    package mutating func place(of key: ObjectKey) throws(FormatError) -> ClusterPlace {
        let wanted = UInt64(bitPattern: key.value)
        if let lowest, lowest.keys.contains(wanted) {
            let index = lowest.inner.childIndex(for: wanted &- lowest.keyOffset)
            return ClusterPlace(
                ref: try lowest.inner.child(index),
                keyOffset: lowest.keyOffset &+ lowest.inner.keyOffset(ofChild: index),
                wanted: wanted)
        }
        return try search(wanted)
    }

    /// The place where an object is, if it exists, as `ClusterTree.location(of:)` finds it. Clusters that come next are loaded ahead.
    ///
    /// - Throws: `badCluster`, `tooDeep`, and what opening nodes throws.
    mutating func location(of key: ObjectKey) throws(FormatError) -> ClusterTree.Location {
        // Of an encrypted file no node is kept.
        guard !tree.space.isTransient else { return try tree.location(of: key) }
        let wanted = UInt64(bitPattern: key.value)
        if lowest.map({ !$0.keys.contains(wanted) }) ?? true { _ = try search(wanted) }
        guard let lowest, lowest.keys.contains(wanted) else { return try tree.location(of: key) }
        let inner = lowest.inner
        let index = inner.childIndex(for: wanted &- lowest.keyOffset)
        let ref = try inner.child(index)
        if index % Self.childrenAhead == 0 {
            for child in index..<min(index &+ Self.childrenAhead, inner.childCount) {
                loaded &+= tree.space.word(at: inner.slots.child(unchecked: child).element)
            }
        }
        // In a damaged tree there may be inner nodes beside clusters.
        guard try !tree.space.node(at: ref).header.isInner else { return try tree.location(of: key) }
        let first = lowest.keyOffset &+ inner.keyOffset(ofChild: index)
        var last = lowest.keys.upperBound
        if index &+ 1 < inner.childCount {
            last = min(last, lowest.keyOffset &+ inner.keyOffset(ofChild: index &+ 1) &- 1)
        }
        return ClusterTree.Location(
            ref: ref, keyOffset: first, firstKey: max(first, lowest.keys.lowerBound), lastKey: last)
    }

    private static let childrenAhead = 16

    /// Opens the cluster at a place.
    ///
    /// - Throws: `badCluster`, `tooDeep`, and what opening nodes throws.
    @inline(__always)
    package mutating func cluster(at place: ClusterPlace) throws(FormatError) -> Cluster {
        let node = try tree.space.node(at: place.ref)
        // In a damaged tree there may be inner nodes beside clusters.
        guard !node.header.isInner else {
            let found = try search(place.wanted)
            return try Cluster(tree.space.node(at: found.ref), keyOffset: found.keyOffset, in: tree.space)
        }
        return try Cluster(node, keyOffset: place.keyOffset, in: tree.space)
    }

    @inline(never)
    private mutating func search(_ wanted: UInt64) throws(FormatError) -> ClusterPlace {
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
        return ClusterPlace(ref: node.ref, keyOffset: keyOffset, wanted: wanted)
    }
}

/// Where a cluster is.
@usableFromInline
package struct ClusterPlace: Sendable, BitwiseCopyable {
    @usableFromInline package let ref: Ref
    @usableFromInline let keyOffset: UInt64
    /// The key that was looked for.
    @usableFromInline let wanted: UInt64
}
