internal import RealmLayout

/// Writes nodes into memory, in today's form: what a file of formats 2 to 9 lacks to be read like one of today
/// (Spec 20, 30, 40, 50).
///
/// Refs of its nodes begin at `NodeSpace.overlayStart`. Its memory is bounded by the size of the file: a hostile file can
/// ask for much more than it has bytes.
final class OverlayWriter: NodeSink {
    /// All nodes so far; the bytes of each number are in little-endian order.
    private(set) var words: [UInt64] = []
    /// The most words that there may be.
    private let limit: Int

    init(for space: NodeSpace) {
        let spare = 1 << 17
        limit = space.bytes.count / 8 * Limits.overlayBytesPerByte + spare
    }

    /// Appends a node.
    ///
    /// - Throws: `sharedNodes` when that is too much.
    func node(
        flags: UInt8 = 0, _ type: NodeHeader.WidthType, width: Int, count: Int, payloadSize: Int,
        _ fill: (NodePayload) -> Void
    ) throws(FormatError) -> Ref {
        let room = (payloadSize + 7) / 8
        guard room < limit - words.count, count <= Limits.nodeElements else {
            throw FormatError(
                .sharedNodes, "there is more to be read than the file has room for: nodes are shared or form a cycle")
        }
        let start = words.count
        words.append(NodeHeader(flags: flags, type, width: width, count: count).word.littleEndian)
        words.append(contentsOf: repeatElement(0, count: room))
        NodePayload.fill(&words, from: start + 1, fill)
        return Ref(NodeSpace.overlayStart + start * 8)
    }

    /// Appends a leaf of nullable integers.
    func nullableIntegers(_ values: [Int64?]) throws(FormatError) -> Ref {
        let range = ValueRange(of: values.lazy.compactMap { $0 })
        let hasValues = values.contains { $0 != nil }
        let (width, sentinel) = NullableIntegers.form(of: hasValues ? range : nil) { values.contains($0) }
        return try packed([sentinel] + values.map { $0 ?? sentinel }, width: width, flags: 0)
    }

    /// Appends a B+tree of which `leaf` writes one leaf after the other.
    ///
    /// - Parameters:
    ///   - elements: all elements; a leaf gets as many as those of formats 2 to 9 do.
    ///   - leaf: writes a leaf of the elements that it is given.
    /// - Returns: the root; nil for no elements.
    func tree(
        of elements: Range<Int>, _ leaf: (Range<Int>) throws(FormatError) -> Ref
    ) throws(FormatError) -> Ref? {
        var tree = BPlusTreeWriter()
        for start in stride(from: elements.lowerBound, to: elements.upperBound, by: Limits.legacyLeafElements) {
            let part = start..<min(start + Limits.legacyLeafElements, elements.upperBound)
            tree.add(try leaf(part), count: part.count)
        }
        return try tree.end(to: self)
    }

    /// Appends the clusters of a tree with other leaves, and its inner nodes.
    ///
    /// - Parameter leaves: writes the leaves of a cluster that are new or take the place of others.
    func clusters(
        of tree: ClusterTree, replacing leaves: (Cluster) throws(FormatError) -> [(column: ColumnIndex, leaf: Ref)]
    ) throws(FormatError) -> Ref {
        var parts: [ClusterPart] = []
        var cursor = ClusterCursor(tree)
        while let cluster = try cursor.next() {
            var slots = cluster.slots.elements.elements
            for (column, leaf) in try leaves(cluster) {
                let slot = ClusterSlots.element(of: column)
                while slots.count <= slot { slots.append(0) }
                slots[slot] = Int64(leaf.offset)
            }
            parts.append(ClusterPart(ref: try refs(slots), count: cluster.count, keyOffset: cluster.keyOffset))
        }
        return try clusterTree(over: parts)
    }

    /// Appends the inner nodes of a cluster tree.
    ///
    /// - Parameter clusters: in the order of their keys.
    func clusterTree(over clusters: [ClusterPart]) throws(FormatError) -> Ref {
        guard !clusters.isEmpty else { return try cluster(keys: [], keyOffset: 0, leaves: []).ref }
        return try clusterRoot(over: clusters, depth: 1)
    }
}
