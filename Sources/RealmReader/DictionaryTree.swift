package import RealmLayout

/// A dictionary: since format 23 two B+trees side by side, before that a cluster tree of entries (Spec 40).
package struct DictionaryTree: Sendable {
    package let root: Ref?
    package let space: NodeSpace
    package let keyType: LeafType
    package let isPair: Bool

    package init(root: Ref?, keyType: DictionaryKeyType, version: FormatVersion, in space: NodeSpace) {
        self.root = root
        self.space = space
        self.keyType = keyType == .int ? .int(nullable: false) : .string
        isPair = version.hasPairDictionaries
    }

    /// Calls `body` with leaves of keys and of values and the range of elements that pair up in them, in stored order.
    ///
    /// The two trees are cut into leaves independently: one leaf of keys may meet several of values. Elements
    /// `keyStart ..< keyStart + count` of the keys go with `valueStart ..< valueStart + count` of the values.
    ///
    /// - Throws: `wrongCount` when there are not as many keys as values, and what trees and leaves throw.
    @inlinable
    package func forEachRun(
        _ budget: inout WorkBudget,
        _ body: (_ keys: ColumnLeaf, _ keyStart: Int, _ values: ColumnLeaf, _ valueStart: Int, _ count: Int)
            throws(FormatError) -> Void
    ) throws(FormatError) {
        guard let root else { return }
        guard isPair else { return try forEachClusterRun(root, &budget, body) }
        let (keyRoot, valueRoot) = try pair(root)
        let keyNode = try space.node(at: keyRoot)
        let valueNode = try space.node(at: valueRoot)
        guard !keyNode.header.isInner, !valueNode.header.isInner else {
            return try forEachTreeRun(keyRoot, valueRoot, root, &budget, body)
        }
        let keys = try ColumnLeaf(keyNode, as: keyType, in: space)
        let values = try ColumnLeaf(valueNode, as: .mixed, in: space)
        guard keys.count == values.count else { throw wrongCount(root, keys.count, values.count) }
        try budget.spend(keys.count, at: root)
        try body(keys, 0, values, 0, keys.count)
    }

    /// The roots of keys and values.
    @usableFromInline
    func pair(_ root: Ref) throws(FormatError) -> (keys: Ref, values: Ref) {
        let node = try space.node(at: root)
        let slots = try node.refs()
        guard slots.count >= 2, case .ref(let keys) = Slot(slots[unchecked: 0]),
            case .ref(let values) = Slot(slots[unchecked: 1])
        else { throw node.unexpected("keys and values of a dictionary") }
        return (keys, values)
    }

    @usableFromInline
    func forEachTreeRun(
        _ keyRoot: Ref, _ valueRoot: Ref, _ root: Ref, _ budget: inout WorkBudget,
        _ body: (ColumnLeaf, Int, ColumnLeaf, Int, Int) throws(FormatError) -> Void
    ) throws(FormatError) {
        // A leaf is a small value: the leaves of the keys are kept while those of the values are visited.
        var keyLeaves: [ColumnLeaf] = []
        try BPlusTree(root: keyRoot, of: keyType, in: space).forEachLeaf(&budget) { leaf throws(FormatError) in
            if leaf.count > 0 { keyLeaves.append(leaf) }
        }
        let keyCount = keyLeaves.reduce(0) { $0 + $1.count }
        var valueCount = 0
        var current = 0
        var keyStart = 0
        try BPlusTree(root: valueRoot, of: .mixed, in: space).forEachLeaf(&budget) { values throws(FormatError) in
            valueCount += values.count
            guard valueCount <= keyCount else { throw wrongCount(root, keyCount, valueCount) }
            var valueStart = 0
            while valueStart < values.count {
                let keys = keyLeaves[current]
                let run = min(keys.count - keyStart, values.count - valueStart)
                try body(keys, keyStart, values, valueStart, run)
                valueStart += run
                keyStart += run
                if keyStart == keys.count {
                    current += 1
                    keyStart = 0
                }
            }
        }
        guard valueCount == keyCount else { throw wrongCount(root, keyCount, valueCount) }
    }

    @usableFromInline
    func forEachClusterRun(
        _ root: Ref, _ budget: inout WorkBudget,
        _ body: (ColumnLeaf, Int, ColumnLeaf, Int, Int) throws(FormatError) -> Void
    ) throws(FormatError) {
        let keyColumn = Column(index: 0, leafType: keyType, elementType: keyType, distinct: nil, targetIndex: nil)
        let valueColumn = Column(index: 1, leafType: .mixed, elementType: .mixed, distinct: nil, targetIndex: nil)
        var cursor = ClusterCursor(ClusterTree(root: root, in: space))
        while let cluster = try cursor.next() {
            try budget.spend(cluster.count, at: cluster.ref)
            let keys = try cluster.leaf(of: keyColumn, in: space)
            let values = try cluster.leaf(of: valueColumn, in: space)
            try body(keys, 0, values, 0, cluster.count)
        }
    }

    @usableFromInline
    @inline(never)
    func wrongCount(_ root: Ref, _ keys: Int, _ values: Int) -> FormatError {
        FormatError(.wrongCount, at: root.offset, "the dictionary has \(keys) keys and \(values) values")
    }
}
