public import RealmLayout

/// An object of a table, or a tombstone. Reads its values when they are asked for. Keeps nothing of an encrypted file in
/// memory: that is opened again for each value.
public struct StoredObject: Sendable, Equatable {
    /// The table that the object is in.
    public let table: Table
    /// The object's key.
    public let key: ObjectKey
    private let cluster: Cluster
    private let row: Int

    init(table: Table, cluster: Cluster, row: Int) {
        self.table = table
        self.cluster = cluster
        self.row = row
        key = cluster.key(unchecked: row)
    }

    /// Objects are equal when they are the same object of the same table of one database, whatever values they have in two commits.
    /// Of two files `Snapshot.contentDifference(to:)` says what differs.
    public static func == (left: StoredObject, right: StoredObject) -> Bool {
        left.table.schema.key == right.table.schema.key && left.key == right.key
    }

    /// The value of the property called `name`.
    ///
    /// - Throws: `noSuchProperty`, and `FormatError` when the value is damaged.
    public subscript(name: String) -> Value {
        get throws(FormatError) {
            guard let index = table.schema.properties.firstIndex(named: name, { $0.name }) else {
                throw FormatError(.noSuchProperty, "there is no property called \(name)")
                    .at(table: table.schema.tableName)
            }
            return try value(at: index)
        }
    }

    /// The value of the property at `index` in `table.schema.properties`.
    ///
    /// - Precondition: there is such a property.
    /// - Throws: `FormatError` when the value is damaged.
    public func value(at index: Int) throws(FormatError) -> Value {
        let property = table.schema.properties[index]
        do {
            return try table.snapshot.reading { () throws(FormatError) in
                let space = table.snapshot.space
                let column = table.core.columns[index]
                let leaf = try cluster.current(in: space).leaf(of: column, in: space)
                var reader = ValueReader(table.snapshot)
                return try reader.value(of: property, column, leaf, row)
            }
        } catch {
            throw error.at(table: table.schema.tableName, property: property.name, objectKey: key)
        }
    }

    /// The values of all properties, in their order.
    ///
    /// - Throws: `FormatError` when one is damaged.
    public func values() throws(FormatError) -> [Value] {
        var values: [Value] = []
        for index in table.schema.properties.indices { values.append(try value(at: index)) }
        return values
    }

    /// The value of the primary key; nil when the class has none.
    ///
    /// - Throws: `FormatError` when it is damaged.
    public var primaryKey: Value? {
        get throws(FormatError) {
            guard let index = table.core.primaryKeyIndex else { return nil }
            return try value(at: index)
        }
    }

    /// The keys of the objects that link here from a property of another class, one entry a link.
    ///
    /// - Parameter incoming: one of `table.schema.incoming`.
    /// - Throws: `FormatError` when the list is damaged.
    public func backlinks(_ incoming: IncomingLinks) throws(FormatError) -> [ObjectKey] {
        guard let index = table.schema.incoming.firstIndex(of: incoming) else {
            throw FormatError(.noSuchProperty, "no links from \(incoming.tableName).\(incoming.propertyName) lead here")
                .at(table: table.schema.tableName)
        }
        return try backlinks(at: index)
    }

    /// The number of links that lead here, from all classes.
    ///
    /// - Throws: `FormatError` when one of the lists is damaged.
    public var backlinkCount: Int {
        get throws(FormatError) {
            var count = 0
            for index in table.core.backlinkColumns.indices { count += try backlinks(at: index).count }
            return count
        }
    }

    private func backlinks(at index: Int) throws(FormatError) -> [ObjectKey] {
        try table.snapshot.reading { () throws(FormatError) in try admittedBacklinks(at: index) }
    }

    private func admittedBacklinks(at index: Int) throws(FormatError) -> [ObjectKey] {
        let column = table.core.backlinkColumns[index]
        let space = table.snapshot.space
        do {
            let cluster = try cluster.current(in: space)
            // A tombstone's cluster may lack columns that came later.
            guard cluster.hasLeaf(forColumn: column.index) else { return [] }
            let leaf = try cluster.leaf(of: column, in: space)
            switch Slot(leaf.int(at: row)) {
            case .empty: return []
            case .tagged(let key): return [ObjectKey(Int64(bitPattern: key))]
            case .ref(let ref):
                var keys: [ObjectKey] = []
                var budget = WorkBudget(for: space)
                let tree = BPlusTree(root: ref, of: .int(nullable: false), in: space)
                for leaf in try tree.leaves(&budget) {
                    for index in 0..<leaf.count { keys.append(ObjectKey(leaf.int(at: index))) }
                }
                return keys
            }
        } catch {
            throw error.at(table: table.schema.tableName, property: "backlinks", objectKey: key)
        }
    }
}
