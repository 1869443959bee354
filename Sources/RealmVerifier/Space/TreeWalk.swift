internal import RealmLayout
internal import RealmReader

/// Visits the leaves of a B+tree in order and goes on after damage (K01; Spec 40).
struct TreeWalk {
    typealias Reporter = (CheckIdentifier, Ref, String) -> Void

    private struct Level {
        let ref: Ref
        let slots: TreeInnerSlots
        /// Elements a child in the compact form.
        let perChild: UInt64?
        let offsets: IntegerVector?
        var next = 0
        var counted: UInt64 = 0
        var isComplete = true

        var childCount: Int { slots.childCount }
    }

    private let scope: SnapshotScope
    private let root: Ref
    private let reporter: Reporter?
    private var levels: [Level] = []
    private var hasBegun = false
    private var leafDepth: Int?
    private var budget: Int
    /// Whether all leaves could be read.
    private(set) var isComplete = true

    init(_ scope: SnapshotScope, root: Ref, reporter: Reporter?) {
        self.scope = scope
        self.root = root
        self.reporter = reporter
        budget = scope.root.logicalSize / 8
    }

    /// The node of the next leaf; nil after the last. `count` says how many elements the leaf before it had; nil for
    /// one that could not be read.
    mutating func next(count previous: Int?) -> Node? {
        if hasBegun { add(previous) }
        while let ref = nextChild() {
            budget -= 1
            guard budget >= 0 else {
                reporter?(.workLimit, ref, "the B+tree has more nodes than the file has room for")
                isComplete = false
                levels = []
                return nil
            }
            guard let node = scope.node(ref) else {
                add(nil)
                continue
            }
            guard node.header.isInner else {
                if let leafDepth, leafDepth != levels.count {
                    report(.treeShape, ref, "the leaves of the B+tree are not equally deep")
                }
                leafDepth = levels.count
                return node
            }
            enter(node)
        }
        return nil
    }

    private func report(_ check: CheckIdentifier, _ ref: Ref, _ message: @autoclosure () -> String) {
        reporter?(check, ref, message())
    }

    private mutating func add(_ count: Int?) {
        if count == nil { isComplete = false }
        guard !levels.isEmpty else { return }
        if let count {
            levels[levels.count - 1].counted &+= UInt64(count)
        } else {
            levels[levels.count - 1].isComplete = false
        }
    }

    private mutating func nextChild() -> Ref? {
        guard hasBegun else {
            hasBegun = true
            return root
        }
        while let level = levels.last {
            guard level.next < level.childCount else {
                leave()
                continue
            }
            let index = level.next
            levels[levels.count - 1].next += 1
            if level.isComplete { checkStart(of: index, level) }
            guard case .ref(let ref) = level.slots.child(unchecked: index) else {
                report(.treeShape, level.ref, "child \(index) of the B+tree is missing")
                add(nil)
                continue
            }
            return ref
        }
        return nil
    }

    private func checkStart(of index: Int, _ level: Level) {
        guard index > 0 else { return }
        let stated =
            level.perChild.map { $0.multipliedReportingOverflow(by: UInt64(index)).partialValue }
            ?? level.offsets?.unsigned(at: index - 1)
        guard let stated, stated != level.counted else { return }
        report(
            .treeShape, level.ref,
            "child \(index) of the B+tree begins at element \(level.counted), the inner node says \(stated)")
    }

    private mutating func enter(_ node: Node) {
        guard let slots = scope.refs(node.ref).flatMap({ TreeInnerSlots($0) }), slots.total != nil,
            levels.count < Limits.treeDepth
        else {
            report(.treeShape, node.ref, "\(node.summary) is not an inner node of a B+tree")
            return add(nil)
        }
        var perChild: UInt64?
        var offsets: IntegerVector?
        switch slots.starts {
        case .tagged(let number): perChild = number
        case .ref(let ref):
            offsets = scope.integers(ref)
            if let offsets, offsets.count != slots.childCount - 1 {
                report(.treeShape, ref, "\(offsets.count) offsets for \(slots.childCount) children")
            }
        case .empty: report(.treeShape, node.ref, "the inner node has neither offsets nor elements a child")
        }
        levels.append(Level(ref: node.ref, slots: slots, perChild: perChild, offsets: offsets))
    }

    private mutating func leave() {
        let level = levels.removeLast()
        if level.isComplete, let total = level.slots.total, total != level.counted {
            report(.treeShape, level.ref, "the inner node counts \(total) elements, there are \(level.counted)")
        }
        guard !levels.isEmpty else { return }
        levels[levels.count - 1].counted &+= level.counted
        if !level.isComplete { levels[levels.count - 1].isComplete = false }
    }
}
