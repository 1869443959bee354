internal import RealmCore
internal import RealmLayout

/// The changes of a transaction to the objects of a table, or to its tombstones.
final class ObjectChanges {
    let tree: ClusterTree
    /// The columns of properties and of backlinks.
    private(set) var columns: [Column]
    /// Whether there are columns of backlinks.
    private(set) var hasBacklinks: Bool
    /// The columns by index; nil for removed columns.
    private(set) var slots: [Column?]
    /// The loaded clusters, by their key offset.
    private(set) var clusters: [UInt64: MutableCluster] = [:]
    /// Recently used clusters, by a hash that is mostly equal for keys of one cluster. All others are found with the
    /// tree.
    private var recent = [MutableCluster?](repeating: nil, count: 16)
    /// The shift that reduces a 64-bit hash to an index of `recent`.
    private var recentShift: UInt64 = 60
    /// The clusters of appended objects; nil before the first one.
    private(set) var tail: AppendedClusters?

    init(_ tree: ClusterTree, _ columns: [Column]) {
        self.tree = tree
        self.columns = columns
        hasBacklinks = columns.contains { $0.leafType == .backlinks }
        var slots: [Column?] = []
        if let last = columns.map(\.index).max() { slots.makeRoom(for: last, filling: nil) }
        for column in columns { slots[column: column.index] = column }
        self.slots = slots
    }

    /// Adds a column of backlinks, which no object has yet.
    ///
    /// - Parameter key: a key in the range of an empty tree.
    /// - Throws: errors of visiting the clusters; each of them gets a leaf.
    func add(_ column: Column, emptyAt key: ObjectKey) throws {
        columns.append(column)
        hasBacklinks = true
        slots.makeRoom(for: column.index, filling: nil)
        slots[column: column.index] = column
        try tail?.add(column)
        try touchAll(column, emptyAt: key)
    }

    /// Marks the values of a column for rewriting in all clusters.
    ///
    /// - Parameter key: a key in the range of an empty tree.
    func touchAll(_ column: Column, emptyAt key: ObjectKey) throws(FormatError) {
        var cursor = ClusterCursor(tree)
        var isEmpty = tail == nil
        while let cluster = try cursor.next() {
            isEmpty = false
            let first = cluster.key(unchecked: 0)
            // New clusters are written in any case.
            if let tail, tail.has(first) { continue }
            try baseCluster(of: first).values(column).touch()
        }
        // The cluster of an empty tree is always written completely.
        if isEmpty { for column in columns { try baseCluster(of: key).values(column).touch() } }
    }

    var space: NodeSpace { tree.space }

    /// The clusters that differ from the file, by their keys.
    var changedClusters: [ChangedCluster] {
        var changed = clusters.values.filter(\.isChanged).map { ChangedCluster($0, nil) }
        if let tail {
            // The appended clusters replace or follow the last cluster.
            changed.removeAll { $0.location.keyOffset == tail.base.location.keyOffset }
            changed.append(ChangedCluster(tail.base, tail))
        }
        return changed.sorted { $0.location.keyOffset < $1.location.keyOffset }
    }

    var isEmpty: Bool { tail == nil && !clusters.values.contains(where: \.isChanged) }

    /// Returns the cluster of an object, or the cluster to which it would be added.
    ///
    /// - Throws: errors of finding and opening it.
    func cluster(of key: ObjectKey) throws -> MutableCluster {
        if let tail, tail.has(key) { return try tail.cluster(of: key) }
        return try baseCluster(of: key)
    }

    private func baseCluster(of key: ObjectKey) throws(FormatError) -> MutableCluster {
        let wanted = UInt64(bitPattern: key.value)
        let place = place(of: wanted)
        if let known = recent[place], known.location.firstKey <= wanted, wanted <= known.location.lastKey {
            return known
        }
        let location = try tree.location(of: key)
        if let known = clusters[location.keyOffset] {
            recent[place] = known
            return known
        }
        let changes = try MutableCluster(location, self, in: space)
        clusters[location.keyOffset] = changes
        if clusters.count > recent.count / 2 {
            recentShift -= 2
            recent = [MutableCluster?](repeating: nil, count: recent.count * 4)
            recent[self.place(of: wanted)] = changes
        } else {
            recent[place] = changes
        }
        return changes
    }

    private func place(of key: UInt64) -> Int {
        Int(truncatingIfNeeded: ((key &>> 8) &* 0x9E37_79B9_7F4A_7C15) &>> recentShift)
    }

    /// Finds an object; nil if there is none.
    func find(_ key: ObjectKey) throws -> (cluster: MutableCluster, row: Int)? {
        let cluster = try cluster(of: key)
        return cluster.row(of: key).map { (cluster, $0) }
    }

    /// Whether there is an object with a key.
    func contains(_ key: ObjectKey) throws(FormatError) -> Bool {
        if let tail, tail.has(key) { return try tail.contains(key) }
        return try baseCluster(of: key).row(of: key) != nil
    }

    /// Returns the clusters to which an object with a new key can be appended; nil if it must be inserted between
    /// others.
    ///
    /// - Throws: errors of reading the last cluster.
    func tail(for key: ObjectKey, _ nodes: NodeOutput) throws -> AppendedClusters? {
        if let tail { return tail.accepts(key) ? tail : nil }
        // Appended leaves would not match a column of distinct strings.
        guard !columns.contains(where: { $0.distinct != nil }) else { return nil }
        let location = try tree.location(of: key)
        guard location.lastKey == .max else { return nil }
        let known = clusters[location.keyOffset]
        let base =
            if let known { known } else {
                try MutableCluster(location, self, in: space)
            }
        // A loaded cluster may be in use: it is filled before objects are appended after it.
        guard base.lastKey.map({ UInt64(bitPattern: $0.value) < UInt64(bitPattern: key.value) }) ?? true,
            known == nil || base.count >= Limits.clusterObjects
        else { return nil }
        let tail = try AppendedClusters(behind: base, isAsked: known != nil, key, self, nodes)
        self.tail = tail
        // If the base stays, all users must share the same instance.
        if !tail.replacesBase { clusters[location.keyOffset] = base }
        return tail
    }
}

/// A changed cluster of the base.
struct ChangedCluster {
    let cluster: MutableCluster
    /// The appended clusters that replace or follow it.
    let tail: AppendedClusters?

    init(_ cluster: MutableCluster, _ tail: AppendedClusters?) { (self.cluster, self.tail) = (cluster, tail) }

    var location: ClusterTree.Location { cluster.location }

    /// The number of objects gained; negative if objects were lost.
    var growth: Int {
        let own = tail?.replacesBase ?? false ? 0 : cluster.count
        return own + (tail?.count ?? 0) - cluster.source.count
    }
}
