internal import RealmCore
internal import RealmLayout

/// Writes all clusters of a tree with leaves for new columns, and without those of removed columns (Spec 220). Objects,
/// their keys and all other leaves stay where they are.
struct ColumnRewrite {
    private let tree: ClusterTree
    private let nodes: NodeOutput
    /// The fillings of new columns, by column index; nil for columns that stay, and for unused indexes.
    private var fillings: [(filling: ColumnFilling, builder: LeafBuilder)?]
    private let removed: [ColumnIndex]
    private let isUsed: [Bool]
    private var budget: WorkBudget
    private var released = FreedNodes()

    init(_ table: TableEdit, _ tree: ClusterTree, _ nodes: NodeOutput) {
        self.tree = tree
        self.nodes = nodes
        removed = table.removedIndexes.inOrder()
        budget = WorkBudget(for: tree.space)
        let count = table.columnCount
        var isUsed = [Bool](repeating: false, count: count)
        fillings = [(filling: ColumnFilling, builder: LeafBuilder)?](repeating: nil, count: count)
        for column in table.columns {
            isUsed[column: column.record.index] = true
            guard let filling = column.filling else { continue }
            fillings[column: column.record.index] = (filling, LeafBuilder(column.column.leafType, nodes))
        }
        self.isUsed = isUsed
    }

    /// Writes the tree.
    ///
    /// - Parameter released: receives the nodes that are no longer used.
    /// - Returns: the root.
    mutating func write(_ released: inout FreedNodes) throws -> Ref {
        self.released = released
        let root = try write(tree.root, keyOffset: 0, below: nil)
        released = self.released
        return root
    }

    private mutating func write(_ ref: Ref, keyOffset: UInt64, below depth: Int?) throws -> Ref {
        let space = tree.space
        let node = try space.node(at: ref)
        try budget.spend(node, elements: node.count)
        released.add(node)
        guard node.header.isInner else { return try writeCluster(node, keyOffset) }
        let inner = try ClusterInner(node, in: space)
        try inner.checkDepth(below: depth)
        var slots = (0..<inner.slots.count).map { inner.slots.elements[unchecked: $0] }
        for index in 0..<inner.childCount {
            let child = try inner.child(index)
            let new = try write(child, keyOffset: keyOffset &+ inner.keyOffset(ofChild: index), below: inner.depth)
            slots[ClusterInnerSlot.firstChild.rawValue + index] = Int64(new.offset)
        }
        return try nodes.inner(slots)
    }

    private mutating func writeCluster(_ node: Node, _ keyOffset: UInt64) throws -> Ref {
        let space = tree.space
        let cluster = try Cluster(node, keyOffset: keyOffset, in: space)
        try cluster.checkKeys()
        let old = ClusterSlots(node.elements)
        var slots = [old.keys.element]
        for index in fillings.indices {
            if let (filling, builder) = fillings[index] {
                let values = try filling(cluster)
                slots.append(Int64(try values.write(0..<cluster.count, to: builder).offset))
            } else {
                slots.append(isUsed[index] ? old.leaf(of: ColumnIndex(index)).element : 0)
            }
        }
        for column in removed {
            if let leaf = old.leaf(of: column).ref { try released.add(everythingBelow: leaf, in: space) }
        }
        return try nodes.refs(slots)
    }
}

extension FreedNodes {
    /// Releases a node and all nodes below it, at any depth.
    ///
    /// - Throws: errors of opening nodes; `sharedNodes` for more nodes than fit in the file.
    mutating func add(everythingBelow root: Ref, in space: NodeSpace) throws(FormatError) {
        var budget = WorkBudget(for: space)
        var pending = [root]
        while let ref = pending.popLast() {
            let node = try space.node(at: ref)
            try budget.spend(node, elements: node.header.hasRefs ? node.count : 0)
            add(node)
            guard node.header.hasRefs else { continue }
            let elements = try node.integers()
            for index in 0..<elements.count {
                if let child = Slot(elements[unchecked: index]).ref { pending.append(child) }
            }
        }
    }
}
