internal import RealmLayout
internal import RealmReader

/// The rows of a cluster in which some objects are.
struct RowsOfCluster {
    let cluster: Cluster
    /// The place of the first of them among all that are looked for.
    let start: Int
    /// Each row, in order; empty when all rows of the cluster are meant.
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

/// Goes through the clusters in which some objects of a table are.
struct KeyWalk {
    private let snapshot: Snapshot
    private let tree: ClusterTree
    private let keys: [ObjectKey]
    private var place = 0
    private let passesOverMissing: Bool
    /// All clusters, or those with the keys of a part of the objects; both nil when few objects are looked for, each on its own way.
    private var all: ClusterCursor?
    private var part: ClusterRangeCursor?
    private var seeker: ClusterLookup
    /// The rows of the last cluster, whose place in memory the next ones get.
    private var rows: [Int] = []

    /// With less of a table's objects than this share each cluster is looked for by itself.
    private static let share = 256

    /// - Parameters:
    ///   - keys: ascending; the same may come several times.
    ///   - passesOverMissing: whether objects need not be there. Places among those looked for are not told then.
    init(_ keys: [ObjectKey], in table: Table, passesOverMissing: Bool = false) {
        (snapshot, tree) = (table.snapshot, table.tree)
        seeker = ClusterLookup(tree)
        self.keys = keys
        self.passesOverMissing = passesOverMissing
        guard Self.goesThroughAll(keys, in: table) else { return }
        if let first = keys.first, let last = keys.last, first.value >= 0, let count = try? table.count,
            keys.count <= count / 2
        {
            // One task of several has a part of the objects.
            let range = UInt64(bitPattern: first.value)...UInt64(bitPattern: max(first, last).value)
            part = ClusterRangeCursor(tree, range)
        } else {
            all = ClusterCursor(tree)
        }
    }

    /// Whether there are enough of a table's objects to go through all of its clusters.
    static func goesThroughAll(_ keys: [ObjectKey], in table: Table) -> Bool {
        guard let count = try? table.count else { return false }
        return count / share <= keys.count
    }

    /// The next cluster and the rows in it; nil after the last.
    ///
    /// - Throws: `noSuchObject`, and what opening nodes throws.
    mutating func next() throws(FormatError) -> RowsOfCluster? {
        try snapshot.reading { () throws(FormatError) in
            while place < keys.count, let cluster = try nextCluster() {
                if let found = try rows(cluster) { return found }
            }
            return nil
        }
    }

    /// The cluster in which the next object is, or would be; nil where there is none.
    private mutating func nextCluster() throws(FormatError) -> Cluster? {
        guard all != nil || part != nil else {
            while place < keys.count {
                let cluster = try seeker.cluster(for: keys[place])
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

    /// - Returns: nil where none is in the cluster.
    private mutating func rows(_ cluster: Cluster) throws(FormatError) -> RowsOfCluster? {
        let start = place
        let (first, last) = (cluster.key(unchecked: 0), cluster.key(unchecked: cluster.count - 1))
        let end = place + cluster.count
        // Keys ascend in both: as many with the same ends are the same.
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
            // Whoever finds nothing in a cluster that was to have it would look there for ever.
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
