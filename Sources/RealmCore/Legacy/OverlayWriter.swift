internal import RealmLayout

/// Writes nodes into memory, in the current form: those that a file of formats 2 to 9 lacks (Spec 20, 30, 40, 50).
///
/// Refs of its nodes begin at `NodeSpace.overlayStart`. Its memory is bounded by the size of the file, since a hostile
/// file can require far more.
final class OverlayWriter: NodeSink {
    /// All nodes so far; the bytes of each number are in little-endian order.
    private(set) var words: [UInt64] = []
    /// The maximum number of words.
    private let limit: Int

    init(for space: NodeSpace) {
        let spare = 1 << 17
        limit = space.bytes.count / 8 * Limits.overlayBytesPerByte + spare
    }

    /// Appends a node.
    ///
    /// - Throws: `sharedNodes` when the limit is exceeded.
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

    /// Appends a B+tree whose leaves are written by `leaf` one after another.
    ///
    /// - Parameters:
    ///   - elements: all elements; leaves are as large as in formats 2 to 9.
    ///   - leaf: writes a leaf of the given elements.
    /// - Returns: the root; nil when there are no elements.
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

    /// Appends the clusters of a tree with some leaves replaced, and its inner nodes.
    ///
    /// - Parameter leaves: writes the new or replaced leaves of a cluster.
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
    /// - Parameter clusters: the clusters in key order.
    func clusterTree(over clusters: [ClusterPart]) throws(FormatError) -> Ref {
        guard !clusters.isEmpty else { return try cluster(keys: [], keyOffset: 0, leaves: []).ref }
        return try clusterRoot(over: clusters, depth: 1)
    }
}
