internal import RealmCore
internal import RealmLayout

/// The elements of a B+tree that a transaction changes. Unchanged leaves stay where they are (Spec 40, 220).
///
/// Elements are Mixed values. In trees whose links all lead to one table, links are integers: the keys of the objects.
final class BPlusTreeChanges {
    /// A run of consecutive elements.
    private struct Part {
        var count: Int
        /// The leaves that it was made from: one leaf of the file, none, or several that were merged.
        var leaves: [Ref] = []
        /// The values of the leaf; nil if it has not been loaded.
        var values: MutableColumn?

        var isChanged: Bool { values?.isChanged ?? false }
    }

    let type: LeafType
    private let root: Ref?
    private let space: NodeSpace
    private var parts: [Part] = []
    /// Leaves without elements: Realm Core keeps the last leaf of a list that becomes empty.
    private var emptyLeaves: [Ref] = []
    /// The current number of elements.
    private(set) var count = 0
    /// Whether anything changed.
    private(set) var isChanged = false
    /// The last accessed part, and the number of elements before it.
    private var last = (part: 0, start: 0)

    /// - Parameter root: the root of the tree; nil for no elements.
    /// - Throws: errors of reading the tree.
    init(_ root: Ref?, of type: LeafType, in space: NodeSpace) throws(FormatError) {
        (self.root, self.type, self.space) = (root, type, space)
        guard let root else { return }
        var budget = WorkBudget(for: space)
        for leaf in try BPlusTree(root: root, of: type, in: space).leaves(&budget) {
            guard leaf.count > 0 else {
                emptyLeaves.append(leaf.ref)
                continue
            }
            parts.append(Part(count: leaf.count, leaves: [leaf.ref]))
            count += leaf.count
        }
    }

    // MARK: Elements

    /// Returns the element at an index below `count`.
    ///
    /// - Throws: errors of reading its leaf.
    func value(at index: Int) throws(FormatError) -> MixedValue {
        let (part, row) = find(index)
        return try values(of: part).value(at: row)
    }

    /// Replaces the element at an index.
    func set(_ index: Int, _ value: MixedValue) throws(FormatError) {
        let (part, row) = find(index)
        try values(of: part).set(row, value)
        isChanged = true
    }

    /// Inserts an element before the one at an index, or at the end.
    func insert(_ value: MixedValue, at index: Int) throws(FormatError) {
        isChanged = true
        count += 1
        if index == count - 1, parts.last.map({ $0.count >= Self.leafElements }) ?? true {
            let values = MutableColumn(type)
            values.set(0, value)
            parts.append(Part(count: 1, values: values))
            return
        }
        let (part, row) = index == count - 1 ? (parts.count - 1, parts[parts.count - 1].count) : find(index)
        let values = try values(of: part)
        values.insert(at: row)
        values.set(row, value)
        parts[part].count += 1
        if parts[part].count > 2 * Self.leafElements { split(part) }
    }

    /// Removes the element at an index.
    func remove(at index: Int) throws(FormatError) {
        let (part, row) = find(index)
        try values(of: part).remove(row)
        parts[part].count -= 1
        count -= 1
        isChanged = true
    }

    /// Removes all elements equal to one of several numbers: the links to these objects.
    func removeAll(_ removed: Set<Int64>) throws(WriteError) {
        let single = removed.count == 1 ? removed.first : nil
        try eachPart { part, values throws(WriteError) in
            let numbers = values.numbers
            guard single.map({ numbers.contains($0) }) ?? numbers.contains(where: { removed.contains($0) }) else {
                return
            }
            keep(numbers.indices.filter { !removed.contains(numbers[$0]) }, of: part, values)
        }
    }

    /// The result of a change for one element.
    enum Fate {
        case stays
        case goes
        case becomes(MixedValue)
    }

    /// Changes elements in order.
    ///
    /// - Parameter fate: decides about each element.
    /// - Throws: errors of reading the tree, and those of `fate`.
    func changeAll(_ fate: (MixedValue) throws(WriteError) -> Fate) throws(WriteError) {
        try eachPart { part, values throws(WriteError) in
            var kept: [Int] = []
            for row in 0..<parts[part].count {
                switch try fate(values.value(at: row)) {
                case .stays: break
                case .goes: continue
                case .becomes(let new):
                    values.set(row, new)
                    isChanged = true
                }
                kept.append(row)
            }
            keep(kept, of: part, values)
        }
    }

    /// Visits all parts. Unchanged parts that were not loaded before do not stay in memory.
    private func eachPart(_ body: (Int, MutableColumn) throws(WriteError) -> Void) throws(WriteError) {
        for part in parts.indices {
            let isKnown = parts[part].values != nil
            try body(part, checked { () throws(FormatError) in try values(of: part) })
            if !isKnown, !parts[part].isChanged { parts[part].values = nil }
        }
        last = (0, 0)
    }

    private func keep(_ rows: [Int], of part: Int, _ values: MutableColumn) {
        guard rows.count < parts[part].count else { return }
        values.keep(rows)
        count -= parts[part].count - rows.count
        parts[part].count = rows.count
        isChanged = true
    }

    /// Returns the index of the first element that does not precede another one. The elements must be in that order.
    ///
    /// - Parameter precedes: whether an element precedes the other one.
    func firstIndex(notBefore precedes: (MixedValue) -> Bool) throws(FormatError) -> Int {
        var range = 0..<count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range = precedes(try value(at: middle)) ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }

    // MARK: Parts

    private static let leafElements = Limits.treeElements

    private func find(_ index: Int) -> (part: Int, row: Int) {
        while index < last.start {
            last.part -= 1
            last.start -= parts[last.part].count
        }
        while index - last.start >= parts[last.part].count {
            last.start += parts[last.part].count
            last.part += 1
        }
        return (last.part, index - last.start)
    }

    private func values(of part: Int) throws(FormatError) -> MutableColumn {
        if let values = parts[part].values { return values }
        let node = try space.node(at: parts[part].leaves[0])
        let values = try MutableColumn(ColumnLeaf(node, as: type, in: space), type, in: space)
        parts[part].values = values
        return values
    }

    private func split(_ part: Int) {
        guard let values = parts[part].values else { return }
        let half = parts[part].count / 2
        parts.insert(Part(count: parts[part].count - half, values: values.split(at: half)), at: part + 1)
        parts[part].count = half
    }

    // MARK: Writing

    /// Writes the leaves that changed, and the inner nodes.
    ///
    /// - Parameter released: receives the nodes that are no longer used.
    /// - Returns: the root; nil for no elements.
    func write(_ nodes: NodeOutput, _ released: inout FreedNodes) throws(WriteError) -> Ref? {
        guard isChanged else { return root }
        let flags = try checked { () throws(FormatError) in
            try merge()
            try markCollections()
            let flags = try markLinks()
            try release(&released)
            return flags
        }
        let kept = parts.filter { $0.count > 0 }
        // Only a root has flags.
        let isSingle = kept.count == 1 && kept[0].count <= Self.leafElements
        let leaf = LeafBuilder(type, nodes)
        var tree = BPlusTreeWriter()
        for part in kept {
            guard let values = part.values, values.isChanged else {
                tree.add(part.leaves[0], count: part.count)
                continue
            }
            let leaves = (part.count + Self.leafElements - 1) / Self.leafElements
            for number in 0..<leaves {
                let rows = part.count * number / leaves..<part.count * (number + 1) / leaves
                let ref = try values.write(
                    rows, to: leaf, firstCollectionKey: Int64(tree.count + 1), flags: isSingle ? flags : 0)
                tree.add(ref, count: rows.count)
            }
        }
        return try tree.end(to: nodes, flags: flags)
    }

    /// Merges changed parts that have few elements left.
    private func merge() throws(FormatError) {
        var index = 0
        while index + 1 < parts.count {
            let (left, right) = (parts[index], parts[index + 1])
            guard left.isChanged || right.isChanged, min(left.count, right.count) < Self.leafElements / 2,
                left.count + right.count <= Self.leafElements
            else {
                index += 1
                continue
            }
            try values(of: index).append(values(of: index + 1))
            parts[index].count += right.count
            parts[index].leaves += right.leaves
            parts.remove(at: index + 1)
        }
        last = (0, 0)
    }

    /// Collections in a list have distinct keys (Spec 40): all leaves that contain some are rewritten.
    private func markCollections() throws(FormatError) {
        guard type == .mixed else { return }
        for index in parts.indices {
            if parts[index].values == nil {
                guard try Record<MixedSlot>(at: parts[index].leaves[0], in: space).ref(.collections) != nil else {
                    continue
                }
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
        for leaf in emptyLeaves { try released.add(leaf: leaf, of: type, in: space) }
        for part in parts where part.isChanged {
            for leaf in part.leaves { try released.add(leaf: leaf, of: type, in: space, except: kept) }
        }
    }
}
