internal import RealmLayout
internal import RealmReader

/// Writes a search index from sorted entries, front to back: at any time only the nodes are open on the way to the value that
/// comes next (Spec 80).
struct IndexWriter {
    private static let flags = NodeHeader.Mask.hasRefs | NodeHeader.Mask.context
    private static let mostChunksInNode = 1000

    private let nodes: NodeOutput
    private var levels: [OpenNode] = [OpenNode()]

    init(_ nodes: NodeOutput) { self.nodes = nodes }

    /// A node, or several beside each other, of which the last is being filled.
    private struct OpenNode {
        var chunks: [Int64] = []
        var slots: [Int64] = []
        var full: [(lastChunk: Int64, ref: Ref)] = []
    }

    /// Writes the index.
    ///
    /// - Parameters:
    ///   - entries: sorted.
    ///   - duplicate: makes the error that two objects with the same value are; nil where they are none.
    /// - Returns: its root.
    mutating func write(
        _ entries: IndexEntries, duplicate: ((ObjectKey, ObjectKey) -> Misfit)? = nil
    ) throws(WriteError) -> Ref {
        let objects = PlainArray<Int64>(in: nodes.folder)
        var before = 0
        var isAtEnd = try !entries.advance()
        while !isAtEnd {
            objects.removeAll()
            objects.append(entries.current.object)
            var after = 0
            var areLong = false
            while true {
                isAtEnd = try !entries.advance()
                if isAtEnd { break }
                guard let common = entries.commonChunks(entries.previous, entries.current) else {
                    if !entries.haveSameBytes(entries.previous, entries.current) {
                        areLong = true
                    } else if let duplicate {
                        throw .misfit(duplicate(ObjectKey(entries.previous.object), ObjectKey(entries.current.object)))
                    }
                    objects.append(entries.current.object)
                    continue
                }
                after = common
                break
            }
            // All with one value have the same chunks.
            let entry = entries.previous
            var depth = max(before, after)
            // Different values share a list only where there are no more levels.
            if areLong { depth = IndexEntries.mostChunks - 1 }
            if entries.hasWords { depth = max(depth, entries.wordChunkCount(entry) - 1) }
            let slot = try slot(of: objects)
            while levels.count <= depth { levels.append(OpenNode()) }
            try push(entries.chunk(entry, depth), slot, at: depth)
            while levels.count - 1 > after {
                let ref = try closed(levels.removeLast())
                try push(entries.chunk(entry, levels.count - 1), Int64(ref.offset), at: levels.count - 1)
            }
            before = after
        }
        return try closed(levels[0])
    }

    /// What stands for the objects with one value: the only one, or a list.
    private func slot(of objects: PlainArray<Int64>) throws(WriteError) -> Int64 {
        if objects.count == 1 { return objects[0] << 1 | 1 }
        return Int64(try nodes.list(of: objects).offset)
    }

    private mutating func push(_ chunk: Int32, _ slot: Int64, at level: Int) throws(WriteError) {
        if levels[level].chunks.count == Self.mostChunksInNode {
            let node = levels[level]
            levels[level].full.append(try leaf(node))
            levels[level].chunks.removeAll(keepingCapacity: true)
            levels[level].slots.removeAll(keepingCapacity: true)
        }
        levels[level].chunks.append(Int64(chunk))
        levels[level].slots.append(slot)
    }

    private func leaf(_ node: OpenNode) throws(WriteError) -> (lastChunk: Int64, ref: Ref) {
        (node.chunks.last ?? 0, try written(node.chunks, node.slots, flags: Self.flags))
    }

    private func written(_ chunks: [Int64], _ slots: [Int64], flags: UInt8) throws(WriteError) -> Ref {
        let first = try nodes.packed(chunks, width: 32, flags: 0)
        return try nodes.integers([Int64(first.offset)] + slots, flags: flags)
    }

    private func closed(_ node: OpenNode) throws(WriteError) -> Ref {
        var level = node.full
        if !node.chunks.isEmpty || level.isEmpty { level.append(try leaf(node)) }
        while level.count > 1 {
            var above: [(lastChunk: Int64, ref: Ref)] = []
            for start in stride(from: 0, to: level.count, by: Self.mostChunksInNode) {
                let children = level[start..<min(start + Self.mostChunksInNode, level.count)]
                let ref = try written(
                    children.map(\.lastChunk), children.map { Int64($0.ref.offset) },
                    flags: Self.flags | NodeHeader.Mask.inner)
                above.append((children[children.endIndex - 1].lastChunk, ref))
            }
            level = above
        }
        return level[0].ref
    }
}
