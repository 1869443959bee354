package import RealmLayout

extension ClusterTree {
    /// The location of a cluster, and the range of object keys that belong in it.
    package struct Location: Sendable {
        package let ref: Ref
        package let keyOffset: UInt64
        /// The first and the last object key, as unsigned numbers, that are located here.
        package let firstKey: UInt64
        package let lastKey: UInt64

        package init(ref: Ref, keyOffset: UInt64, firstKey: UInt64, lastKey: UInt64) {
            (self.ref, self.keyOffset, self.firstKey, self.lastKey) = (ref, keyOffset, firstKey, lastKey)
        }

        @inline(__always)
        func contains(_ key: UInt64) -> Bool { firstKey <= key && key <= lastKey }
    }

    /// Descends from the root to the cluster where an object belongs.
    ///
    /// - Parameter step: receives each inner node with its location, and the index of the next child.
    /// - Throws: `badCluster`, `tooDeep`, and errors from opening nodes.
    @inline(__always)
    func descend(
        to key: ObjectKey,
        _ step: (_ inner: ClusterInner, _ location: Location, _ child: Int) throws(FormatError) -> Void = { _, _, _ in }
    ) throws(FormatError) -> (node: Node, location: Location) {
        let wanted = UInt64(bitPattern: key.value)
        return try descend { (inner, location) throws(FormatError) in
            let child = inner.childIndex(for: wanted &- location.keyOffset)
            try step(inner, location, child)
            return child
        }
    }

    /// Descends from the root to a cluster.
    ///
    /// - Parameter choose: returns the index of the next child, given an inner node and its location.
    /// - Throws: `badCluster`, `tooDeep`, and errors from opening nodes.
    @inline(__always)
    func descend(
        _ choose: (_ inner: ClusterInner, _ location: Location) throws(FormatError) -> Int
    ) throws(FormatError) -> (node: Node, location: Location) {
        var location = Location(ref: root, keyOffset: 0, firstKey: 0, lastKey: .max)
        var node = try space.node(at: root)
        var depth: Int?
        while node.header.isInner {
            let inner = try ClusterInner(node, in: space)
            try inner.checkDepth(below: depth)
            depth = inner.depth
            location = try inner.location(ofChild: choose(inner, location), in: location)
            node = try space.node(at: location.ref)
        }
        return (node, location)
    }
}
