/// The leaves of a B+tree being written, kept until the inner nodes are written (Spec 40).
@usableFromInline
package struct BPlusTreeWriter {
    @usableFromInline
    struct Part {
        @usableFromInline let ref: Ref
        @usableFromInline let count: Int

        @inlinable
        init(ref: Ref, count: Int) {
            self.ref = ref
            self.count = count
        }
    }

    /// Most trees have one leaf, which needs no array.
    @usableFromInline var first: Part?
    @usableFromInline var others: [Part] = []

    /// Elements so far.
    @usableFromInline package var count = 0
    @inlinable package var isEmpty: Bool { count == 0 }

    @inlinable package init() {}

    /// Adds a leaf.
    @inlinable
    package mutating func add(_ leaf: Ref, count: Int) {
        let part = Part(ref: leaf, count: count)
        if first == nil { first = part } else { others.append(part) }
        self.count += count
    }

    /// Writes the inner nodes and resets the writer.
    ///
    /// - Parameter flags: further flags of the root, which is written last; not applied to a root that is a leaf.
    /// - Returns: the root; nil when there are no elements.
    @inlinable
    package mutating func end<Nodes: NodeSink>(to nodes: Nodes, flags: UInt8 = 0) throws(Nodes.Failure) -> Ref? {
        guard let first else { return nil }
        let others = others
        self = BPlusTreeWriter()
        if others.isEmpty { return first.ref }
        var level = [first] + others
        while level.count > 1 {
            let isLast = level.count <= Limits.treeElements
            var above: [Part] = []
            for start in stride(from: 0, to: level.count, by: Limits.treeElements) {
                let children = level[start..<min(start + Limits.treeElements, level.count)]
                above.append(try Self.inner(children, to: nodes, flags: isLast ? flags : 0))
            }
            level = above
        }
        return level[0].ref
    }

    @usableFromInline
    static func inner<Nodes: NodeSink>(
        _ children: ArraySlice<Part>, to nodes: Nodes, flags: UInt8
    ) throws(Nodes.Failure) -> Part {
        let total = children.reduce(0) { $0 + $1.count }
        let first = children[children.startIndex].count
        let isCompact =
            children.dropLast().allSatisfy { $0.count == first } && children[children.endIndex - 1].count <= first
        var slots: [Int64] = []
        slots.reserveCapacity(children.count + 2)
        if isCompact {
            slots.append(Slot.number(first).element)
        } else {
            var offsets: [UInt64] = []
            for child in children.dropLast() { offsets.append((offsets.last ?? 0) + UInt64(child.count)) }
            slots.append(Int64(try nodes.unsigned(offsets).offset))
        }
        for child in children { slots.append(Int64(child.ref.offset)) }
        slots.append(Slot.number(total).element)
        return Part(ref: try nodes.inner(slots, flags: flags), count: total)
    }
}
