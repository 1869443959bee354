internal import RealmLayout

/// Writes a search index from sorted entries, front to back. Only the nodes on the path to the next value are open at
/// any time (Spec 80).
final class IndexWriter {
    private let nodes: NodeOutput
    /// The open nodes, root first, followed by previously used ones for reuse.
    private let levels = OwnedObjects<OpenNode>()
    private var depth = 0

    init(_ nodes: NodeOutput) { self.nodes = nodes }

    /// A node being filled, with completed siblings to its left.
    private final class OpenNode {
        let chunks = UnsharedArray<Int64>()
        /// The slots. The first one is reserved for the ref of the chunks.
        let slots = UnsharedArray<Int64>()
        var full: [IndexPart] = []

        init() { slots.append(0) }

        func removeAll() {
            chunks.removeAll()
            slots.removeLast(slots.count - 1)
        }
    }

    /// Opens nodes until `wanted` are open.
    @inline(__always)
    private func open(_ wanted: Int) {
        if levels.count < wanted { addLevels(wanted) }
        if depth < wanted { depth = wanted }
    }

    @inline(never)
    private func addLevels(_ wanted: Int) {
        while levels.count < wanted { levels.append(OpenNode()) }
    }

    /// Writes the index.
    ///
    /// - Parameters:
    ///   - entries: The sorted entries.
    ///   - duplicate: Returns the error for two objects with the same value; nil when duplicates are allowed.
    /// - Returns: The root of the index.
    func write(
        _ entries: IndexEntries, duplicate: ((ObjectKey, ObjectKey) -> InvalidValue)? = nil
    ) throws(WriteError) -> Ref {
        let objects = UnsharedArray<Int64>(in: nodes.folder)
        open(1)
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
            // Equal values have the same chunks.
            let entry = entries.previous
            var level = max(before, after)
            // Different values share a list only at the deepest level.
            if areLong { level = IndexEntries.mostChunks - 1 }
            if entries.hasWords { level = max(level, entries.wordChunkCount(entry) - 1) }
            let slot = try slot(of: objects)
            open(level + 1)
            try push(entries.chunk(entry, level), slot, at: level)
            while depth - 1 > after {
                let ref = try close(depth - 1)
                depth -= 1
                try push(entries.chunk(entry, depth - 1), Int64(ref.offset), at: depth - 1)
            }
            before = after
        }
        return try close(0)
    }

    /// Returns the slot for the objects with one value: the only object, or a list.
    private func slot(of objects: UnsharedArray<Int64>) throws(WriteError) -> Int64 {
        if objects.count == 1 { return objects[0] << 1 | 1 }
        return Int64(try nodes.list(of: objects).offset)
    }

    @inline(__always)
    private func push(_ chunk: Int32, _ slot: Int64, at level: Int) throws(WriteError) {
        try levels.with(level) { node throws(WriteError) in
            if node.chunks.count == Limits.treeElements { node.full.append(try writeChunks(of: node)) }
            node.chunks.append(Int64(chunk))
            node.slots.append(slot)
        }
    }

    /// Writes the content of a node and clears it.
    private func writeChunks(of node: OpenNode) throws(WriteError) -> IndexPart {
        let part = try nodes.indexLeaf(node.chunks, node.slots)
        node.removeAll()
        return part
    }

    /// Writes and clears the nodes of a level, with inner nodes above if there are several.
    private func close(_ level: Int) throws(WriteError) -> Ref {
        try levels.with(level) { node throws(WriteError) in
            var parts = node.full
            node.full = []
            if parts.isEmpty || !node.chunks.isEmpty { parts.append(try writeChunks(of: node)) }
            return try nodes.indexRoot(over: parts) ?? parts[0].ref
        }
    }
}
