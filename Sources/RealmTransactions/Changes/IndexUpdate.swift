internal import RealmLayout
internal import RealmReader
internal import RealmStorage
internal import RealmWriter

/// An object that comes into a search index, or goes.
struct IndexChange {
    let value: IndexKeyBytes
    let object: Int64
    let isAdded: Bool

    /// The chunk of the value on a level.
    func chunk(_ level: Int) -> Int32 { value.chunk(level) }
}

/// Writes the nodes of a search index that change; all others stay where they are (Spec 80, 220).
struct IndexUpdate {
    private let nodes: NodeOutput
    private let base: NodeSpace
    /// Whether entries are words, each of which has all its levels.
    private let hasWords: Bool
    /// Whether different values may have the same bytes.
    private let isMixed: Bool
    /// The value of an object that was in the index before.
    private let storedValue: (ObjectKey) throws(FormatError) -> IndexKeyBytes
    private var released = ReleasedNodes()

    /// Values that agree up to there share a list, whatever follows.
    private static let lastLevel = 50
    /// Words in lists go down to their ends, which is not much farther.
    private static let deepest = 64

    init(
        _ nodes: NodeOutput, in base: NodeSpace, hasWords: Bool, isMixed: Bool,
        storedValue: @escaping (ObjectKey) throws(FormatError) -> IndexKeyBytes
    ) {
        self.nodes = nodes
        self.base = base
        self.hasWords = hasWords
        self.isMixed = isMixed
        self.storedValue = storedValue
    }

    /// Writes the index.
    ///
    /// - Parameters:
    ///   - root: nil for an index that begins.
    ///   - changes: each object at most once with each value.
    ///   - released: gets the nodes that are no longer used.
    /// - Returns: the root.
    mutating func write(
        _ root: Ref?, _ changes: [IndexChange], _ released: inout ReleasedNodes
    ) throws(WriteError) -> Ref {
        self.released = released
        defer { released = self.released }
        if let ref = try level(root, 0, changes) { return ref }
        return try nodes.indexLeaf([]).ref
    }

    private func node(_ ref: Ref) throws(WriteError) -> (node: Node, slots: IndexNodeSlots, chunks: Node) {
        try checked { () throws(FormatError) in
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
    }

    /// Writes a level of the radix tree.
    ///
    /// - Parameter root: its root; nil for a level that begins.
    /// - Returns: the new root; nil for a level without entries.
    private mutating func level(_ root: Ref?, _ level: Int, _ changes: [IndexChange]) throws(WriteError) -> Ref? {
        guard level <= Self.deepest else {
            throw .source(FormatError(.tooDeep, at: root?.offset ?? 0, "the index has too many levels"))
        }
        // Numbers sort faster than what they stand for: the chunk without its sign, then the place.
        var order: [UInt64] = []
        order.reserveCapacity(changes.count)
        for (place, change) in changes.enumerated() {
            let chunk = UInt32(bitPattern: change.chunk(level)) ^ (1 << 31)
            order.append(UInt64(chunk) << 32 | UInt64(place))
        }
        order.sort()
        var sorted: [(Int32, IndexChange)] = []
        sorted.reserveCapacity(changes.count)
        for number in order {
            let chunk = Int32(bitPattern: UInt32(truncatingIfNeeded: number >> 32) ^ (1 << 31))
            sorted.append((chunk, changes[Int(number & 0xFFFF_FFFF)]))
        }
        let parts =
            if let root {
                try update(root, level, sorted[...], depth: 0)
            } else {
                try leaves(entries(old: [], sorted[...], level))
            }
        return try nodes.indexRoot(over: parts)
    }

    private mutating func update(
        _ ref: Ref, _ level: Int, _ changes: ArraySlice<(Int32, IndexChange)>, depth: Int
    ) throws(WriteError) -> [IndexPart] {
        guard depth < Limits.treeDepth else {
            throw .source(FormatError(.tooDeep, at: ref.offset, "a level of the index has too many levels of its own"))
        }
        let (node, slots, chunkNode) = try node(ref)
        let chunks = chunkNode.elements
        released.add(node)
        released.add(chunkNode)
        let old = (0..<slots.count).map { index in
            (chunk: Int32(truncatingIfNeeded: chunks[unchecked: index]), slot: slots.entry(unchecked: index))
        }
        guard node.header.isInner else { return try leaves(entries(old: old, changes, level)) }
        var parts: [IndexPart] = []
        var rest = changes
        for (index, child) in old.enumerated() {
            guard case .ref(let ref) = child.slot else {
                throw .source(
                    FormatError(.unexpectedNode, at: node.ref.offset, "child \(index) of the index is missing"))
            }
            // What is behind the last chunk belongs to the last child.
            let mine = index == old.count - 1 ? rest : rest.prefix { $0.0 <= child.chunk }
            rest = rest.dropFirst(mine.count)
            if mine.isEmpty {
                parts.append(IndexPart(lastChunk: Int64(child.chunk), ref: ref))
            } else {
                parts += try update(ref, level, mine, depth: depth + 1)
            }
        }
        var above: [IndexPart] = []
        for range in parts.indices.evenParts(ofAtMost: NodeOutput.mostIndexChunks) {
            above.append(try nodes.indexInner(parts[range]))
        }
        return above
    }

    private func leaves(_ entries: [(chunk: Int32, slot: Int64)]) throws(WriteError) -> [IndexPart] {
        var leaves: [IndexPart] = []
        for range in entries.indices.evenParts(ofAtMost: NodeOutput.mostIndexChunks) {
            leaves.append(try nodes.indexLeaf(entries[range]))
        }
        return leaves
    }

    /// The entries of a node after the changes.
    private mutating func entries(
        old: [(chunk: Int32, slot: Slot)], _ changes: ArraySlice<(Int32, IndexChange)>, _ level: Int
    ) throws(WriteError) -> [(chunk: Int32, slot: Int64)] {
        var entries: [(chunk: Int32, slot: Int64)] = []
        var rest = changes
        var next = 0
        while next < old.count || !rest.isEmpty {
            let changed = rest.first?.0
            if next < old.count, changed.map({ old[next].chunk < $0 }) ?? true {
                entries.append((old[next].chunk, old[next].slot.element))
                next += 1
                continue
            }
            guard let chunk = changed else { break }
            let mine = rest.prefix { $0.0 == chunk }
            rest = rest.dropFirst(mine.count)
            var slot = Slot.empty
            if next < old.count, old[next].chunk == chunk {
                slot = old[next].slot
                next += 1
            }
            if let element = try entry(slot, mine.map(\.1), level) { entries.append((chunk, element)) }
        }
        return entries
    }

    /// What stands for a chunk after the changes; nil for nothing.
    private mutating func entry(_ slot: Slot, _ changes: [IndexChange], _ level: Int) throws(WriteError) -> Int64? {
        var objects: [Int64] = []
        switch slot {
        case .empty: break
        case .tagged(let number): objects = [Int64(bitPattern: number)]
        case .ref(let ref):
            let node = try checked { () throws(FormatError) in try base.node(at: ref) }
            if node.header.isContext {
                return try self.level(ref, level + 1, changes).map { Int64($0.offset) }
            }
            objects = try list(ref)
        }
        let removed = Set(changes.lazy.filter { !$0.isAdded }.map(\.object))
        if !removed.isEmpty { objects.removeAll { removed.contains($0) } }
        var added = changes.filter(\.isAdded)
        guard !added.isEmpty else { return try stored(objects) }
        if !hasWords, isMixed || level >= Self.lastLevel {
            for object in objects {
                let value = try checked { () throws(FormatError) in try storedValue(ObjectKey(object)) }
                added.append(IndexChange(value: value, object: object, isAdded: true))
            }
        } else if let first = objects.first {
            // Those that stay have one value.
            let value = try value(of: first, beside: added[0], level)
            added += objects.map { IndexChange(value: value, object: $0, isAdded: true) }
        }
        if needsLevel(added, level) { return try self.level(nil, level + 1, added).map { Int64($0.offset) } }
        added.sort { left, right in
            let bytes = Self.order(left.value, right.value)
            return bytes < 0 || bytes == 0 && left.object < right.object
        }
        return try stored(added.map(\.object))
    }

    /// The value that objects have which are found beside a new one.
    private func value(of object: Int64, beside new: IndexChange, _ level: Int) throws(WriteError) -> IndexKeyBytes {
        // Words end where they are found.
        if hasWords { return IndexKeyBytes(word: new.value.bytes.map { Array($0.prefix((level + 1) * 4)) }) }
        return try checked { () throws(FormatError) in try storedValue(ObjectKey(object)) }
    }

    private func needsLevel(_ added: [IndexChange], _ level: Int) -> Bool {
        if level >= Self.lastLevel { return false }
        let first = added[0].value
        if added.contains(where: { !$0.value.hasSameBytes(as: first) }) { return true }
        return hasWords && level < first.chunkCount - 1
    }

    /// The order in a list: of values that differ behind the last level, or that have the same bytes.
    private static func order(_ left: IndexKeyBytes, _ right: IndexKeyBytes) -> Int {
        let bytes = left.orderOfBytes(right)
        return bytes != 0 ? bytes : left.orderInList(right)
    }

    private mutating func list(_ root: Ref) throws(WriteError) -> [Int64] {
        try checked { () throws(FormatError) in
            var budget = WorkBudget(for: base)
            let objects = try BPlusTree.numbers(at: root, in: base, &budget)
            try released.add(tree: root, of: .int(nullable: false), in: base)
            return objects
        }
    }

    private func stored(_ objects: [Int64]) throws(WriteError) -> Int64? {
        if objects.isEmpty { return nil }
        if objects.count == 1 { return objects[0] << 1 | 1 }
        return Int64(try nodes.list(of: objects).offset)
    }
}
