internal import RealmCore
internal import RealmLayout

/// Finds the leaf and the element of a row in a B+tree of formats 2 to 9 (Spec 100). Caches the last leaf.
struct RowFinder {
    private let scope: SnapshotScope
    private let type: LeafType
    /// The first row of each leaf.
    private var starts: [Int] = []
    private var refs: [Ref] = []
    private var last: (position: Int, leaf: ColumnLeaf)?
    /// The number of rows.
    private(set) var count = 0

    /// Walks the tree; returns nil when a part of it cannot be read, which is reported elsewhere.
    init?(_ scope: SnapshotScope, root: Ref, as type: LeafType) {
        self.scope = scope
        self.type = type
        var walk = TreeWalk(scope, root: root, reporter: nil)
        var previous: Int?
        while let node = walk.next(count: previous) {
            guard let leaf = scope.leaf(node.ref, as: type) else { return nil }
            starts.append(count)
            refs.append(node.ref)
            count += leaf.count
            previous = leaf.count
        }
        guard walk.isComplete else { return nil }
    }

    /// The leaf with a row and the index of its element; nil when there is no such row.
    mutating func find(_ row: Int) -> (leaf: ColumnLeaf, index: Int)? {
        guard row >= 0, row < count else { return nil }
        if let last, row >= starts[last.position], row - starts[last.position] < last.leaf.count {
            return (last.leaf, row - starts[last.position])
        }
        // If several leaves begin at the same row, the last contains it; the rest are empty.
        let position = starts.partitioningIndex { $0 > row } - 1
        guard position >= 0, let leaf = scope.leaf(refs[position], as: type), row - starts[position] < leaf.count else {
            return nil
        }
        last = (position, leaf)
        return (leaf, row - starts[position])
    }
}
