internal import RealmCore
internal import RealmLayout

/// The readable leaves of a B+tree of a history, whose elements are numbered as in the whole tree.
struct HistoryTree {
    private struct Leaf {
        let start: Int
        let count: Int
        let ref: Ref
    }

    private let type: LeafType
    private let space: NodeSpace
    private var leaves: [Leaf] = []
    /// The number of elements, also of those that cannot be read.
    private(set) var total = 0
    /// The errors that were found on the way.
    private(set) var errors: [FormatError] = []

    /// Finds the leaves of a tree. Runs with a lease.
    ///
    /// - Parameter root: the root; nil for an empty tree.
    init(_ root: Ref?, of type: LeafType, in space: NodeSpace) {
        self.type = type
        self.space = space
        guard let root else { return }
        var walk = TreeWalk(root: root, at: 0, ReadableTree(space: space))
        var count: Int?
        while let node = walk.next(count: count) {
            do throws(FormatError) {
                let leaf = try ColumnLeaf(node, as: type, in: space)
                try walk.policy.budget.spend(node, elements: leaf.count)
                leaves.append(Leaf(start: walk.place, count: leaf.count, ref: node.ref))
                count = leaf.count
            } catch {
                walk.policy.errors.append(error)
                count = nil
                // Once it is spent, all that follows fails.
                if error.code == .sharedNodes { break }
            }
        }
        errors = walk.policy.errors
        let end = leaves.last.map { $0.start &+ $0.count } ?? 0
        total = max(end, errors.isEmpty ? 0 : walk.policy.total ?? 0)
    }

    /// The ranges of the readable elements, in order.
    var ranges: [Range<Int>] { leaves.map { $0.start..<max($0.start, $0.start &+ $0.count) } }

    /// Returns the leaf with an element, and its row; nil when it cannot be read. Runs with a lease.
    func leaf(of index: Int) -> (leaf: ColumnLeaf, row: Int)? {
        let next = leaves.partitioningIndex { $0.start > index }
        guard next > 0 else { return nil }
        let found = leaves[next - 1]
        guard index - found.start < found.count, let leaf = try? ColumnLeaf(at: found.ref, as: type, in: space),
            leaf.count == found.count
        else { return nil }
        return (leaf, index - found.start)
    }

    /// Returns an element of a tree of numbers; nil when it cannot be read. Runs with a lease.
    func number(at index: Int) -> Int64? { leaf(of: index).map { $0.leaf.int(at: $0.row) } }
}

/// Policy that goes on after damage, and numbers the elements as the inner nodes do.
private struct ReadableTree: TreePolicy {
    typealias Failure = Never

    struct Info {
        let perChild: UInt64?
        let offsets: IntegerVector?
    }

    let space: NodeSpace
    var budget: WorkBudget
    var errors: [FormatError] = []
    /// The number of elements according to the root.
    var total: Int?
    /// The most elements of a tree, more than any file has room for; keeps sums far from overflow.
    private static let mostElements: UInt64 = 1 << 40

    init(space: NodeSpace) {
        self.space = space
        budget = WorkBudget(for: space)
    }

    func node(at ref: Ref, _ start: Int, below parent: Inner?) throws(FormatError) -> Node? { try space.node(at: ref) }

    mutating func enter(_ node: Node, at start: Int, below parent: Inner?) throws(FormatError) -> Inner? {
        let inner = try BPlusTreeInner(node)
        try budget.spend(node, elements: inner.childCount)
        if parent == nil { total = inner.slots.total.map { Int(min($0, Self.mostElements)) } }
        var offsets: IntegerVector?
        if case .ref(let ref) = inner.slots.starts { offsets = try space.node(at: ref).integers() }
        return Inner(node, inner.slots, at: start, Info(perChild: inner.slots.starts.number, offsets: offsets))
    }

    func place(of index: Int, in inner: inout Inner) -> Int {
        guard index > 0 else { return inner.place }
        let stated =
            inner.info.perChild.map { $0.multipliedReportingOverflow(by: UInt64(index)).partialValue }
            ?? inner.info.offsets?.unsigned(at: index - 1) ?? 0
        return inner.place + Int(min(stated, Self.mostElements))
    }

    mutating func note(_ fault: TreeFault, in ref: Ref, at start: Int) {
        errors.append(BPlusTreeInner.error(fault, ref))
    }
}
