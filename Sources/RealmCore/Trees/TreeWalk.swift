public import RealmLayout

/// Visits the leaves of a tree in order, with an explicit stack: a B+tree (Spec 40) or a tree of objects (Spec 50). The
/// policy interprets nodes and handles defects: a reader throws, the verifier reports and continues, salvage records
/// missing parts.
///
/// Inlinable, so that each policy gets a specialised walk without calls to its empty hooks.
@usableFromInline
package struct TreeWalk<Policy: TreePolicy> {
    @usableFromInline package var policy: Policy
    /// The policy's data about the node visited last.
    @usableFromInline package var place: Policy.Place
    @usableFromInline let root: Ref
    @usableFromInline var levels: [TreeInner<Policy>] = []
    @usableFromInline var hasBegun = false
    @usableFromInline var nodesLeft: Int
    /// Whether all leaves could be read.
    @usableFromInline package var isComplete = true

    /// - Parameter nodes: the maximum number of nodes to visit; the policy may have a limit of its own.
    @inlinable
    package init(root: Ref, at place: Policy.Place, _ policy: Policy, nodes: Int = .max) {
        self.root = root
        self.place = place
        self.policy = policy
        nodesLeft = nodes
    }

    /// Returns the node of the next leaf; nil after the last. `count` is the number of elements in the previous leaf,
    /// or nil if it could not be read.
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

/// An inner node on the path to the current leaf.
@usableFromInline
package struct TreeInner<Policy: TreePolicy> {
    @usableFromInline package let ref: Ref
    @usableFromInline package let childCount: Int
    @usableFromInline package let place: Policy.Place
    @usableFromInline package var info: Policy.Info
    /// The stored total of all children; nil when it is not compared.
    @usableFromInline let total: UInt64?
    @usableFromInline var elements: IntegerVector
    @usableFromInline let firstChild: Int
    @usableFromInline var next = 0
    /// The number of elements in the children before the next one; nil when one of them could not be counted.
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

/// The behaviour of a tree walk at its nodes.
@usableFromInline
package protocol TreePolicy {
    /// Error that aborts the walk; `Never` for policies that continue.
    associatedtype Failure: Error
    /// Data about a node that is known from its ancestors.
    associatedtype Place
    /// Data about an inner node besides its children.
    associatedtype Info
    typealias Inner = TreeInner<Self>

    /// Opens a node; returns nil if it was skipped with a note.
    mutating func node(at ref: Ref, _ place: Place, below parent: Inner?) throws(FormatError) -> Node?

    /// Reads an inner node; returns nil if it was skipped with a note.
    mutating func enter(_ node: Node, at place: Place, below parent: Inner?) throws(FormatError) -> Inner?

    /// Reopens an inner node that may have been evicted.
    func renew(_ inner: inout Inner) throws(Failure)

    /// Returns the data about a child.
    func place(of index: Int, in inner: inout Inner) -> Place

    /// Leaves an inner node, and returns the count to add for it.
    mutating func leave(_ inner: Inner) -> Int?

    /// Returns the count to add for an unreadable node.
    func countOfLost(_ place: Place) -> Int?

    /// Handles a fault.
    mutating func note(_ fault: TreeFault, in ref: Ref, at place: Place) throws(Failure)
}

extension TreePolicy {
    @inlinable package func renew(_ inner: inout Inner) {}
    @inlinable package func leave(_ inner: Inner) -> Int? { inner.counted }
    @inlinable package func countOfLost(_ place: Place) -> Int? { nil }
}

/// A defect in a tree.
@usableFromInline
package enum TreeFault {
    case unreadable(FormatError)
    case tooManyNodes
    case tooDeep(Node)
    case missingChild(Int)
    case wrongTotal(Int, stated: UInt64)

    /// Describes the fault.
    ///
    /// - Parameters:
    ///   - tree: the name of the kind of tree.
    ///   - content: a noun for the elements of leaves.
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
