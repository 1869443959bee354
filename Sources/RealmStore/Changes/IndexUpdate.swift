internal import RealmCore
internal import RealmLayout
internal import RealmStorage

/// An object that is added to a search index, or removed from it.
struct IndexChange {
    let value: IndexKeyBytes
    let object: Int64
    let isAdded: Bool
}

/// Writes the changed nodes of a search index. All others stay where they are (Spec 80, 220).
struct IndexUpdate {
    private let nodes: NodeOutput
    private let base: NodeSpace
    /// Whether entries are words, each of which has all of its levels.
    private let hasWords: Bool
    /// Whether different values may have the same bytes.
    private let isMixed: Bool
    /// Returns the value of an object that was already in the index.
    private let storedValue: (ObjectKey) throws -> IndexKeyBytes
    private var released = FreedNodes()
    /// The changes, and the values of existing entries found beside them.
    private var values: IndexChanges

    /// Values that agree up to this level share a list, whatever follows.
    private static let lastLevel = 50
    /// Words in lists have levels down to their ends, which is not much deeper.
    private static let deepest = 64

    init(
        _ nodes: NodeOutput, in base: NodeSpace, hasWords: Bool, isMixed: Bool,
        storedValue: @escaping (ObjectKey) throws -> IndexKeyBytes
    ) {
        values = IndexChanges(isMixed: isMixed)
        self.nodes = nodes
        self.base = base
        self.hasWords = hasWords
        self.isMixed = isMixed
        self.storedValue = storedValue
    }

    /// Writes the index.
    ///
    /// - Parameters:
    ///   - root: the root of the index; nil for a new index.
    ///   - changes: each object at most once with each value; sorted.
    ///   - released: receives the nodes that are no longer used.
    /// - Returns: the root.
    mutating func write(
        _ root: Ref?, _ changes: IndexChanges, _ released: inout FreedNodes
    ) throws -> Ref {
        self.released = released
        defer { released = self.released }
        values = changes
        if let ref = try level(root, 0, changes.entries[...]) { return ref }
        return try nodes.indexLeaf(chunks: [], slots: []).ref
    }

    /// The same for unsorted changes.
    mutating func write(
        _ root: Ref?, _ changes: [IndexChange], _ released: inout FreedNodes
    ) throws -> Ref {
        var sorted = IndexChanges(isMixed: isMixed)
        for change in changes { sorted.add(change.value, change.object, isAdded: change.isAdded) }
        sorted.sort()
        return try write(root, sorted, &released)
    }

    private func node(_ ref: Ref) throws(FormatError) -> (node: Node, slots: IndexNodeSlots, chunks: Node) {
        let node = try base.node(at: ref)
        guard node.header.isContext, let slots = IndexNodeSlots(try node.refs()) else {
            throw FormatError(.unexpectedNode, at: ref.offset, "\(node.summary) is not a node of an index")
        }
        let chunks = try base.node(at: slots.chunks)
        guard try chunks.integers().count == slots.count else {
            throw FormatError(
                .unexpectedNode, at: ref.offset, "an index node of \(slots.count) entries without as many chunks")
        }
        return (node, slots, chunks)
    }

    private typealias Changes = ArraySlice<IndexChanges.Entry>

    /// Writes a level of the radix tree.
    ///
    /// - Parameters:
    ///   - root: its root; nil for a new level.
    ///   - changes: sorted, with equal chunks on the levels above.
    /// - Returns: the new root; nil for a level without entries.
    private mutating func level(_ root: Ref?, _ level: Int, _ changes: Changes) throws -> Ref? {
        guard level <= Self.deepest else {
            throw FormatError(.tooDeep, at: root?.offset ?? 0, "the index has too many levels")
        }
        let parts =
            if let root {
                try update(root, level, changes, depth: 0)
            } else {
                try leaves(entries(old: nil, changes, level))
            }
        return try nodes.indexRoot(over: parts)
    }

    private mutating func update(
        _ ref: Ref, _ level: Int, _ changes: Changes, depth: Int
    ) throws -> [IndexPart] {
        guard depth < Limits.treeDepth else {
            throw FormatError(.tooDeep, at: ref.offset, "a level of the index has too many levels of its own")
        }
        let (node, slots, chunkNode) = try node(ref)
        released.add(node)
        released.add(chunkNode)
        let old = OldEntries(chunkNode.elements, slots)
        guard node.header.isInner else { return try leaves(entries(old: old, changes, level)) }
        var parts: [IndexPart] = []
        parts.reserveCapacity(old.count + 1)
        var rest = changes
        var next = 0
        while next < old.count {
            // Chunks above the last one belong to the last child.
            let child = rest.first.map { min(old.first(notBelow: values.chunk($0, level), from: next), old.count - 1) }
            while next < child ?? old.count {
                parts.append(IndexPart(lastChunk: old.chunks[next], ref: try self.child(next, of: old, node)))
                next += 1
            }
            guard let child else { break }
            let lastChunk = old.chunks[child]
            let mine = child == old.count - 1 ? rest : rest.prefix { Int64(values.chunk($0, level)) <= lastChunk }
            rest = rest.dropFirst(mine.count)
            parts += try update(self.child(child, of: old, node), level, mine, depth: depth + 1)
            next = child + 1
        }
        var above: [IndexPart] = []
        for range in parts.indices.parts(ofAtMost: Limits.treeElements) {
            above.append(try nodes.indexInner(parts[range]))
        }
        return above
    }

    private func child(_ index: Int, of old: OldEntries, _ node: Node) throws(FormatError) -> Ref {
        guard let ref = Slot(old.slots[index]).ref else {
            throw FormatError(.unexpectedNode, at: node.ref.offset, "child \(index) of the index is missing")
        }
        return ref
    }

    private func leaves(_ entries: Entries) throws(WriteError) -> [IndexPart] {
        var leaves: [IndexPart] = []
        for range in entries.chunks.indices.parts(ofAtMost: Limits.treeElements) {
            leaves.append(try nodes.indexLeaf(chunks: entries.chunks[range], slots: entries.slots[range]))
        }
        return leaves
    }

    /// The entries of an existing node.
    private struct OldEntries {
        var chunks: [Int64] = []
        var slots: [Int64] = []

        init(_ vector: IntegerVector, _ node: IndexNodeSlots) {
            chunks.reserveCapacity(node.count)
            slots.reserveCapacity(node.count)
            vector.forEach(unchecked: 0, count: node.count) { chunks.append(Int64(Int32(truncatingIfNeeded: $1))) }
            node.elements.forEach(unchecked: 1, count: node.count) { slots.append($1) }
        }

        var count: Int { chunks.count }

        /// Returns the first entry, from `start` on, whose chunk is not lower.
        func first(notBelow chunk: Int32, from start: Int) -> Int {
            chunks[start...].partitioningIndex { $0 >= Int64(chunk) }
        }
    }

    /// The entries of a node after the changes.
    private struct Entries {
        var chunks: [Int64] = []
        var slots: [Int64] = []

        mutating func add(_ old: OldEntries, _ range: Range<Int>) {
            chunks += old.chunks[range]
            slots += old.slots[range]
        }
    }

    /// The maximum number of entries to reserve in advance: many values may have the same chunk.
    private static let reserved = 1 << 16

    /// Returns the entries of a node after the changes.
    private mutating func entries(
        old: OldEntries?, _ changes: Changes, _ level: Int
    ) throws -> Entries {
        var entries = Entries()
        let count = old?.count ?? 0
        let expected = count + min(changes.count, Self.reserved)
        entries.chunks.reserveCapacity(expected)
        entries.slots.reserveCapacity(expected)
        var next = 0
        var start = changes.startIndex
        while start < changes.endIndex {
            let chunk = values.chunk(changes[start], level)
            var end = start + 1
            while end < changes.endIndex, values.chunk(changes[end], level) == chunk { end += 1 }
            var slot = Slot.empty
            if let old {
                let first = old.first(notBelow: chunk, from: next)
                entries.add(old, next..<first)
                next = first
                if next < count, old.chunks[next] == Int64(chunk) {
                    slot = Slot(old.slots[next])
                    next += 1
                }
            }
            if let element = try entry(slot, changes[start..<end], level) {
                entries.chunks.append(Int64(chunk))
                entries.slots.append(element)
            }
            start = end
        }
        if let old { entries.add(old, next..<count) }
        return entries
    }

    /// Returns the slot for a chunk after the changes; nil if it becomes empty.
    private mutating func entry(_ slot: Slot, _ changes: Changes, _ level: Int) throws -> Int64? {
        var objects: [Int64] = []
        switch slot {
        case .empty:
            // The most common cases: there is one object, or all are new and in order.
            if changes.count == 1, !hasWords, changes[changes.startIndex].isAdded {
                return changes[changes.startIndex].object << 1 | 1
            }
            if !changes.contains(where: { !$0.isAdded }) { return try entry(added: changes, level) }
        case .tagged(let number):
            // The most common case: the only object is removed.
            if changes.count == 1, let only = changes.first, !only.isAdded {
                return only.object == Int64(bitPattern: number) ? nil : slot.element
            }
            objects = [Int64(bitPattern: number)]
        case .ref(let ref):
            let node = try base.node(at: ref)
            if node.header.isContext {
                return try self.level(ref, level + 1, changes).map { Int64($0.offset) }
            }
            if let element = try changedList(slot, changes, level) { return element == 0 ? nil : element }
            objects = try list(ref)
        }
        let removed = Set(changes.lazy.filter { !$0.isAdded }.map(\.object))
        if !removed.isEmpty { objects.removeAll { removed.contains($0) } }
        var added = changes.filter(\.isAdded)
        guard !added.isEmpty else { return try stored(objects) }
        if mayDiffer(level) {
            for object in objects {
                added.append(values.entry(try storedValue(ObjectKey(object)), object, isAdded: true))
            }
        } else if let first = objects.first {
            // The remaining objects have the same value.
            let value = try value(of: first, beside: added[0], level)
            for object in objects { added.append(values.entry(value, object, isAdded: true)) }
        }
        values.sort(&added)
        return try entry(added: added[...], level)
    }

    /// Whether objects in one list may have different values.
    private func mayDiffer(_ level: Int) -> Bool { !hasWords && (isMixed || level >= Self.lastLevel) }

    /// Changes a list of objects that remains a list, leaf by leaf.
    ///
    /// - Returns: the new slot, or 0 if the list becomes empty; nil if it has to become a level, or objects may have
    ///   different values.
    private mutating func changedList(_ slot: Slot, _ changes: Changes, _ level: Int) throws -> Int64? {
        guard !hasWords || level < Self.lastLevel else { return nil }
        let added = changes.filter(\.isAdded)
        let removed = changes.lazy.filter { !$0.isAdded }.map(\.object)
        let list = try NumberListUpdate(slot.element, .ascending, nodes, in: base)
        if let new = added.first {
            let gone = Set(removed)
            guard let (first, last) = try list.ends(except: gone) else {
                return nil
            }
            let old = values.entry(try value(of: first, beside: new, level), first, isAdded: true)
            guard !needsLevel((added + [old])[...], level) else { return nil }
            if mayDiffer(level) {
                // They are ordered by value: if the first and the last one have the same value, all have.
                let others = [old, values.entry(try storedValue(ObjectKey(last)), last, isAdded: true)] + added
                guard others.allSatisfy({ values.haveSamePlace($0, new) }) else { return nil }
            }
        }
        let (objects, gone) = (added.map(\.object), Array(removed))
        try list.remove(gone)
        try list.add(objects)
        return try list.write(&released)
    }

    /// Returns the slot for objects with one chunk.
    ///
    /// - Parameter added: sorted.
    private mutating func entry(added: Changes, _ level: Int) throws -> Int64? {
        if needsLevel(added, level) { return try self.level(nil, level + 1, added).map { Int64($0.offset) } }
        var isSorted = true
        var before = added[added.startIndex]
        for entry in added.dropFirst() {
            if !values.precedesInList(before, entry) { isSorted = false }
            before = entry
        }
        if isSorted { return try stored(added.map(\.object)) }
        let values = values
        return try stored(added.sorted { values.precedesInList($0, $1) }.map(\.object))
    }

    /// Returns the value of the existing objects found beside a new one.
    private func value(
        of object: Int64, beside new: IndexChanges.Entry, _ level: Int
    ) throws -> IndexKeyBytes {
        // Words end at the level at which they are found.
        if hasWords { return IndexKeyBytes(word: values.bytes(new).map { Array($0.prefix((level + 1) * 4)) }) }
        return try storedValue(ObjectKey(object))
    }

    private func needsLevel(_ added: Changes, _ level: Int) -> Bool {
        if level >= Self.lastLevel { return false }
        let first = added[added.startIndex]
        if added.contains(where: { !values.haveSameBytes($0, first) }) { return true }
        return hasWords && level < values.chunkCount(first) - 1
    }

    private mutating func list(_ root: Ref) throws(FormatError) -> [Int64] {
        var budget = WorkBudget(for: base)
        let objects = try BPlusTree.numbers(at: root, in: base, &budget)
        try released.add(tree: root, of: .int(nullable: false), in: base)
        return objects
    }

    private func stored(_ objects: [Int64]) throws(WriteError) -> Int64? {
        if objects.isEmpty { return nil }
        if objects.count == 1 { return objects[0] << 1 | 1 }
        return Int64(try nodes.list(of: objects).offset)
    }
}
