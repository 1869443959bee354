internal import RealmLayout
internal import RealmReader
internal import RealmWriter

/// What a transaction changes of a table's objects, or of its tombstones.
final class ObjectChanges {
    let tree: ClusterTree
    /// The columns of properties and of backlinks.
    private(set) var columns: [Column]
    /// Whether there are columns of backlinks.
    private(set) var hasBacklinks: Bool
    /// The columns by index; nil where one was removed.
    private(set) var slots: [Column?]
    /// The clusters that were asked for, by their key offset.
    private(set) var clusters: [UInt64: MutableCluster] = [:]
    /// Those that were asked for lately, by what keys of one cluster mostly have in common: any other is found by the tree.
    private var recent = [MutableCluster?](repeating: nil, count: 16)
    /// The bits of its count that a number of 64 bits has too many.
    private var recentShift: UInt64 = 60
    /// Where objects are appended; nil as long as none was.
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
    /// - Parameter key: one that would be in the cluster of a tree without objects.
    /// - Throws: what going through the clusters throws: each of them gets a leaf.
    func add(_ column: Column, emptyAt key: ObjectKey) throws(WriteError) {
        columns.append(column)
        hasBacklinks = true
        slots.makeRoom(for: column.index, filling: nil)
        slots[column: column.index] = column
        try tail?.add(column)
        try touchAll(column, emptyAt: key)
    }

    /// Lets the values of a column be written anew in all clusters.
    ///
    /// - Parameter key: one that would be in the cluster of a tree without objects.
    func touchAll(_ column: Column, emptyAt key: ObjectKey) throws(WriteError) {
        try checked { () throws(FormatError) in
            var cursor = ClusterCursor(tree)
            var isEmpty = tail == nil
            while let cluster = try cursor.next() {
                isEmpty = false
                let first = cluster.key(unchecked: 0)
                // What is in new clusters is new.
                if let tail, tail.has(first) { continue }
                try baseCluster(of: first).values(column).touch()
            }
            // The cluster of a tree without objects is always written whole.
            if isEmpty { for column in columns { try baseCluster(of: key).values(column).touch() } }
        }
    }

    var space: NodeSpace { tree.space }

    /// The clusters that are others than in the file, by their keys.
    var changedClusters: [ChangedCluster] {
        var changed = clusters.values.filter(\.isChanged).map { ChangedCluster($0, nil) }
        if let tail {
            // It stands in the place of the last cluster, or behind it.
            changed.removeAll { $0.location.keyOffset == tail.base.location.keyOffset }
            changed.append(ChangedCluster(tail.base, tail))
        }
        return changed.sorted { $0.location.keyOffset < $1.location.keyOffset }
    }

    var isEmpty: Bool { tail == nil && !clusters.values.contains(where: \.isChanged) }

    /// The cluster in which an object is, or would be.
    ///
    /// - Throws: what the way to it throws.
    func cluster(of key: ObjectKey) throws(WriteError) -> MutableCluster {
        if let tail, tail.has(key) { return try tail.cluster(of: key) }
        return try checked { () throws(FormatError) in try baseCluster(of: key) }
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

    /// Where an object is; nil for none.
    func find(_ key: ObjectKey) throws(WriteError) -> (cluster: MutableCluster, row: Int)? {
        let cluster = try cluster(of: key)
        return cluster.row(of: key).map { (cluster, $0) }
    }

    /// Whether there is an object.
    func contains(_ key: ObjectKey) throws(WriteError) -> Bool {
        if let tail, tail.has(key) { return try tail.contains(key) }
        return try checked { () throws(FormatError) in try baseCluster(of: key).row(of: key) != nil }
    }

    /// Where an object with a new key can be appended; nil where it has to be put between others.
    ///
    /// - Throws: what reading the last cluster throws.
    func tail(for key: ObjectKey, _ nodes: NodeOutput) throws(WriteError) -> AppendedClusters? {
        if let tail { return tail.accepts(key) ? tail : nil }
        // What is written of a column of distinct strings is not what the column says that it is.
        guard !columns.contains(where: { $0.distinct != nil }) else { return nil }
        let location = try checked { () throws(FormatError) in try tree.location(of: key) }
        guard location.lastKey == .max else { return nil }
        let known = clusters[location.keyOffset]
        let base =
            if let known { known } else {
                try checked { () throws(FormatError) in try MutableCluster(location, self, in: space) }
            }
        // Somebody may have an eye on a cluster that was asked for: it is filled up before others are appended.
        guard base.lastKey.map({ UInt64(bitPattern: $0.value) < UInt64(bitPattern: key.value) }) ?? true,
            known == nil || base.count >= Limits.clusterObjects
        else { return nil }
        let tail = try AppendedClusters(behind: base, isAsked: known != nil, key, self, nodes)
        self.tail = tail
        // One that stays is the same for all who ask for it.
        if !tail.replacesBase { clusters[location.keyOffset] = base }
        return tail
    }
}

/// A cluster of the base that is other than it was.
struct ChangedCluster {
    let cluster: MutableCluster
    /// What stands in its place or follows it.
    let tail: AppendedClusters?

    init(_ cluster: MutableCluster, _ tail: AppendedClusters?) { (self.cluster, self.tail) = (cluster, tail) }

    var location: ClusterTree.Location { cluster.location }

    /// By how many objects there are more than before.
    var growth: Int {
        let own = tail?.replacesBase ?? false ? 0 : cluster.count
        return own + (tail?.count ?? 0) - cluster.source.count
    }
}
