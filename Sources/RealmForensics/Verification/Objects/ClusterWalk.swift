internal import RealmCore
package import RealmLayout

/// A leaf of a cluster tree, as far as it is readable (Spec 50).
package struct ClusterView {
    package let ref: Ref
    package let count: Int
    /// The offset of relative keys, modulo 2^64.
    let keyOffset: UInt64
    /// The relative keys; nil in the compact form, in which they are 0, 1, 2, ….
    let keys: IntegerVector?
    let slots: ClusterSlots

    /// The key of the object in `row`; meaningless for rows that do not exist.
    package func key(_ row: Int) -> ObjectKey {
        let relative = keys.map { $0.unsigned(at: row) ?? 0 } ?? UInt64(row)
        return ObjectKey(Int64(bitPattern: keyOffset &+ relative))
    }

    /// The ref of a column's leaf.
    func leaf(_ column: ColumnIndex) -> Ref? { slots.leaf(of: column).ref }

    /// The row of the object with that key.
    func row(of key: ObjectKey) -> Int? {
        let relative = UInt64(bitPattern: key.value) &- keyOffset
        guard let keys else { return relative < UInt64(count) ? Int(relative) : nil }
        guard let row = keys.lastIndex(unsignedAtMost: relative), keys.unsigned(unchecked: row) == relative else {
            return nil
        }
        return row
    }

    /// Reads the cluster in a node without the inner flag.
    ///
    /// - Returns: nil when it has no readable keys.
    static func read(_ node: Node, keyOffset: UInt64, _ scope: SnapshotScope) -> ClusterView? {
        guard let elements = scope.refs(node.ref), elements.count > 0 else { return nil }
        let slots = ClusterSlots(elements)
        switch slots.keys {
        case .empty:
            return ClusterView(ref: node.ref, count: 0, keyOffset: keyOffset, keys: nil, slots: slots)
        case .tagged(let number):
            guard number <= UInt64(Limits.nodeElements) else { return nil }
            return ClusterView(ref: node.ref, count: Int(number), keyOffset: keyOffset, keys: nil, slots: slots)
        case .ref(let ref):
            guard let keys = scope.integers(ref) else { return nil }
            return ClusterView(ref: node.ref, count: keys.count, keyOffset: keyOffset, keys: keys, slots: slots)
        }
    }
}

/// Visits the clusters of a tree in key order and continues after damage (C; Spec 50).
package struct ClusterWalk {
    /// Receives findings.
    package typealias Reporter = (CheckIdentifier, Ref, String) -> Void

    private let scope: SnapshotScope
    private let reporter: Reporter?
    private var walk: TreeWalk<ReportedObjects>
    /// The number of objects of the last cluster; nil when it was unreadable.
    private var count: Int?
    /// The number of objects in visited clusters.
    private(set) var visitedCount = 0
    /// Whether all clusters could be read.
    var isComplete: Bool { walk.isComplete }
    /// The number of objects according to the root.
    var storedCount: Int? { walk.policy.storedCount }
    /// Whether some key offsets were unreadable, so that keys are wrong.
    var lacksOffsets: Bool { walk.policy.lacksOffsets }

    package init(_ scope: SnapshotScope, root: Ref, shift: Int = ClusterWalk.usualShift, reporter: Reporter? = nil) {
        self.scope = scope
        self.reporter = reporter
        // A node takes at least eight bytes. The limit prevents visiting shared nodes over and over.
        walk = TreeWalk(
            root: root, at: ReportedObjects.Place(keyOffset: 0, limit: nil), ReportedObjects(scope, shift, reporter),
            nodes: scope.root.logicalSize / 8)
    }

    /// Release builds have 256 children per node.
    static let usualShift = 8
    /// Test builds of Realm Core have four.
    static let testShift = 2

    /// The next cluster, possibly empty; nil at the end.
    package mutating func next() -> ClusterView? {
        while let node = walk.next(count: count) {
            guard let view = ClusterView.read(node, keyOffset: walk.place.keyOffset, scope) else {
                count = nil
                if !scope.hasUnsoundParts(node) {
                    reporter?(
                        .clusterShape, node.ref, "\(node.summary) is not a cluster: its object keys cannot be read")
                }
                continue
            }
            checkKeys(view, walk.place.limit)
            count = view.count
            visitedCount += view.count
            walk.policy.storedCount = storedCount ?? view.count
            return view
        }
        return nil
    }

    private func checkKeys(_ view: ClusterView, _ limit: UInt64?) {
        guard let reporter, view.count > 0 else { return }
        if let keys = view.keys {
            for row in 1..<max(1, view.count)
            where keys.unsigned(unchecked: row - 1) >= keys.unsigned(unchecked: row) {
                reporter(.keyOrder, view.ref, "object keys do not ascend at row \(row)")
                break
            }
        }
        let last = view.keys.map { $0.unsigned(unchecked: view.count - 1) } ?? UInt64(view.count - 1)
        if let limit, last >= limit {
            reporter(.keyOrder, view.ref, "the object \(view.key(view.count - 1)) belongs to the next sibling")
        }
        let (_, overflows) = view.keyOffset.addingReportingOverflow(last)
        if overflows { reporter(.keyOrder, view.ref, "object keys exceed 64 bits") }
    }
}

/// Tree policy that reports every fault in a tree of objects.
private struct ReportedObjects: TreePolicy {
    typealias Failure = Never

    struct Place {
        /// The offset of relative keys, modulo 2^64.
        let keyOffset: UInt64
        /// Upper bound of the keys below the node, relative to the node; nil when unbounded.
        let limit: UInt64?
    }

    struct Info {
        let offsets: IntegerVector?
        let depth: Int
    }

    private let scope: SnapshotScope
    /// The number of bits by which compact keys are shifted per level.
    private let shift: Int
    private let reporter: ClusterWalk.Reporter?
    var storedCount: Int?
    private(set) var lacksOffsets = false

    init(_ scope: SnapshotScope, _ shift: Int, _ reporter: ClusterWalk.Reporter?) {
        self.scope = scope
        self.shift = shift
        self.reporter = reporter
    }

    private func report(_ check: CheckIdentifier, _ ref: Ref, _ message: @autoclosure () -> String) {
        reporter?(check, ref, message())
    }

    func node(at ref: Ref, _ place: Place, below parent: Inner?) -> Node? {
        guard let node = scope.node(ref) else { return nil }
        if let parent, parent.info.depth != 1, !node.header.isInner {
            report(.clusterTree, ref, "objects where an inner node of depth \(parent.info.depth - 1) should be")
        }
        return node
    }

    mutating func enter(_ node: Node, at place: Place, below parent: Inner?) -> Inner? {
        guard let slots = scope.record(node.ref, of: ClusterInnerSlot.self), slots.childCount > 0,
            let depth = slots.number(.depth), let count = slots.number(.objectCount), depth >= 1,
            depth <= UInt64(Limits.treeDepth)
        else {
            report(.clusterTree, node.ref, TreeFault.notInner(node, "tree of objects"))
            return nil
        }
        if let parent, parent.info.depth != Int(depth) + 1 {
            report(.clusterTree, node.ref, "an inner node of depth \(depth) below one of depth \(parent.info.depth)")
        }
        var offsets: IntegerVector?
        switch slots[.keyOffsets] {
        case .empty: break
        case .tagged: report(.clusterTree, node.ref, "a number where the key offsets should be")
        case .ref(let ref): offsets = keyOffsets(ref, node, slots.childCount, place.limit)
        }
        if parent == nil { storedCount = Int(clamping: count) }
        if slots.childCount > Limits.clusterChildren {
            report(.clusterTree, node.ref, "an inner node with \(slots.childCount) children")
        }
        return Inner(node, slots, total: count, at: place, Info(offsets: offsets, depth: Int(depth)))
    }

    private mutating func keyOffsets(_ ref: Ref, _ node: Node, _ children: Int, _ limit: UInt64?) -> IntegerVector? {
        guard let offsets = scope.integers(ref) else {
            lacksOffsets = true
            return nil
        }
        guard offsets.count == children else {
            report(.clusterTree, node.ref, "\(offsets.count) key offsets for \(children) children")
            return offsets
        }
        for index in 1..<max(1, children)
        where offsets.unsigned(unchecked: index - 1) >= offsets.unsigned(unchecked: index) {
            report(.keyOrder, ref, "the key offsets of the children do not ascend")
            return offsets
        }
        if let limit, offsets.unsigned(unchecked: children - 1) >= limit {
            report(.keyOrder, ref, "the keys of the last child belong to the next sibling")
        }
        return offsets
    }

    func place(of index: Int, in inner: inout Inner) -> Place {
        let (offsets, bits) = (inner.info.offsets, UInt64(shift * inner.info.depth))
        func offset(_ index: Int) -> UInt64 { offsets.map { $0.unsigned(at: index) ?? 0 } ?? UInt64(index) << bits }
        let start = offset(index)
        let end = index + 1 < inner.childCount ? offset(index + 1) : inner.place.limit
        return Place(keyOffset: inner.place.keyOffset &+ start, limit: end.map { $0 &- start })
    }

    func note(_ fault: TreeFault, in ref: Ref, at place: Place) {
        let isLimit = if case .tooManyNodes = fault { true } else { false }
        report(isLimit ? .workLimit : .clusterTree, ref, fault.words("tree of objects", of: "objects"))
    }
}

extension ClusterWalk {
    /// The number of bits by which the keys of a tree are shifted per level. The file does not state it; full nodes
    /// with four children indicate the shift of test builds.
    package static func shift(of root: Ref?, _ scope: SnapshotScope) -> Int {
        var ref = root
        for _ in 0..<Limits.treeDepth {
            guard let current = ref, let node = scope.node(current), node.header.isInner,
                let slots = scope.record(current, of: ClusterInnerSlot.self), slots.childCount > 1,
                let depth = slots.number(.depth)
            else { return usualShift }
            let children = (0..<slots.childCount).map { slots.child(unchecked: $0) }
            if depth == 1 {
                return slots[.keyOffsets] == .empty && areFullWithFour(children, scope) ? testShift : usualShift
            }
            if case .ref(let first) = children[0] { ref = first } else { return usualShift }
        }
        return usualShift
    }

    private static func areFullWithFour(_ children: [Slot], _ scope: SnapshotScope) -> Bool {
        guard children.count <= 4 else { return false }
        for (index, child) in children.enumerated() {
            guard case .ref(let ref) = child, let node = scope.node(ref),
                let view = ClusterView.read(node, keyOffset: 0, scope), view.keys == nil
            else { return false }
            guard view.count == 4 || (index == children.count - 1 && view.count < 4) else { return false }
        }
        return true
    }
}
