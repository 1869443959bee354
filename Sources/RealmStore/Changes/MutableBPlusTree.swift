internal import RealmCore
internal import RealmLayout

/// A B+tree that a transaction changes: the elements of a collection, the origins of backlinks, or the objects that an
/// index has for a value. Unchanged leaves stay where they are (Spec 40, 220).
///
/// Elements are Mixed values. In trees whose links all lead to one table, links are integers: the keys of the objects.
final class MutableBPlusTree {
    /// A run of consecutive elements.
    struct Part {
        fileprivate(set) var count: Int
        /// The leaf of the file that holds them; nil for new elements, and for those of several leaves.
        fileprivate(set) var leaf: Ref?
        /// The elements; nil if they have not been read.
        fileprivate(set) var values: MutableColumn?

        var isChanged: Bool { values?.isChanged ?? false }
    }

    static let leafElements = Limits.treeElements

    let type: LeafType
    let root: Ref?
    let space: NodeSpace
    private(set) var parts: [Part] = []
    /// Leaves of the file without a part: merged ones, and empty ones. Realm Core keeps the last leaf of a list that
    /// becomes empty.
    private(set) var spareLeaves: [Ref] = []
    /// The current number of elements.
    private(set) var count = 0
    /// Whether anything changed.
    private(set) var isChanged = false
    /// The last accessed part, and the number of elements before it.
    private var last = (part: 0, start: 0)

    /// - Parameter root: the root of the tree; nil for no elements.
    /// - Throws: errors of reading the inner nodes.
    init(_ root: Ref?, of type: LeafType, in space: NodeSpace) throws(FormatError) {
        (self.root, self.type, self.space) = (root, type, space)
        guard let root else { return }
        var budget = WorkBudget(for: space)
        try addLeaves(below: root, depth: 0, &budget)
    }

    /// Creates a list of one number, which is stored without a node.
    init(_ number: Int64, in space: NodeSpace) {
        (root, type, self.space) = (nil, .int(nullable: false), space)
        let values = MutableColumn(type)
        values.set(0, number: number)
        (parts, count) = ([Part(count: 1, values: values)], 1)
    }

    private func addLeaves(below ref: Ref, depth: Int, _ budget: inout WorkBudget) throws(FormatError) {
        let node = try space.node(at: ref)
        guard node.header.isInner else {
            return try add(ref, count: ColumnLeaf(node, as: type, in: space).count, &budget)
        }
        let inner = try BPlusTreeInner(node)
        try budget.spend(node, elements: inner.childCount)
        guard depth < Limits.treeDepth else { throw BPlusTreeInner.error(.tooDeep(node), ref) }
        // Either all children are leaves, or none. The size of a leaf is known without opening it.
        if try space.node(at: inner.child(0)).header.isInner {
            for index in 0..<inner.childCount { try addLeaves(below: inner.child(index), depth: depth + 1, &budget) }
            return
        }
        let ends = try ends(of: inner)
        var start = 0
        for index in 0..<inner.childCount {
            guard ends[index] >= start else { throw BPlusTreeInner.error(node) }
            try add(inner.child(index), count: ends[index] - start, &budget)
            start = ends[index]
        }
    }

    private func add(_ leaf: Ref, count: Int, _ budget: inout WorkBudget) throws(FormatError) {
        // A node may claim any number of elements.
        try budget.spend(count, at: leaf)
        guard count > 0 else { return spareLeaves.append(leaf) }
        parts.append(Part(count: count, leaf: leaf))
        self.count += count
    }

    /// The ends of the children, as indexes of elements.
    private func ends(of inner: BPlusTreeInner) throws(FormatError) -> [Int] {
        let total = Int(truncatingIfNeeded: inner.slots.total ?? 0)
        switch inner.slots.starts {
        case .tagged(let each) where each <= UInt64(Limits.blobBytes):
            return (1...inner.childCount).map { $0 < inner.childCount ? Int(each) * $0 : total }
        case .ref(let ref):
            let starts = try space.node(at: ref).integers()
            guard starts.count == inner.childCount - 1 else { throw BPlusTreeInner.error(.missingChild(0), ref) }
            return (0..<starts.count).map { Int(truncatingIfNeeded: starts.unsigned(unchecked: $0)) } + [total]
        default: throw BPlusTreeInner.error(.missingChild(0), try inner.child(0))
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
        if index == count { try makeRoomAtEnd() }
        let (part, row) = index == count ? (parts.count - 1, parts[parts.count - 1].count) : find(index)
        let values = try values(of: part)
        values.insert(at: row)
        values.set(row, value)
        parts[part].count += 1
        count += 1
        isChanged = true
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

    /// Changes the numbers of a part of a list of numbers, by adding or removing some.
    func change<R>(_ part: Int, _ body: (inout [Int64]) -> R) throws(FormatError) -> R {
        let values = try values(of: part)
        let result = values.changeNumbers(body)
        let growth = values.numbers.count - parts[part].count
        parts[part].count += growth
        count += growth
        if growth != 0 { (isChanged, last) = (true, (0, 0)) }
        return result
    }

    /// Appends numbers to a list of numbers.
    func append(_ numbers: ArraySlice<Int64>) throws(FormatError) {
        try makeRoomAtEnd()
        try change(parts.count - 1) { $0 += numbers }
    }

    /// Removes all elements equal to one of several numbers: the links to these objects.
    func removeAll(_ removed: Set<Int64>) throws {
        let single = removed.count == 1 ? removed.first : nil
        try eachPart { part, values in
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
    func changeAll(_ fate: (MixedValue) throws -> Fate) throws {
        try eachPart { part, values in
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
    private func eachPart(_ body: (Int, MutableColumn) throws -> Void) throws {
        for part in parts.indices {
            let isKnown = parts[part].values != nil
            try body(part, try values(of: part))
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
        try (0..<count).partitioningIndex { index throws(FormatError) in !precedes(try value(at: index)) }
    }

    // MARK: Parts

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

    /// The leaf of the file that holds a part; nil if there is none.
    func storedLeaf(of part: Part) throws(FormatError) -> ColumnLeaf? {
        guard let ref = part.leaf else { return nil }
        let node = try space.node(at: ref)
        guard !node.header.isInner else {
            throw FormatError(.badTree, at: ref.offset, "leaves and inner nodes side by side")
        }
        let leaf = try ColumnLeaf(node, as: type, in: space)
        guard part.values != nil || leaf.count == part.count else {
            throw FormatError(
                .wrongCount, at: ref.offset, "elements of the leaf: found \(leaf.count), expected \(part.count)")
        }
        return leaf
    }

    /// The elements of a part, which are read first if necessary.
    func values(of part: Int) throws(FormatError) -> MutableColumn {
        if let values = parts[part].values { return values }
        let leaf = try storedLeaf(of: parts[part])
        let values = try leaf.map { leaf throws(FormatError) in try MutableColumn(leaf, type, in: space) }
        parts[part].values = values
        return values ?? MutableColumn(type)
    }

    /// Adds a part if the last one has as many elements as a leaf.
    private func makeRoomAtEnd() throws(FormatError) {
        guard parts.last.map({ $0.count >= Self.leafElements }) ?? true else { return }
        parts.append(Part(count: 0, values: MutableColumn(type)))
    }

    private func split(_ part: Int) {
        guard let values = parts[part].values else { return }
        let half = parts[part].count / 2
        parts.insert(Part(count: parts[part].count - half, values: values.split(at: half)), at: part + 1)
        parts[part].count = half
    }

    /// Merges changed parts that have few elements left.
    func mergeParts() throws(FormatError) {
        var index = 0
        while index + 1 < parts.count {
            let (left, right) = (parts[index], parts[index + 1])
            guard left.isChanged || right.isChanged, min(left.count, right.count) < Self.leafElements / 2,
                left.count + right.count <= Self.leafElements
            else {
                index += 1
                continue
            }
            let values = try values(of: index)
            try values.append(self.values(of: index + 1))
            spareLeaves += [left.leaf, right.leaf].compactMap(\.self)
            parts[index] = Part(count: left.count + right.count, values: values)
            parts.remove(at: index + 1)
        }
        last = (0, 0)
    }
}
