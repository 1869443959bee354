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
    mutating func write(_ released: inout FreedNodes) throws(WriteError) -> Ref {
        self.released = released
        defer { released = self.released }
        var (parts, depth) = try update(changes.tree.root, keyOffset: 0, changes.changedClusters[...])
        if parts.isEmpty { return try emptyRoot() }
        if parts[0].keyOffset != 0 { parts[0] = try rebased(parts[0], to: 0) }
        // A root with a single child is not needed.
        while parts.count == 1, depth > 0, let inner = try inner(at: parts[0].ref), inner.childCount == 1 {
            try checked { () throws(FormatError) in try release(inner) }
            parts = [ClusterPart(ref: try child(0, of: inner), count: parts[0].count, keyOffset: 0)]
            depth -= 1
        }
        return try nodes.clusterRoot(over: parts, depth: depth + 1)
    }

    private func inner(at ref: Ref) throws(WriteError) -> ClusterInner? {
        let space = currentSpace
        return try checked { () throws(FormatError) in
            let node = try space.node(at: ref)
            return node.header.isInner ? try ClusterInner(node, in: space) : nil
        }
    }

    private func child(_ index: Int, of inner: ClusterInner) throws(WriteError) -> Ref {
        try checked { () throws(FormatError) in try inner.child(index) }
    }

    /// The space, including all nodes written so far.
    private var currentSpace: NodeSpace { space.with(overlay: nodes.written) }

    private mutating func release(_ inner: ClusterInner) throws(FormatError) {
        released.add(inner.node)
        try released.add(inner.slots.ref(.keyOffsets), in: space)
    }

    /// Writes the changes below a node.
    ///
    /// - Parameter changed: the changed clusters below it, at least one.
    /// - Returns: the replacement of the node, and its number of levels of inner nodes.
    private mutating func update(
        _ ref: Ref, keyOffset: UInt64, _ changed: ArraySlice<ChangedCluster>
    ) throws(WriteError) -> (parts: [ClusterPart], depth: Int) {
        guard let inner = try inner(at: ref) else {
            guard let cluster = changed.first else {
                throw .internalInconsistency("a cluster without changes is to be written")
            }
            return (try write(cluster), 0)
        }
        var parts: [ClusterPart] = []
        var rest = changed
        var hasSameChildren = true
        var grown = 0
        for index in 0..<inner.childCount {
            let offset = keyOffset &+ inner.keyOffset(ofChild: index)
            let ref = try child(index, of: inner)
            let end = index + 1 < inner.childCount ? keyOffset &+ inner.keyOffset(ofChild: index + 1) : nil
            let mine = rest.prefix { cluster in end.map { cluster.location.keyOffset < $0 } ?? true }
            rest = rest.dropFirst(mine.count)
            guard !mine.isEmpty else {
                parts.append(ClusterPart(ref: ref, count: -1, keyOffset: offset))
                continue
            }
            grown += mine.reduce(0) { $0 + $1.growth }
            let new = try update(ref, keyOffset: offset, mine).parts
            hasSameChildren = hasSameChildren && new.count == 1 && new[0].keyOffset == offset
            parts += new
        }
        if hasSameChildren { return ([try replaced(inner, keyOffset, parts, grown)], inner.depth) }
        try checked { () throws(FormatError) in try release(inner) }
        if parts.isEmpty { return ([], inner.depth) }
        for index in parts.indices where parts[index].count < 0 { parts[index] = try counted(parts[index]) }
        // The first child has the offset of its parent.
        if parts[0].keyOffset != keyOffset { parts[0] = try rebased(parts[0], to: keyOffset) }
        var above: [ClusterPart] = []
        for range in parts.indices.evenParts(ofAtMost: Limits.clusterChildren) {
            above.append(try nodes.clusterInner(parts[range], depth: inner.depth))
        }
        return (above, inner.depth)
    }

    /// Writes an inner node with its children replaced one by one.
    private mutating func replaced(
        _ inner: ClusterInner, _ keyOffset: UInt64, _ parts: [ClusterPart], _ grown: Int
    ) throws(WriteError) -> ClusterPart {
        released.add(inner.node)
        let count = inner.objectCount + grown
        var slots = [
            inner.slots[.keyOffsets].element, Slot.number(inner.depth).element, Slot.number(count).element,
        ]
        for part in parts { slots.append(Int64(part.ref.offset)) }
        return ClusterPart(
            ref: try nodes.inner(slots), count: count, keyOffset: keyOffset)
    }

    private func counted(_ part: ClusterPart) throws(WriteError) -> ClusterPart {
        let tree = ClusterTree(root: part.ref, in: currentSpace)
        let count = try checked { () throws(FormatError) in try tree.storedCount() }
        return ClusterPart(ref: part.ref, count: count, keyOffset: part.keyOffset)
    }

    /// Rewrites nodes with the same objects, but with keys relative to another, lower offset.
    private mutating func rebased(_ part: ClusterPart, to offset: UInt64) throws(WriteError) -> ClusterPart {
        let space = currentSpace
        guard let inner = try inner(at: part.ref) else {
            let (keys, leaves) = try checked { () throws(FormatError) in
                let node = try space.node(at: part.ref)
                let cluster = try Cluster(node, keyOffset: part.keyOffset, in: space)
                released.add(node)
                let slots = ClusterSlots(node.elements)
                try released.add(slots.keys.ref, in: space)
                return (
                    (0..<cluster.count).map { cluster.key(unchecked: $0).value },
                    (0..<slots.columnCount).map { slots.leaf(of: ColumnIndex($0)).element }
                )
            }
            return try nodes.cluster(keys: keys, keyOffset: offset, leaves: leaves)
        }
        var children: [ClusterPart] = []
        for index in 0..<inner.childCount {
            let child = ClusterPart(
                ref: try child(index, of: inner), count: -1,
                keyOffset: part.keyOffset &+ inner.keyOffset(ofChild: index))
            children.append(try counted(child))
        }
        try checked { () throws(FormatError) in try release(inner) }
        children[0] = try rebased(children[0], to: offset)
        return try nodes.clusterInner(children[...], depth: inner.depth)
    }

    /// Writes a cluster, and the appended clusters after it.
    private mutating func write(_ changed: ChangedCluster) throws(WriteError) -> [ClusterPart] {
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
    private mutating func release(_ cluster: MutableCluster) throws(WriteError) {
        let space = currentSpace
        try checked { () throws(FormatError) in
            let node = try space.node(at: cluster.location.ref)
            released.add(node)
            let slots = ClusterSlots(node.elements)
            try released.add(slots.keys.ref, in: space)
            for column in changes.columns where cluster.needsLeaf(column.index) {
                guard let leaf = slots.leaf(of: column.index).ref else { continue }
                try released.add(leaf: leaf, of: column.leafType, in: space, except: cluster.keptNodes(column.index))
            }
        }
    }

    /// Writes a cluster, or several in its place; none if it has no objects left.
    private mutating func write(_ cluster: MutableCluster) throws(WriteError) -> [ClusterPart] {
        let space = currentSpace
        let slots = try checked { () throws(FormatError) in
            ClusterSlots(try space.node(at: cluster.location.ref).elements)
        }
        let (all, allKeys) = (cluster.rows, cluster.allKeys)
        var parts: [ClusterPart] = []
        for range in Self.split(all.count, isLast: cluster.location.lastKey == .max) {
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

    /// The rows of each cluster: full clusters at the end of a table, where objects are appended; otherwise clusters of
    /// equal size.
    private static func split(_ count: Int, isLast: Bool) -> [Range<Int>] {
        let most = Limits.clusterObjects
        guard isLast else { return (0..<count).evenParts(ofAtMost: most) }
        return stride(from: 0, to: count, by: most).map { $0..<min($0 + most, count) }
    }

    private mutating func emptyRoot() throws(WriteError) -> Ref {
        var leaves: [Int64] = []
        for column in builders.indices { leaves.append(Int64(try builder(column)?.write().offset ?? 0)) }
        return try nodes.cluster(keys: [], keyOffset: 0, leaves: leaves).ref
    }
}

extension Range<Int> {
    /// Divides the range into as few parts as possible of at most `most` numbers, and of nearly equal size; none if it
    /// is empty.
    func evenParts(ofAtMost most: Int) -> [Range<Int>] {
        let parts = (count + most - 1) / most
        return (0..<parts).map { (lowerBound + count * $0 / parts)..<(lowerBound + count * ($0 + 1) / parts) }
    }
}
