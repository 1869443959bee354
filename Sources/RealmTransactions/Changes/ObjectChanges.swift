internal import RealmLayout
internal import RealmReader

/// What a transaction changes of a table's objects, or of its tombstones.
final class ObjectChanges {
    let tree: ClusterTree
    /// The columns of properties and of backlinks.
    private(set) var columns: [Column]
    /// The columns by index; nil where one was removed.
    private(set) var slots: [Column?]
    /// The clusters that were asked for, by their key offset.
    private(set) var clusters: [UInt64: ClusterChanges] = [:]
    /// The one that was asked for last: what follows is mostly near.
    private var last: ClusterChanges?

    init(_ tree: ClusterTree, _ columns: [Column]) {
        self.tree = tree
        self.columns = columns
        var slots = [Column?](repeating: nil, count: (columns.map(\.index).max() ?? -1) + 1)
        for column in columns { slots[column.index] = column }
        self.slots = slots
    }

    /// Adds a column of backlinks, which no object has yet.
    ///
    /// - Parameter key: one that would be in the cluster of a tree without objects.
    /// - Throws: what going through the clusters throws: each of them gets a leaf.
    func add(_ column: Column, emptyAt key: ObjectKey) throws(FormatError) {
        columns.append(column)
        if column.index >= slots.count {
            slots += [Column?](repeating: nil, count: column.index + 1 - slots.count)
        }
        slots[column.index] = column
        try touchAll(column, emptyAt: key)
    }

    /// Lets the values of a column be written anew in all clusters.
    ///
    /// - Parameter key: one that would be in the cluster of a tree without objects.
    func touchAll(_ column: Column, emptyAt key: ObjectKey) throws(FormatError) {
        var cursor = ClusterCursor(tree)
        var isEmpty = true
        while let cluster = try cursor.next() {
            isEmpty = false
            try self.cluster(of: cluster.key(unchecked: 0)).values(column).touch()
        }
        // The cluster of a tree without objects is always written whole.
        if isEmpty { for column in columns { try cluster(of: key).values(column).touch() } }
    }

    var space: NodeSpace { tree.space }

    /// The clusters that are others than in the file, by their keys.
    var changedClusters: [ClusterChanges] {
        clusters.values.filter(\.isChanged).sorted { $0.location.keyOffset < $1.location.keyOffset }
    }

    var isEmpty: Bool { !clusters.values.contains(where: \.isChanged) }

    /// The cluster in which an object is, or would be.
    ///
    /// - Throws: what the way to it throws.
    func cluster(of key: ObjectKey) throws(FormatError) -> ClusterChanges {
        let wanted = UInt64(bitPattern: key.value)
        if let last, last.location.firstKey <= wanted, wanted <= last.location.lastKey { return last }
        let location = try tree.location(of: key)
        if let known = clusters[location.keyOffset] {
            last = known
            return known
        }
        let changes = try ClusterChanges(location, self)
        clusters[location.keyOffset] = changes
        last = changes
        return changes
    }

    /// Where an object is; nil for none.
    func find(_ key: ObjectKey) throws(FormatError) -> (cluster: ClusterChanges, row: Int)? {
        let cluster = try cluster(of: key)
        return cluster.row(of: key).map { (cluster, $0) }
    }
}
