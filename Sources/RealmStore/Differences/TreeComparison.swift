internal import RealmCore
internal import RealmLayout

/// Traverses two versions of a table's objects in parallel, and opens only nodes that are not shared (Spec 220).
struct TreeComparison {
    private var old: Side
    private var new: Side
    private let nodes: SharedNodes
    private let rows: RowComparison
    /// Rows of the same objects in the open clusters.
    private var pairs: [RowComparison.Pair] = []
    private var result: ChangedTable

    init(_ old: ClusterTree, _ new: ClusterTree, _ nodes: SharedNodes, _ rows: RowComparison, _ result: ChangedTable) {
        self.old = Side(old)
        self.new = Side(new)
        self.nodes = nodes
        self.rows = rows
        self.result = result
    }

    /// Compares all objects.
    ///
    /// - Returns: the result with all differences.
    /// - Throws: errors of opening nodes, `badCluster`, `sharedNodes`.
    mutating func run() throws(FormatError) -> ChangedTable {
        while true {
            switch (old.cluster != nil, new.cluster != nil) {
            case (true, true): try compareRows()
            case (true, false): try Self.passRows(&old, beside: &new, to: &result.deleted)
            case (false, true): try Self.passRows(&new, beside: &old, to: &result.inserted)
            case (false, false): guard try step() else { return result }
            }
        }
    }

    /// Advances while no cluster is open.
    ///
    /// - Returns: whether anything is left.
    private mutating func step() throws(FormatError) -> Bool {
        skipShared()
        guard let left = old.next else {
            guard new.next != nil else { return false }
            try new.open()
            return true
        }
        guard let right = new.next else {
            try old.open()
            return true
        }
        if nodes.isShared(left.ref, right.ref), left.keyOffset == right.keyOffset {
            old.skip()
            new.skip()
            return true
        }
        // Opens the higher node, so that both sides reach nodes of the same height.
        let (leftLevel, rightLevel) = (try old.level(left), try new.level(right))
        if leftLevel >= rightLevel { try old.open() }
        if rightLevel >= leftLevel { try new.open() }
        return true
    }

    /// Skips children that both trees share.
    private mutating func skipShared() {
        while let left = old.next, let right = new.next, nodes.isShared(left.ref, right.ref),
            left.keyOffset == right.keyOffset
        {
            old.skip()
            new.skip()
        }
    }

    /// Compares the next rows of two open clusters.
    private mutating func compareRows() throws(FormatError) {
        guard let left = old.cluster, let right = new.cluster else { return }
        while old.row < left.count, new.row < right.count {
            let (oldKey, newKey) = (left.key(unchecked: old.row), right.key(unchecked: new.row))
            if oldKey == newKey {
                pairs.append(RowComparison.Pair(old: old.row, new: new.row))
                old.row += 1
                new.row += 1
            } else if UInt64(bitPattern: oldKey.value) < UInt64(bitPattern: newKey.value) {
                result.deleted.append(oldKey)
                old.row += 1
            } else {
                result.inserted.append(newKey)
                new.row += 1
            }
        }
        try rows.compare(left, right, pairs, &result.modified)
        pairs = []
        if old.row >= left.count { old.cluster = nil }
        if new.row >= right.count { new.cluster = nil }
    }

    /// Skips rows that only this side has, until the other side may have one.
    private static func passRows(
        _ side: inout Side, beside other: inout Side, to keys: inout [ObjectKey]
    ) throws(FormatError) {
        guard let cluster = side.cluster else { return }
        while side.row < cluster.count {
            let key = cluster.key(unchecked: side.row)
            if let next = other.next, UInt64(bitPattern: key.value) >= next.keyOffset {
                try other.open()
                return
            }
            keys.append(key)
            side.row += 1
        }
        side.cluster = nil
    }
}

extension TreeComparison {
    /// A position in one of the trees.
    private struct Side {
        /// A node to visit, and the offset of its keys.
        struct Next {
            let ref: Ref
            let keyOffset: UInt64
        }

        private struct Parent {
            let inner: ClusterInner
            let keyOffset: UInt64
            var index = 0
        }

        private let space: NodeSpace
        private var budget: WorkBudget
        private var parents: [Parent] = []
        private var lastKey: UInt64?
        /// The next node; nil after the last.
        private(set) var next: Next?
        /// The cluster whose rows are being compared.
        var cluster: Cluster?
        /// The next row of that cluster.
        var row = 0

        init(_ tree: ClusterTree) {
            space = tree.space
            budget = WorkBudget(for: tree.space)
            next = Next(ref: tree.root, keyOffset: 0)
        }

        /// Skips the next node.
        mutating func skip() {
            while let last = parents.indices.last {
                parents[last].index += 1
                let parent = parents[last]
                // A missing child is reported when it is opened: there is nothing at its ref.
                if parent.index < parent.inner.childCount {
                    next = Self.child(of: parent)
                    return
                }
                parents.removeLast()
            }
            next = nil
        }

        private static func child(of parent: Parent) -> Next {
            let slot = parent.inner.slots.child(unchecked: parent.index)
            return Next(
                ref: slot.ref ?? Ref(0), keyOffset: parent.keyOffset &+ parent.inner.keyOffset(ofChild: parent.index))
        }

        /// The number of levels of inner nodes from a node down.
        func level(_ next: Next) throws(FormatError) -> Int {
            let node = try space.node(at: next.ref)
            return node.header.isInner ? try ClusterInner(node, in: space).depth : 0
        }

        /// Descends below the next node, or opens it if it is a cluster.
        mutating func open() throws(FormatError) {
            guard let next else { return }
            let node = try space.node(at: next.ref)
            if node.header.isInner {
                let inner = try ClusterInner(node, in: space)
                try inner.checkDepth(below: parents.last?.inner.depth)
                try budget.spend(node, elements: inner.childCount)
                let parent = Parent(inner: inner, keyOffset: next.keyOffset)
                parents.append(parent)
                self.next = Self.child(of: parent)
                return
            }
            let cluster = try Cluster(node, keyOffset: next.keyOffset, in: space)
            try budget.spend(node, elements: cluster.count)
            try cluster.checkKeys()
            skip()
            guard cluster.count > 0 else { return }
            let first = UInt64(bitPattern: cluster.key(unchecked: 0).value)
            guard lastKey.map({ $0 < first }) ?? true else {
                throw FormatError(.badCluster, at: node.ref.offset, "object keys do not ascend from cluster to cluster")
            }
            lastKey = UInt64(bitPattern: cluster.key(unchecked: cluster.count - 1).value)
            self.cluster = cluster
            row = 0
        }
    }
}

/// Decides whether two snapshots share nodes.
struct SharedNodes {
    /// Whether equal refs into memory refer to the same node.
    private let hasSameOverlay: Bool
    /// Whether equal refs into the file refer to the same node; false if it was compacted in between.
    private let hasSameFile: Bool

    init(_ old: Snapshot, _ new: Snapshot) {
        hasSameOverlay = old.space.hasSameOverlay(as: new.space)
        hasSameFile = new.isSameDatabase(as: old)
    }

    /// Whether two refs refer to the same node, and so to the same nodes below it: nodes that a snapshot needs are
    /// never overwritten.
    func isShared(_ old: Ref, _ new: Ref) -> Bool {
        old == new && (old.offset < NodeSpace.overlayStart ? hasSameFile : hasSameOverlay)
    }

    /// Whether two elements that may be refs are the same.
    func isShared(element old: Int64, _ new: Int64) -> Bool {
        old == new && (old & 1 == 1 || old == 0 || (old < NodeSpace.overlayStart ? hasSameFile : hasSameOverlay))
    }
}
