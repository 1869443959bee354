package import RealmLayout

/// A written node of a search index, with its last chunk (Spec 80).
package struct IndexPart {
    package let lastChunk: Int64
    package let ref: Ref

    package init(lastChunk: Int64, ref: Ref) {
        self.lastChunk = lastChunk
        self.ref = ref
    }
}

extension NodeOutput {
    private static let indexFlags = NodeHeader.Mask.hasRefs | NodeHeader.Mask.context

    /// Appends a leaf node of an index.
    ///
    /// - Parameters:
    ///   - chunks: The chunks of the node's entries.
    ///   - slots: The slots of the node. The first one is set to the ref of the list of chunks.
    func indexLeaf(_ chunks: UnsharedArray<Int64>, _ slots: UnsharedArray<Int64>) throws(WriteError) -> IndexPart {
        slots[0] = Int64(try packed(chunks, width: 32, flags: 0).offset)
        return IndexPart(lastChunk: chunks.last ?? 0, ref: try integers(slots, flags: Self.indexFlags))
    }

    /// Appends a leaf node of an index, given its slots without the first one.
    package func indexLeaf(chunks: ArraySlice<Int64>, slots: ArraySlice<Int64>) throws(WriteError) -> IndexPart {
        var all: [Int64] = []
        all.reserveCapacity(slots.count + 1)
        all.append(Int64(try packed(chunks, width: 32, flags: 0).offset))
        all += slots
        return IndexPart(lastChunk: chunks.last ?? 0, ref: try integers(all, flags: Self.indexFlags))
    }

    /// Appends an inner node over nodes of one level.
    ///
    /// - Parameter children: The nodes; at least one, at most `Limits.treeElements`.
    package func indexInner(_ children: ArraySlice<IndexPart>) throws(WriteError) -> IndexPart {
        let chunks = try packed(children.map(\.lastChunk), width: 32, flags: 0)
        let slots = [Int64(chunks.offset)] + children.map { Int64($0.ref.offset) }
        return IndexPart(
            lastChunk: children[children.endIndex - 1].lastChunk,
            ref: try integers(slots, flags: Self.indexFlags | NodeHeader.Mask.inner))
    }

    /// Appends inner nodes until there is a single root.
    ///
    /// - Returns: The root of the level; nil when there are no parts.
    package func indexRoot(over parts: [IndexPart]) throws(WriteError) -> Ref? {
        var parts = parts
        while parts.count > 1 {
            var above: [IndexPart] = []
            for start in stride(from: 0, to: parts.count, by: Limits.treeElements) {
                above.append(try indexInner(parts[start..<min(start + Limits.treeElements, parts.count)]))
            }
            parts = above
        }
        return parts.first?.ref
    }
}
