package import RealmLayout

/// The B+tree of a table's objects, ordered by object key (Spec 50).
package struct ClusterTree: Sendable {
    package let root: Ref
    package let space: NodeSpace

    package init(root: Ref, in space: NodeSpace) {
        self.root = root
        self.space = space
    }

    /// The number of objects, from the root alone.
    package func storedCount() throws(FormatError) -> Int {
        let node = try space.node(at: root)
        guard node.header.isInner else { return try Cluster(node, keyOffset: 0, in: space).count }
        return try ClusterInner(node, in: space).objectCount
    }

    /// The first cluster that has objects.
    func firstCluster() throws(FormatError) -> Cluster? {
        var cursor = ClusterCursor(self)
        return try cursor.next()
    }

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
    }

    /// Returns the location of `key`, if it exists.
    ///
    /// - Throws: `badCluster`, `tooDeep`, and errors from opening nodes.
    package func location(of key: ObjectKey) throws(FormatError) -> Location {
        let wanted = UInt64(bitPattern: key.value)
        var node = try space.node(at: root)
        var keyOffset: UInt64 = 0
        var first: UInt64 = 0
        var last = UInt64.max
        var depth: Int?
        while node.header.isInner {
            let inner = try ClusterInner(node, in: space)
            try inner.checkDepth(below: depth)
            depth = inner.depth
            let index = inner.childIndex(for: wanted &- keyOffset)
            if index + 1 < inner.childCount {
                last = min(last, keyOffset &+ inner.keyOffset(ofChild: index + 1) &- 1)
            }
            keyOffset &+= inner.keyOffset(ofChild: index)
            first = max(first, keyOffset)
            node = try space.node(at: inner.child(index))
        }
        return Location(ref: node.ref, keyOffset: keyOffset, firstKey: first, lastKey: last)
    }

    /// Returns the cluster and row of an object, or nil when it does not exist.
    package func find(_ key: ObjectKey) throws(FormatError) -> (cluster: Cluster, row: Int)? {
        let location = try location(of: key)
        let cluster = try Cluster(space.node(at: location.ref), keyOffset: location.keyOffset, in: space)
        return cluster.row(of: key).map { (cluster, $0) }
    }
}

/// An inner node of a cluster tree (Spec 50).
package struct ClusterInner {
    package let node: Node
    package let slots: RecordSlots<ClusterInnerSlot>
    let offsets: IntegerVector?
    package let depth: Int
    package let objectCount: Int
    /// Keeps prefetch loads from being optimised away.
    var loaded: UInt64 = 0

    package init(_ node: Node, in space: NodeSpace) throws(FormatError) {
        let record = try Record<ClusterInnerSlot>(node)
        let slots = record.slots
        let children = slots.childCount
        guard children > 0,
            let depth = try record.number(.depth),
            let objects = try record.number(.objectCount),
            children <= Limits.clusterChildren
        else {
            throw FormatError(
                .badCluster, at: node.ref.offset, "\(node.summary) is not an inner node of a cluster tree")
        }
        guard depth >= 1, depth <= UInt64(Limits.treeDepth) else {
            throw FormatError(.tooDeep, at: node.ref.offset, "an inner node of depth \(depth)")
        }
        guard objects <= UInt64(space.size) * UInt64(WorkBudget.elementsPerByte) else {
            throw FormatError(
                .badCluster, at: node.ref.offset, "\(objects) objects are more than the file has room for")
        }
        self.node = node
        self.slots = slots
        self.depth = Int(depth)
        objectCount = Int(objects)
        if let ref = try record.ref(.keyOffsets) {
            let keys = try space.node(at: ref).integers()
            guard keys.count == children else { throw node.wrongCount("key offsets", keys.count, children) }
            offsets = keys
        } else {
            offsets = nil
        }
    }

    /// The node, safe to access now; see `Cluster.current`.
    @inline(__always)
    func current(in space: NodeSpace) throws(FormatError) -> ClusterInner {
        guard space.isTransient else { return self }
        let inner = try ClusterInner(space.node(at: node.ref), in: space)
        guard inner.childCount == childCount else {
            throw FormatError(.fileChanged, at: node.ref.offset, "the file changed while it was being read")
        }
        return inner
    }

    package var childCount: Int { slots.childCount }

    /// Verifies that a child's depth is lower than its parent's, which bounds every descent even if there are cycles.
    package func checkDepth(below parent: Int?) throws(FormatError) {
        if let parent, depth >= parent {
            throw FormatError(.badCluster, at: node.ref.offset, "depth \(depth) below an inner node of depth \(parent)")
        }
    }

    package func child(_ index: Int) throws(FormatError) -> Ref {
        guard case .ref(let ref) = slots.child(unchecked: index) else {
            throw FormatError(.badCluster, at: node.ref.offset, "child \(index) of the cluster tree is missing")
        }
        return ref
    }

    /// The number to add to the keys below child `index`; 0 beyond 64 bits.
    package func keyOffset(ofChild index: Int) -> UInt64 {
        offsets?.unsigned(unchecked: index) ?? UInt64(index) << UInt64(8 * depth)
    }

    /// The index of the child that contains `key`, relative to this node, if it exists.
    package func childIndex(for key: UInt64) -> Int {
        if let offsets { return offsets.lastIndex(unsignedAtMost: key) ?? 0 }
        return Int(min(key >> UInt64(8 * depth), UInt64(childCount - 1)))
    }
}
