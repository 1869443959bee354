internal import RealmLayout

/// A column of formats 2 to 9: a B+tree whose elements are rows (Spec 40).
///
/// The inner nodes alone determine the rows of each leaf; the leaves are checked against them when they are read.
/// Unlike `TreeWalk`, it does not open leaves along the way: opening a file touches none, and a damaged leaf costs only
/// its own rows.
///
/// A class, like all state of the recursion through nested subtables, to limit stack usage.
final class LegacyTree {
    /// A leaf and its rows.
    struct Piece {
        let ref: Ref
        let rows: Range<Int>
    }

    private(set) var pieces: [Piece] = []
    private(set) var count = 0
    let type: LeafType
    /// Whether there are no inner nodes.
    let isLeaf: Bool
    /// The most recently read leaf, since columns are read sequentially.
    private var opened: (index: Int, leaf: ColumnLeaf)?

    /// Reads the inner nodes.
    ///
    /// - Throws: `badTree`, `wrongCount`, `tooDeep`, `sharedNodes`, and errors from opening nodes.
    init(root: Ref, as type: LeafType, in space: NodeSpace, _ budget: inout WorkBudget) throws(FormatError) {
        self.type = type
        let node = try space.node(at: root)
        isLeaf = !node.header.isInner
        guard !isLeaf else {
            let leaf = try ColumnLeaf(node, as: type, in: space)
            try Self.check(leaf.count, node, in: space)
            try budget.spend(node, elements: leaf.count)
            pieces = [Piece(ref: root, rows: 0..<leaf.count)]
            count = leaf.count
            opened = (0, leaf)
            return
        }
        let total = try BPlusTreeInner(node).total
        try Self.check(total, node, in: space)
        try collect(node, expected: total, depth: 1, in: space, &budget)
    }

    /// Rejects an excessive number early: it must not use up the budget that all other columns depend on.
    private static func check(_ total: Int, _ node: Node, in space: NodeSpace) throws(FormatError) {
        guard total >= 0, total <= space.bytes.count * WorkBudget.elementsPerByte else {
            throw FormatError(
                .badTree, at: node.ref.offset, "\(total) elements are more than the file has room for")
        }
    }

    /// Collects the leaves below an inner node with `expected` elements.
    private func collect(
        _ node: Node, expected: Int, depth: Int, in space: NodeSpace, _ budget: inout WorkBudget
    ) throws(FormatError) {
        guard depth <= Limits.treeDepth else {
            throw BPlusTreeInner.error(.tooDeep(node), node.ref)
        }
        let inner = try BPlusTreeInner(node)
        guard inner.total == expected else {
            throw node.wrongCount("elements of the subtree", inner.total, expected)
        }
        if depth == 1 { try budget.spend(expected, at: node.ref) }
        try budget.spend(node, elements: inner.childCount)
        let counts = try LegacyChildCounts(inner, in: space)
        var childrenAreInner = false
        for index in 0..<inner.childCount {
            let ref = try inner.child(index)
            let childCount = try counts.count(of: index)
            if index == 0 { childrenAreInner = try space.node(at: ref).header.isInner }
            if childrenAreInner {
                let child = try space.node(at: ref)
                guard child.header.isInner else {
                    throw FormatError(.badTree, at: node.ref.offset, "leaves and inner nodes side by side")
                }
                try collect(child, expected: childCount, depth: depth + 1, in: space, &budget)
            } else if childCount > 0 {
                pieces.append(Piece(ref: ref, rows: count..<(count + childCount)))
                count += childCount
            }
        }
    }

    /// Returns the leaf that has exactly these rows; nil when there is none.
    func leaf(of rows: Range<Int>) -> Ref? {
        let piece = pieces[safe: index(of: rows.lowerBound)]
        return piece?.rows == rows ? piece?.ref : nil
    }

    /// The index of the piece that contains the row, or of the last one before it.
    private func index(of row: Int) -> Int {
        max(0, pieces.partitioningIndex { $0.rows.lowerBound > row } - 1)
    }

    /// Reads rows leaf by leaf: calls `body` with each leaf and the requested elements in it.
    ///
    /// - Throws: errors from opening leaves, `wrongCount`, `sharedNodes`, and errors from `body`.
    func read(
        _ rows: Range<Int>, in space: NodeSpace, _ budget: inout WorkBudget,
        _ body: (ColumnLeaf, Range<Int>) throws(FormatError) -> Void
    ) throws(FormatError) {
        guard rows.lowerBound >= 0, rows.upperBound <= count else {
            throw FormatError(
                .wrongCount, at: pieces.first?.ref.offset,
                "the column has \(count) rows, but \(rows.upperBound) were expected")
        }
        var row = rows.lowerBound
        var index = index(of: row)
        while row < rows.upperBound {
            let leaf = try open(index, in: space, &budget)
            let piece = pieces[index].rows
            let end = min(piece.upperBound, rows.upperBound)
            try body(leaf, (row - piece.lowerBound)..<(end - piece.lowerBound))
            row = end
            index += 1
        }
    }

    private func open(
        _ index: Int, in space: NodeSpace, _ budget: inout WorkBudget
    ) throws(FormatError) -> ColumnLeaf {
        if let opened, opened.index == index { return opened.leaf }
        let piece = pieces[index]
        let node = try space.node(at: piece.ref)
        let leaf = try ColumnLeaf(node, as: type, in: space)
        guard leaf.count == piece.rows.count else {
            throw node.wrongCount("elements of the leaf", leaf.count, piece.rows.count)
        }
        try budget.spend(node, elements: leaf.count)
        opened = (index, leaf)
        return leaf
    }
}

/// The element counts of an inner node's children.
private struct LegacyChildCounts {
    private let inner: BPlusTreeInner
    /// Elements of each child but the last, in the compact form.
    private let each: Int?
    /// Elements before child 1, 2, …, in the general form.
    private let offsets: IntegerVector

    init(_ inner: BPlusTreeInner, in space: NodeSpace) throws(FormatError) {
        self.inner = inner
        switch inner.slots.starts {
        case .tagged(let number):
            each = Int(truncatingIfNeeded: min(number, UInt64(Int32.max)))
            offsets = .empty
        case .ref(let ref):
            each = nil
            offsets = try space.node(at: ref).integers()
            guard offsets.count == inner.childCount - 1 else {
                throw inner.node.wrongCount("offsets", offsets.count, inner.childCount - 1)
            }
        case .empty:
            throw FormatError(.badTree, at: inner.node.ref.offset, "the elements of each child are missing")
        }
    }

    func count(of index: Int) throws(FormatError) -> Int {
        let isLast = index == inner.childCount - 1
        let start: Int
        let end: Int
        if let each {
            // At most 2^24 children of fewer than 2^31 elements.
            start = index * each
            end = isLast ? inner.total : start + each
            if isLast, end - start > each { throw wrong(index) }
        } else {
            start = index == 0 ? 0 : Int(truncatingIfNeeded: offsets[unchecked: index - 1])
            end = isLast ? inner.total : Int(truncatingIfNeeded: offsets[unchecked: index])
        }
        guard start >= 0, start <= end, end <= inner.total else { throw wrong(index) }
        return end - start
    }

    private func wrong(_ index: Int) -> FormatError {
        FormatError(
            .badTree, at: inner.node.ref.offset,
            "the number of elements of child \(index) does not agree with the total of \(inner.total)")
    }
}
