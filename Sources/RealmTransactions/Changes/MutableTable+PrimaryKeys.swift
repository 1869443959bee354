internal import RealmLayout
internal import RealmReader
internal import RealmWriter

// Objects and tombstones by their primary keys.
extension MutableTable {
    /// The object with a primary key, as the transaction has it.
    func object(primaryKey value: IndexKeyBytes, in snapshot: Snapshot) throws(WriteError) -> ObjectKey? {
        if let key = newPrimaryKeys[value] { return key }
        // Without objects in the file there is nothing to look for.
        guard highestKey >= 0, let primary = core.primaryKeyIndex else { return nil }
        let search: PrimaryKeySearch
        if let primaryKeySearch {
            search = primaryKeySearch
        } else {
            search = PrimaryKeySearch(SearchIndex(ofPrimaryKey: snapshot.table(at: position)))
            primaryKeySearch = search
        }
        switch try checked({ () throws(FormatError) in try search.found(value, isTransient: space.isTransient) }) {
        case .nothing: return nil
        case .one(let key): return try has(value, key, core.columns[primary]) ? key : nil
        case .list:
            let keys = try checked { () throws(FormatError) in try search.candidates(value) }
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
                let values = try MutableColumn(cluster.leaf(of: column, in: space), column.leafType, in: space)
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

/// The index of a table's primary key, in which a transaction looks for objects.
final class PrimaryKeySearch {
    private let index: SearchIndex?
    /// How many objects were looked for.
    private var searches = 0
    /// Nodes that were opened before: from so many searches on they are worth being kept.
    private var openedNodes: OpenedIndexNodes?
    private static let manySearches = 300

    /// - Parameter index: nil where there is none that can be used.
    init(_ index: SearchIndex?) { self.index = index }

    /// What the index has of a value.
    ///
    /// - Parameter isTransient: whether nodes of the file may go.
    func found(_ value: IndexKeyBytes, isTransient: Bool) throws(FormatError) -> SearchIndex.Found {
        guard let index else { return .nothing }
        searches += 1
        if searches == Self.manySearches, !isTransient { openedNodes = OpenedIndexNodes() }
        return try index.found(openedNodes) { value.chunk($0) }
    }

    /// The objects that the index has of a value.
    func candidates(_ value: IndexKeyBytes) throws(FormatError) -> [ObjectKey] {
        guard var index else { return [] }
        return try index.candidates { value.chunk($0) }
    }
}
