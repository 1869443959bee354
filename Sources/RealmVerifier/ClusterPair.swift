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
            guard let ref = now.leaf(index), let oldRef = then.leaf(index), (ref == oldRef) == areShared,
                let leaf = scopes.now.leaf(ref, as: property.now.leafType, distinct: property.now.distinct),
                let oldLeaf = scopes.then.leaf(oldRef, as: property.then.leafType, distinct: property.then.distinct)
            else { continue }
            leaves.append(Leaves(now: leaf, then: oldLeaf))
        }
        return leaves
    }

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
