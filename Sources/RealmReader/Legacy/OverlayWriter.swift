internal import RealmLayout

/// Writes nodes into memory, in today's form: what a file of formats 2 to 9 lacks to be read like one of today
/// (Spec 20, 30, 40, 50).
///
/// Refs of its nodes begin at `NodeSpace.overlayStart`. Its memory is bounded by the size of the file: a hostile file can
/// ask for much more than it has bytes.
struct OverlayWriter {
    /// All nodes so far; the bytes of each number are in little-endian order.
    private(set) var words: [UInt64] = []
    /// The most words that there may be.
    private let limit: Int

    init(for space: NodeSpace) {
        let spare = 1 << 17
        limit = space.bytes.count / 8 * Limits.overlayBytesPerByte + spare
    }

    /// Appends the header of a node whose payload has `words` words.
    ///
    /// - Throws: `sharedNodes` when that is too much.
    mutating func begin(
        _ flags: UInt8, _ type: NodeHeader.WidthType, width: Int, count: Int, words room: Int
    ) throws(FormatError) -> Ref {
        guard room < limit - words.count, count <= Limits.nodeElements else {
            throw FormatError(
                .sharedNodes, "there is more to be read than the file has room for: nodes are shared or form a cycle")
        }
        let ref = Ref(NodeSpace.overlayStart + words.count * 8)
        append(NodeHeader(flags: flags, type, width: width, count: count).word)
        return ref
    }

    mutating func append(_ word: UInt64) { words.append(word.littleEndian) }
}

// Numbers.
extension OverlayWriter {
    /// Appends an array of integers in the smallest width that holds them.
    mutating func integers(_ values: [Int64], flags: UInt8 = 0) throws(FormatError) -> Ref {
        var range = ValueRange()
        for value in values { range.add(value) }
        return try packed(values, flags, .bits, width: range.width, bits: range.width)
    }

    /// Appends an array of refs and tagged integers.
    mutating func refs(_ values: [Int64]) throws(FormatError) -> Ref {
        try integers(values, flags: NodeHeader.Mask.hasRefs)
    }

    /// Appends a leaf of nullable integers.
    mutating func nullableIntegers(_ values: [Int64?]) throws(FormatError) -> Ref {
        var range = ValueRange()
        for case let value? in values { range.add(value) }
        let hasValues = values.contains { $0 != nil }
        let (width, sentinel) = NullableIntegers.form(of: hasValues ? range : nil) { values.contains($0) }
        return try packed([sentinel] + values.map { $0 ?? sentinel }, 0, .bits, width: width, bits: width)
    }

    /// Appends floats or doubles from their bits.
    mutating func bits(_ values: [Int64], bytes: Int) throws(FormatError) -> Ref {
        try packed(values, 0, .multiply, width: bytes, bits: 8 * bytes)
    }

    private mutating func packed(
        _ values: [Int64], _ flags: UInt8, _ type: NodeHeader.WidthType, width: Int, bits: Int
    ) throws(FormatError) -> Ref {
        let ref = try begin(flags, type, width: width, count: values.count, words: (values.count * bits + 63) / 64)
        guard bits > 0 else { return ref }
        let mask = UInt64.max >> UInt64(64 - bits)
        var word: UInt64 = 0
        var shift: UInt64 = 0
        for value in values {
            word |= (UInt64(bitPattern: value) & mask) << shift
            shift += UInt64(bits)
            if shift == 64 {
                append(word)
                (word, shift) = (0, 0)
            }
        }
        if shift > 0 { append(word) }
        return ref
    }
}

// Trees.
extension OverlayWriter {
    /// Part of a tree: the ref of a node, and the number of elements below it.
    struct Part {
        let ref: Ref
        let count: Int
    }

    /// The leaves of a B+tree of which `leaf` writes one after the other.
    ///
    /// - Parameters:
    ///   - elements: all elements; a leaf gets as many as those of formats 2 to 9 do.
    ///   - leaf: writes a leaf of the elements that it is given.
    static func leaves(
        of elements: Range<Int>, _ leaf: (Range<Int>) throws(FormatError) -> Ref
    ) throws(FormatError) -> [Part] {
        var leaves: [Part] = []
        for start in stride(from: elements.lowerBound, to: elements.upperBound, by: Limits.legacyLeafElements) {
            let part = start..<min(start + Limits.legacyLeafElements, elements.upperBound)
            leaves.append(Part(ref: try leaf(part), count: part.count))
        }
        return leaves
    }

    /// Appends the inner nodes of a B+tree over leaves; nil for no elements.
    mutating func tree(over leaves: [Part]) throws(FormatError) -> Ref? {
        var level = leaves.filter { $0.count > 0 }
        while level.count > 1 {
            var above: [Part] = []
            for start in stride(from: 0, to: level.count, by: Limits.legacyLeafElements) {
                let parts = level[start..<min(start + Limits.legacyLeafElements, level.count)]
                let total = parts.reduce(0) { $0 + $1.count }
                var offsets: [Int64] = []
                for part in parts.dropLast() { offsets.append((offsets.last ?? 0) + Int64(part.count)) }
                let first = try integers(offsets)
                let slots = [Int64(first.offset)] + parts.map { Int64($0.ref.offset) } + [Int64(total) << 1 | 1]
                let flags = NodeHeader.Mask.inner | NodeHeader.Mask.hasRefs
                above.append(Part(ref: try integers(slots, flags: flags), count: total))
            }
            level = above
        }
        return level.first?.ref
    }

    /// A cluster or inner node of a cluster tree, and what is to be added to the keys in it.
    struct ClusterPart {
        let ref: Ref
        let count: Int
        let keyOffset: UInt64
    }

    /// Appends the clusters of a tree with other leaves, and its inner nodes.
    ///
    /// - Parameter leaves: writes the leaves of a cluster that are new or take the place of others, by index of the column.
    mutating func clusters(
        of tree: ClusterTree,
        replacing leaves: (Cluster, inout OverlayWriter) throws(FormatError) -> [(index: Int, leaf: Ref)]
    ) throws(FormatError) -> Ref {
        var parts: [ClusterPart] = []
        var cursor = ClusterCursor(tree)
        while let cluster = try cursor.next() {
            var slots = cluster.slots.elements.elements
            for (index, leaf) in try leaves(cluster, &self) {
                while slots.count <= index + 1 { slots.append(0) }
                slots[index + 1] = Int64(leaf.offset)
            }
            parts.append(ClusterPart(ref: try refs(slots), count: cluster.count, keyOffset: cluster.keyOffset))
        }
        return try clusterTree(over: parts)
    }

    /// Appends the inner nodes of a cluster tree.
    ///
    /// - Parameter clusters: in the order of their keys.
    mutating func clusterTree(over clusters: [ClusterPart]) throws(FormatError) -> Ref {
        var level = clusters
        if level.isEmpty { level.append(ClusterPart(ref: try refs([1]), count: 0, keyOffset: 0)) }
        var depth: Int64 = 1
        while level.count > 1 || level[0].keyOffset != 0 {
            var above: [ClusterPart] = []
            for start in stride(from: 0, to: level.count, by: Limits.clusterChildren) {
                let parts = level[start..<min(start + Limits.clusterChildren, level.count)]
                // Keys below a node are relative to the node's own; the root has none.
                let base = level.count <= Limits.clusterChildren ? 0 : level[start].keyOffset
                let offsets = try integers(parts.map { Int64(bitPattern: $0.keyOffset &- base) })
                let total = parts.reduce(0) { $0 + $1.count }
                let slots =
                    [Int64(offsets.offset), depth << 1 | 1, Int64(total) << 1 | 1]
                    + parts.map { Int64($0.ref.offset) }
                let flags = NodeHeader.Mask.inner | NodeHeader.Mask.hasRefs
                above.append(ClusterPart(ref: try integers(slots, flags: flags), count: total, keyOffset: base))
            }
            level = above
            depth += 1
        }
        return level[0].ref
    }
}
