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
    private let table: Table
    private let keys: [ObjectKey]
    private var place = 0
    /// nil when few objects are looked for, each on its own way.
    private var cursor: ClusterCursor?

    /// With less of a table's objects than this share each cluster is looked for by itself.
    private static let share = 256

    /// - Parameter keys: ascending; the same may come several times.
    init(_ keys: [ObjectKey], in table: Table) {
        self.table = table
        self.keys = keys
        if let count = try? table.count, count / Self.share <= keys.count { cursor = ClusterCursor(table.core.objects) }
    }

    /// The next cluster and the rows in it; nil after the last.
    ///
    /// - Throws: `noSuchObject`, and what opening nodes throws.
    mutating func next() throws(FormatError) -> RowsOfCluster? {
        guard place < keys.count else { return nil }
        let tree = table.core.objects
        return try table.snapshot.reading { () throws(FormatError) in
            if cursor == nil {
                guard let (cluster, _) = try tree.find(keys[place]) else { throw missing }
                return try rows(cluster)
            }
            while let cluster = try cursor?.next() {
                let last = cluster.key(unchecked: cluster.count - 1)
                if last < keys[place] { continue }
                return try rows(cluster)
            }
            throw missing
        }
    }

    private var missing: FormatError {
        FormatError(.noSuchObject, "the object \(keys[place]) does not exist")
    }

    private mutating func rows(_ cluster: Cluster) throws(FormatError) -> RowsOfCluster {
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
        var rows: [Int] = []
        while place < keys.count, keys[place] <= last {
            guard let row = cluster.row(of: keys[place]) else { throw missing }
            rows.append(row)
            place += 1
        }
        guard !rows.isEmpty else { throw missing }
        return RowsOfCluster(cluster: cluster, start: start, rows: rows)
    }

    private func isEveryKey(_ cluster: Cluster, _ start: Int) -> Bool {
        for row in 0..<cluster.count where cluster.key(unchecked: row) != keys[start + row] { return false }
        return true
    }
}
