internal import RealmLayout

/// Copies nodes and their descendants into a new file, unchanged except for the refs.
struct NodeCopy {
    /// Maximum depth of nodes. Collections in Mixed can be nested a hundred times, with about six nodes at each level.
    private static let deepest = 1024

    private let source: Snapshot
    private let space: NodeSpace
    private let isEncrypted: Bool
    private let nodes: NodeOutput
    /// Number of bytes that further nodes may have. In an intact file no node has two parents.
    private var budget: Int
    /// The elements of the nodes on the path from the root, with refs replaced as far as known.
    private let elements: UnsharedArray<Int64>

    init(_ source: Snapshot, to nodes: NodeOutput) {
        self.source = source
        space = source.space
        isEncrypted = source.isEncrypted
        self.nodes = nodes
        elements = UnsharedArray(in: nodes.folder)
        // Within a transaction, nodes are not only in the file.
        budget = source.space.size
    }

    /// Copies the node at `ref`, after its descendants.
    ///
    /// - Returns: Its position in the new file.
    /// - Throws: Errors of opening nodes, `sharedNodes`, `tooDeep`.
    mutating func copy(_ ref: Ref, depth: Int = 0) throws(WriteError) -> Ref {
        guard depth < Self.deepest else {
            throw .source(
                FormatError(.tooDeep, at: ref.offset, "nodes are nested more than \(Self.deepest) levels deep"))
        }
        let start = elements.count
        if let done = try read(ref) { return done }
        let flags = Int(truncatingIfNeeded: elements[start])
        var range = ValueRange()
        for index in (start + 1)..<elements.count {
            var element = elements[index]
            if element != 0, element & 1 == 0 {
                element = Int64(try copy(Ref(Int(element)), depth: depth + 1).offset)
                elements[index] = element
            }
            range.add(element)
        }
        let copied = try nodes.packed(elements[(start + 1)..<elements.count], width: range.width, flags: UInt8(flags))
        elements.removeLast(elements.count - start)
        return copied
    }

    /// Copies a node without refs; pushes flags and elements of other nodes onto the stack.
    @inline(__always)
    private mutating func read(_ ref: Ref) throws(WriteError) -> Ref? {
        guard isEncrypted else { return try readNode(ref) }
        // The bytes of an encrypted file are only valid within this call.
        return try source.reading { () throws(WriteError) in try readNode(ref) }
    }

    private mutating func readNode(_ ref: Ref) throws(WriteError) -> Ref? {
        let node = try checked { () throws(FormatError) in try space.node(at: ref) }
        budget -= node.body.count
        guard budget >= 0 else {
            throw .source(FormatError(.sharedNodes, at: ref.offset, "nodes are shared or form a cycle"))
        }
        guard node.header.hasRefs, node.header.isBits else { return try nodes.copy(node.body) }
        let vector = node.elements
        elements.append(Int64(node.header.flags & ~(NodeHeader.Mask.widthType | NodeHeader.Mask.widthCode)))
        for index in 0..<vector.count { elements.append(vector[unchecked: index]) }
        return nil
    }
}
