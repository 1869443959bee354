internal import RealmCore
internal import RealmLayout

/// Reader of the damaged database. Opens nodes so that each is used only once and none is mistaken for another kind.
final class SalvageSource {
    let space: NodeSpace
    let version: FormatVersion
    let tables: ByTable<TableDescription>
    private(set) var pages: DamagedPages
    /// Words of nodes that have an owner; a node can have only one. Unused for older formats, whose presented form
    /// need not be a strict tree.
    private var claimed: WordMap
    private let isStrict: Bool
    private var budget: WorkBudget
    private let positions: [TableKey: TablePosition]

    init(
        _ tables: ByTable<TableDescription>, _ version: FormatVersion, roots: [Ref], unproven: [Int],
        in space: NodeSpace
    ) {
        self.space = space
        self.version = version
        self.tables = tables
        pages = DamagedPages(roots: roots, unproven: unproven, in: space)
        claimed = WordMap(bytes: space.bytes.count)
        isStrict = !version.isLegacy
        // Structure, loose clusters, object keys, and owners of embedded objects are read before the values.
        budget = WorkBudget(for: space, passes: 5)
        positions = Dictionary(zip(tables.lazy.map(\.schema.key), tables.indices)) { first, _ in first }
    }

    /// Adds roots whose nodes count as reachable.
    func add(roots: [Ref]) { pages.follow(roots, in: space) }

    /// Returns the position of a table.
    func position(of key: TableKey) -> TablePosition? { positions[key] }

    /// Opens a node that may be read again.
    ///
    /// - Throws: Errors of opening nodes, and `badNode` for a zeroed header, which no writer produces.
    func peek(_ ref: Ref) throws(FormatError) -> Node {
        let node = try space.node(at: ref)
        guard !isStrict || node.header != NodeHeader(word: 0) else {
            throw FormatError(.badNode, at: ref.offset, "zeros where a node should be")
        }
        return node
    }

    /// Opens and claims a node.
    ///
    /// - Throws: Errors of opening nodes, and `sharedNodes` when the node is already claimed.
    func take(_ ref: Ref) throws(FormatError) -> Node { try take(peek(ref)) }

    /// Claims an open node.
    ///
    /// - Throws: `sharedNodes` when the node is already claimed.
    @discardableResult
    func take(_ node: Node) throws(FormatError) -> Node {
        let offset = node.ref.offset
        guard isStrict, offset < space.bytes.count else { return node }
        let length = NodeHeader.size + (node.size + 7) & ~7
        guard !claimed.intersects(offset, count: length) else {
            throw FormatError(.sharedNodes, at: offset, "the node, or a part of it, belongs to something else")
        }
        claimed.insert(offset, count: length)
        return node
    }

    /// Opens a node as a leaf.
    ///
    /// - Throws: Errors of opening leaves, also for leaves whose part with the element count is zeroed and which would
    ///   seem empty.
    func leaf(_ node: Node, _ type: LeafType, distinct: ColumnLeaf? = nil) throws(FormatError) -> ColumnLeaf {
        switch type {
        case .string, .binary, .mixed, .legacyString, .legacyBinary:
            guard node.header.hasRefs, !node.header.isContext else { break }
            if case .ref(let first) = Slot(try node.refs().element(at: 0) ?? 0) { _ = try peek(first) }
        default: break
        }
        return try ColumnLeaf(node, as: type, in: space, distinct: distinct)
    }

    /// Opens and claims a leaf, if it has the right type and count.
    func takeLeaf(_ ref: Ref, _ type: LeafType, distinct: ColumnLeaf? = nil, count: Int?) throws(FormatError) -> (
        Node, ColumnLeaf
    ) {
        let node = try peek(ref)
        let leaf = try leaf(node, type, distinct: distinct)
        if let count, leaf.count != count {
            throw FormatError(
                .wrongCount, at: ref.offset, "the leaf has \(leaf.count) elements for \(count) objects")
        }
        try spend(leaf.count, bytes: node.size, at: ref)
        return (try take(ref), leaf)
    }

    /// Charges for elements and bytes of values.
    func spend(_ elements: Int, bytes: Int, at ref: Ref) throws(FormatError) {
        try budget.spend(elements, at: ref)
        try budget.spend(bytes: bytes, at: ref)
    }

    /// Returns the bytes of a node, or only of its header when it cannot be opened.
    func range(_ ref: Ref) -> Range<Int> {
        var size = NodeHeader.size
        do throws(FormatError) { size += try space.node(at: ref).size } catch {}
        return ref.offset..<(ref.offset + size)
    }
}

/// A leaf of an object tree, with the rows to keep.
struct SalvagedCluster {
    let ref: Ref
    let slots: IntegerVector
    /// Number of elements in each column's leaf.
    let rowCount: Int
    /// Rows to keep, ascending; nil for all.
    var rows: [UInt16]?
    /// The key of the first kept object, and the keys of all; `keys` is nil when they are consecutive.
    var first: Int64
    var keys: [Int64]?

    var count: Int { rows?.count ?? rowCount }

    func row(_ index: Int) -> Int { rows.map { Int($0[index]) } ?? index }

    func key(_ index: Int) -> Int64 { keys?[index] ?? first &+ Int64(index) }

    var last: Int64 { count == 0 ? first : key(count - 1) }

    /// Returns the index of the object with this key.
    func index(of key: Int64) -> Int? {
        guard let keys else {
            let (distance, overflow) = key.subtractingReportingOverflow(first)
            return !overflow && distance >= 0 && distance < Int64(count) ? Int(distance) : nil
        }
        let index = keys.partitioningIndex { $0 >= key }
        return index < keys.count && keys[index] == key ? index : nil
    }

    /// Returns the ref of a column's leaf.
    func leaf(_ column: ColumnIndex) -> Ref? {
        ClusterSlots(slots).leaf(of: column).ref
    }

    /// Returns a cluster with the objects for which `isKept` returns true; nil when there are none.
    func filtered(_ isKept: (Int) -> Bool) -> SalvagedCluster? {
        let kept = (0..<count).filter(isKept)
        guard !kept.isEmpty else { return nil }
        guard kept.count < count else { return self }
        var copy = self
        copy.rows = kept.map { UInt16(truncatingIfNeeded: row($0)) }
        copy.keys = kept.map { key($0) }
        copy.first = key(kept[0])
        return copy
    }
}
