public import RealmLayout

extension Table {
    /// The objects in the order of their keys.
    ///
    /// ```swift
    /// var people = try snapshot.table(named: "Person").objects
    /// while let person = try people.next() { print(try person["name"]) }
    /// ```
    public var objects: ObjectCursor { ObjectCursor(self, core.objects) }

    /// The tombstones in the order of their keys: of their values only the primary key means anything.
    public var tombstones: ObjectCursor { ObjectCursor(self, core.tombstones) }

    /// The object with `key`; nil when there is none.
    ///
    /// - Throws: `FormatError` when the way to it is damaged.
    public func object(_ key: ObjectKey) throws(FormatError) -> StoredObject? {
        try find(key, in: core.objects)
    }

    /// The tombstone with `key`; nil when there is none.
    ///
    /// - Throws: `FormatError` when the way to it is damaged.
    public func tombstone(_ key: ObjectKey) throws(FormatError) -> StoredObject? {
        guard let tombstones = core.tombstones else { return nil }
        return try find(key, in: tombstones)
    }

    private func find(_ key: ObjectKey, in tree: ClusterTree) throws(FormatError) -> StoredObject? {
        do {
            return try snapshot.reading { () throws(FormatError) in
                try tree.find(key).map { StoredObject(table: self, cluster: $0.cluster, row: $0.row) }
            }
        } catch {
            throw error.at(table: schema.tableName, objectKey: key)
        }
    }
}

/// Goes through the objects of a table in the order of their keys.
///
/// ```swift
/// var cursor = try snapshot.table(named: "Person").objects
/// while let person = try cursor.next() { print(try person["name"]) }
/// ```
public struct ObjectCursor: Sendable {
    private let table: Table
    private var clusters: ClusterCursor?
    /// What gives clusters in place of `clusters`, where not all objects are wanted.
    private var part: ClusterRangeCursor?
    private var cluster: Cluster?
    private var home: ObjectHome
    private var row = 0
    /// The row after the last that is wanted of the cluster.
    private var end = 0

    init(_ table: Table, _ tree: ClusterTree?) {
        self.table = table
        home = ObjectHome(table)
        clusters = tree.map { ClusterCursor($0) }
    }

    init(_ table: Table, _ part: ClusterRangeCursor) {
        self.table = table
        home = ObjectHome(table)
        self.part = part
    }

    /// The next object; nil after the last.
    ///
    /// - Throws: `FormatError` when the objects' tree is damaged; the cursor is at its end then.
    public mutating func next() throws(FormatError) -> StoredObject? {
        if let cluster, row < end, !home.space.isTransient {
            row += 1
            return StoredObject(home: home, cluster: cluster, row: row - 1)
        }
        let snapshot = table.snapshot
        return try snapshot.reading { () throws(FormatError) in try nextObject() }
    }

    private mutating func nextObject() throws(FormatError) -> StoredObject? {
        do {
            if let cluster, row < end {
                row += 1
                return StoredObject(home: home, cluster: try cluster.current(in: home.space), row: row - 1)
            }
            cluster = nil
            if let next = try part?.next() {
                (cluster, row, end) = (next.cluster, next.rows.lowerBound, next.rows.upperBound)
            } else if let next = try clusters?.next() {
                (cluster, row, end) = (next, 0, next.count)
            }
        } catch {
            (cluster, clusters, part) = (nil, nil, nil)
            throw error.at(table: table.schema.tableName)
        }
        guard let cluster else { return nil }
        home = ObjectHome(table, cluster)
        row += 1
        return StoredObject(home: home, cluster: cluster, row: row - 1)
    }
}
