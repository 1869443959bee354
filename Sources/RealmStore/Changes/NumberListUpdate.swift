internal import RealmCore
internal import RealmLayout

/// Adds numbers to a list and removes others: the origins of backlinks, or the objects that an index has for a value
/// (Spec 40, 220).
///
/// An element represents the list: 0 for an empty list, a single number itself, or the ref of the root.
struct NumberListUpdate {
    enum Order {
        /// The objects of an index are ascending.
        case ascending
        /// Backlinks are appended; they are mostly ascending.
        case coming
    }

    private let order: Order
    private let nodes: NodeOutput
    private let element: Int64
    private let tree: MutableBPlusTree

    /// - Throws: errors of reading the inner nodes.
    init(_ element: Int64, _ order: Order, _ nodes: NodeOutput, in space: NodeSpace) throws(FormatError) {
        (self.element, self.order, self.nodes) = (element, order, nodes)
        tree =
            if case .tagged(let number) = Slot(element) {
                MutableBPlusTree(Int64(bitPattern: number), in: space)
            } else {
                try MutableBPlusTree(Slot(element).ref, of: .int(nullable: false), in: space)
            }
    }

    /// The first and the last number other than `others`; nil if there is none.
    func ends(except others: Set<Int64>) throws(FormatError) -> (first: Int64, last: Int64)? {
        func found(_ parts: some Sequence<MutableBPlusTree.Part>, isFirst: Bool) throws(FormatError) -> Int64? {
            for part in parts {
                let leaf = try tree.storedLeaf(of: part)
                for index in 0..<part.count {
                    let row = isFirst ? index : part.count - 1 - index
                    let number = part.values?.numbers[row] ?? leaf?.rawElement(at: row) ?? 0
                    if !others.contains(number) { return number }
                }
            }
            return nil
        }
        guard let first = try found(tree.parts, isFirst: true),
            let last = try found(tree.parts.reversed(), isFirst: false)
        else { return nil }
        return (first, last)
    }

    /// The first number that a part had originally.
    private func first(of part: Int) throws(FormatError) -> Int64 {
        if let leaf = try tree.storedLeaf(of: tree.parts[part]) { return leaf.rawElement(at: 0) }
        return tree.parts[part].values?.numbers.first ?? 0
    }

    /// Divides ascending numbers by the part to which they belong, assuming that the list is ascending.
    private func divided(_ numbers: [Int64]) throws(FormatError) -> [(part: Int, numbers: ArraySlice<Int64>)] {
        let parts = tree.parts.indices
        guard parts.count > 1 else { return parts.isEmpty ? [] : [(0, numbers[...])] }
        var divided: [(part: Int, numbers: ArraySlice<Int64>)] = []
        var rest = numbers[...]
        while let number = rest.first {
            let after = try parts.partitioningIndex { part throws(FormatError) in try first(of: part) > number }
            let part = max(0, after - 1)
            var mine = rest
            if part + 1 < parts.count {
                let next = try first(of: part + 1)
                mine = rest.prefix { $0 < next }
            }
            divided.append((part, mine))
            rest = rest.dropFirst(mine.count)
        }
        return divided
    }

    /// Removes one occurrence of each of some numbers.
    ///
    /// - Returns: whether all of them were in the list.
    @discardableResult
    func remove(_ numbers: [Int64]) throws(FormatError) -> Bool {
        guard !numbers.isEmpty, !tree.parts.isEmpty else { return numbers.isEmpty }
        var missing: [Int64] = []
        // First from the parts where they would be if the list is ascending.
        for (part, mine) in try divided(numbers.sorted()) {
            missing += try tree.change(part) { $0.removeLast(ofEach: mine) }
        }
        for part in tree.parts.indices.reversed() where !missing.isEmpty {
            missing = try tree.change(part) { $0.removeLast(ofEach: missing[...]) }
        }
        return missing.isEmpty
    }

    /// Adds numbers.
    func add(_ numbers: [Int64]) throws(FormatError) {
        guard !numbers.isEmpty else { return }
        let numbers = order == .ascending ? numbers.sorted() : numbers
        guard order == .ascending, !tree.parts.isEmpty else { return try tree.append(numbers[...]) }
        for (part, mine) in try divided(numbers) {
            if part == tree.parts.count - 1, let first = mine.first, try isAfterAll(first) {
                try tree.append(mine)
            } else {
                try tree.change(part) { $0 = ($0 + mine).sorted() }
            }
        }
    }

    private func isAfterAll(_ number: Int64) throws(FormatError) -> Bool {
        guard let part = tree.parts.last, part.count > 0 else { return true }
        if let values = part.values { return values.numbers[part.count - 1] < number }
        return try tree.storedLeaf(of: part).map { $0.rawElement(at: part.count - 1) < number } ?? true
    }

    /// Writes the changed leaves, and the inner nodes.
    ///
    /// - Parameter released: receives the nodes that are no longer used.
    /// - Returns: the element for the list.
    func write(_ released: inout FreedNodes) throws -> Int64 {
        guard tree.isChanged else { return element }
        guard tree.count == 1 else {
            return Int64(try tree.write(nodes, &released, isGrowing: true)?.offset ?? 0)
        }
        // A single number needs no node.
        _ = try tree.prepare(&released)
        guard case .int(let number) = try tree.value(at: 0) else { return 0 }
        return number << 1 | 1
    }
}

extension [Int64] {
    /// Removes the last occurrence of each of some numbers.
    ///
    /// - Parameter gone: in ascending order.
    /// - Returns: the numbers that were not found.
    mutating func removeLast(ofEach gone: ArraySlice<Int64>) -> [Int64] {
        guard gone.count > 1 else {
            guard let number = gone.first else { return [] }
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
