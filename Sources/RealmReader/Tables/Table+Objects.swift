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
public struct ObjectCursor: Sendable {
    private let table: Table
    private var clusters: ClusterCursor?
    private var cluster: Cluster?
    private var row = 0

    init(_ table: Table, _ tree: ClusterTree?) {
        self.table = table
        clusters = tree.map { ClusterCursor($0) }
    }

    /// The next object; nil after the last.
    ///
    /// - Throws: `FormatError` when the objects' tree is damaged; the cursor is at its end then.
    public mutating func next() throws(FormatError) -> StoredObject? {
        let snapshot = table.snapshot
        return try snapshot.reading { () throws(FormatError) in try nextObject() }
    }

    private mutating func nextObject() throws(FormatError) -> StoredObject? {
        do {
            if let cluster, row < cluster.count {
                row += 1
                return StoredObject(table: table, cluster: try cluster.current(in: table.snapshot.space), row: row - 1)
            }
            cluster = try clusters?.next()
        } catch {
            (cluster, clusters) = (nil, nil)
            throw error.at(table: table.schema.tableName)
        }
        guard let cluster else { return nil }
        row = 1
        return StoredObject(table: table, cluster: cluster, row: 0)
    }
}
