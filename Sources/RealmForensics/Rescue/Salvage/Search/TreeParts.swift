internal import RealmCore
internal import RealmLayout

/// A leaf of a B+tree, or a missing part of the tree.
struct TreePart {
    /// Position of its first element; nil when preceding parts are missing and their element count is unknown.
    let start: Int?
    /// The leaf and its node; nil for an unreadable part.
    let leaf: (node: Node, values: ColumnLeaf)?
    /// Number of elements; nil when unknown.
    let count: Int?
    let ref: Ref
    let error: FormatError?
}

extension SalvageSource {
    /// Returns the readable and missing parts of a B+tree, in order.
    ///
    /// - Parameter isFinal: Whether nodes are claimed; otherwise they can be read again.
    func parts(ofTree root: Ref, _ type: LeafType, isFinal: Bool) -> [TreePart] {
        var walk = TreeWalk(root: root, at: .init(start: 0), SalvagedTree(source: self, isFinal: isFinal))
        var count: Int?
        while let node = walk.next(count: count) {
            let place = walk.place
            do throws(FormatError) {
                let leaf = try leaf(node, type)
                try spend(leaf.count, bytes: node.size, at: node.ref)
                if isFinal { try take(node) }
                count = leaf.count
                walk.policy.parts.append(
                    TreePart(start: place.start, leaf: (node, leaf), count: count, ref: node.ref, error: nil))
            } catch {
                count = place.count
                walk.policy.lose(node.ref, place, error)
            }
        }
        return walk.policy.parts
    }
}

/// Policy for walking the readable part of a B+tree.
private struct SalvagedTree: TreePolicy {
    typealias Failure = Never

    struct Place {
        var start: Int?
        var count: Int?
    }

    struct Info {
        let slots: TreeInnerSlots
        let offsets: IntegerVector?

        /// Total number of elements, clamped to a plausible maximum.
        var total: Int? { slots.total.map { Int(min($0, UInt64(Limits.nodeElements) << 16)) } }

        /// Returns the position of a child according to the node.
        func start(of index: Int) -> Int? {
            guard index > 0 else { return 0 }
            if case .tagged(let perChild) = slots.starts {
                return index * Int(min(perChild, UInt64(Limits.nodeElements)))
            }
            return offsets?.element(at: index - 1).flatMap { $0 > 0 ? Int(min($0, 1 << 40)) : nil }
        }
    }

    let source: SalvageSource
    let isFinal: Bool
    var parts: [TreePart] = []

    func node(at ref: Ref, _ place: Place, below parent: Inner?) throws(FormatError) -> Node? { try source.peek(ref) }

    func enter(_ node: Node, at place: Place, below parent: Inner?) throws(FormatError) -> Inner? {
        guard let slots = TreeInnerSlots(try node.refs()), slots.elements.width >= 8 else {
            throw BPlusTreeInner.error(node)
        }
        try source.spend(slots.elements.count, bytes: node.size, at: node.ref)
        if isFinal { try source.take(node) }
        return Inner(node, slots, at: place, Info(slots: slots, offsets: offsets(slots)))
    }

    private func offsets(_ slots: TreeInnerSlots) -> IntegerVector? {
        guard case .ref(let ref) = slots.starts else { return nil }
        do throws(FormatError) { return try (isFinal ? source.take(ref) : source.peek(ref)).integers() } catch {
            return nil
        }
    }

    func place(of index: Int, in inner: inout Inner) -> Place {
        let stated = inner.info.start(of: index)
        // The node's own statement applies if the preceding elements cannot be counted.
        let position = inner.counted ?? stated
        inner.counted = position
        let end = index + 1 < inner.childCount ? inner.info.start(of: index + 1) : inner.info.total
        return Place(
            start: inner.place.start.flatMap { start in position.map { start &+ $0 } },
            count: stated.flatMap { stated in end.flatMap { $0 >= stated ? $0 - stated : nil } })
    }

    func leave(_ inner: Inner) -> Int? { inner.counted ?? inner.info.total }

    func countOfLost(_ place: Place) -> Int? { place.count }

    mutating func note(_ fault: TreeFault, in ref: Ref, at place: Place) {
        if case .wrongTotal = fault { return }
        lose(ref, place, BPlusTreeInner.error(fault, ref))
    }

    mutating func lose(_ ref: Ref, _ place: Place, _ error: FormatError) {
        parts.append(TreePart(start: place.start, leaf: nil, count: place.count, ref: ref, error: error))
    }
}
