/// A written cluster, or inner node of a cluster tree (Spec 50).
@usableFromInline
package struct ClusterPart {
    @usableFromInline package let ref: Ref
    /// The number of objects below it.
    @usableFromInline package let count: Int
    /// The number added to the keys in it.
    @usableFromInline package let keyOffset: UInt64

    @inlinable
    package init(ref: Ref, count: Int, keyOffset: UInt64) {
        self.ref = ref
        self.count = count
        self.keyOffset = keyOffset
    }
}

extension NodeSink {
    /// Appends a cluster.
    ///
    /// - Parameters:
    ///   - keys: the keys of the objects, ascending.
    ///   - keyOffset: the number added to the keys in the cluster.
    ///   - leaves: the leaf of each column index, or 0.
    @inlinable
    package func cluster(
        keys: some RandomAccessCollection<Int64>, keyOffset: UInt64, leaves: [Int64]
    ) throws(Failure) -> ClusterPart {
        var slots: [Int64] = [0]
        slots += leaves
        let count = keys.count
        let first = keys.first.map { UInt64(bitPattern: $0) } ?? keyOffset
        let last = keys.last.map { UInt64(bitPattern: $0) } ?? keyOffset
        if first == keyOffset, count == 0 || last &- first == UInt64(count - 1) {
            slots[0] = Slot.number(count).element
        } else {
            slots[0] = Int64(try unsigned(keys.map { UInt64(bitPattern: $0) &- keyOffset }).offset)
        }
        return ClusterPart(ref: try refs(slots), count: count, keyOffset: keyOffset)
    }

    /// Appends an inner node over clusters, or over inner nodes one level lower.
    ///
    /// - Parameters:
    ///   - children: 1 to 256 children, in key order.
    ///   - isRoot: whether the keys below the node are absolute; otherwise the node gets the key offset of the first
    ///     child.
    package func clusterInner(
        _ children: ArraySlice<ClusterPart>, depth: Int, isRoot: Bool = false
    ) throws(Failure) -> ClusterPart {
        let base = isRoot ? 0 : children[children.startIndex].keyOffset
        let total = children.reduce(0) { $0 + $1.count }
        let offsets = children.map { $0.keyOffset &- base }
        let isCompact =
            depth < 8 && offsets.enumerated().allSatisfy { $0.element == UInt64($0.offset) << UInt64(8 * depth) }
        var slots: [Int64] = [0, Slot.number(depth).element, Slot.number(total).element]
        if !isCompact { slots[0] = Int64(try unsigned(offsets).offset) }
        for child in children { slots.append(Int64(child.ref.offset)) }
        return ClusterPart(ref: try inner(slots), count: total, keyOffset: base)
    }

    /// Appends inner nodes until one root remains.
    ///
    /// - Parameters:
    ///   - parts: at least one, in key order.
    ///   - depth: the depth of the inner nodes over the parts: 1 over clusters.
    package func clusterRoot(over parts: [ClusterPart], depth: Int) throws(Failure) -> Ref {
        var (level, depth) = (parts, depth)
        while level.count > 1 || level[0].keyOffset != 0 {
            let isRoot = level.count <= Limits.clusterChildren
            var above: [ClusterPart] = []
            for start in stride(from: 0, to: level.count, by: Limits.clusterChildren) {
                let children = level[start..<min(start + Limits.clusterChildren, level.count)]
                above.append(try clusterInner(children, depth: depth, isRoot: isRoot))
            }
            level = above
            depth += 1
        }
        return level[0].ref
    }
}
