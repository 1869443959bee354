internal import RealmCore
internal import RealmLayout

/// The nodes of the last commit that are not part of the next one (Spec 220).
struct FreedNodes {
    /// Nodes of the file.
    private(set) var chunks: [FreeSpace.Chunk] = []
    /// The number of bytes in all of them.
    private var size = 0
    /// The number of bytes in nodes of the transaction itself, which are discarded with it.
    private(set) var replacedBytes = 0

    /// Releases one node.
    mutating func add(_ node: Node) {
        guard node.ref.offset < NodeSpace.overlayStart else { return addReplaced(bytes: node.body.count) }
        size += node.body.count
        if let last = chunks.last, last.end == node.ref.offset {
            chunks[chunks.count - 1].size += node.body.count
        } else {
            chunks.append(FreeSpace.Chunk(start: node.ref.offset, size: node.body.count))
        }
    }

    /// Records nodes of the transaction that are no longer referenced.
    mutating func addReplaced(bytes: Int) { replacedBytes += bytes }

    /// Resets the number of bytes in such nodes.
    mutating func forgetReplaced() { replacedBytes = 0 }

    /// Checks the total size. Nodes form a tree, so all of them together cannot exceed the file; shared nodes multiply
    /// the paths at each level.
    ///
    /// - Throws: `sharedNodes`.
    private func checkSize(at ref: Ref, in space: NodeSpace) throws(FormatError) {
        guard size <= space.bytes.count else {
            throw FormatError(
                .sharedNodes, at: ref.offset, "more nodes are released than the file has room for: nodes are shared")
        }
    }

    /// Releases a node, if there is one.
    ///
    /// - Throws: errors of opening the node.
    mutating func add(_ ref: Ref?, in space: NodeSpace) throws(FormatError) {
        if let ref { add(try space.node(at: ref)) }
    }

    /// Releases a node and all nodes below it.
    ///
    /// - Throws: errors of opening nodes, `tooDeep`.
    mutating func add(allBelow ref: Ref, in space: NodeSpace, depth: Int = 0) throws(FormatError) {
        let node = try space.node(at: ref)
        try checkSize(at: ref, in: space)
        add(node)
        guard node.header.hasRefs else { return }
        guard depth < Limits.treeDepth else {
            throw FormatError(.tooDeep, at: ref.offset, "more than \(Limits.treeDepth) nodes inside each other")
        }
        let elements = try node.integers()
        for index in 0..<elements.count {
            if let child = Slot(elements[unchecked: index]).ref {
                try add(allBelow: child, in: space, depth: depth + 1)
            }
        }
    }

    /// Releases a leaf, but not the collections that its elements refer to.
    ///
    /// - Parameter kept: nodes of long values that stay.
    mutating func add(
        leaf ref: Ref, of type: LeafType, in space: NodeSpace, except kept: [Int64] = []
    ) throws(FormatError) {
        switch type {
        case .string where !kept.isEmpty, .binary where !kept.isEmpty:
            let node = try space.node(at: ref)
            add(node)
            // Nodes that stay may come from another leaf of the list; a leaf of short values has none.
            guard node.header.hasRefs else { return }
            let elements = try node.refs()
            let kept = Set(kept)
            for index in 0..<elements.count where !kept.contains(elements[unchecked: index]) {
                if let child = Slot(elements[unchecked: index]).ref { try add(allBelow: child, in: space) }
            }
        case .collections, .backlinks:
            try add(ref, in: space)
        case .mixed:
            let leaf = try Record<MixedSlot>(at: ref, in: space)
            add(leaf.node)
            for slot in MixedSlot.allCases {
                guard let part = try leaf.ref(slot) else { continue }
                if slot == .collections { try add(part, in: space) } else { try add(allBelow: part, in: space) }
            }
        default:
            try add(allBelow: ref, in: space)
        }
    }

    /// Releases the inner nodes of a B+tree, but no leaf.
    ///
    /// - Throws: errors of opening nodes, `tooDeep`.
    mutating func add(innerNodesOf root: Ref, in space: NodeSpace, depth: Int = 0) throws(FormatError) {
        let node = try space.node(at: root)
        try checkSize(at: root, in: space)
        guard node.header.isInner else { return }
        try Nesting.tree.check(level: depth + 1, at: root)
        let inner = try BPlusTreeInner(node)
        add(node)
        try add(inner.slots.starts.ref, in: space)
        // Either all children are leaves, or none.
        guard try space.node(at: inner.child(0)).header.isInner else { return }
        for index in 0..<inner.childCount { try add(innerNodesOf: inner.child(index), in: space, depth: depth + 1) }
    }

    /// Releases a B+tree, but not the collections that its elements refer to.
    mutating func add(tree root: Ref, of type: LeafType, in space: NodeSpace, depth: Int = 0) throws(FormatError) {
        let node = try space.node(at: root)
        try checkSize(at: root, in: space)
        guard node.header.isInner else { return try add(leaf: root, of: type, in: space) }
        try Nesting.tree.check(level: depth + 1, at: root)
        let inner = try BPlusTreeInner(node)
        add(node)
        try add(inner.slots.starts.ref, in: space)
        for index in 0..<inner.childCount { try add(tree: inner.child(index), of: type, in: space, depth: depth + 1) }
    }
}
