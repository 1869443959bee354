package import RealmLayout
package import RealmStorage

/// Writes a new file object by object, for importers and `RealmBuilder`.
///
/// An object is begun, its properties are set in any order, and it is ended with its key. Embedded objects are begun
/// and ended while their owner is open, and so are collections. Values are checked against the schema. Bytes of values
/// must stay valid until their object is ended.
///
///     begin(person)
///     set(name, .string(…))
///     beginCollection(dogs); add(link: …); endCollection()
///     begin(address); set(street, …); end(key); set(home, link: key)
///     end(key)
package final class ObjectWriter {
    package let file: FileWriter
    /// Nil for a rehearsal.
    private let output: DatabaseOutput?
    /// The schema. Its order of tables defines their positions.
    package let schema: SchemaDefinition
    let tables = OwnedObjects<TableSession>()
    /// The columns of all tables; `properties` has their constraints.
    let columns = OwnedObjects<LeafBuilder>()
    let properties = UnsharedArray<PropertyConstraint>()
    private let nextKeys = UnsharedArray<Int64>()
    /// The facts about each table that objects need.
    private let facts = UnsharedArray<TableFacts>()
    private let ledgers: PendingBacklinksByTable

    /// The innermost open object; `outer` has those around it.
    var object = ObjectScope()
    private let outer = UnsharedArray<ObjectScope>()
    /// Buffered rows of open objects without a row in the cluster; reused.
    let frames = OwnedObjects<BufferedRow>()
    private var frameCount = 0
    /// Deferred items of open objects; those of inner objects follow those of outer ones.
    let links: UnsharedArray<PendingLink>
    let lateValues: UnsharedArray<DeferredValue>
    private var words: [DeferredIndexWord] = []
    private var wordCount = 0

    /// Builders of the open collections, by nesting depth; reused.
    let builders = OwnedObjects<CollectionBuilder>()
    /// The open collections. The first belongs to a property of the object, the others are nested in Mixed values.
    let openCollections = UnsharedArray<OpenCollection>()

    /// Begins a file.
    ///
    /// - Parameters:
    ///   - output: Nil for a rehearsal, which checks objects but writes nothing and is not finished.
    ///   - orders: The order of the objects of each table; empty if all are in ascending key order.
    ///   - memory: Maximum memory in bytes for data that grows with the number of objects; nil for the default.
    /// - Throws: `badSchema`, and errors of `DatabaseOutput`.
    package init(
        _ schema: SchemaDefinition, to output: DatabaseOutput?, orders: ByTable<ObjectOrder> = [], memory: Int? = nil
    ) throws(WriteError) {
        self.schema = schema
        self.output = output
        file = try FileWriter(schema, output, memory: memory ?? SpillRoom.usualMemory)
        links = UnsharedArray(in: file.nodes.folder)
        lateValues = UnsharedArray(in: file.nodes.folder)
        ledgers = file.ledgers
        let areWithinThemselves = TableSession.tablesWithinThemselves(file)
        for (position, table) in file.tables.indexed {
            table.refusesDuplicates = true
            let rules = TableSession(
                table, firstColumn: columns.count, containsItself: areWithinThemselves[position], in: file)
            if orders.indices.contains(position), orders[position] == .any { rules.sorter = RowSorter(file.room) }
            tables.append(rules)
            facts.append(TableFacts(rules))
            for column in table.objects.columns { columns.append(column) }
            for property in rules.properties { properties.append(property) }
        }
        nextKeys.append(repeating: 0, count: file.tables.count)
    }

    /// Returns the position of a table; nil for an unknown name.
    package func table(named name: String) -> TablePosition? { file.positions[ExactName(name)] }

    // MARK: Objects

    /// Begins an object.
    package func begin(_ table: TablePosition) {
        outer.append(object)
        let facts = facts[table.number]
        let row = facts.waitsForEnd ? -1 : tables.with(table.number) { $0.objects.keys.count }
        object = ObjectScope(
            table: table, firstColumn: facts.firstColumn, row: row, freeRow: row, propertyCount: facts.propertyCount,
            firstCollection: openCollections.count, firstLink: links.count, firstWord: wordCount,
            firstLateValue: lateValues.count)
        if row < 0 { beginFrame(facts.propertyCount) }
    }

    @inline(never)
    private func beginFrame(_ propertyCount: Int) {
        if frameCount == frames.count { frames.append(BufferedRow()) }
        frames.with(frameCount) { $0.begin(propertyCount) }
        frameCount += 1
    }

    /// Calls `body` with the buffered row of the open object. There must be one.
    @inline(__always)
    func withFrame<R>(_ body: (BufferedRow) -> R) -> R { frames.with(frameCount - 1, body) }

    /// Ends the object that was begun last.
    ///
    /// - Parameter key: The object's key; nil for the next one in sequence.
    /// - Returns: The key.
    /// - Throws: `missingValue` when a required property was not set; `badObjectKey` when the key is invalid, or not
    ///   higher than previous ones in a table whose objects arrive in order.
    @discardableResult
    package func end(key given: ObjectKey? = nil) throws(WriteError) -> ObjectKey {
        guard !outer.isEmpty else {
            throw .misfit(InvalidValue(.missingValue, "no object was begun"))
        }
        let table = object.table
        let key = given ?? nextKey(table)
        do throws(WriteError) {
            try end(key)
        } catch {
            throw error.at(table: file.tables[table].definition.tableName, objectKey: key)
        }
        object = outer[outer.count &- 1]
        outer.removeLast(1)
        return key
    }

    @inline(__always)
    private func end(_ key: ObjectKey) throws(WriteError) {
        let table = object.table
        guard key.value >= 0, key.value < .max else {
            throw .misfit(InvalidValue(.badObjectKey, "\(key) is not an object key"))
        }
        if key.value >= nextKeys[table.number] { nextKeys[table.number] = key.value &+ 1 }
        if let missing = firstMissing() {
            throw .misfit(
                InvalidValue(.missingValue, "has no value").at(
                    property: file.tables[table].definition.properties[missing].name))
        }
        if links.count > object.firstLink { noteLinks(key) }
        if wordCount > object.firstWord { try noteWords(key) }
        try tables.with(table.number) { rules throws(WriteError) in
            if let last = rules.objects.lastKey, last >= key.value {
                throw .misfit(
                    InvalidValue(last == key.value ? .duplicateKey : .badObjectKey, "comes after the object \(last)"))
            }
            guard object.row >= 0 else { return try endFrame(key, rules) }
            if object.setCount < object.propertyCount || lateValues.count > object.firstLateValue { try fillRow() }
            try rules.table.endObject(key)
        }
    }

    @inline(__always)
    private func noteLinks(_ key: ObjectKey) {
        if output != nil {
            var index = object.firstLink
            while index < links.count {
                let link = links[index]
                ledgers.add(target: link.target, origin: key, to: link.ledger)
                index &+= 1
            }
        }
        links.removeLast(links.count &- object.firstLink)
    }

    private func endFrame(_ key: ObjectKey, _ rules: TableSession) throws(WriteError) {
        frameCount -= 1
        try frames.with(frameCount) { frame throws(WriteError) in
            if object.setCount < object.propertyCount { frame.fillIn(rules.properties) }
            if let sorter = rules.sorter {
                if output != nil { try sorter.add(key, frame.values) }
                return
            }
            try rules.append(frame.values, key)
        }
    }

    /// Fills the columns of the open object that have no value with the deferred value, or with null.
    @inline(never)
    private func fillRow() throws(WriteError) {
        var next = object.firstLateValue
        for property in 0..<object.propertyCount {
            try columns.with(object.firstColumn &+ property) { column throws(WriteError) in
                guard column.count == object.row else { return }
                guard next < lateValues.count, lateValues[next].property.number == property else {
                    return column.appendNull()
                }
                try column.append(cell: lateValues[next].value)
                next += 1
            }
        }
        lateValues.removeLast(lateValues.count - object.firstLateValue)
    }

    /// Defers an element of an indexed list of strings until the object's key is known.
    func keep(_ word: DeferredIndexWord) {
        words.append(word)
        wordCount = words.count
    }

    @inline(never)
    private func noteWords(_ key: ObjectKey) throws(WriteError) {
        for word in words[object.firstWord...] {
            try file.tables[object.table].indexes[word.property]?.add(word: word.word, of: key)
        }
        words.removeLast(words.count - object.firstWord)
        wordCount = words.count
    }

    /// Returns the key of a table's next object. Keys of classes without a primary key are generated as in Realm Core
    /// (Spec 50).
    package func nextKey(_ table: TablePosition) -> ObjectKey {
        let number = nextKeys[table.number]
        guard number & 0xFF00 != 0, !facts[table.number].hasPrimaryKey else { return ObjectKey(number) }
        // Bits 8 to 15 are those of a Device Sync client.
        return ObjectKey((number | 0xFF00) &+ 1)
    }

    /// Whether a link added so far refers to a tombstone.
    package func isLinked(_ table: TablePosition, tombstone key: ObjectKey) -> Bool {
        file.tables[table].incoming.contains { $0.unresolvedTargets.contains(key.value) }
    }

    /// Reserves the next key of a table for an object that is ended later.
    package func reserveKey(_ table: TablePosition) -> ObjectKey {
        let key = nextKey(table)
        nextKeys[table.number] = key.value &+ 1
        return key
    }

    /// Returns the key of the last written object of a table. Keys of later objects must be higher.
    package func lastWrittenKey(_ table: TablePosition) -> ObjectKey? {
        file.tables[table].objects.lastKey.map { ObjectKey($0) }
    }

    /// Buffers the objects of a table that begin from now on until the end, so that their keys may come in any order.
    package func keepUntilEnd(_ table: TablePosition) {
        tables.with(table.number) { rules in if rules.sorter == nil { rules.sorter = RowSorter(file.room) } }
        facts[table.number].waitsForEnd = true
    }

    /// Discards the file.
    package func discard() { output?.discard() }

    /// The path of the file.
    package var path: String { output?.path ?? "" }

    /// Writes a tombstone: a missing target of links. Tombstones must be added in ascending key order.
    package func addTombstone(_ table: TablePosition, key: ObjectKey, primaryKey: MixedValue) throws(WriteError) {
        do throws(WriteError) {
            try tables.with(table.number) { rules throws(WriteError) in
                guard key.isUnresolved, rules.table.tombstones?.lastKey.map({ $0 < key.value }) ?? true else {
                    throw .misfit(InvalidValue(.badObjectKey, "\(key) is not a key of a tombstone, or comes too late"))
                }
                let tree = rules.table.tombstoneTree()
                for (index, column) in tree.columns.enumerated() {
                    if index == rules.table.primaryKey?.number {
                        try column.append(typed: primaryKey)
                    } else {
                        let property = rules.properties[index]
                        // Realm Core gives tombstones the default values of new objects.
                        let isNull = property.isNullable || property.collection != nil
                        try column.append(typed: isNull ? .null : property.type.zero)
                    }
                }
                if tree.add(key) { try tree.endCluster() }
            }
        } catch {
            throw error.at(table: file.tables[table].definition.tableName, objectKey: key)
        }
    }

    // MARK: Finishing

    /// Writes the remaining nodes and gives the file its name.
    ///
    /// - Throws: `danglingLink`, `duplicatePrimaryKey`, `duplicateKey`, and errors of `DatabaseOutput`.
    package func finish() throws(WriteError) {
        for table in 0..<tables.count {
            try tables.with(table) { rules throws(WriteError) in try rules.appendSorted() }
        }
        if let version = schema.version, tables.count > schema.tables.count {
            let row = UnsharedArray<MixedValue>()
            row.append(.int(Int64(bitPattern: version)))
            try tables.with(tables.count - 1) { metadata throws(WriteError) in try metadata.append(row, ObjectKey(0)) }
        }
        let header = try file.end()
        do throws(StorageError) { try output?.finish(header: header) } catch { throw .storage(error) }
    }
}

/// The order in which the objects of a table arrive.
package enum ObjectOrder: Sendable {
    /// Each key is higher than the previous one.
    case ascending
    /// Any order. Objects are buffered and sorted at the end.
    case any
}
