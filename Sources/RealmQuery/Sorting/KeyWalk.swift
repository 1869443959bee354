internal import RealmCore
internal import RealmLayout

/// The rows of a cluster that contain sought objects.
struct RowsOfCluster {
    let cluster: Cluster
    /// The position of the first of them within all sought keys.
    let start: Int
    /// The rows in ascending order; empty if all rows of the cluster are meant.
    let rows: [Int]

    @inline(__always)
    func forEach<E: Error>(_ body: (_ place: Int, _ row: Int) throws(E) -> Void) throws(E) {
        if rows.isEmpty {
            var row = 0
            while row < cluster.count {
                try body(start &+ row, row)
                row &+= 1
            }
        } else {
            var place = start
            for row in rows {
                try body(place, row)
                place &+= 1
            }
        }
    }
}

/// Iterates over the clusters that contain given objects of a table.
struct KeyWalk {
    private let snapshot: Snapshot
    private let tree: ClusterTree
    private let keys: [ObjectKey]
    private var place = 0
    private let passesOverMissing: Bool
    /// Cursors over all clusters, or over those with the keys of a part of the objects. Both are nil if few objects are
    /// sought, whose clusters are looked up individually.
    private var all: ClusterCursor?
    private var part: ClusterRangeCursor?
    private var lookup: ClusterLookup
    /// The rows of the last cluster; their memory is reused.
    private var rows: [Int] = []

    /// If fewer than this share of a table's objects are sought, clusters are looked up individually.
    private static let share = 256

    /// - Parameters:
    ///   - keys: ascending; may contain duplicates.
    ///   - passesOverMissing: whether missing objects are skipped. Positions within the keys are then not valid.
    init(_ keys: [ObjectKey], in table: Table, passesOverMissing: Bool = false) {
        (snapshot, tree) = (table.snapshot, table.tree)
        lookup = ClusterLookup(tree)
        self.keys = keys
        self.passesOverMissing = passesOverMissing
        guard Self.goesThroughAll(keys, in: table) else { return }
        if let first = keys.first, let last = keys.last, first.value >= 0, let count = try? table.count,
            keys.count <= count / 2
        {
            // One of several tasks walks a part of the objects.
            let range = UInt64(bitPattern: first.value)...UInt64(bitPattern: max(first, last).value)
            part = ClusterRangeCursor(tree, range)
        } else {
            all = ClusterCursor(tree)
        }
    }

    /// Whether so large a share of a table's objects is sought that all of its clusters are visited.
    static func goesThroughAll(_ keys: [ObjectKey], in table: Table) -> Bool {
        guard let count = try? table.count else { return false }
        return count / share <= keys.count
    }

    /// The next cluster and its sought rows; nil at the end.
    ///
    /// - Throws: `noSuchObject`, and errors of opening nodes.
    mutating func next() throws(FormatError) -> RowsOfCluster? {
        try snapshot.reading { () throws(FormatError) in
            while place < keys.count, let cluster = try nextCluster() {
                if let found = try rows(cluster) { return found }
            }
            return nil
        }
    }

    /// The cluster that contains or would contain the next object; nil if there is none.
    private mutating func nextCluster() throws(FormatError) -> Cluster? {
        guard all != nil || part != nil else {
            while place < keys.count {
                let cluster = try lookup.cluster(for: keys[place])
                if cluster.row(of: keys[place]) != nil { return cluster }
                try passOver()
            }
            return nil
        }
        while let cluster = try part != nil ? part?.next()?.cluster : all?.next() {
            if cluster.key(unchecked: cluster.count - 1) >= keys[place] { return cluster }
        }
        try passOver()
        return nil
    }

    private mutating func passOver() throws(FormatError) {
        guard passesOverMissing else { throw missing }
        place += 1
    }

    private var missing: FormatError {
        FormatError(.noSuchObject, "the object \(keys[place]) does not exist")
    }

    /// - Returns: nil if the cluster contains no sought object.
    private mutating func rows(_ cluster: Cluster) throws(FormatError) -> RowsOfCluster? {
        let start = place
        let (first, last) = (cluster.key(unchecked: 0), cluster.key(unchecked: cluster.count - 1))
        let end = place + cluster.count
        // Both lists ascend: with equal counts and equal ends they usually coincide, which `isEveryKey` verifies.
        if end <= keys.count, keys[place] == first, keys[end - 1] == last, end == keys.count || keys[end] > last,
            isEveryKey(cluster, start)
        {
            place = end
            return RowsOfCluster(cluster: cluster, start: start, rows: [])
        }
        rows.removeAll(keepingCapacity: true)
        while place < keys.count, keys[place] <= last {
            if let row = cluster.row(of: keys[place]) {
                rows.append(row)
                place += 1
            } else {
                try passOver()
            }
        }
        guard !rows.isEmpty else {
            // Without progress, the walk would visit this cluster forever.
            guard passesOverMissing, place > start else { throw missing }
            return nil
        }
        return RowsOfCluster(cluster: cluster, start: start, rows: rows)
    }

    private func isEveryKey(_ cluster: Cluster, _ start: Int) -> Bool {
        for row in 0..<cluster.count where cluster.key(unchecked: row) != keys[start + row] { return false }
        return true
    }
}
