package import RealmLayout

/// A dictionary: since format 23 a pair of B+trees, before that a cluster tree of entries (Spec 40).
package struct DictionaryTree: Sendable {
    package let root: Ref
    package let space: NodeSpace
    package let keyType: LeafType
    package let isPair: Bool

    package init(root: Ref, keyType: DictionaryKeyType, version: FormatVersion, in space: NodeSpace) {
        self.root = root
        self.space = space
        self.keyType = keyType.leafType
        isPair = version.hasPairDictionaries
    }

    /// Entries in one leaf of keys and one leaf of values: elements `keyStart ..< keyStart + count` of the keys
    /// correspond to `valueStart ..< valueStart + count` of the values.
    package struct Run: Sendable {
        package let keys: ColumnLeaf
        package let keyStart: Int
        package let values: ColumnLeaf
        package let valueStart: Int
        package let count: Int
    }

    /// Returns all entries if there is one leaf of each, as in the usual dictionary; avoids an allocation.
    ///
    /// - Returns: nil when there are several leaves; use `runs` then.
    /// - Throws: `wrongCount` when the numbers of keys and values differ, and errors from opening leaves.
    package func singleRun(_ budget: inout WorkBudget) throws(FormatError) -> Run? {
        guard let (keyNode, valueNode) = try singleLeaves() else { return nil }
        let keys = try ColumnLeaf(keyNode, as: keyType, in: space)
        let values = try ColumnLeaf(valueNode, as: .mixed, in: space)
        guard keys.count == values.count else { throw Self.wrongCount(keys.count, values.count, at: root) }
        try budget.spend(keyNode, elements: keys.count)
        try budget.spend(valueNode, elements: values.count)
        return Run(keys: keys, keyStart: 0, values: values, valueStart: 0, count: keys.count)
    }

    /// Entries with short keys, as in the usual dictionary.
    package struct ShortRun: Sendable, BitwiseCopyable {
        /// The ref of the leaf of keys.
        package let keyRef: Ref
        package let keys: ShortStrings
        package let values: MixedLeaf

        package var count: Int { keys.count }
    }

    /// Returns all entries of a dictionary with one leaf of short keys and one of values, without an allocation.
    ///
    /// - Returns: nil when it has any other form; use `singleRun` or `runs` then.
    /// - Throws: `wrongCount` when the numbers of keys and values differ, and errors from opening nodes.
    package func shortRun(_ budget: inout WorkBudget) throws(FormatError) -> ShortRun? {
        guard keyType == .string, let (keyNode, valueNode) = try singleLeaves(), let keys = ShortStrings(keyNode) else {
            return nil
        }
        let slots = try valueNode.refs()
        guard case .ref(let composites) = RecordSlots<MixedSlot>(slots)[.composites] else {
            return nil
        }
        let values = MixedLeaf(ref: valueNode.ref, types: try space.node(at: composites).integers(), slots: slots)
        guard keys.count == values.count else { throw Self.wrongCount(keys.count, values.count, at: root) }
        if !budget.trySpend(2 &* keys.count, bytes: keyNode.body.count &+ valueNode.body.count) {
            try budget.spend(keyNode, elements: keys.count)
            try budget.spend(valueNode, elements: values.count)
        }
        return ShortRun(keyRef: keyNode.ref, keys: keys, values: values)
    }

    /// Returns all entries in stored order.
    ///
    /// - Throws: `wrongCount` when the numbers of keys and values differ, and errors from trees and leaves.
    package func runs(_ budget: inout WorkBudget) throws(FormatError) -> [Run] {
        guard isPair else { return try clusterRuns(&budget) }
        let (keyRoot, valueRoot) = try Self.pair(at: root, in: space)
        // Leaves are small values. The two trees are divided into leaves independently.
        let keyLeaves = try BPlusTree(root: keyRoot, of: keyType, in: space).leaves(&budget)
        let valueLeaves = try BPlusTree(root: valueRoot, of: .mixed, in: space).leaves(&budget)
        let keyCount = keyLeaves.reduce(0) { $0 + $1.count }
        let valueCount = valueLeaves.reduce(0) { $0 + $1.count }
        guard keyCount == valueCount else { throw Self.wrongCount(keyCount, valueCount, at: root) }
        var runs: [Run] = []
        var current = 0
        var keyStart = 0
        for values in valueLeaves {
            var valueStart = 0
            while valueStart < values.count {
                let keys = keyLeaves[current]
                let count = min(keys.count - keyStart, values.count - valueStart)
                if count > 0 {
                    runs.append(
                        Run(keys: keys, keyStart: keyStart, values: values, valueStart: valueStart, count: count))
                }
                valueStart += count
                keyStart += count
                if keyStart == keys.count { (current, keyStart) = (current + 1, 0) }
            }
        }
        return runs
    }

    /// The roots of keys and values if each is a leaf; nil otherwise.
    @inline(__always)
    private func singleLeaves() throws(FormatError) -> (keys: Node, values: Node)? {
        guard isPair else { return nil }
        let roots = try Self.pair(at: root, in: space)
        let nodes = (keys: try space.node(at: roots.keys), values: try space.node(at: roots.values))
        return nodes.keys.header.isInner || nodes.values.header.isInner ? nil : nodes
    }

    /// The roots of keys and values.
    @inline(__always)
    package static func pair(at root: Ref, in space: NodeSpace) throws(FormatError) -> (keys: Ref, values: Ref) {
        let node = try space.node(at: root)
        let slots = RecordSlots<DictionarySlot>(try node.refs())
        guard let keys = slots.ref(.keys), let values = slots.ref(.values) else {
            throw node.unexpected("keys and values of a dictionary")
        }
        return (keys, values)
    }

    private func clusterRuns(_ budget: inout WorkBudget) throws(FormatError) -> [Run] {
        let keyColumn = Column(entryColumn: ColumnIndex(0), keyType)
        let valueColumn = Column(entryColumn: ColumnIndex(1), .mixed)
        var runs: [Run] = []
        var cursor = ClusterCursor(ClusterTree(root: root, in: space), keysAreHashes: true)
        while let cluster = try cursor.next() {
            try budget.spend(cluster.count, at: cluster.ref)
            try budget.spend(bytes: NodeHeader.size, at: cluster.ref)
            let keys = try cluster.leaf(of: keyColumn, in: space)
            let values = try cluster.leaf(of: valueColumn, in: space)
            runs.append(Run(keys: keys, keyStart: 0, values: values, valueStart: 0, count: cluster.count))
        }
        return runs
    }

    @inline(never)
    package static func wrongCount(_ keys: Int, _ values: Int, at root: Ref) -> FormatError {
        FormatError(.wrongCount, at: root.offset, "the dictionary has \(keys) keys and \(values) values")
    }
}

extension DictionaryKeyType {
    /// The leaf type of the keys.
    package var leafType: LeafType { self == .int ? .int(nullable: false) : .string }
}
