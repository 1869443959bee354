public import RealmLayout

/// Visits the leaves of a tree in order, with an explicit stack: of a B+tree (Spec 40), or of a tree of objects (Spec 50). What its
/// nodes mean, and what comes of it when one is wrong, is for the policy: a reader throws, a verifier reports and goes on, a
/// rescue notes what is missing.
///
/// Inlinable: each policy has a walk of its own, without a call of what it does not do.
@usableFromInline
package struct TreeWalk<Policy: TreePolicy> {
    @usableFromInline package var policy: Policy
    /// What is known of the node that was visited last.
    @usableFromInline package var place: Policy.Place
    @usableFromInline let root: Ref
    @usableFromInline var levels: [TreeInner<Policy>] = []
    @usableFromInline var hasBegun = false
    @usableFromInline var nodesLeft: Int
    /// Whether all leaves could be read.
    @usableFromInline package var isComplete = true

    /// - Parameter nodes: how many nodes may be visited; the policy may have a bound of its own.
    @inlinable
    package init(root: Ref, at place: Policy.Place, _ policy: Policy, nodes: Int = .max) {
        self.root = root
        self.place = place
        self.policy = policy
        nodesLeft = nodes
    }

    /// The node of the next leaf; nil after the last. `count` says how much the leaf before it held; nil for one that
    /// could not be read.
    @inlinable
    package mutating func next(count previous: Int?) throws(Policy.Failure) -> Node? {
        if hasBegun { add(previous) }
        while let ref = try nextRef() {
            nodesLeft -= 1
            guard nodesLeft >= 0 else {
                (isComplete, levels) = (false, [])
                try policy.note(.tooManyNodes, in: ref, at: place)
                return nil
            }
            var fault: TreeFault?
            do throws(FormatError) {
                if let node = try policy.node(at: ref, place, below: levels.last) {
                    guard node.header.isInner else { return node }
                    if levels.count >= Limits.treeDepth {
                        fault = .tooDeep(node)
                    } else if let inner = try policy.enter(node, at: place, below: levels.last) {
                        levels.append(inner)
                        continue
                    }
                }
            } catch { fault = .unreadable(error) }
            if let fault { try policy.note(fault, in: ref, at: place) }
            add(policy.countOfLost(place))
        }
        return nil
    }

    @inlinable
    mutating func nextRef() throws(Policy.Failure) -> Ref? {
        guard hasBegun else {
            hasBegun = true
            return root
        }
        while let top = levels.indices.last {
            let index = levels[top].next
            guard index < levels[top].childCount else {
                try leave()
                continue
            }
            levels[top].next += 1
            try policy.renew(&levels[top])
            place = policy.place(of: index, in: &levels[top])
            if let ref = levels[top].child(unchecked: index) { return ref }
            try policy.note(.missingChild(index), in: levels[top].ref, at: place)
            add(policy.countOfLost(place))
        }
        return nil
    }

    @inlinable
    mutating func leave() throws(Policy.Failure) {
        let inner = levels.removeLast()
        if let counted = inner.counted, let total = inner.total, total != UInt64(bitPattern: Int64(counted)) {
            try policy.note(.wrongTotal(counted, stated: total), in: inner.ref, at: place)
        }
        add(policy.leave(inner))
    }

    @inlinable
    mutating func add(_ count: Int?) {
        if count == nil { isComplete = false }
        guard let top = levels.indices.last else { return }
        levels[top].counted = levels[top].counted.flatMap { counted in count.map { counted &+ $0 } }
    }
}

extension TreeWalk: Sendable where Policy: Sendable, Policy.Info: Sendable, Policy.Place: Sendable {}
extension TreeInner: Sendable where Policy.Info: Sendable, Policy.Place: Sendable {}

/// An inner node on the way to the leaf at hand.
@usableFromInline
package struct TreeInner<Policy: TreePolicy> {
    @usableFromInline package let ref: Ref
    @usableFromInline package let childCount: Int
    @usableFromInline package let place: Policy.Place
    @usableFromInline package var info: Policy.Info
    /// What it says that all children together hold; nil when it is not to be compared.
    @usableFromInline let total: UInt64?
    @usableFromInline var elements: IntegerVector
    @usableFromInline let firstChild: Int
    @usableFromInline var next = 0
    /// What the children before the next one hold; nil when one of them could not be counted.
    @usableFromInline package var counted: Int? = 0

    package init(_ node: Node, _ slots: TreeInnerSlots, at place: Policy.Place, _ info: Policy.Info) {
        (ref, elements, self.place, self.info) = (node.ref, slots.elements, place, info)
        (childCount, firstChild, total) = (slots.childCount, 1, slots.total)
    }

    package init(
        _ node: Node, _ slots: RecordSlots<ClusterInnerSlot>, total: UInt64?, at place: Policy.Place,
        _ info: Policy.Info
    ) {
        (ref, elements, self.place, self.info) = (node.ref, slots.elements, place, info)
        (childCount, firstChild, self.total) = (slots.childCount, ClusterInnerSlot.firstChild.rawValue, total)
    }

    @inlinable
    func child(unchecked index: Int) -> Ref? { Slot(elements[unchecked: firstChild + index]).ref }
}

/// What a walk through a tree does at its nodes.
@usableFromInline
package protocol TreePolicy {
    /// What ends the walk; `Never` for who goes on.
    associatedtype Failure: Error
    /// What is known of a node from those above it.
    associatedtype Place
    /// What is known of an inner node beside its children.
    associatedtype Info
    typealias Inner = TreeInner<Self>

    /// Opens a node; nil for one that was noted.
    mutating func node(at ref: Ref, _ place: Place, below parent: Inner?) throws(FormatError) -> Node?

    /// Reads an inner node; nil for one that was noted.
    mutating func enter(_ node: Node, at place: Place, below parent: Inner?) throws(FormatError) -> Inner?

    /// Opens an inner node again that may have gone.
    func renew(_ inner: inout Inner) throws(Failure)

    /// What is known of a child.
    func place(of index: Int, in inner: inout Inner) -> Place

    /// Leaves an inner node, and returns how much is to be counted for it.
    mutating func leave(_ inner: Inner) -> Int?

    /// How much is to be counted for a node that cannot be read.
    func countOfLost(_ place: Place) -> Int?

    /// Called with what is wrong.
    mutating func note(_ fault: TreeFault, in ref: Ref, at place: Place) throws(Failure)
}

extension TreePolicy {
    @inlinable package func renew(_ inner: inout Inner) {}
    @inlinable package func leave(_ inner: Inner) -> Int? { inner.counted }
    @inlinable package func countOfLost(_ place: Place) -> Int? { nil }
}

/// What can be wrong with a tree.
@usableFromInline
package enum TreeFault {
    case unreadable(FormatError)
    case tooManyNodes
    case tooDeep(Node)
    case missingChild(Int)
    case wrongTotal(Int, stated: UInt64)

    /// What is to be said of it.
    ///
    /// - Parameters:
    ///   - tree: what the tree is called.
    ///   - content: what leaves hold.
    package func words(_ tree: String, of content: String) -> String {
        switch self {
        case .unreadable(let error): error.detail
        case .tooManyNodes: "the \(tree) has more nodes than the file has room for"
        case .tooDeep(let node): Self.notInner(node, tree)
        case .missingChild(let index): "child \(index) of the \(tree) is missing"
        case .wrongTotal(let counted, let stated): "the inner node counts \(stated) \(content), there are \(counted)"
        }
    }

    package static func notInner(_ node: Node, _ tree: String) -> String {
        "\(node.summary) is not an inner node of a \(tree)"
    }
}
