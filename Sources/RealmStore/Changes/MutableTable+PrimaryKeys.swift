internal import RealmCore
internal import RealmLayout

// Lookup of objects and tombstones by primary key.
extension MutableTable {
    /// Returns the object with a primary key, as the transaction sees it.
    func object(primaryKey value: IndexKeyBytes, in snapshot: Snapshot) throws -> ObjectKey? {
        if let key = newPrimaryKeys[value] { return key }
        // Without objects in the file there is nothing to search.
        guard highestKey >= 0, let primary = core.primaryKeyIndex else { return nil }
        let search: PrimaryKeySearch
        if let primaryKeySearch {
            search = primaryKeySearch
        } else {
            search = PrimaryKeySearch(SearchIndex(ofPrimaryKey: snapshot.table(at: position)))
            primaryKeySearch = search
        }
        switch try search.found(value, isTransient: space.isTransient) {
        case .nothing: return nil
        case .one(let key): return try has(value, key, core.columns[primary]) ? key : nil
        case .list:
            let keys = try search.candidates(value)
            for key in keys where try has(value, key, core.columns[primary]) { return key }
            return nil
        }
    }

    /// Returns the tombstone with a primary key; nil if there is none.
    func tombstone(primaryKey value: IndexKeyBytes) throws(FormatError) -> ObjectKey? {
        guard let tree = core.tombstones, let primary = core.primaryKeyIndex else { return nil }
        if tombstoneKeys == nil {
            var keys: [IndexKeyBytes: ObjectKey] = [:]
            var cursor = ClusterCursor(tree)
            while let cluster = try cursor.next() {
                let column = core.columns[primary]
                let values = try MutableColumn(cluster.leaf(of: column, in: space), column.leafType, in: space)
                for row in 0..<cluster.count {
                    keys[IndexKeyBytes(values.value(at: row))] = cluster.key(unchecked: row)
                }
            }
            tombstoneKeys = keys
        }
        return tombstoneKeys?[value]
    }

    /// Removes a tombstone that became an object.
    func forget(tombstone value: IndexKeyBytes) { tombstoneKeys?[value] = nil }

    private func has(_ value: IndexKeyBytes, _ key: ObjectKey, _ column: Column) throws -> Bool {
        guard !isNew(key), let (cluster, row) = try objects.find(key) else { return false }
        return IndexKeyBytes(try cluster.value(row, of: column)) == value
    }

    /// Whether objects with primary keys have been added.
    var hasNewPrimaryKeys: Bool { !newPrimaryKeys.isEmpty }

    /// Records the primary key of a new object.
    func note(primaryKey value: IndexKeyBytes, of object: ObjectKey) { newPrimaryKeys.add(value, of: object) }

    /// Removes the primary key of a removed object.
    func forget(primaryKey value: IndexKeyBytes) { newPrimaryKeys.remove(value) }
}

/// Searches the primary key index of a table on behalf of a transaction.
final class PrimaryKeySearch {
    private let index: SearchIndex?
    /// The number of searches.
    private var searches = 0
    /// Opened nodes, which are worth keeping after `manySearches` searches.
    private var openedNodes: OpenedIndexNodes?
    private static let manySearches = 300

    /// - Parameter index: the index; nil if there is none that can be used.
    init(_ index: SearchIndex?) { self.index = index }

    /// Searches for a value.
    ///
    /// - Parameter isTransient: whether nodes of the file may be dropped from memory.
    func found(_ value: IndexKeyBytes, isTransient: Bool) throws(FormatError) -> SearchIndex.Found {
        guard let index else { return .nothing }
        searches += 1
        if searches == Self.manySearches, !isTransient { openedNodes = OpenedIndexNodes() }
        return try index.found(openedNodes) { value.chunk($0) }
    }

    /// Returns the objects that the index has for a value.
    func candidates(_ value: IndexKeyBytes) throws(FormatError) -> [ObjectKey] {
        guard var index else { return [] }
        return try index.candidates { value.chunk($0) }
    }
}
