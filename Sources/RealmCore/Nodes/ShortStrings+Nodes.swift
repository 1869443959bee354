public import RealmLayout
public import RealmStorage

extension ShortStrings {
    /// The strings of a node; nil when it is not a leaf of short strings.
    @inlinable @inline(__always)
    package init?(_ node: Node) {
        guard !node.header.isInner, !node.header.hasRefs, node.header.widthType == .multiply else { return nil }
        self.init(count: node.count, width: node.header.width, bytes: node.payload)
    }

    /// Whether all strings may be copied in whole steps, including the bytes read past the last one.
    @inlinable @inline(__always)
    package func canCopy(in space: NodeSpace) -> Bool {
        width >= 16 || (!space.gate.isClosed && bytes.extends(to: bytes.count &+ 16, in: space.bytes))
    }
}

extension BPlusTree {
    /// The strings of a list that is a single leaf of short strings, without the overhead of opening an arbitrary leaf.
    ///
    /// - Returns: nil when the tree has any other form.
    /// - Throws: errors from opening a node, `sharedNodes`.
    @inlinable @inline(__always)
    package static func singleShortStrings(
        at root: Ref, in space: NodeSpace, _ budget: inout WorkBudget
    ) throws(FormatError) -> ShortStrings? {
        let node = try space.node(at: root)
        guard let strings = ShortStrings(node) else { return nil }
        try budget.spend(node, elements: node.count)
        return strings
    }
}
