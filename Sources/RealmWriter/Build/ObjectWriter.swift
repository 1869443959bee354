package import RealmLayout
package import RealmReader
package import RealmStorage

/// Writes a new file object by object: what importers and `RealmBuilder` use.
///
/// An object is begun, its properties are set in any order, and it is ended with its key. Embedded objects are begun and
/// ended while the object that they belong to is open; collections are begun, filled and ended in between as well. Values are
/// checked against the schema. Bytes of values must stay valid until the object that has them is ended.
///
///     begin(person)
///     set(name, .string(…))
///     beginCollection(dogs); add(link: …); endCollection()
///     begin(address); set(street, …); end(key); set(home, link: key)
///     end(key)
package final class ObjectWriter {
    let file: FileWriter
    private let output: DatabaseOutput
    /// The tables in the order of the schema; numbers of tables are positions here.
    package let schema: SchemaDefinition
    private let tables: [TableRules]
    /// The object that was begun last, and those around it; frames are used again.
    private var frame: ObjectFrame
    private var outer: [ObjectFrame] = []
    private var spare: [ObjectFrame] = []
    /// For the collection that was begun last, and those around it.
    private var builder: CollectionBuilder
    private var builders: [CollectionBuilder]
    /// What the open collections are: the first belongs to a property of the object, the others are nested in Mixed values.
    private let openCollections = PlainArray<OpenCollection>()
    private let nextKeys = PlainArray<Int64>()

    /// Begins a file.
    ///
    /// - Parameter orders: how objects of each table come; all in ascending order of their keys when it is empty.
    /// - Throws: `badSchema`, and what `DatabaseOutput` throws.
    package init(
        _ schema: SchemaDefinition, to output: DatabaseOutput, orders: [ObjectOrder] = []
    ) throws(WriteError) {
        self.schema = schema
        self.output = output
        file = try FileWriter(schema, output)
        let file = file
        tables = file.tables.map { TableRules($0, in: file) }
        nextKeys.append(repeating: 0, count: file.tables.count)
        builder = CollectionBuilder(file.nodes)
        builders = [builder]
        // Outside of objects nothing is set: the frame of a table without properties.
        frame = ObjectFrame(
            TableRules(TableWriter(TableDefinition(table: "", []), index: 0, file.nodes, file.ledgers), in: file))
        for table in file.tables { table.refusesDuplicates = true }
        for (index, order) in orders.enumerated() where order == .any { tables[index].sorter = RowSorter() }
    }

    /// The number of a table; nil for an unknown name.
    package func table(named name: String) -> Int? { file.positions[name] }

    // MARK: Objects

    /// Begins an object.
    package func begin(_ table: Int) {
        outer.append(frame)
        frame = spare.popLast() ?? ObjectFrame(tables[table])
        frame.begin(tables[table], firstCollection: openCollections.count)
    }

    /// Ends the object that was begun last.
    ///
    /// - Parameter key: the object's key; nil for the next number.
    /// - Returns: the key.
    /// - Throws: `missingValue` when a property that cannot be null was not set, `badObjectKey` when the key is not higher
    ///   than those before in a table whose objects come in order, or is no key.
    @discardableResult
    package func end(key given: ObjectKey? = nil) throws(WriteError) -> ObjectKey {
        guard let around = outer.popLast() else {
            throw .misfit(Misfit(.missingValue, "no object was begun"))
        }
        let frame = self.frame
        self.frame = around
        spare.append(frame)
        let rules = frame.rules
        let key = given ?? nextKey(rules.table.index)
        do throws(WriteError) {
            guard key.value >= 0, key.value < .max else {
                throw .misfit(Misfit(.badObjectKey, "\(key) is no key of an object"))
            }
            nextKeys[rules.table.index] = max(nextKeys[rules.table.index], key.value &+ 1)
            try frame.fillIn()
            frame.note(key, file.ledgers)
            if let last = rules.table.objects.lastKey, last >= key.value {
                throw .misfit(
                    Misfit(last == key.value ? .duplicateKey : .badObjectKey, "comes after the object \(last)"))
            }
            if let sorter = rules.sorter {
                sorter.add(key, frame.values)
                return key
            }
            try rules.append(frame.values, key)
        } catch {
            throw error.at(table: rules.table.definition.tableName, objectKey: key)
        }
        return key
    }

    /// The key that the next object of a table gets: of classes without a primary key as Realm Core makes them (Spec 50).
    package func nextKey(_ table: Int) -> ObjectKey {
        let number = nextKeys[table]
        guard tables[table].table.primaryKey == nil, number & 0xFF00 != 0 else { return ObjectKey(number) }
        // Bits 8 to 15 are those of a client of Device Sync.
        return ObjectKey((number | 0xFF00) &+ 1)
    }

    /// Whether a link of an object so far leads to a tombstone.
    package func isLinked(_ table: Int, tombstone key: ObjectKey) -> Bool {
        tables[table].table.incoming.contains { $0.unresolvedTargets.contains(key.value) }
    }

    /// Gives away the next key of a table: to an object that is ended with it later.
    package func reserveKey(_ table: Int) -> ObjectKey {
        let key = nextKey(table)
        nextKeys[table] = key.value &+ 1
        return key
    }

    /// The key of the object of a table that was written last; none that comes after may be lower.
    package func lastWrittenKey(_ table: Int) -> ObjectKey? {
        tables[table].table.objects.lastKey.map { ObjectKey($0) }
    }

    /// Keeps the objects of a table that come from now on until the end, so that their keys may come in any order.
    package func keepUntilEnd(_ table: Int) {
        if tables[table].sorter == nil { tables[table].sorter = RowSorter() }
    }

    /// Gives the file up.
    package func discard() { output.discard() }

    /// Where the file is to be.
    package var path: String { output.path }

    /// Writes a tombstone: an object that is linked to but does not exist. Tombstones come in ascending order of their keys.
    package func addTombstone(_ table: Int, key: ObjectKey, primaryKey: MixedValue) throws(WriteError) {
        let rules = tables[table]
        do throws(WriteError) {
            guard key.isUnresolved, rules.table.tombstones?.lastKey.map({ $0 < key.value }) ?? true else {
                throw .misfit(Misfit(.badObjectKey, "\(key) is no key of a tombstone, or comes too late"))
            }
            let tree = rules.table.tombstoneTree()
            for (index, column) in tree.columns.enumerated() {
                if index == rules.table.primaryKey {
                    try column.append(typed: primaryKey)
                } else {
                    let property = rules.properties[index]
                    // Realm Core gives tombstones the values of new objects.
                    let isNull = property.isNullable || property.collection != nil
                    try column.append(typed: isNull ? .null : property.type.zero)
                }
            }
            if tree.add(key) { try tree.endCluster() }
        } catch {
            throw error.at(table: rules.table.definition.tableName, objectKey: key)
        }
    }

    // MARK: Properties

    /// Sets a property that is neither a link nor a collection; `.null` also for links.
    ///
    /// - Throws: `wrongType`, `nullNotAllowed`, `tooLong`, `notRepresentable`, `duplicateValue`.
    @inline(__always)
    package func set(_ property: Int, _ value: MixedValue) throws(WriteError) {
        let rules = frame.rules
        if let misfit = rules.properties[property].misfit(value) { throw located(misfit, property) }
        if case .link(let table, let key) = value { try noteMixedLink(property, table, key) }
        try put(property, value)
    }

    /// Whether a property of the open object has a value already.
    package func hasValue(_ property: Int) -> Bool { frame.hasValue(property) }

    /// The first property of the open object, from `start` on, that needs a value and has none.
    @inline(__always)
    package func firstMissing(from start: Int = 0) -> Int? { frame.firstMissing(from: start) }

    /// Sets a link. An unresolved key leads to a tombstone.
    package func set(_ property: Int, link key: ObjectKey) throws(WriteError) {
        let rules = frame.rules.properties[property]
        guard rules.ledger >= 0, rules.collection == nil else {
            throw located(Misfit(.wrongType, "is no link"), property)
        }
        frame.add(rules.ledger, key)
        try put(property, .link(.null, key))
    }

    private func put(_ property: Int, _ value: MixedValue) throws(WriteError) {
        guard frame.put(property, value) else {
            throw located(Misfit(.duplicateValue, "is there twice"), property)
        }
    }

    private func noteMixedLink(_ property: Int, _ table: TableKey, _ key: ObjectKey) throws(WriteError) {
        try checkMixedLink(property, table)
        addMixedLink(property, table, key)
    }

    private func checkMixedLink(_ property: Int, _ table: TableKey) throws(WriteError) {
        guard table.value < UInt32(tables.count) else {
            throw located(Misfit(.noSuchTable, "a link to the table \(table), which does not exist"), property)
        }
    }

    private func addMixedLink(_ property: Int, _ table: TableKey, _ key: ObjectKey) {
        let origin = frame.rules.table.index
        frame.add(tables[Int(table.value)].table.ledger(from: origin, property).number, key)
    }

    /// Notes a link of an open or just ended collection, whose table exists.
    private func noteLink(in open: OpenCollection, _ table: TableKey, _ key: ObjectKey) {
        if open.rules.ledger >= 0, !open.isNested {
            frame.add(open.rules.ledger, key)
        } else {
            addMixedLink(open.property, table, key)
        }
    }

    private func located(_ misfit: Misfit, _ property: Int) -> WriteError {
        let definition = frame.rules.table.definition
        return .misfit(misfit.at(table: definition.tableName, property: definition.properties[property].name))
    }

    // MARK: Collections

    private struct OpenCollection: BitwiseCopyable {
        let property: Int
        let rules: PropertyRules
        let isDictionary: Bool
        let isNested: Bool
    }

    /// Begins the collection of a property: list, set or dictionary, as the schema says.
    package func beginCollection(_ property: Int) throws(WriteError) {
        let rules = frame.rules.properties[property]
        guard let collection = rules.collection else {
            throw located(Misfit(.wrongType, "is no collection"), property)
        }
        let kind: CollectionBuilder.Kind =
            switch collection {
            case .list: .list
            case .set: .set
            case .dictionary: .dictionary
            }
        begin(kind, of: rules.elementType, property, rules, isNested: false)
    }

    /// Begins a list or dictionary inside a Mixed: as the value of a Mixed property, or of an element of the open collection.
    ///
    /// - Parameter property: nil for an element.
    package func beginNested(_ property: Int?, isDictionary: Bool) throws(WriteError) {
        guard let property = property ?? openCollections.last?.property else {
            throw .misfit(Misfit(.wrongType, "there is no open collection"))
        }
        let rules = frame.rules.properties[property]
        guard rules.type == .mixed else { throw located(Misfit(.wrongType, "is not mixed"), property) }
        guard openCollections.count - frame.firstCollection < Limits.nestingDepth else {
            throw located(
                Misfit(.tooDeep, "collections are nested more than \(Limits.nestingDepth) levels deep"), property)
        }
        if case .set? = openCollections.last.flatMap({ $0.isNested ? nil : $0.rules.collection }),
            openCollections.count > frame.firstCollection
        {
            throw located(Misfit(.wrongType, "a set cannot hold collections"), property)
        }
        begin(isDictionary ? .dictionary : .list, of: .mixed, property, rules, isNested: true)
    }

    private func begin(
        _ kind: CollectionBuilder.Kind, of type: LeafType, _ property: Int, _ rules: PropertyRules, isNested: Bool
    ) {
        if openCollections.count == builders.count { builders.append(CollectionBuilder(file.nodes)) }
        builder = builders[openCollections.count]
        builder.begin(kind, of: type)
        openCollections.append(
            OpenCollection(
                property: property, rules: rules, isDictionary: kind == .dictionary, isNested: isNested))
    }

    /// Ends the collection that was begun last.
    ///
    /// - Returns: how many elements of a set were there already, or entries of a dictionary had a key that was: of those with
    ///   one key the last stays.
    @discardableResult
    package func endCollection() throws(WriteError) -> Int {
        guard let open = openCollections.last else {
            throw .misfit(Misfit(.wrongType, "there is no open collection"))
        }
        openCollections.removeLast(1)
        let builder = builder
        if !openCollections.isEmpty { self.builder = builders[openCollections.count - 1] }
        let root = try builder.end()
        // Not all elements need have been kept.
        for index in 0..<builder.links.count {
            noteLink(in: open, builder.links[index].table, builder.links[index].key)
        }
        guard open.isNested else {
            try put(open.property, .list(root))
            return builder.duplicates
        }
        let value = open.isDictionary ? MixedValue.dictionary(root) : .list(root)
        if openCollections.count > frame.firstCollection {
            try self.builder.add(value)
        } else {
            try put(open.property, value)
        }
        return builder.duplicates
    }

    /// Gives the key of the next entry of the open dictionary.
    package func add(key: ByteView) { builder.add(key: key) }

    /// The same for dictionaries with integers as keys.
    package func add(key number: Int64) { builder.add(key: number) }

    /// Takes back the key of an entry that gets no value.
    package func dropKey() {
        if !openCollections.isEmpty { builder.dropKey() }
    }

    /// Adds an element to the open collection, or the value of an entry.
    package func add(_ value: MixedValue) throws(WriteError) {
        guard let open = openCollections.last else {
            throw .misfit(Misfit(.wrongType, "there is no open collection"))
        }
        if open.isNested {
            if let misfit = PropertyRules.lengthMisfit(value) { throw located(misfit, open.property) }
        } else if let misfit = open.rules.elementMisfit(value) {
            throw located(misfit, open.property)
        }
        if case .link(let table, let key) = value {
            if open.rules.ledger < 0 || open.isNested { try checkMixedLink(open.property, table) }
            if builder.kind == .list { noteLink(in: open, table, key) }
        }
        if open.rules.hasWordsOfElements {
            if case .string(let view) = value { frame.add(word: view.bytes, of: open.property) }
            if case .null = value { frame.add(word: nil, of: open.property) }
        }
        try self.builder.add(value)
    }

    /// Adds a link to the open collection of links.
    package func add(link key: ObjectKey) throws(WriteError) {
        guard let open = openCollections.last, open.rules.ledger >= 0 else {
            throw .misfit(Misfit(.wrongType, "there is no open collection of links"))
        }
        if builder.kind == .list { frame.add(open.rules.ledger, key) }
        if open.isDictionary {
            try self.builder.add(.link(TableKey(UInt32(open.rules.target)), key))
        } else {
            try self.builder.add(link: key)
        }
    }

    // MARK: The end

    /// Writes the rest and gives the file its name.
    ///
    /// - Throws: `danglingLink`, `duplicatePrimaryKey`, `duplicateKey`, and what `DatabaseOutput` throws.
    package func finish() throws(WriteError) {
        for rules in tables { try rules.appendSorted() }
        if let version = schema.version, tables.count > schema.tables.count, let metadata = tables.last {
            let row = PlainArray<MixedValue>()
            row.append(.int(Int64(bitPattern: version)))
            try metadata.append(row, ObjectKey(0))
        }
        let header = try file.end()
        do throws(StorageError) { try output.finish(header: header) } catch { throw .storage(error) }
    }
}

/// How the objects of a table come.
package enum ObjectOrder: Sendable {
    /// Each key is higher than those before.
    case ascending
    /// Anyhow: they are kept until the end, and sorted.
    case any
}
