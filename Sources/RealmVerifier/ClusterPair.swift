internal import RealmLayout
internal import RealmReader

/// Two clusters of one table, in two commits, as far as their leaves are not the same: those are all that there is to
/// compare.
struct ClusterPair {
    /// A property in both commits. One that was added is no change of the objects.
    typealias Property = (now: ColumnModel, then: ColumnModel)

    private struct Leaves {
        let now: ColumnLeaf
        let then: ColumnLeaf
    }

    private let now: ClusterView
    private let then: ClusterView
    private let scopes: (now: SnapshotScope, then: SnapshotScope)
    private let different: [Leaves]
    /// Leaves of both clusters: only rows that moved can differ. Nil until one did.
    private var shared: [Leaves]?

    init(
        _ now: ClusterView, _ then: ClusterView, _ properties: [Property],
        in scopes: (now: SnapshotScope, then: SnapshotScope)
    ) {
        self.now = now
        self.then = then
        self.scopes = scopes
        different = Self.leaves(now, then, properties, scopes, areShared: false)
    }

    /// The properties of a table in two commits, without backlinks, which follow from links.
    static func properties(_ now: TableModel, _ then: TableModel) -> [Property] {
        now.columns.filter { !$0.isBacklink }.compactMap { column in
            then.columns.first { $0.key == column.key }.map { (column, $0) }
        }
    }

    /// Opens the leaves that are in both clusters, or the others; what cannot be opened is reported elsewhere.
    private static func leaves(
        _ now: ClusterView, _ then: ClusterView, _ properties: [Property],
        _ scopes: (now: SnapshotScope, then: SnapshotScope), areShared: Bool
    ) -> [Leaves] {
        var leaves: [Leaves] = []
        for property in properties {
            let index = property.now.key.index
            guard let ref = now.leaf(index), let oldRef = then.leaf(index),
                areCopies(ref, oldRef, property, scopes) == areShared,
                let leaf = scopes.now.leaf(ref, as: property.now.leafType, distinct: property.now.distinct),
                let oldLeaf = scopes.then.leaf(oldRef, as: property.then.leafType, distinct: property.then.distinct)
            else { continue }
            leaves.append(Leaves(now: leaf, then: oldLeaf))
        }
        return leaves
    }

    /// Whether two leaves are the same or have the same bytes, and so the same values.
    private static func areCopies(
        _ ref: Ref, _ oldRef: Ref, _ property: Property, _ scopes: (now: SnapshotScope, then: SnapshotScope)
    ) -> Bool {
        if ref == oldRef { return true }
        guard let node = scopes.now.node(ref), let oldNode = scopes.then.node(oldRef), node.header == oldNode.header,
            property.now.distinct?.ref == property.then.distinct?.ref
        else { return false }
        if node.payload.elementsEqual(oldNode.payload) { return true }
        switch property.now.leafType {
        case .timestamp, .string, .binary: return haveEqualParts(node, oldNode, scopes)
        default: return false
        }
    }

    /// Whether leaves of several nodes are copies of each other.
    private static func haveEqualParts(
        _ node: Node, _ oldNode: Node, _ scopes: (now: SnapshotScope, then: SnapshotScope)
    ) -> Bool {
        guard node.header.hasRefs, node.header.isBits, !node.header.isContext, node.count <= largestRecord else {
            return false
        }
        let (parts, oldParts) = (node.elements, oldNode.elements)
        return (0..<node.count).allSatisfy { index in
            guard case .ref(let ref) = Slot(parts[unchecked: index]),
                case .ref(let oldRef) = Slot(oldParts[unchecked: index])
            else { return false }
            if ref == oldRef { return true }
            guard let part = scopes.now.node(ref), let oldPart = scopes.then.node(oldRef) else { return false }
            return part.header == oldPart.header && !part.header.hasRefs
                && part.payload.elementsEqual(oldPart.payload)
        }
    }

    /// Parts of a leaf of several nodes: offsets, bytes and null flags.
    private static let largestRecord = 3

    /// Whether the pair is that of these two clusters.
    func isOf(_ now: ClusterView, _ then: ClusterView) -> Bool {
        self.now.ref == now.ref && self.then.ref == then.ref && self.now.keyOffset == now.keyOffset
            && self.then.keyOffset == then.keyOffset
    }

    /// Whether both clusters have the same objects in the same rows.
    var isAligned: Bool {
        now.keyOffset == then.keyOffset && now.count == then.count && now.count <= Limits.clusterObjects
            && now.slots.element(at: 0) == then.slots.element(at: 0)
    }

    /// The number of objects of aligned clusters whose values differ.
    var changedRows: Int {
        different.isEmpty ? 0 : (0..<now.count).count(where: { !areEqual(different, $0, $0) })
    }

    /// Whether an object has the same values in both commits.
    mutating func areEqual(_ row: Int, _ oldRow: Int, _ properties: [Property]) -> Bool {
        guard areEqual(different, row, oldRow) else { return false }
        guard row != oldRow else { return true }
        let leaves = shared ?? Self.leaves(now, then, properties, scopes, areShared: true)
        shared = leaves
        return areEqual(leaves, row, oldRow)
    }

    private func areEqual(_ leaves: [Leaves], _ row: Int, _ oldRow: Int) -> Bool {
        leaves.allSatisfy { pair in
            guard row < pair.now.count, oldRow < pair.then.count else { return true }
            return ValueEquality.areEqual((pair.now, row, scopes.now), (pair.then, oldRow, scopes.then))
        }
    }
}
