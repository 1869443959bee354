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

    /// The only leaf of a tree without inner nodes, the usual collection; avoids an allocation.
    ///
    /// - Returns: nil when the root is an inner node; use `leaves` then.
    /// - Throws: errors from opening a leaf.
    package func singleLeaf(_ budget: inout WorkBudget) throws(FormatError) -> ColumnLeaf? {
        let node = try space.node(at: root)
        guard !node.header.isInner else { return nil }
        let leaf = try ColumnLeaf(node, as: type, in: space)
        try budget.spend(node, elements: leaf.count)
        return leaf
    }

    /// The object keys of a list of links with a single leaf, without the overhead of opening an arbitrary leaf.
    ///
    /// - Returns: nil when the root is an inner node; use `leaves` then.
    /// - Throws: errors from opening a node, `sharedNodes`.
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

    /// Returns the elements of a tree of plain integers: the keys of objects in an index, or the origins of backlinks.
    ///
    /// - Throws: the same errors as `leaves`.
    package static func numbers(
        at root: Ref, in space: NodeSpace, _ budget: inout WorkBudget
    ) throws(FormatError) -> [Int64] {
        var numbers: [Int64] = []
        for leaf in try BPlusTree(root: root, of: .int(nullable: false), in: space).leaves(&budget) {
            for index in 0..<leaf.count { numbers.append(leaf.int(at: index)) }
        }
        return numbers
    }

    /// Returns all leaves in order.
    ///
    /// - Throws: errors from opening nodes and leaves, `badTree` or `tooDeep` for a wrong shape, `wrongCount` when an
    ///   inner node's total differs from that of its children, `sharedNodes`.
    package func leaves(_ budget: inout WorkBudget) throws(FormatError) -> [ColumnLeaf] {
        var walk = TreeWalk(root: root, at: (), ReadTree(space: space, budget: budget))
        defer { budget = walk.policy.budget }
        var leaves: [ColumnLeaf] = []
        while let node = try walk.next(count: leaves.last?.count) {
            let leaf = try ColumnLeaf(node, as: type, in: space)
            try walk.policy.budget.spend(node, elements: leaf.count)
            leaves.append(leaf)
        }
        return leaves
    }

    /// The number of elements, from the root alone.
    package func storedCount() throws(FormatError) -> Int {
        let node = try space.node(at: root)
        return node.header.isInner ? try BPlusTreeInner(node).total : try ColumnLeaf(node, as: type, in: space).count
    }
}

/// Policy for reading a B+tree: every defect is an error.
private struct ReadTree: TreePolicy {
    typealias Failure = FormatError
    typealias Place = Void
    /// Whether the first child, and thus every child, is an inner node.
    typealias Info = Bool

    let space: NodeSpace
    var budget: WorkBudget

    func node(at ref: Ref, _ place: Void, below parent: Inner?) throws(FormatError) -> Node? {
        let node = try space.node(at: ref)
        if let parent, parent.info != node.header.isInner {
            throw FormatError(.badTree, at: parent.ref.offset, "leaves and inner nodes side by side")
        }
        return node
    }

    mutating func enter(_ node: Node, at place: Void, below parent: Inner?) throws(FormatError) -> Inner? {
        let inner = try BPlusTreeInner(node)
        try budget.spend(node, elements: inner.childCount)
        return Inner(node, inner.slots, at: place, try space.node(at: inner.child(0)).header.isInner)
    }

    func place(of index: Int, in inner: inout Inner) {}

    func note(_ fault: TreeFault, in ref: Ref, at place: Void) throws(FormatError) {
        throw BPlusTreeInner.error(fault, ref)
    }
}

/// An inner node of a B+tree (Spec 40).
package struct BPlusTreeInner {
    let node: Node
    package let slots: TreeInnerSlots
    /// Elements of the whole subtree, as stored in the node.
    let total: Int

    package init(_ node: Node) throws(FormatError) {
        guard let slots = TreeInnerSlots(try node.refs()), let total = slots.total else { throw Self.error(node) }
        self.node = node
        self.slots = slots
        self.total = Int(truncatingIfNeeded: total)
    }

    package var childCount: Int { slots.childCount }

    package func child(_ index: Int) throws(FormatError) -> Ref {
        guard case .ref(let ref) = slots.child(unchecked: index) else {
            throw Self.error(.missingChild(index), node.ref)
        }
        return ref
    }

    /// The error for a node that is not an inner node.
    package static func error(_ node: Node) -> FormatError {
        FormatError(.badTree, at: node.ref.offset, TreeFault.notInner(node, "B+tree"))
    }

    /// The error for a tree with a wrong shape.
    package static func error(_ fault: TreeFault, _ ref: Ref) -> FormatError {
        switch fault {
        case .unreadable(let error): error
        case .tooDeep:
            .tooDeep(.tree, at: ref)
        case .wrongTotal(let counted, let stated):
            FormatError(.wrongCount, at: ref.offset, "elements of the subtree: found \(counted), expected \(stated)")
        case .tooManyNodes, .missingChild:
            FormatError(.badTree, at: ref.offset, fault.words("B+tree", of: "elements"))
        }
    }
}
