package import RealmLayout

extension Table {
    /// With more than one key per this many objects, all clusters are visited once; with fewer, each key is searched
    /// for.
    private static let objectsForKey = 16_384
    /// Up to this many keys are always searched for one by one.
    private static let fewKeys = 8

    /// Returns the positions of objects among all, in the order of the keys; nil for each missing object.
    ///
    /// - Parameter keys: the keys, ascending.
    /// - Throws: `FormatError` when the objects' tree is damaged.
    package func positions(of keys: [ObjectKey]) throws(FormatError) -> [Int?] {
        guard !keys.isEmpty else { return [] }
        let walks = keys.count > max(Self.fewKeys, try count / Self.objectsForKey)
        do throws(FormatError) {
            if walks { return try positionsByWalking(keys) }
            var positions: [Int?] = []
            for key in keys {
                positions.append(
                    try snapshot.reading { () throws(FormatError) in try core.objects.position(of: key) })
            }
            return positions
        } catch {
            throw error.at(table: schema.tableName)
        }
    }

    private func positionsByWalking(_ keys: [ObjectKey]) throws(FormatError) -> [Int?] {
        var positions = [Int?](repeating: nil, count: keys.count)
        var (next, before) = (0, 0)
        var clusters = ClusterCursor(core.objects)
        var isAtEnd = false
        while next < keys.count, !isAtEnd {
            try snapshot.reading { () throws(FormatError) in
                guard let cluster = try clusters.next() else {
                    isAtEnd = true
                    return
                }
                let last = cluster.key(unchecked: cluster.count - 1)
                while next < keys.count, keys[next] <= last {
                    positions[next] = cluster.row(of: keys[next]).map { before + $0 }
                    next += 1
                }
                before += cluster.count
            }
        }
        return positions
    }
}

/// Finds objects of a table by position, without a search if they are in the same cluster as the last one.
package struct PositionSeeker {
    private let table: Table
    /// The most recently found cluster, and the position of its first object.
    private var last: (home: OpenedCluster, first: Int)?

    /// - Parameter table: the table of the objects.
    package init(_ table: Table) { self.table = table }

    /// Returns the object at a position; nil when there is none.
    ///
    /// - Throws: `FormatError` when the objects' tree is damaged.
    package mutating func object(at position: Int) throws(FormatError) -> StoredObject? {
        guard position >= 0 else { return nil }
        do throws(FormatError) {
            return try table.snapshot.reading { () throws(FormatError) in
                if let (home, first) = last, position >= first, position - first < home.cluster.count {
                    return try home.object(inRow: position - first)
                }
                guard let (cluster, row) = try table.tree.find(position: position) else { return nil }
                let home = OpenedCluster(table, cluster)
                last = (home, position - row)
                return try home.object(inRow: row)
            }
        } catch {
            throw error.at(table: table.schema.tableName)
        }
    }
}
