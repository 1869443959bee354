internal import RealmCore
internal import RealmLayout

/// Writes the clusters that changed, and the nodes above them. All others stay where they are (Spec 220).
struct ClusterTreeUpdate {
    private let changes: ObjectChanges
    private let nodes: NodeOutput
    /// A builder for each column index, created on demand.
    private var builders: [LeafBuilder?]
    private var released = FreedNodes()

    init(_ changes: ObjectChanges, _ nodes: NodeOutput) {
        self.changes = changes
        self.nodes = nodes
        builders = [LeafBuilder?](repeating: nil, count: changes.slots.count)
    }

    private mutating func builder(_ index: Int) -> LeafBuilder? {
        if let known = builders[index] { return known }
        guard let column = changes.slots[index] else { return nil }
        let builder = LeafBuilder(column.leafType, nodes)
        builders[index] = builder
        return builder
    }

    private var space: NodeSpace { changes.space }

    /// Writes the tree.
    ///
    /// - Parameter released: receives the nodes that are no longer used.
    /// - Returns: the root.
    mutating func write(_ released: inout FreedNodes) throws -> Ref {
        self.released = released
        defer { released = self.released }
        var depth = try inner(at: changes.tree.root)?.depth ?? 0
        var parts = try parts(of: update(changes.tree.root, keyOffset: 0, changes.changedClusters[...]))
        if parts.isEmpty { return try emptyRoot() }
        if parts[0].keyOffset != 0 { parts[0] = try rebased(parts[0], to: 0) }
        // A root with a single child is not needed.
        while parts.count == 1, depth > 0, let inner = try inner(at: parts[0].ref), inner.childCount == 1 {
            try release(inner)
            parts = [ClusterPart(ref: try inner.child(0), count: parts[0].count, keyOffset: 0)]
            depth -= 1
        }
        return try nodes.clusterRoot(over: parts, depth: depth + 1)
    }

    private func inner(at ref: Ref) throws(FormatError) -> ClusterInner? {
        let space = currentSpace
        let node = try space.node(at: ref)
        return node.header.isInner ? try ClusterInner(node, in: space) : nil
    }

    /// The space, including all nodes written so far.
    private var currentSpace: NodeSpace { space.with(overlay: nodes.written) }

    private mutating func release(_ inner: ClusterInner) throws(FormatError) {
        released.add(inner.node)
        try released.add(inner.slots.ref(.keyOffsets), in: space)
    }

    /// The result of an update for a child of an inner node.
    private enum ChildOutcome {
        /// Nothing below it changed: it stays where it is.
        case unchanged(Ref, keyOffset: UInt64)
        /// One node takes its place, with the same key offset.
        case replaced(ClusterPart)
        /// Several nodes take its place, or one with another key offset: the inner node gets other children.
        case divided([ClusterPart])
        /// It lost all of its objects, and goes.
        case emptied

        /// - Parameter keyOffset: the key offset of the child.
        init(_ parts: [ClusterPart], replacing keyOffset: UInt64) {
            guard let first = parts.first else {
                self = .emptied
                return
            }
            self = parts.count == 1 && first.keyOffset == keyOffset ? .replaced(first) : .divided(parts)
        }

        /// The only node in the child's place; nil if the inner node gets other children.
        var ref: Ref? {
            switch self {
            case .unchanged(let ref, _): ref
            case .replaced(let part): part.ref
            case .divided, .emptied: nil
            }
        }
    }

    /// Writes the changes below a node.
    ///
    /// - Parameter changed: the changed clusters below it, at least one.
    private mutating func update(
        _ ref: Ref, keyOffset: UInt64, _ changed: ArraySlice<ChangedCluster>
    ) throws -> ChildOutcome {
        guard let inner = try inner(at: ref) else {
            guard let cluster = changed.first else {
                throw WriteError.internalInconsistency("a cluster without changes is to be written")
            }
            return ChildOutcome(try write(cluster), replacing: keyOffset)
        }
        var children: [ChildOutcome] = []
        var rest = changed
        for index in 0..<inner.childCount {
            let offset = keyOffset &+ inner.keyOffset(ofChild: index)
            let ref = try inner.child(index)
            let end = index + 1 < inner.childCount ? keyOffset &+ inner.keyOffset(ofChild: index + 1) : nil
            let mine = rest.prefix { cluster in end.map { cluster.location.keyOffset < $0 } ?? true }
            rest = rest.dropFirst(mine.count)
            children.append(
                mine.isEmpty ? .unchanged(ref, keyOffset: offset) : try update(ref, keyOffset: offset, mine))
        }
        let refs = children.compactMap(\.ref)
        if refs.count == children.count {
            return .replaced(try replaced(inner, keyOffset, refs, changed.reduce(0) { $0 + $1.growth }))
        }
        try release(inner)
        var parts: [ClusterPart] = []
        for child in children { parts += try self.parts(of: child) }
        if parts.isEmpty { return .emptied }
        // The first child has the offset of its parent.
        if parts[0].keyOffset != keyOffset { parts[0] = try rebased(parts[0], to: keyOffset) }
        var above: [ClusterPart] = []
        for range in parts.indices.parts(ofAtMost: Limits.clusterChildren) {
            above.append(try nodes.clusterInner(parts[range], depth: inner.depth))
        }
        return ChildOutcome(above, replacing: keyOffset)
    }

    /// Returns the nodes in the place of a child, with the numbers of their objects.
    private func parts(of child: ChildOutcome) throws(FormatError) -> [ClusterPart] {
        switch child {
        case .unchanged(let ref, let keyOffset): [try counted(ref, keyOffset: keyOffset)]
        case .replaced(let part): [part]
        case .divided(let parts): parts
        case .emptied: []
        }
    }

    /// Writes an inner node with its children replaced one by one.
    private mutating func replaced(
        _ inner: ClusterInner, _ keyOffset: UInt64, _ children: [Ref], _ growth: Int
    ) throws(WriteError) -> ClusterPart {
        released.add(inner.node)
        let count = inner.objectCount + growth
        var slots = [
            inner.slots[.keyOffsets].element, Slot.number(inner.depth).element, Slot.number(count).element,
        ]
        for child in children { slots.append(Int64(child.offset)) }
        return ClusterPart(
            ref: try nodes.inner(slots), count: count, keyOffset: keyOffset)
    }

    /// Returns a node that stays where it is, with the number of its objects.
    private func counted(_ ref: Ref, keyOffset: UInt64) throws(FormatError) -> ClusterPart {
        let tree = ClusterTree(root: ref, in: currentSpace)
        let count = try tree.storedCount()
        return ClusterPart(ref: ref, count: count, keyOffset: keyOffset)
    }

    /// Rewrites nodes with the same objects, but with keys relative to another, lower offset.
    private mutating func rebased(_ part: ClusterPart, to offset: UInt64) throws -> ClusterPart {
        let space = currentSpace
        guard let inner = try inner(at: part.ref) else {
            let node = try space.node(at: part.ref)
            let cluster = try Cluster(node, keyOffset: part.keyOffset, in: space)
            released.add(node)
            let slots = ClusterSlots(node.elements)
            try released.add(slots.keys.ref, in: space)
            let keys = (0..<cluster.count).map { cluster.key(unchecked: $0).value }
            let leaves = (0..<slots.columnCount).map { slots.leaf(of: ColumnIndex($0)).element }
            return try nodes.cluster(keys: keys, keyOffset: offset, leaves: leaves)
        }
        var children: [ClusterPart] = []
        for index in 0..<inner.childCount {
            let offset = part.keyOffset &+ inner.keyOffset(ofChild: index)
            children.append(try counted(inner.child(index), keyOffset: offset))
        }
        try release(inner)
        children[0] = try rebased(children[0], to: offset)
        return try nodes.clusterInner(children[...], depth: inner.depth)
    }

    /// Writes a cluster, and the appended clusters after it.
    private mutating func write(_ changed: ChangedCluster) throws -> [ClusterPart] {
        guard let tail = changed.tail else { return try write(changed.cluster) }
        let cluster = changed.cluster
        var parts: [ClusterPart] = []
        if tail.replacesBase {
            try release(cluster)
        } else if cluster.isChanged {
            parts = try write(cluster)
        } else {
            parts = [
                ClusterPart(
                    ref: cluster.location.ref, count: cluster.count, keyOffset: cluster.location.keyOffset)
            ]
        }
        var others: [ClusterPart] = []
        for step in try tail.steps() {
            switch step {
            case .written(let part): others.append(part)
            case .changed(let cluster): others += try write(cluster)
            }
        }
        return parts + others
    }

    /// Releases the nodes that a cluster will no longer have.
    private mutating func release(_ cluster: MutableCluster) throws(FormatError) {
        let space = currentSpace
        let node = try space.node(at: cluster.location.ref)
        released.add(node)
        let slots = ClusterSlots(node.elements)
        try released.add(slots.keys.ref, in: space)
        for column in changes.columns where cluster.needsLeaf(column.index) {
            guard let leaf = slots.leaf(of: column.index).ref else { continue }
            try released.add(leaf: leaf, of: column.leafType, in: space, except: cluster.keptNodes(column.index))
        }
    }

    /// Writes a cluster, or several in its place; none if it has no objects left.
    private mutating func write(_ cluster: MutableCluster) throws -> [ClusterPart] {
        let space = currentSpace
        let slots = ClusterSlots(try space.node(at: cluster.location.ref).elements)
        let (all, allKeys) = (cluster.rows, cluster.allKeys)
        var parts: [ClusterPart] = []
        // At the end of a table, where objects are appended, clusters are filled.
        let isLast = cluster.location.lastKey == .max
        for range in all.indices.parts(ofAtMost: Limits.clusterObjects, isFilled: isLast) {
            let rows = all[range]
            var leaves: [Int64] = []
            leaves.reserveCapacity(builders.count)
            for index in builders.indices {
                let column = ColumnIndex(index)
                if cluster.needsLeaf(column) {
                    // Removed columns have no leaf in a cluster that gains or loses objects.
                    guard let builder = builder(index) else {
                        leaves.append(0)
                        continue
                    }
                    try cluster.append(rows, of: column, to: builder)
                    leaves.append(Int64(try builder.write().offset))
                } else {
                    leaves.append(slots.leaf(of: column).element)
                }
            }
            let keys = rows.map { allKeys[$0] }
            let offset = parts.isEmpty ? cluster.location.keyOffset : keys.first.map { UInt64(bitPattern: $0) } ?? 0
            parts.append(try nodes.cluster(keys: keys, keyOffset: offset, leaves: leaves))
        }
        // Only now is it known which long values stay.
        try release(cluster)
        return parts
    }

    private mutating func emptyRoot() throws(WriteError) -> Ref {
        var leaves: [Int64] = []
        for column in builders.indices { leaves.append(Int64(try builder(column)?.write().offset ?? 0)) }
        return try nodes.cluster(keys: [], keyOffset: 0, leaves: leaves).ref
    }
}
