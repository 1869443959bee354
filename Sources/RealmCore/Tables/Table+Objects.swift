public import RealmLayout

extension Table {
    /// The objects in key order.
    ///
    /// ```swift
    /// var people = try snapshot.table(named: "Person").objects
    /// while let person = try people.next() { print(try person["name"]) }
    /// ```
    public var objects: ObjectCursor { ObjectCursor(self, core.objects) }

    /// The tombstones in key order; only the primary key of their values is meaningful.
    public var tombstones: ObjectCursor { ObjectCursor(self, core.tombstones) }

    /// Returns the object with `key`; nil when there is none.
    ///
    /// - Throws: `FormatError` when the path to it is damaged.
    public func object(_ key: ObjectKey) throws(FormatError) -> StoredObject? {
        try find(key, in: core.objects).object
    }

    /// Returns the tombstone with `key`; nil when there is none.
    ///
    /// - Throws: `FormatError` when the path to it is damaged.
    public func tombstone(_ key: ObjectKey) throws(FormatError) -> StoredObject? {
        guard let tombstones = core.tombstones else { return nil }
        return try find(key, in: tombstones).object
    }

    /// Returns the object with `key`, nil when there is none, and the cluster that would contain it.
    ///
    /// - Parameter keptLinks: see `OpenedCluster`.
    func find(
        _ key: ObjectKey, in tree: ClusterTree, keptLinks: Int = OpenedCluster.mostKeptLinks
    ) throws(FormatError) -> (object: StoredObject?, cluster: ClusterKeyRange) {
        do {
            return try snapshot.reading { () throws(FormatError) in
                let location = try tree.location(of: key)
                let cluster = try Cluster(
                    tree.space.node(at: location.ref), keyOffset: location.keyOffset, in: tree.space)
                let found = ClusterKeyRange(
                    home: OpenedCluster(self, cluster, keptLinks: keptLinks), firstKey: location.firstKey,
                    lastKey: location.lastKey)
                return (found.object(key), found)
            }
        } catch {
            throw error.at(table: schema.tableName, objectKey: key)
        }
    }
}

/// Iterates over the objects of a table in key order.
///
/// ```swift
/// var cursor = try snapshot.table(named: "Person").objects
/// while let person = try cursor.next() { print(try person["name"]) }
/// ```
public struct ObjectCursor: Sendable {
    private let table: Table
    private var clusters: ClusterCursor?
    /// The source of clusters in place of `clusters` when only part of the objects is visited.
    private var part: ClusterRangeCursor?
    /// The current cluster; nil before the first and after the last.
    private var home: OpenedCluster?
    private var row = 0
    /// The end of the visited rows in the cluster.
    private var end = 0

    init(_ table: Table, _ tree: ClusterTree?) {
        self.table = table
        clusters = tree.map { ClusterCursor($0) }
    }

    init(_ table: Table, _ part: ClusterRangeCursor) {
        self.table = table
        self.part = part
    }

    /// Returns the next object; nil after the last.
    ///
    /// - Throws: `FormatError` when the objects' tree is damaged; the cursor is then at its end.
    public mutating func next() throws(FormatError) -> StoredObject? {
        if let home, row < end, !home.space.isTransient {
            row &+= 1
            return StoredObject(home: home, key: home.cluster.key(unchecked: row &- 1), row: row &- 1)
        }
        return try table.snapshot.reading { () throws(FormatError) in try nextObject() }
    }

    private mutating func nextObject() throws(FormatError) -> StoredObject? {
        do {
            if home == nil || row >= end { try nextCluster() }
            guard let home else { return nil }
            row += 1
            return try home.object(inRow: row - 1)
        } catch {
            (home, clusters, part) = (nil, nil, nil)
            throw error.at(table: table.schema.tableName)
        }
    }

    private mutating func nextCluster() throws(FormatError) {
        home = nil
        if let next = try part?.next() {
            (row, end) = (next.rows.lowerBound, next.rows.upperBound)
            home = OpenedCluster(table, next.cluster)
        } else if let next = try clusters?.next() {
            (row, end) = (0, next.count)
            home = OpenedCluster(table, next)
        }
    }
}
