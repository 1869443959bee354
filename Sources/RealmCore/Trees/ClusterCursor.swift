package import RealmLayout

/// Visits the clusters of a tree in key order, with an explicit stack and bounded work.
package struct ClusterCursor: Sendable {
    private var walk: TreeWalk<ReadObjects>
    /// The number of objects in the last cluster.
    private var count = 0
    private var lastKey: ObjectKey?
    private let keysAreHashes: Bool

    /// - Parameter keysAreHashes: whether the tree is a dictionary of formats 21 and 22, in which negative keys, those
    ///   of entries with hash collisions, follow all others (Spec 40).
    package init(_ tree: ClusterTree, keysAreHashes: Bool = false) {
        self.keysAreHashes = keysAreHashes
        walk = TreeWalk(root: tree.root, at: 0, ReadObjects(tree))
    }

    /// Returns the next cluster that has objects; nil after the last.
    ///
    /// - Throws: `badCluster` when keys do not ascend or depths do not descend, `sharedNodes`, `wrongCount` after the
    ///   last cluster when the number of objects differs from that in the root, and errors from opening nodes.
    package mutating func next() throws(FormatError) -> Cluster? {
        while let node = try nextNode() {
            let cluster = try Cluster(node, keyOffset: walk.place, in: walk.policy.space)
            try walk.policy.budget.spend(node, elements: cluster.count)
            guard cluster.count > 0 else { continue }
            try cluster.checkKeys()
            let (first, last) = (cluster.key(unchecked: 0), cluster.key(unchecked: cluster.count - 1))
            guard !isLess(last, first), lastKey.map({ isLess($0, first) }) ?? true else {
                throw FormatError(.badCluster, at: node.ref.offset, "object keys do not ascend from cluster to cluster")
            }
            lastKey = last
            count = cluster.count
            return cluster
        }
        return nil
    }

    /// Returns the next cluster's node. After an error nothing is counted twice, and nothing unreadable is counted.
    private mutating func nextNode() throws(FormatError) -> Node? {
        defer { count = 0 }
        return try walk.next(count: count)
    }

    private func isLess(_ left: ObjectKey, _ right: ObjectKey) -> Bool {
        keysAreHashes
            ? UInt64(bitPattern: left.value) < UInt64(bitPattern: right.value) : left < right
    }
}

/// Policy for reading a tree of objects: every defect is an error.
private struct ReadObjects: TreePolicy, Sendable {
    typealias Failure = FormatError
    typealias Info = ClusterInner

    let space: NodeSpace
    var budget: WorkBudget

    init(_ tree: ClusterTree) {
        space = tree.space
        budget = WorkBudget(for: tree.space)
    }

    func node(at ref: Ref, _ keyOffset: UInt64, below parent: Inner?) throws(FormatError) -> Node? {
        try space.node(at: ref)
    }

    mutating func enter(_ node: Node, at keyOffset: UInt64, below parent: Inner?) throws(FormatError) -> Inner? {
        let inner = try ClusterInner(node, in: space)
        try inner.checkDepth(below: parent?.info.depth)
        try budget.spend(node, elements: inner.childCount)
        // Only the root's total is compared.
        return Inner(node, inner.slots, total: parent == nil ? UInt64(inner.objectCount) : nil, at: keyOffset, inner)
    }

    func renew(_ inner: inout Inner) throws(FormatError) {
        guard space.isTransient else { return }
        inner.info = try inner.info.current(in: space)
        inner.elements = inner.info.slots.elements
    }

    func place(of index: Int, in inner: inout Inner) -> UInt64 {
        // Children are scattered in the file; loading several at once overlaps the memory stalls.
        if index % Self.childrenAhead == 0 {
            let end = min(index &+ Self.childrenAhead, inner.childCount)
            for child in index..<end {
                inner.info.loaded &+= space.word(at: inner.elements[unchecked: inner.firstChild &+ child])
            }
        }
        return inner.place &+ inner.info.keyOffset(ofChild: index)
    }

    private static var childrenAhead: Int { 16 }

    func note(_ fault: TreeFault, in ref: Ref, at keyOffset: UInt64) throws(FormatError) {
        switch fault {
        case .unreadable(let error): throw error
        case .wrongTotal(let count, let stated):
            throw FormatError(.wrongCount, at: ref.offset, "found \(count) objects, expected \(stated)")
        default: throw FormatError(.badCluster, at: ref.offset, fault.words("cluster tree", of: "objects"))
        }
    }
}
