package import RealmLayout
internal import RealmReader

/// What all checks of one commit share: where to read, and where to report.
package final class SnapshotScope {
    let slot: Int
    let format: FormatVersion
    package let root: GroupRoot
    let sink: FindingSink
    let file: ByteView
    /// The part of the file in which refs may lie.
    let space: NodeSpace
    /// The nodes that the walk found to be sound; nil as long as it has not run.
    var nodes: NodeMap? {
        didSet { hasUnsoundNodes = nodes?.isClean == false }
    }
    /// Whether there are references to what is no node of its own.
    private(set) var hasUnsoundNodes = false
    /// The leaves of names and distinct strings, which belong to no object.
    var stringLeaves: [Ref] = []
    /// Columns that may still be read: each takes a byte or more of the file, of which tables share none.
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

    /// The same commit with findings going elsewhere, to be added to these later or not at all.
    func reporting(to sink: FindingSink) -> SnapshotScope {
        let scope = SnapshotScope(slot: slot, format: format, root: root, file: file, sink: sink)
        scope.nodes = nodes
        return scope
    }

    /// Whether the file has room for so many more columns.
    func spendColumns(_ count: Int) -> Bool {
        columnsLeft -= count
        return columnsLeft >= 0
    }

    /// The place of findings about the commit as a whole.
    var place: Finding.Place { Finding.Place(slot: slot) }

    func place(_ table: String?, _ property: String? = nil, _ object: ObjectKey? = nil) -> Finding.Place {
        Finding.Place(slot: slot, table: table, property: property, objectKey: object)
    }

    /// The node at `ref`, or nil when it is not sound. Why was then reported by the walk, if it has run.
    func node(_ ref: Ref) -> Node? {
        if hasUnsoundNodes, let nodes, !nodes.isSound(ref) { return nil }
        do throws(FormatError) { return try space.node(at: ref) } catch { return nil }
    }

    /// Whether a part of what the node is the top of is not sound: that was reported, and no other check says it again.
    func hasUnsoundParts(_ node: Node) -> Bool {
        guard node.header.hasRefs, let elements = refs(node.ref), elements.width > 0 else { return false }
        return (0..<elements.count).contains { index in
            if case .ref(let ref) = Slot(elements[unchecked: index]) { self.node(ref) == nil } else { false }
        }
    }

    /// The elements of the node of packed integers at `ref`; nil when it is not sound or something else.
    func integers(_ ref: Ref) -> IntegerVector? {
        guard let node = node(ref) else { return nil }
        do throws(FormatError) { return try node.integers() } catch { return nil }
    }

    /// The elements of the node with refs at `ref`; nil when it is not sound or something else.
    func refs(_ ref: Ref) -> IntegerVector? {
        guard let node = node(ref) else { return nil }
        do throws(FormatError) { return try node.refs() } catch { return nil }
    }

    /// The record at `ref`; nil when it is not sound or something else.
    func record<Name: RecordSlot>(_ ref: Ref, of kind: Name.Type = Name.self) -> RecordSlots<Name>? {
        refs(ref).map { RecordSlots($0) }
    }

    /// The leaf at `ref`, or nil when it is not sound or something else.
    func leaf(_ ref: Ref, as type: LeafType, distinct: ColumnLeaf? = nil) -> ColumnLeaf? {
        guard let node = node(ref) else { return nil }
        do throws(FormatError) {
            return try ColumnLeaf(node, as: type, in: space, distinct: distinct)
        } catch {
            return nil
        }
    }
}

/// Which words of a file belong to the nodes of a commit.
package struct NodeMap {
    /// The words of nodes.
    package var owned: WordMap
    /// The first words of nodes that are sound and were reached by one way; none when the map is clean.
    var starts: WordMap
    /// Whether every reference leads to a sound node of its own: then there is no need to look each up.
    package var isClean = true
    package var nodeCount = 0
    package var byteCount = 0
    /// What the nodes begin with.
    var startsOfNodes = NodeStarts()

    init(bytes: Int) {
        owned = WordMap(bytes: bytes)
        starts = WordMap(bytes: bytes)
    }

    /// The words of nodes that several threads have visited.
    init(bytes: Int, _ claims: SharedWordMap, nodeCount: Int, byteCount: Int, _ startsOfNodes: NodeStarts) {
        owned = WordMap(bytes: bytes, claims)
        starts = WordMap(bytes: bytes)
        self.startsOfNodes = startsOfNodes
        self.nodeCount = nodeCount
        self.byteCount = byteCount
    }

    /// Notes a node; false when some of its words belong to another one.
    mutating func claim(_ node: Node) -> Bool {
        guard claimWords(of: node) else { return false }
        starts.insert(node.ref.offset, count: NodeHeader.size)
        return true
    }

    /// The same without where it begins, for when nobody has to ask.
    mutating func claimWords(of node: Node) -> Bool {
        guard owned.insert(node.ref.offset, count: node.body.count) else { return false }
        nodeCount &+= 1
        byteCount &+= node.body.count
        return true
    }

    func isSound(_ ref: Ref) -> Bool { ref.offset & 7 == 0 && starts.contains(ref.offset) }
}
