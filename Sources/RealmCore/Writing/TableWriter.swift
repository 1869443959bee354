package import RealmLayout

/// Writes a table of a new file.
///
/// Values are added by property: either for one object at a time, between `beginObject` and `endObject`, or column by
/// column for as many objects as there is room for. Objects must arrive in key order.
package final class TableWriter {
    package let definition: TableDefinition
    /// Its position in the file. Slot and key are the same number.
    let position: TablePosition
    /// Its key.
    package var key: TableKey { TableKey(UInt32(position.number)) }
    package let objects: ObjectTree
    /// Created with the first tombstone.
    private(set) var tombstones: ObjectTree?
    /// One for each property; nil for properties without an index.
    package var indexes: ByProperty<IndexEntries?> { indexEntries }
    private var indexEntries: ByProperty<IndexEntries?>
    package let primaryKey: PropertyIndex?
    /// Whether duplicate primary keys are an error. They are not when a file that contains them is copied.
    var refusesDuplicates = false
    /// The links to this table by property, in the order of its backlink columns.
    private(set) var incoming: [PendingBacklinks] = []
    private var columnsByOrigin: [Origin: Int] = [:]

    private struct Origin: Hashable {
        let table: TablePosition
        let property: PropertyIndex
    }

    private let nodes: NodeOutput
    private let ledgers: PendingBacklinksByTable
    private let types: [LeafType]

    /// - Parameter indexRoom: Memory limits of index entries; nil for a rehearsal.
    init(
        _ definition: TableDefinition, at position: TablePosition, _ nodes: NodeOutput,
        _ ledgers: PendingBacklinksByTable,
        indexRoom: SpillRoom?
    ) {
        self.ledgers = ledgers
        self.definition = definition
        self.position = position
        self.nodes = nodes
        let primaryKey = definition.primaryKey.flatMap { name in
            definition.properties.propertyIndex(named: name)
        }
        self.primaryKey = primaryKey
        types = definition.properties.map { $0.collection == nil ? $0.elementType : .collections }
        objects = ObjectTree(types, nodes)
        indexEntries = ByProperty(
            zip(definition.properties.propertyIndexes, definition.properties).map { index, property in
                let kind = property.effectiveIndex(isPrimaryKey: index == primaryKey)
                guard kind != .none, let indexRoom else { return nil }
                return IndexEntries(property, kind, indexRoom)
            })
        for (column, entries) in zip(objects.columns, indexes) where entries != nil { column.isIndexed = true }
    }

    /// Returns the tree of tombstones, which is created if necessary.
    package func tombstoneTree() -> ObjectTree {
        if let tombstones { return tombstones }
        let tree = ObjectTree(types, nodes)
        tombstones = tree
        return tree
    }

    /// Returns the links from a property of another table.
    package func ledger(from table: TablePosition, _ property: PropertyIndex) -> PendingBacklinks {
        let origin = Origin(table: table, property: property)
        if let column = columnsByOrigin[origin] { return incoming[column] }
        let ledger = ledgers.add(column: incoming.count, originTable: table, originProperty: property)
        columnsByOrigin[origin] = incoming.count
        incoming.append(ledger)
        return ledger
    }

    /// Adds the key of an object whose columns all have a value.
    @inline(__always)
    package func endObject(_ key: ObjectKey) throws(WriteError) {
        if objects.add(key) { try endCluster() }
    }

    /// Writes the leaves of the objects so far.
    private func endCluster() throws(WriteError) {
        for (column, entries) in zip(objects.columns, indexes) { try entries?.add(column, objects.keys) }
        try objects.endCluster()
    }

    /// The number from which Realm Core generates the key of the next object (Spec 50).
    var nextSequenceNumber: Int {
        guard primaryKey != nil else {
            // If no key was generated in sequence, the first number still counts as used.
            return Int(max(objects.highestSequenceNumber, objects.count > 0 ? 0 : -1)) + 1
        }
        // Keys that are hashes of primary keys are not in sequence. A tombstone uses the number of the object that it
        // may become.
        let gone = tombstones?.firstKey.map { -2 - $0 } ?? -1
        let last = max(objects.lastKey ?? -1, gone < ObjectTree.longestSequence ? gone : -1)
        return last < ObjectTree.longestSequence ? Int(last) + 1 : objects.count
    }

    /// The refs of all nodes below the table's top.
    struct Roots {
        let clusters: Ref
        let tombstones: Ref?
        /// One for each property.
        let indexes: [Ref?]
    }

    /// Writes the parts that require all objects.
    ///
    /// - Throws: `danglingLink` when a link refers to a missing object, `duplicatePrimaryKey`.
    func end(names: (PendingBacklinks) -> String) throws(WriteError) -> Roots {
        for ledger in incoming { ledger.sort() }
        try endCluster()
        // Keys of tombstones are negative.
        let gone = try tombstones?.end(incoming: incoming)
        try check(isBelow: 0, names)
        let clusters = try objects.end(incoming: incoming)
        try check(isBelow: nil, names)
        for ledger in incoming { ledger.release() }
        var roots: [Ref?] = []
        for property in indexes.indices {
            guard let entries = indexes[property] else {
                roots.append(nil)
                continue
            }
            // Its memory is released as soon as it is written.
            indexEntries[property] = nil
            try entries.sort()
            let writer = IndexWriter(nodes)
            guard refusesDuplicates, property == primaryKey else {
                roots.append(try writer.write(entries))
                continue
            }
            let root = try writer.write(entries) { [definition] first, second in
                InvalidValue(.duplicatePrimaryKey, "the objects \(first) and \(second) have the same primary key").at(
                    table: definition.tableName, property: definition.properties[property].name)
            }
            roots.append(root)
        }
        return Roots(clusters: clusters, tombstones: gone, indexes: roots)
    }

    private func check(isBelow limit: Int64?, _ names: (PendingBacklinks) -> String) throws(WriteError) {
        for ledger in incoming {
            guard let target = ledger.nextTarget, limit.map({ target.value < $0 }) ?? true else { continue }
            throw .misfit(
                InvalidValue(
                    .danglingLink,
                    "\(names(ledger)) of the object \(ledger.nextOrigin ?? .null) links to the object \(target), which does not exist"
                ).at(table: definition.tableName))
        }
    }
}
