internal import RealmLayout
internal import RealmReader
internal import RealmWriter

/// Writes the clusters that changed, and the nodes on the way to them; all others stay where they are (Spec 220).
struct ClusterTreeUpdate {
    private let changes: ObjectChanges
    private let nodes: NodeOutput
    /// One for each column index.
    private let builders: [LeafBuilder?]
    private var released = ReleasedNodes()

    init(_ changes: ObjectChanges, _ nodes: NodeOutput) {
        self.changes = changes
        self.nodes = nodes
        builders = changes.slots.map { $0.map { LeafBuilder($0.leafType, nodes) } }
    }

    private var space: NodeSpace { changes.space }

    /// Writes the tree.
    ///
    /// - Parameter released: gets the nodes that are no longer used.
    /// - Returns: the root.
    mutating func write(_ released: inout ReleasedNodes) throws(WriteError) -> Ref {
        self.released = released
        defer { released = self.released }
        var (parts, depth) = try update(changes.tree.root, keyOffset: 0, changes.changedClusters[...])
        if parts.isEmpty { return try emptyRoot() }
        if parts[0].keyOffset != 0 { parts[0] = try rebased(parts[0], to: 0) }
        // A root that leads to one node only is not needed.
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

    /// The space with all nodes that were written so far.
    private var currentSpace: NodeSpace { NodeSpace(bytes: space.bytes, overlay: nodes.written) }

    private mutating func release(_ inner: ClusterInner) throws(FormatError) {
        released.add(inner.node)
        try released.add(inner.slots.ref(.keyOffsets), in: space)
    }

    /// Writes what changed below a node.
    ///
    /// - Parameter changed: the clusters below it that changed, at least one.
    /// - Returns: what stands in its place, and how many levels of inner nodes that has.
    private mutating func update(
        _ ref: Ref, keyOffset: UInt64, _ changed: ArraySlice<ClusterChanges>
    ) throws(WriteError) -> (parts: [ClusterPart], depth: Int) {
        guard let inner = try inner(at: ref) else {
            guard let cluster = changed.first else { throw .unsound("a cluster without changes is to be written") }
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
            let before = mine.reduce(0) { $0 + $1.source.count }
            let after = mine.reduce(0) { $0 + $1.keys.count }
            let new = try update(ref, keyOffset: offset, mine).parts
            hasSameChildren = hasSameChildren && new.count == 1 && new[0].keyOffset == offset
            grown += after - before
            parts += new
        }
        if hasSameChildren { return ([try replaced(inner, keyOffset, parts, grown)], inner.depth) }
        try checked { () throws(FormatError) in try release(inner) }
        if parts.isEmpty { return ([], inner.depth) }
        for index in parts.indices where parts[index].count < 0 { parts[index] = try counted(parts[index]) }
        // The first child begins where its parent does.
        if parts[0].keyOffset != keyOffset { parts[0] = try rebased(parts[0], to: keyOffset) }
        var above: [ClusterPart] = []
        for range in parts.indices.evenParts(ofAtMost: Limits.clusterChildren) {
            above.append(try nodes.clusterInner(parts[range], depth: inner.depth))
        }
        return (above, inner.depth)
    }

    /// An inner node with children in the places of those that it had.
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
            ref: try nodes.integers(slots, flags: NodeOutput.innerFlags), count: count, keyOffset: keyOffset)
    }

    private func counted(_ part: ClusterPart) throws(WriteError) -> ClusterPart {
        let tree = ClusterTree(root: part.ref, in: currentSpace)
        let count = try checked { () throws(FormatError) in try tree.storedCount() }
        return ClusterPart(ref: part.ref, count: count, keyOffset: part.keyOffset)
    }

    /// The same objects in nodes whose keys count from another offset, which is lower.
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
                    (0..<slots.columnCount).map { slots.leaf(ofColumn: $0).element }
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

    /// Writes a cluster, or several in its place; none where it has no objects left.
    private mutating func write(_ cluster: ClusterChanges) throws(WriteError) -> [ClusterPart] {
        let sourceNode = try checked { () throws(FormatError) in try space.node(at: cluster.location.ref) }
        released.add(sourceNode)
        let slots = ClusterSlots(sourceNode.elements)
        try checked { () throws(FormatError) in try released.add(slots.keys.ref, in: space) }
        for column in changes.columns {
            guard let values = cluster.changed(column.index), let leaf = slots.leaf(ofColumn: column.index).ref else {
                continue
            }
            try checked { () throws(FormatError) in
                try released.add(leaf: leaf, of: column.leafType, in: space, except: values.keptNodes)
            }
        }
        var parts: [ClusterPart] = []
        for rows in Self.split(cluster) {
            var leaves: [Int64] = []
            for column in builders.indices {
                if let values = cluster.changed(column), let builder = builders[column] {
                    leaves.append(Int64(try values.write(rows, to: builder).offset))
                } else {
                    // Columns that were removed have no leaf in a cluster that gains or loses objects.
                    leaves.append(cluster.hasOtherRows ? 0 : slots.leaf(ofColumn: column).element)
                }
            }
            let keys = cluster.keys[rows]
            let offset = parts.isEmpty ? cluster.location.keyOffset : keys.first.map { UInt64(bitPattern: $0) } ?? 0
            parts.append(try nodes.cluster(keys: keys, keyOffset: offset, leaves: leaves))
        }
        return parts
    }

    /// The rows of each cluster: full ones at the end of a table, to which objects are added; else of equal size.
    private static func split(_ cluster: ClusterChanges) -> [Range<Int>] {
        let most = Limits.clusterObjects
        let rows = cluster.keys.indices
        guard cluster.location.lastKey == .max else { return rows.evenParts(ofAtMost: most) }
        return stride(from: 0, to: rows.count, by: most).map { $0..<min($0 + most, rows.count) }
    }

    private func emptyRoot() throws(WriteError) -> Ref {
        var leaves: [Int64] = []
        for builder in builders { leaves.append(Int64(try builder?.write().offset ?? 0)) }
        return try nodes.cluster(keys: [], keyOffset: 0, leaves: leaves).ref
    }
}

extension Range<Int> {
    /// As few ranges as are needed of at most so many numbers, as many in each as in any other; none of an empty one.
    func evenParts(ofAtMost most: Int) -> [Range<Int>] {
        let parts = (count + most - 1) / most
        return (0..<parts).map { (lowerBound + count * $0 / parts)..<(lowerBound + count * ($0 + 1) / parts) }
    }
}
