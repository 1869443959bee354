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

    /// Returns the location of `key`, if it exists.
    ///
    /// - Throws: `badCluster`, `tooDeep`, and errors from opening nodes.
    package func location(of key: ObjectKey) throws(FormatError) -> Location {
        try descend(to: key).location
    }

    /// Returns the cluster and row of an object, or nil when it does not exist.
    package func find(_ key: ObjectKey) throws(FormatError) -> (cluster: Cluster, row: Int)? {
        let (node, location) = try descend(to: key)
        let cluster = try Cluster(node, keyOffset: location.keyOffset, in: space)
        return cluster.row(of: key).map { (cluster, $0) }
    }

    /// Returns the first keys of parts of the tree with about the same number of objects, as unsigned numbers; the
    /// first is 0.
    ///
    /// - Parameter count: the wanted number of parts; there may be more, or fewer in a small tree.
    /// - Throws: `badCluster`, `tooDeep`, and errors from opening nodes.
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

    /// The location of child `index`, given that of this node.
    @inline(__always)
    func location(ofChild index: Int, in parent: ClusterTree.Location) throws(FormatError) -> ClusterTree.Location {
        var last = parent.lastKey
        if index &+ 1 < childCount { last = min(last, parent.keyOffset &+ keyOffset(ofChild: index &+ 1) &- 1) }
        let offset = parent.keyOffset &+ keyOffset(ofChild: index)
        return ClusterTree.Location(
            ref: try child(index), keyOffset: offset, firstKey: max(offset, parent.firstKey), lastKey: last)
    }

    /// The index of the child that contains `key`, relative to this node, if it exists.
    package func childIndex(for key: UInt64) -> Int {
        if let offsets { return offsets.lastIndex(unsignedAtMost: key) ?? 0 }
        return Int(min(key >> UInt64(8 * depth), UInt64(childCount - 1)))
    }
}
