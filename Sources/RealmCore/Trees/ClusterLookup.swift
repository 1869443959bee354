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
        let location: ClusterTree.Location
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
        if let lowest, lowest.location.contains(wanted) {
            let index = lowest.inner.childIndex(for: wanted &- lowest.location.keyOffset)
            return ClusterPlace(
                ref: try lowest.inner.child(index),
                keyOffset: lowest.location.keyOffset &+ lowest.inner.keyOffset(ofChild: index),
                wanted: wanted)
        }
        return try search(key)
    }

    /// Returns the location of an object, if it exists, as `ClusterTree.location(of:)` does. Prefetches the following
    /// clusters.
    ///
    /// - Throws: `badCluster`, `tooDeep`, and errors from opening nodes.
    mutating func location(of key: ObjectKey) throws(FormatError) -> ClusterTree.Location {
        // Nodes of an encrypted file are not kept.
        guard !tree.space.isTransient else { return try tree.location(of: key) }
        let wanted = UInt64(bitPattern: key.value)
        if lowest.map({ !$0.location.contains(wanted) }) ?? true { _ = try search(key) }
        guard let lowest, lowest.location.contains(wanted) else { return try tree.location(of: key) }
        let inner = lowest.inner
        let index = inner.childIndex(for: wanted &- lowest.location.keyOffset)
        let location = try inner.location(ofChild: index, in: lowest.location)
        if index % Self.childrenAhead == 0 {
            for child in index..<min(index &+ Self.childrenAhead, inner.childCount) {
                loaded &+= tree.space.word(at: inner.slots.child(unchecked: child).element)
            }
        }
        // A damaged tree may have inner nodes next to clusters.
        guard try !tree.space.node(at: location.ref).header.isInner else { return try tree.location(of: key) }
        return location
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
            let found = try search(ObjectKey(Int64(bitPattern: place.wanted)))
            return try Cluster(tree.space.node(at: found.ref), keyOffset: found.keyOffset, in: tree.space)
        }
        return try Cluster(node, keyOffset: place.keyOffset, in: tree.space)
    }

    @inline(never)
    private mutating func search(_ key: ObjectKey) throws(FormatError) -> ClusterPlace {
        let wanted = UInt64(bitPattern: key.value)
        var parent: Lowest?
        let (_, location) = try tree.descend(to: key) { (inner, location, _) in
            parent = Lowest(inner: inner, location: location)
        }
        // Nodes of an encrypted file may not be accessed later.
        if let parent, !tree.space.isTransient, parent.location.contains(wanted) { lowest = parent }
        return ClusterPlace(ref: location.ref, keyOffset: location.keyOffset, wanted: wanted)
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
