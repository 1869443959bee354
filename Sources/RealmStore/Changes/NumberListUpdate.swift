internal import RealmCore
internal import RealmLayout

/// Adds numbers to a list and removes others: the origins of backlinks, or the objects that an index has for a value.
/// Unchanged leaves stay where they are (Spec 40, 220).
///
/// An element represents the list: 0 for an empty list, a single number itself, or the ref of the root.
struct NumberListUpdate {
    enum Order {
        /// The objects of an index are ascending.
        case ascending
        /// Backlinks are appended; they are mostly ascending.
        case coming
    }

    private struct Leaf {
        /// Nil for a new leaf.
        var ref: Ref?
        var storedCount = 0
        /// Its numbers; nil if it has not been loaded.
        var numbers: [Int64]?
        var isChanged = false

        var count: Int { numbers?.count ?? storedCount }
    }

    private static let leafElements = Limits.treeElements

    private let order: Order
    private let nodes: NodeOutput
    private let space: NodeSpace
    private let element: Int64
    private var leaves: [Leaf] = []
    /// Whether a number to be removed was not found.
    private(set) var missesSome = false

    /// - Throws: errors of reading the inner nodes.
    init(_ element: Int64, _ order: Order, _ nodes: NodeOutput, in space: NodeSpace) throws(FormatError) {
        (self.element, self.order, self.nodes, self.space) = (element, order, nodes, space)
        switch Slot(element) {
        case .empty: break
        case .tagged(let number): leaves = [Leaf(numbers: [Int64(bitPattern: number)])]
        case .ref(let root):
            var budget = WorkBudget(for: space)
            try addLeaves(below: root, depth: 0, &budget)
        }
    }

    /// The first and the last number other than `others`; nil if there is none.
    func ends(except others: Set<Int64>) throws(FormatError) -> (first: Int64, last: Int64)? {
        func found(_ leaves: some Sequence<Leaf>, isFirst: Bool) throws(FormatError) -> Int64? {
            for leaf in leaves {
                if let numbers = leaf.numbers {
                    let found = isFirst ? numbers.first { !others.contains($0) } : numbers.last { !others.contains($0) }
                    if let found { return found }
                } else if let stored = try elements(of: leaf) {
                    for index in 0..<stored.count {
                        let number = stored[unchecked: isFirst ? index : stored.count - 1 - index]
                        if !others.contains(number) { return number }
                    }
                }
            }
            return nil
        }
        guard let first = try found(leaves, isFirst: true), let last = try found(leaves.reversed(), isFirst: false)
        else { return nil }
        return (first, last)
    }

    // MARK: Leaves

    private mutating func addLeaves(below ref: Ref, depth: Int, _ budget: inout WorkBudget) throws(FormatError) {
        let node = try space.node(at: ref)
        guard node.header.isInner else {
            leaves.append(Leaf(ref: ref, storedCount: try node.integers().count))
            return
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
            let child = try inner.child(index)
            // A node may claim any number of elements.
            try budget.spend(ends[index] - start, at: child)
            leaves.append(Leaf(ref: child, storedCount: ends[index] - start))
            start = ends[index]
        }
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

    private func elements(of leaf: Leaf) throws(FormatError) -> IntegerVector? {
        guard let ref = leaf.ref else { return nil }
        let node = try space.node(at: ref)
        let elements = try node.integers()
        guard !node.header.isInner, elements.count == leaf.storedCount else {
            throw FormatError(
                .wrongCount, at: ref.offset,
                "elements of the leaf: found \(elements.count), expected \(leaf.storedCount)")
        }
        return elements
    }

    /// Loads the numbers of a leaf.
    private mutating func load(_ leaf: Int) throws(FormatError) {
        guard leaves[leaf].numbers == nil, let stored = try elements(of: leaves[leaf]) else { return }
        var numbers: [Int64] = []
        numbers.reserveCapacity(stored.count + 1)
        stored.forEach(unchecked: 0, count: stored.count) { numbers.append($1) }
        leaves[leaf].numbers = numbers
    }

    /// The first number that a leaf had originally.
    private func first(of leaf: Int) throws(FormatError) -> Int64 {
        guard let stored = try elements(of: leaves[leaf]) else { return leaves[leaf].numbers?.first ?? 0 }
        return stored.element(at: 0) ?? 0
    }

    /// Divides ascending numbers by the leaf to which they belong, assuming that the list is ascending.
    private func parts(of numbers: [Int64]) throws(FormatError) -> [(leaf: Int, numbers: ArraySlice<Int64>)] {
        guard leaves.count > 1 else { return leaves.isEmpty ? [] : [(0, numbers[...])] }
        var parts: [(leaf: Int, numbers: ArraySlice<Int64>)] = []
        var rest = numbers[...]
        while let number = rest.first {
            let behind = try leaves.indices.partitioningIndex { leaf throws(FormatError) in
                try first(of: leaf) > number
            }
            let leaf = max(0, behind - 1)
            var mine = rest
            if leaf + 1 < leaves.count {
                let next = try first(of: leaf + 1)
                mine = rest.prefix { $0 < next }
            }
            parts.append((leaf, mine))
            rest = rest.dropFirst(mine.count)
        }
        return parts
    }

    // MARK: Removing numbers

    /// Removes one occurrence of each of some numbers.
    mutating func remove(_ numbers: [Int64]) throws(FormatError) {
        guard !numbers.isEmpty else { return }
        var missing: [Int64] = []
        if leaves.isEmpty { missing = numbers }
        // First from the leaves where they would be if the list is ascending.
        for (leaf, mine) in try parts(of: numbers.sorted()) { missing += try remove(mine, from: leaf) }
        for leaf in leaves.indices.reversed() where !missing.isEmpty {
            missing = try remove(missing[...], from: leaf)
        }
        missesSome = !missing.isEmpty
    }

    /// - Parameter gone: in ascending order.
    /// - Returns: the numbers that were not found.
    private mutating func remove(_ gone: ArraySlice<Int64>, from leaf: Int) throws(FormatError) -> [Int64] {
        try load(leaf)
        guard var numbers = leaves[leaf].numbers else { return Array(gone) }
        leaves[leaf].numbers = nil
        let before = numbers.count
        let missing = numbers.removeLast(ofEach: gone)
        if numbers.count < before { leaves[leaf].isChanged = true }
        leaves[leaf].numbers = numbers
        return missing
    }

    // MARK: Adding numbers

    /// Adds numbers.
    mutating func add(_ numbers: [Int64]) throws(FormatError) {
        guard !numbers.isEmpty else { return }
        if leaves.isEmpty { leaves.append(Leaf(numbers: [], isChanged: true)) }
        guard order == .ascending else { return try append(numbers[...]) }
        let parts = try parts(of: numbers.sorted())
        for (leaf, mine) in parts {
            if leaf == leaves.count - 1, let first = mine.first, try isBehindAll(first) {
                try append(mine)
            } else {
                try merge(mine, into: leaf)
            }
        }
    }

    private func isBehindAll(_ number: Int64) throws(FormatError) -> Bool {
        guard let leaf = leaves.last else { return true }
        if let numbers = leaf.numbers { return numbers.last.map { $0 < number } ?? true }
        guard let stored = try elements(of: leaf), stored.count > 0 else { return true }
        return stored[unchecked: stored.count - 1] < number
    }

    private mutating func append(_ numbers: ArraySlice<Int64>) throws(FormatError) {
        if leaves[leaves.count - 1].count >= Self.leafElements { leaves.append(Leaf(numbers: [])) }
        let last = leaves.count - 1
        try load(last)
        leaves[last].numbers?.append(contentsOf: numbers)
        leaves[last].isChanged = true
    }

    private mutating func merge(_ added: ArraySlice<Int64>, into leaf: Int) throws(FormatError) {
        try load(leaf)
        let old = leaves[leaf].numbers ?? []
        var merged: [Int64] = []
        merged.reserveCapacity(old.count + added.count)
        var rest = added
        for number in old {
            while let first = rest.first, first < number {
                merged.append(first)
                rest = rest.dropFirst()
            }
            merged.append(number)
        }
        merged += rest
        leaves[leaf].numbers = merged
        leaves[leaf].isChanged = true
    }

    // MARK: Writing

    /// Writes the changed leaves, and the inner nodes.
    ///
    /// - Parameter released: receives the nodes that are no longer used.
    /// - Returns: the element for the list.
    mutating func write(_ released: inout FreedNodes) throws(WriteError) -> Int64 {
        guard leaves.contains(where: \.isChanged) else { return element }
        try checked { () throws(FormatError) in
            try release(&released)
            try join(&released)
        }
        leaves.removeAll { $0.count == 0 }
        guard let only = leaves.first else { return 0 }
        if leaves.count == 1, only.count == 1 {
            try checked { () throws(FormatError) in try load(0) }
            return (leaves[0].numbers?.first ?? 0) << 1 | 1
        }
        var tree = BPlusTreeWriter()
        for (index, leaf) in leaves.enumerated() {
            guard leaf.isChanged, let numbers = leaf.numbers else {
                if let ref = leaf.ref { tree.add(ref, count: leaf.count) }
                continue
            }
            for range in Self.split(numbers.count, isLast: index == leaves.count - 1) {
                tree.add(try nodes.integers(numbers[range]), count: range.count)
            }
        }
        return Int64(try tree.end(to: nodes)?.offset ?? 0)
    }

    private func release(_ released: inout FreedNodes) throws(FormatError) {
        guard let root = Slot(element).ref else { return }
        try released.add(innerNodesOf: root, in: space)
        for leaf in leaves where leaf.isChanged { try released.add(leaf.ref, in: space) }
    }

    /// Merges changed leaves that have few numbers left.
    private mutating func join(_ released: inout FreedNodes) throws(FormatError) {
        var joined: [Leaf] = []
        joined.reserveCapacity(leaves.count)
        for index in leaves.indices {
            let (count, isChanged) = (leaves[index].count, leaves[index].isChanged)
            guard let left = joined.last, left.isChanged || isChanged, min(left.count, count) < Self.leafElements / 2,
                left.count + count <= Self.leafElements
            else {
                joined.append(leaves[index])
                continue
            }
            if !left.isChanged { try released.add(left.ref, in: space) }
            if !isChanged { try released.add(leaves[index].ref, in: space) }
            try load(index)
            var numbers = left.numbers ?? []
            if left.numbers == nil { numbers = try elements(of: left)?.elements ?? [] }
            numbers += leaves[index].numbers ?? []
            joined[joined.count - 1] = Leaf(numbers: numbers, isChanged: true)
        }
        leaves = joined
    }

    /// The sizes of leaves: full leaves at the end of a list, where numbers are appended; otherwise leaves of equal
    /// size.
    private static func split(_ count: Int, isLast: Bool) -> [Range<Int>] {
        guard isLast else { return (0..<count).evenParts(ofAtMost: leafElements) }
        return stride(from: 0, to: count, by: leafElements).map { $0..<min($0 + leafElements, count) }
    }
}

extension [Int64] {
    /// Removes the last occurrence of each of some numbers.
    ///
    /// - Parameter gone: in ascending order.
    /// - Returns: the numbers that were not found.
    fileprivate mutating func removeLast(ofEach gone: ArraySlice<Int64>) -> [Int64] {
        if gone.count == 1, let number = gone.first {
            guard let index = lastIndex(of: number) else { return [number] }
            remove(at: index)
            return []
        }
        var ascends = true
        for index in indices.dropFirst() where self[index] < self[index - 1] { ascends = false }
        return ascends ? removeInOrder(gone) : removeAnywhere(gone)
    }

    private mutating func removeInOrder(_ gone: ArraySlice<Int64>) -> [Int64] {
        var missing: [Int64] = []
        var next = gone.startIndex
        var kept = 0
        for index in indices {
            let number = self[index]
            while next < gone.endIndex, gone[next] < number {
                missing.append(gone[next])
                next += 1
            }
            if next < gone.endIndex, gone[next] == number {
                next += 1
            } else {
                self[kept] = number
                kept += 1
            }
        }
        removeSubrange(kept...)
        return missing + gone[next...]
    }

    private mutating func removeAnywhere(_ gone: ArraySlice<Int64>) -> [Int64] {
        var counts: [Int64: Int] = [:]
        for number in gone { counts[number, default: 0] += 1 }
        var kept: [Int64] = []
        kept.reserveCapacity(count)
        for number in reversed() {
            if let times = counts[number], times > 0 { counts[number] = times - 1 } else { kept.append(number) }
        }
        self = kept.reversed()
        var missing: [Int64] = []
        for number in gone {
            if let times = counts[number], times > 0 {
                missing.append(number)
                counts[number] = times - 1
            }
        }
        return missing
    }
}
