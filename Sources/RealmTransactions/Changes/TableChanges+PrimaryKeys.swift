internal import RealmLayout
internal import RealmReader
internal import RealmWriter

// Objects and tombstones by their primary keys.
extension TableChanges {
    /// The object with a primary key, as the transaction has it.
    func object(primaryKey value: IndexKeyBytes, in snapshot: Snapshot) throws(WriteError) -> ObjectKey? {
        if let key = newPrimaryKeys[value] { return key }
        // Without objects in the file there is nothing to look for.
        guard highestKey >= 0, let primary = core.primaryKeyIndex else { return nil }
        if primaryKeyIndex == nil { primaryKeyIndex = .some(SearchIndex(ofPrimaryKey: snapshot.table(at: position))) }
        searches += 1
        if searches == Self.manySearches, !space.isTransient { primaryKeyIndex??.openedNodes = OpenedIndexNodes() }
        guard let index = primaryKeyIndex ?? nil else { return nil }
        switch try checked({ () throws(FormatError) in try index.found { value.chunk($0) } }) {
        case .nothing: return nil
        case .one(let key): return try has(value, key, core.columns[primary]) ? key : nil
        case .list:
            var copy = index
            let keys = try checked { () throws(FormatError) in try copy.candidates { value.chunk($0) } }
            for key in keys where try has(value, key, core.columns[primary]) { return key }
            return nil
        }
    }

    /// The tombstone with a primary key; nil for none.
    func tombstone(primaryKey value: IndexKeyBytes) throws(FormatError) -> ObjectKey? {
        guard let tree = core.tombstones, let primary = core.primaryKeyIndex else { return nil }
        if tombstoneKeys == nil {
            var keys: [IndexKeyBytes: ObjectKey] = [:]
            var cursor = ClusterCursor(tree)
            while let cluster = try cursor.next() {
                let column = core.columns[primary]
                let values = try ColumnValues(cluster.leaf(of: column, in: space), column.leafType, in: space)
                for row in 0..<cluster.count {
                    keys[IndexKeyBytes(values.value(at: row))] = cluster.key(unchecked: row)
                }
            }
            tombstoneKeys = keys
        }
        return tombstoneKeys?[value]
    }

    /// Forgets a tombstone that became an object.
    func forget(tombstone value: IndexKeyBytes) { tombstoneKeys?[value] = nil }

    private func has(_ value: IndexKeyBytes, _ key: ObjectKey, _ column: Column) throws(WriteError) -> Bool {
        guard !isNew(key), let (cluster, row) = try objects.find(key) else { return false }
        return try checked { () throws(FormatError) in IndexKeyBytes(try cluster.value(row, of: column)) } == value
    }

    /// Whether objects with primary keys have been added.
    var hasNewPrimaryKeys: Bool { !newPrimaryKeys.isEmpty }

    /// Notes the primary key of a new object.
    func note(primaryKey value: IndexKeyBytes, of object: ObjectKey) { newPrimaryKeys.add(value, of: object) }

    /// Forgets the primary key of an object that is removed.
    func forget(primaryKey value: IndexKeyBytes) { newPrimaryKeys.remove(value) }
}
