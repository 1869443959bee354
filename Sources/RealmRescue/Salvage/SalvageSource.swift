internal import RealmLayout
internal import RealmReader
internal import RealmVerifier

/// The damaged database while it is read: nodes are opened here, so that each is used once and none is taken for what it
/// cannot be.
final class SalvageSource {
    let space: NodeSpace
    let version: FormatVersion
    let tables: ByTable<TableDescription>
    private(set) var pages: DamagedPages
    /// Words of nodes that somebody has: a node has one owner. Not of older formats, of which what is presented need not be
    /// in a strict tree.
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
        // Structure, loose clusters, keys of objects, and owners of embedded objects are read before all values are.
        budget = WorkBudget(for: space, passes: 5)
        positions = Dictionary(zip(tables.lazy.map(\.schema.key), tables.indices)) { first, _ in first }
    }

    /// Notes that there are further ways to nodes, after those that were there from the start.
    func add(roots: [Ref]) { pages.follow(roots, in: space) }

    /// The position of a table.
    func position(of key: TableKey) -> TablePosition? { positions[key] }

    /// Opens a node that may be looked at again.
    ///
    /// - Throws: also `badNode` for what no writer leaves: zeros.
    func peek(_ ref: Ref) throws(FormatError) -> Node {
        let node = try space.node(at: ref)
        guard !isStrict || node.header != NodeHeader(word: 0) else {
            throw FormatError(.badNode, at: ref.offset, "zeros where a node should be")
        }
        return node
    }

    /// Opens a node for good.
    ///
    /// - Throws: also `sharedNodes` when somebody else has it.
    func take(_ ref: Ref) throws(FormatError) -> Node { try take(peek(ref)) }

    /// Takes a node that was opened.
    ///
    /// - Throws: `sharedNodes` when somebody else has it.
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
    /// - Throws: also for leaves of which the part is zeros that says how many elements there are: they would seem to be
    ///   empty.
    func leaf(_ node: Node, _ type: LeafType, distinct: ColumnLeaf? = nil) throws(FormatError) -> ColumnLeaf {
        switch type {
        case .string, .binary, .mixed, .legacyString, .legacyBinary:
            guard node.header.hasRefs, !node.header.isContext else { break }
            if case .ref(let first) = Slot(try node.refs().element(at: 0) ?? 0) { _ = try peek(first) }
        default: break
        }
        return try ColumnLeaf(node, as: type, in: space, distinct: distinct)
    }

    /// Opens a leaf for good, if it is one of that type with that many elements.
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

    /// Pays for elements and bytes of values.
    func spend(_ elements: Int, bytes: Int, at ref: Ref) throws(FormatError) {
        try budget.spend(elements, at: ref)
        try budget.spend(bytes: bytes, at: ref)
    }

    /// The bytes of a node, as far as it can be opened: else of its header.
    func range(_ ref: Ref) -> Range<Int> {
        var size = NodeHeader.size
        do throws(FormatError) { size += try space.node(at: ref).size } catch {}
        return ref.offset..<(ref.offset + size)
    }
}

/// A leaf of a tree of objects, and which of its objects go where.
struct SalvagedCluster {
    let ref: Ref
    let slots: IntegerVector
    /// The elements that its leaves have.
    let rowCount: Int
    /// The rows that are kept, in ascending order; nil for all.
    var rows: [UInt16]?
    /// The key of the first object that is kept; those of the others, unless each is one more than that before it.
    var first: Int64
    var keys: [Int64]?

    var count: Int { rows?.count ?? rowCount }

    func row(_ index: Int) -> Int { rows.map { Int($0[index]) } ?? index }

    func key(_ index: Int) -> Int64 { keys?[index] ?? first &+ Int64(index) }

    var last: Int64 { count == 0 ? first : key(count - 1) }

    /// The index of the object with that key.
    func index(of key: Int64) -> Int? {
        guard let keys else {
            let (distance, overflow) = key.subtractingReportingOverflow(first)
            return !overflow && distance >= 0 && distance < Int64(count) ? Int(distance) : nil
        }
        let index = keys.partitioningIndex { $0 >= key }
        return index < keys.count && keys[index] == key ? index : nil
    }

    /// The ref of a column's leaf.
    func leaf(_ column: ColumnIndex) -> Ref? {
        ClusterSlots(slots).leaf(of: column).ref
    }

    /// The same with those of its objects only that `isKept` says.
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
