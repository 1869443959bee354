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
