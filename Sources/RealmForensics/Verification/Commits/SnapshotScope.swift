internal import RealmCore
package import RealmLayout

/// State shared by all checks of one commit: where to read, and where to report.
package final class SnapshotScope {
    let slot: Int
    let format: FormatVersion
    package let root: GroupRoot
    let sink: FindingSink
    let file: ByteView
    /// The part of the file in which refs may lie.
    let space: NodeSpace
    /// The nodes that the walk found to be sound; nil until it has run.
    var nodes: NodeMap? {
        didSet { hasUnsoundNodes = nodes?.isClean == false }
    }
    /// Whether any references lead to unsound or shared nodes.
    private(set) var hasUnsoundNodes = false
    /// The leaves of names and distinct strings, which belong to no object.
    var stringLeaves: [Ref] = []
    /// The number of columns that the file still has room for: each column takes at least a byte, and tables share
    /// none.
    private var columnsLeft: Int

    package init(slot: Int, format: FormatVersion, root: GroupRoot, file: ByteView, sink: FindingSink) {
        self.slot = slot
        self.format = format
        self.root = root
        space = root.space
        self.file = file
        self.sink = sink
        columnsLeft = file.count
    }

    /// The same commit with another sink, whose findings may be added to this one later.
    func reporting(to sink: FindingSink) -> SnapshotScope {
        let scope = SnapshotScope(slot: slot, format: format, root: root, file: file, sink: sink)
        scope.nodes = nodes
        return scope
    }

    /// Charges columns; returns false when the file has no room for as many.
    func spendColumns(_ count: Int) -> Bool {
        columnsLeft -= count
        return columnsLeft >= 0
    }

    /// The place of findings about the commit as a whole.
    var place: Finding.Place { Finding.Place(slot: slot) }

    func place(_ table: String?, _ property: String? = nil, _ object: ObjectKey? = nil) -> Finding.Place {
        Finding.Place(slot: slot, table: table, property: property, objectKey: object)
    }

    /// The node at `ref`; nil when it is not sound, which the walk has reported if it has run.
    func node(_ ref: Ref) -> Node? {
        if hasUnsoundNodes, let nodes, !nodes.isSound(ref) { return nil }
        do throws(FormatError) { return try space.node(at: ref) } catch { return nil }
    }

    /// Whether any child of a node is unsound; this was reported, and other checks do not report it again.
    func hasUnsoundParts(_ node: Node) -> Bool {
        guard node.header.hasRefs, let elements = refs(node.ref), elements.width > 0 else { return false }
        return (0..<elements.count).contains { index in
            if case .ref(let ref) = Slot(elements[unchecked: index]) { self.node(ref) == nil } else { false }
        }
    }

    /// The elements of the node of packed integers at `ref`; nil when it is unsound or something else.
    func integers(_ ref: Ref) -> IntegerVector? {
        guard let node = node(ref) else { return nil }
        do throws(FormatError) { return try node.integers() } catch { return nil }
    }

    /// The elements of the node with refs at `ref`; nil when it is unsound or something else.
    func refs(_ ref: Ref) -> IntegerVector? {
        guard let node = node(ref) else { return nil }
        do throws(FormatError) { return try node.refs() } catch { return nil }
    }

    /// The record at `ref`; nil when it is unsound or something else.
    func record<Name: RecordSlot>(_ ref: Ref, of kind: Name.Type = Name.self) -> RecordSlots<Name>? {
        refs(ref).map { RecordSlots($0) }
    }

    /// The leaf at `ref`; nil when it is unsound or something else.
    func leaf(_ ref: Ref, as type: LeafType, distinct: ColumnLeaf? = nil) -> ColumnLeaf? {
        guard let node = node(ref) else { return nil }
        do throws(FormatError) {
            return try ColumnLeaf(node, as: type, in: space, distinct: distinct)
        } catch {
            return nil
        }
    }
}

/// The words of a file that belong to the nodes of a commit.
package struct NodeMap {
    /// The words of nodes.
    package var owned: WordMap
    /// The first words of sound nodes with a single reference; empty when the map is clean.
    var starts: WordMap
    /// Whether every reference leads to a sound node of its own: individual lookups are then unnecessary.
    package var isClean = true
    package var nodeCount = 0
    package var byteCount = 0
    /// Counts of nodes that do not begin with `AAAA`.
    var startsOfNodes = NodeStarts()

    init(bytes: Int) {
        owned = WordMap(bytes: bytes)
        starts = WordMap(bytes: bytes)
    }

    /// Creates a map from the words of nodes that several threads have visited.
    init(bytes: Int, _ claims: SharedWordMap, nodeCount: Int, byteCount: Int, _ startsOfNodes: NodeStarts) {
        owned = WordMap(bytes: bytes, claims)
        starts = WordMap(bytes: bytes)
        self.startsOfNodes = startsOfNodes
        self.nodeCount = nodeCount
        self.byteCount = byteCount
    }

    /// Records a node; returns false when some of its words belong to another node.
    mutating func claim(_ node: Node) -> Bool {
        guard claimWords(of: node) else { return false }
        starts.insert(node.ref.offset, count: NodeHeader.size)
        return true
    }

    /// Same, without recording its start, for walks after which individual lookups are unnecessary.
    mutating func claimWords(of node: Node) -> Bool {
        guard owned.insert(node.ref.offset, count: node.body.count) else { return false }
        nodeCount &+= 1
        byteCount &+= node.body.count
        return true
    }

    func isSound(_ ref: Ref) -> Bool { ref.offset & 7 == 0 && starts.contains(ref.offset) }
}
