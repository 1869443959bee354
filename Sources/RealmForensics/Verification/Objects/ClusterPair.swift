internal import RealmCore
internal import RealmLayout

/// Compares two clusters of one table, in two commits, column by column. Identical leaves are skipped, unless their
/// rows moved.
struct ClusterPair {
    /// A property of both commits. An added property does not change the objects.
    typealias Property = (now: CheckedColumn, then: CheckedColumn)

    private let now: ClusterView
    private let then: ClusterView
    private let scopes: (now: SnapshotScope, then: SnapshotScope)
    private let properties: [Property]
    private let different: [LeafPair]

    init(
        _ now: ClusterView, _ then: ClusterView, _ properties: [Property],
        in scopes: (now: SnapshotScope, then: SnapshotScope)
    ) {
        self.now = now
        self.then = then
        self.scopes = scopes
        self.properties = properties
        different = Self.leaves(now, then, properties, scopes, areSame: false)
    }

    /// The properties of a table in both commits, without backlinks, which follow from links.
    static func properties(_ now: CheckedTable, _ then: CheckedTable) -> [Property] {
        let before = Dictionary(then.columns.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        return now.columns.filter { !$0.isBacklink }.compactMap { column in
            before[column.key].map { (column, $0) }
        }
    }

    /// The leaves that are identical in both clusters; values differ only for rows that moved.
    private func same() -> [LeafPair] { Self.leaves(now, then, properties, scopes, areSame: true) }

    /// Opens the leaves that are identical in both clusters, or those that are not. Unreadable leaves are reported
    /// elsewhere.
    private static func leaves(
        _ now: ClusterView, _ then: ClusterView, _ properties: [Property],
        _ scopes: (now: SnapshotScope, then: SnapshotScope), areSame: Bool
    ) -> [LeafPair] {
        var leaves: [LeafPair] = []
        for property in properties {
            let index = property.now.key.index
            guard let ref = now.leaf(index), let oldRef = then.leaf(index),
                areCopies(ref, oldRef, property, scopes) == areSame,
                let leaf = scopes.now.leaf(ref, as: property.now.leafType, distinct: property.now.distinct),
                let oldLeaf = scopes.then.leaf(oldRef, as: property.then.leafType, distinct: property.then.distinct)
            else { continue }
            leaves.append(LeafPair(now: leaf, then: oldLeaf))
        }
        return leaves
    }

    /// Whether two leaves are identical or have the same bytes, and therefore the same values.
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

    /// Whether leaves that consist of several nodes are copies of each other.
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

    /// Maximum number of nodes of such a leaf: offsets, bytes and null flags.
    private static let largestRecord = 3

    /// The number of objects whose values differ.
    ///
    /// - Parameter rows: the row of each object now and before.
    func changes(in rows: [RowPair]) -> Int {
        var changed = AffectedRows()
        for leaves in different { leaves.compare(rows, scopes, &changed) }
        let moved = rows.filter { $0.now != $0.then }
        if !moved.isEmpty { for leaves in same() { leaves.compare(moved, scopes, &changed) } }
        return changed.count
    }
}

/// The rows of one object in two clusters.
struct RowPair {
    let now: Int
    let then: Int
}

/// A column's leaves in two commits.
private struct LeafPair {
    let now: ColumnLeaf
    let then: ColumnLeaf

    /// Marks the rows whose values differ.
    func compare(
        _ rows: [RowPair], _ scopes: (now: SnapshotScope, then: SnapshotScope), _ changed: inout AffectedRows
    ) {
        let areAlike = now.encoding == then.encoding && now.bytesPerElement == then.bytesPerElement
        let count = areAlike ? now.bytesPerElement : nil
        let hasNumbers = areAlike && now.hasRawElements
        for row in rows where row.now < now.count && row.then < then.count {
            if hasNumbers {
                if now.rawElement(at: row.now) != then.rawElement(at: row.then) { changed.insert(row.now) }
                continue
            }
            // Equal bytes mean equal values; different bytes can still be equal values.
            if let count,
                now.elementBytes(at: row.now, count: count).elementsEqual(
                    then.elementBytes(at: row.then, count: count))
            {
                continue
            }
            if !ValueEquality.areEqual((now, row.now, scopes.now), (then, row.then, scopes.then)) {
                changed.insert(row.now)
            }
        }
    }
}
