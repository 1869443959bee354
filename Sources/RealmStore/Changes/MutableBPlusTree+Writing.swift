internal import RealmCore
internal import RealmLayout

// Writing the leaves that changed, and the inner nodes.
extension MutableBPlusTree {
    /// The leaves of a part in the new tree.
    private enum Outcome {
        /// Nothing changed: the leaf stays where it is.
        case unchanged(Ref)
        /// Each of these ranges of elements becomes a new leaf, in place of the old one.
        case replaced(MutableColumn, [Range<Int>])
        /// No elements are left: the part has no leaf any more.
        case emptied
    }

    /// Writes the tree. It cannot be changed afterwards.
    ///
    /// - Parameters:
    ///   - released: receives the nodes that are no longer used.
    ///   - isGrowing: whether the last leaves are filled, because more elements will be appended; otherwise the leaves of
    ///     a part have equal sizes.
    /// - Returns: the root; nil for no elements.
    func write(
        _ nodes: NodeOutput, _ released: inout FreedNodes, isGrowing: Bool = false
    ) throws -> Ref? {
        guard isChanged else { return root }
        let flags = try prepare(&released)
        let last = parts.lastIndex { $0.count > 0 }
        let outcomes = parts.indices.map { outcome(of: parts[$0], isFilled: isGrowing && $0 == last) }
        // Only a root has flags.
        let isSingle = count <= Self.leafElements && last == parts.firstIndex { $0.count > 0 }
        lazy var leaf = LeafBuilder(type, nodes)
        var tree = BPlusTreeWriter()
        for (part, outcome) in zip(parts, outcomes) {
            switch outcome {
            case .emptied: break
            case .unchanged(let ref): tree.add(ref, count: part.count)
            case .replaced(let values, let ranges):
                for rows in ranges {
                    let ref =
                        if type == .int(nullable: false) {
                            try nodes.integers(values.numbers[rows])
                        } else {
                            try values.write(
                                rows, to: leaf, firstCollectionKey: Int64(tree.count + 1), flags: isSingle ? flags : 0)
                        }
                    tree.add(ref, count: rows.count)
                }
            }
        }
        return try tree.end(to: nodes, flags: flags)
    }

    private func outcome(of part: Part, isFilled: Bool) -> Outcome {
        if part.count == 0 { return .emptied }
        if let leaf = part.leaf, !part.isChanged { return .unchanged(leaf) }
        return .replaced(
            part.values ?? MutableColumn(type), (0..<part.count).parts(ofAtMost: Self.leafElements, isFilled: isFilled))
    }

    /// Decides which leaves are written, and releases the others.
    ///
    /// - Returns: the flags of the root.
    func prepare(_ released: inout FreedNodes) throws(FormatError) -> UInt8 {
        try mergeParts()
        try markCollections()
        let flags = try markLinks()
        try release(&released)
        return flags
    }

    /// Collections in a list have distinct keys (Spec 40): all leaves that contain some are rewritten.
    private func markCollections() throws(FormatError) {
        guard type == .mixed else { return }
        for index in parts.indices {
            if parts[index].values == nil, let leaf = parts[index].leaf {
                guard try Record<MixedSlot>(at: leaf, in: space).ref(.collections) != nil else { continue }
            }
            let values = try values(of: index)
            if values.holdsCollections { values.touch() }
        }
    }

    /// A root above links to tombstones has a flag (Spec 40). In that case all leaves are rewritten, because any of
    /// them may be the root.
    ///
    /// - Returns: the flags of the root.
    private func markLinks() throws(FormatError) -> UInt8 {
        guard case .link = type else { return 0 }
        let wasMarked =
            if let root { try space.node(at: root).header.isContext } else { false }
        var isMarked = false
        for index in parts.indices where wasMarked || parts[index].values != nil {
            if try values(of: index).numbers.contains(where: { ObjectKey($0).isUnresolved }) { isMarked = true }
        }
        if wasMarked || isMarked {
            for index in parts.indices { try values(of: index).touch() }
        }
        return isMarked ? NodeHeader.Mask.context : 0
    }

    private func release(_ released: inout FreedNodes) throws(FormatError) {
        guard let root else { return }
        try released.add(innerNodesOf: root, in: space)
        // Long values may have moved to another part.
        let kept = parts.flatMap { $0.values?.keptNodes ?? [] }
        for leaf in spareLeaves + parts.filter(\.isChanged).compactMap(\.leaf) {
            try released.add(leaf: leaf, of: type, in: space, except: kept)
        }
    }
}

extension Range<Int> {
    /// Divides the range into as few parts as possible of at most `most` numbers; none if it is empty.
    ///
    /// - Parameter isFilled: whether all parts but the last one have `most` numbers; otherwise their sizes are nearly
    ///   equal.
    func parts(ofAtMost most: Int, isFilled: Bool = false) -> [Range<Int>] {
        let parts = (count + most - 1) / most
        return (0..<parts).map { part in
            isFilled
                ? lowerBound + most * part..<Swift.min(lowerBound + most * (part + 1), upperBound)
                : lowerBound + count * part / parts..<lowerBound + count * (part + 1) / parts
        }
    }
}
