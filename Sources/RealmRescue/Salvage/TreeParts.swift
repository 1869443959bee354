internal import RealmLayout
internal import RealmReader

/// A leaf of a B+tree, or what is missing of the tree.
struct TreePart {
    /// The position of its first element; nil when parts before it are missing and nothing tells how many elements they had.
    let start: Int?
    /// The leaf and its node; nil for a part that cannot be read.
    let leaf: (node: Node, values: ColumnLeaf)?
    /// Its elements; nil when nothing tells.
    let count: Int?
    let ref: Ref
    let error: FormatError?
}

extension SalvageSource {
    /// The leaves of a B+tree as far as they can be read, in their order.
    ///
    /// - Parameter isFinal: whether the nodes are taken for good; else they may be looked at again.
    func parts(ofTree root: Ref, _ type: LeafType, isFinal: Bool) -> [TreePart] {
        var walk = TreePartWalk(source: self, type: type, isFinal: isFinal)
        walk.enter(root, start: 0, count: nil, depth: 0)
        return walk.parts
    }
}

/// A walk that goes on after damage. Its depth is bounded.
private struct TreePartWalk {
    let source: SalvageSource
    let type: LeafType
    let isFinal: Bool
    var parts: [TreePart] = []

    /// - Returns: the number of elements; nil when it is not known.
    @discardableResult
    mutating func enter(_ ref: Ref, start: Int?, count: Int?, depth: Int) -> Int? {
        do throws(FormatError) {
            let node = try source.peek(ref)
            guard node.header.isInner else {
                let leaf = try source.leaf(node, type)
                try source.spend(leaf.count, bytes: node.size, at: ref)
                if isFinal { _ = try source.take(ref) }
                parts.append(
                    TreePart(start: start, leaf: (node, leaf), count: leaf.count, ref: ref, error: nil))
                return leaf.count
            }
            guard depth < Limits.treeDepth else {
                throw FormatError(.tooDeep, at: ref.offset, "the B+tree has more than \(Limits.treeDepth) levels")
            }
            guard let slots = TreeInnerSlots(try node.refs()), slots.elements.width >= 8 else {
                throw FormatError(.badTree, at: ref.offset, "\(node.summary) is not an inner node of a B+tree")
            }
            try source.spend(slots.elements.count, bytes: node.size, at: ref)
            if isFinal { _ = try source.take(ref) }
            return enterChildren(ref, slots, start: start, depth: depth)
        } catch {
            parts.append(TreePart(start: start, leaf: nil, count: count, ref: ref, error: error))
            return count
        }
    }

    private mutating func enterChildren(_ ref: Ref, _ slots: TreeInnerSlots, start: Int?, depth: Int) -> Int? {
        let children = slots.childCount
        let total = slots.total.map { Int(clamping: min($0, UInt64(Limits.nodeElements) << 16)) }
        let starts = starts(slots, children)
        var position: Int? = 0
        for index in 0..<children {
            let stated = starts(index)
            // Where what came before cannot be counted, the node says where the child begins.
            if position == nil { position = stated }
            let end = index + 1 < children ? starts(index + 1) : total
            let expected = stated.flatMap { stated in end.flatMap { $0 >= stated ? $0 - stated : nil } }
            let childStart = start.flatMap { start in position.map { start + $0 } }
            var count = expected
            if case .ref(let child) = slots.child(unchecked: index) {
                count = enter(child, start: childStart, count: expected, depth: depth + 1)
            } else {
                parts.append(
                    TreePart(
                        start: childStart, leaf: nil, count: expected, ref: ref,
                        error: FormatError(.badTree, at: ref.offset, "child \(index) of the B+tree is missing")))
            }
            position = position.flatMap { position in count.map { position + $0 } }
        }
        return position ?? total
    }

    /// Where children begin, as the node says.
    private func starts(_ slots: TreeInnerSlots, _ children: Int) -> (Int) -> Int? {
        switch slots.starts {
        case .tagged(let perChild):
            let size = Int(clamping: min(perChild, UInt64(Limits.nodeElements)))
            return { $0 * size }
        case .ref(let ref):
            do throws(FormatError) {
                let node = isFinal ? try source.take(ref) : try source.peek(ref)
                let offsets = try node.integers()
                return { index in
                    index == 0
                        ? 0 : offsets.element(at: index - 1).flatMap { $0 > 0 ? Int(clamping: min($0, 1 << 40)) : nil }
                }
            } catch {
                return { $0 == 0 ? 0 : nil }
            }
        case .empty: return { $0 == 0 ? 0 : nil }
        }
    }
}
