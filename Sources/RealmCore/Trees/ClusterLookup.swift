public import RealmLayout

/// Finds the clusters that contain objects, one after another. Clusters under the same inner node as the last one are
/// found without descending from the root.
package struct ClusterLookup: Sendable {
    private let tree: ClusterTree
    private var lowest: Lowest?
    /// Keeps prefetch loads from being optimised away.
    private var loaded: UInt64 = 0

    /// An inner node directly above clusters.
    private struct Lowest: Sendable {
        let inner: ClusterInner
        let keyOffset: UInt64
        /// The keys located below it.
        let keys: ClosedRange<UInt64>
    }

    package init(_ tree: ClusterTree) { self.tree = tree }

    /// Returns the cluster that contains an object, or would contain it.
    ///
    /// - Throws: `badCluster`, `tooDeep`, and errors from opening nodes.
    package mutating func cluster(for key: ObjectKey) throws(FormatError) -> Cluster {
        try cluster(at: place(of: key))
    }

    /// Returns the place of the cluster that contains an object, or would contain it, without opening it.
    ///
    /// - Throws: `badCluster`, `tooDeep`, and errors from opening nodes.
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

    /// Returns the location of an object, if it exists, as `ClusterTree.location(of:)` does. Prefetches the following
    /// clusters.
    ///
    /// - Throws: `badCluster`, `tooDeep`, and errors from opening nodes.
    mutating func location(of key: ObjectKey) throws(FormatError) -> ClusterTree.Location {
        // Nodes of an encrypted file are not kept.
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
        // A damaged tree may have inner nodes next to clusters.
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
    /// - Throws: `badCluster`, `tooDeep`, and errors from opening nodes.
    @inline(__always)
    package mutating func cluster(at place: ClusterPlace) throws(FormatError) -> Cluster {
        let node = try tree.space.node(at: place.ref)
        // A damaged tree may have inner nodes next to clusters.
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
            // Nodes of an encrypted file may not be accessed later.
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

/// The place of a cluster.
@usableFromInline
package struct ClusterPlace: Sendable, BitwiseCopyable {
    @usableFromInline package let ref: Ref
    @usableFromInline let keyOffset: UInt64
    /// The key searched for.
    @usableFromInline let wanted: UInt64
}
