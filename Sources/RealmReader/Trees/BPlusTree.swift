public import RealmLayout

/// A B+tree of values, addressed by position: lists, sets, the keys and values of dictionaries, backlinks, history
/// (Spec 40).
@usableFromInline
package struct BPlusTree: Sendable {
    package let root: Ref
    package let type: LeafType
    package let space: NodeSpace

    package init(root: Ref, of type: LeafType, in space: NodeSpace) {
        self.root = root
        self.type = type
        self.space = space
    }

    /// The only leaf of a tree without inner nodes: the usual collection, without an allocation.
    ///
    /// - Returns: nil when the root is an inner node, for which `leaves` is.
    /// - Throws: what opening a leaf throws.
    package func singleLeaf(_ budget: inout WorkBudget) throws(FormatError) -> ColumnLeaf? {
        let node = try space.node(at: root)
        guard !node.header.isInner else { return nil }
        let leaf = try ColumnLeaf(node, as: type, in: space)
        try budget.spend(node, elements: leaf.count)
        return leaf
    }

    /// The object keys of a list of links with a single leaf, without opening it as a leaf of any type.
    ///
    /// - Returns: nil when the root is an inner node, for which `leaves` is.
    /// - Throws: what opening a node throws, `sharedNodes`.
    @inlinable @inline(__always)
    package static func singleLinks(
        at root: Ref, in space: NodeSpace, _ budget: inout WorkBudget
    ) throws(FormatError) -> IntegerVector? {
        let node = try space.node(at: root)
        guard !node.header.isInner else { return nil }
        let keys = try node.integers()
        try budget.spend(node, elements: keys.count)
        return keys
    }

    /// All leaves in order.
    ///
    /// - Throws: what opening nodes and leaves throws, `badTree` or `tooDeep` for a wrong shape, `wrongCount` when an
    ///   inner node's total is not that of its children, `sharedNodes`.
    package func leaves(_ budget: inout WorkBudget) throws(FormatError) -> [ColumnLeaf] {
        var leaves: [ColumnLeaf] = []
        _ = try collect(space.node(at: root), depth: 1, &budget, &leaves)
        return leaves
    }

    /// Appends the leaves below `node` and returns the number of their elements.
    private func collect(
        _ node: Node, depth: Int, _ budget: inout WorkBudget, _ leaves: inout [ColumnLeaf]
    ) throws(FormatError) -> Int {
        guard node.header.isInner else {
            let leaf = try ColumnLeaf(node, as: type, in: space)
            try budget.spend(node, elements: leaf.count)
            leaves.append(leaf)
            return leaf.count
        }
        guard depth <= Limits.treeDepth else {
            throw FormatError(.tooDeep, at: node.ref.offset, "the B+tree has more than \(Limits.treeDepth) levels")
        }
        let inner = try BPlusTreeInner(node)
        try budget.spend(node, elements: inner.childCount)
        var total = 0
        var childrenAreInner: Bool?
        for index in 0..<inner.childCount {
            let child = try space.node(at: inner.child(index))
            guard childrenAreInner ?? child.header.isInner == child.header.isInner else {
                throw FormatError(.badTree, at: node.ref.offset, "leaves and inner nodes side by side")
            }
            childrenAreInner = child.header.isInner
            // The budget keeps sums far below an overflow.
            total &+= try collect(child, depth: depth + 1, &budget, &leaves)
        }
        guard total == inner.total else { throw node.wrongCount("elements of the subtree", total, inner.total) }
        return total
    }

    /// The number of elements, from the root alone.
    package func storedCount() throws(FormatError) -> Int {
        let node = try space.node(at: root)
        return node.header.isInner ? try BPlusTreeInner(node).total : try ColumnLeaf(node, as: type, in: space).count
    }
}

/// An inner node of a B+tree (Spec 40).
package struct BPlusTreeInner {
    let node: Node
    package let slots: TreeInnerSlots
    /// Elements of the whole subtree, as the node says.
    let total: Int

    package init(_ node: Node) throws(FormatError) {
        guard let slots = TreeInnerSlots(try node.refs()), let total = slots.total else {
            throw FormatError(.badTree, at: node.ref.offset, "\(node.summary) is not an inner node of a B+tree")
        }
        self.node = node
        self.slots = slots
        self.total = Int(truncatingIfNeeded: total)
    }

    package var childCount: Int { slots.childCount }

    package func child(_ index: Int) throws(FormatError) -> Ref {
        guard case .ref(let ref) = slots.child(unchecked: index) else {
            throw FormatError(.badTree, at: node.ref.offset, "child \(index) of the B+tree is missing")
        }
        return ref
    }
}
