internal import RealmLayout
internal import RealmReader
internal import RealmWriter

/// What a transaction changes of a table.
final class MutableTable {
    let core: TableDescription
    private(set) var layout: TableLayout
    let position: TablePosition
    let objects: ObjectChanges
    let tombstones: ObjectChanges?
    let constraints: ByProperty<PropertyConstraint>
    /// The columns that have an index.
    let indexed: [IndexedColumn]
    let space: NodeSpace
    let top: Record<TableTopSlot>
    private(set) var sequenceNumber: UInt64
    /// The highest key of the base: objects with higher ones are new.
    let highestKey: Int64
    /// The backlinks that come and go.
    var noted = NotedLinks()
    /// The columns of backlinks: copies of the layout cost more than looking through these.
    private(set) var backlinks: [BacklinkColumn]
    /// Objects of the base that were removed, where the table has indexes.
    var removedObjects: [Int64] = []
    /// The index of the primary key, once it was asked for.
    var primaryKeySearch: PrimaryKeySearch?
    var newPrimaryKeys = NewPrimaryKeys()
    /// The name of the class, and what else of the schema each object is asked for: copies of the schema cost more than that.
    let name: String
    let key: TableKey
    let isEmbedded: Bool
    let columnKeys: ByProperty<ColumnKey>
    /// The properties by name.
    let names: PropertyNames
    /// The properties that are links, Mixed, or collections, and the others.
    let otherProperties: [PropertyIndex]
    let scalarProperties: [PropertyIndex]
    /// Which properties have an index.
    private(set) var areIndexed: ByProperty<Bool> = []
    /// An array for the values of an object that is added, which the next one uses again.
    private var spareValues: ByProperty<NewValue?> = []
    private var spareCells: [NewRows.Prepared] = []
    /// Names that values came in the order of last, and where their properties are.
    private var lastOrder: (names: [String], places: [PropertyIndex])?
    /// The properties in the order of the names that came one by one last.
    private var usualPlaces: [PropertyIndex] = []

    /// Columns that hold each string once. A table that changes holds plain strings from then on.
    let enumerated: [Column]
    /// The tombstones by their primary keys, once they were asked for.
    var tombstoneKeys: [IndexKeyBytes: ObjectKey]?

    /// The number of columns that have been added to the layout.
    var addedColumns = 0

    /// Keys that could be in trees without objects.
    static let anyObject = ObjectKey(0)
    static let anyTombstone = ObjectKey(-2)

    /// More objects than these were never made in one table; keys that are made of them have room for other parts.
    private static let lastSequenceNumber: UInt64 = 1 << 46

    /// A column of backlinks, and the column of links that it belongs to.
    struct BacklinkColumn {
        let index: ColumnIndex
        let table: TableKey
        let column: ColumnKey

        init(_ record: ColumnRecord) {
            (index, table, column) = (record.index, record.oppositeTable, record.oppositeColumn)
        }
    }

    /// A column with an index, and what it held of objects of the base that the transaction changed.
    final class IndexedColumn {
        let property: PropertyIndex
        let column: Column
        let root: Ref
        let kind: IndexKind
        var storedEntries: [Int64: Entries] = [:]

        /// What an index has of an object.
        enum Entries {
            case one(IndexKeyBytes)
            case several([IndexKeyBytes])
        }

        init(_ property: PropertyIndex, _ column: Column, _ root: Ref, _ kind: IndexKind) {
            (self.property, self.column, self.root, self.kind) = (property, column, root, kind)
        }
    }

    init(_ snapshot: Snapshot, at position: TablePosition) throws(FormatError) {
        let space = snapshot.space
        let core = snapshot.cores[position]
        self.core = core
        self.position = position
        self.space = space
        layout = core.layout
        backlinks = core.layout.columns.filter(\.isBacklink).map { BacklinkColumn($0.record) }
        top = try Record<TableTopSlot>(at: core.topRef, in: space)
        sequenceNumber = try top.number(.sequenceNumber) ?? 0
        let columns = Array(core.columns) + core.backlinkColumns
        objects = ObjectChanges(core.objects, columns)
        tombstones = core.tombstones.map { ObjectChanges($0, columns) }
        enumerated = core.columns.filter { $0.distinct != nil }
        let properties = core.schema.properties
        constraints = ByProperty(properties).mapped { PropertyConstraint($0) }
        (name, key) = (core.schema.name, core.schema.key)
        isEmbedded = core.schema.kind == .embedded
        columnKeys = ByProperty(properties).mapped(\.columnKey)
        names = PropertyNames(properties.map(\.name))
        otherProperties = properties.propertyIndexes.filter { !properties[$0].isScalar }
        scalarProperties = properties.propertyIndexes.filter { properties[$0].isScalar }
        var indexed: [IndexedColumn] = []
        let roots = try top.integers(.searchIndexes, in: space)
        for (index, property) in zip(properties.propertyIndexes, properties) {
            guard let root = roots.element(of: core.columns[index].index).flatMap({ Slot($0).ref }) else { continue }
            indexed.append(
                IndexedColumn(index, core.columns[index], root, property.index == .fullText ? .fullText : .general))
        }
        self.indexed = indexed
        areIndexed = ByProperty(core.columns.indices.map { index in indexed.contains { $0.property == index } })
        let end = try core.objects.location(of: ObjectKey(.max - 1))
        let last = try Cluster(space.node(at: end.ref), keyOffset: end.keyOffset, in: space)
        highestKey = last.count > 0 ? last.key(unchecked: last.count - 1).value : -1
    }

    /// An array with nil for each property.
    func takeValues() -> ByProperty<NewValue?> {
        let count = constraints.count
        guard spareValues.count == count else { return ByProperty(repeating: nil, count: count) }
        defer { spareValues = [] }
        return spareValues
    }

    /// An empty array for what of an object is prepared.
    func takeCells() -> [NewRows.Prepared] {
        defer { spareCells = [] }
        return spareCells
    }

    /// Keeps arrays for the next object, which nobody else has: else they would be copied here.
    func keep(_ values: inout ByProperty<NewValue?>, _ cells: inout [NewRows.Prepared]) {
        for index in values.indices { values[index] = nil }
        cells.removeAll(keepingCapacity: true)
        swap(&values, &spareValues)
        swap(&cells, &spareCells)
    }

    /// Where properties are, by names in the order of values: mostly all objects of a class have the same ones, which are looked up once.
    ///
    /// - Throws: `misfit` for a name that the class does not have, or has twice here.
    func places(of names: [String]) throws(WriteError) -> [PropertyIndex] {
        // One array is compared by its place in memory first.
        if let lastOrder, lastOrder.names == names { return lastOrder.places }
        var places: [PropertyIndex] = []
        for name in names {
            guard let place = self.names.index(of: name) else {
                let unknown = InvalidValue.unknownName(
                    in: [name: .null], of: self.name, core.schema.properties.map(\.name)
                ) {
                    self.names.index(of: $0) != nil
                }
                throw .misfit(
                    (unknown ?? InvalidValue(.noSuchProperty, "has no such property")).at(table: core.schema.tableName))
            }
            guard !places.contains(place) else {
                throw .misfit(
                    InvalidValue(.duplicateValue, "is named twice").at(table: core.schema.tableName, property: name))
            }
            places.append(place)
        }
        lastOrder = (names, places)
        return places
    }

    /// Puts values where their properties are; most objects have the names of the one before, in its order.
    ///
    /// - Returns: a name that is there twice, or that the class does not have; nil where all is well.
    func place(_ values: some Sequence<(key: String, value: NewValue)>, in given: inout ByProperty<NewValue?>)
        -> String?
    {
        var number = 0
        for (name, value) in values {
            let place: PropertyIndex
            if number < usualPlaces.count, names.names[usualPlaces[number].number] == name {
                place = usualPlaces[number]
            } else {
                guard let found = names.index(of: name) else { return name }
                place = found
                usualPlaces.removeSubrange(min(number, usualPlaces.count)...)
                usualPlaces.append(found)
            }
            guard given[place] == nil else { return name }
            given[place] = value
            number += 1
        }
        return nil
    }

    var isEmpty: Bool {
        objects.isEmpty && (tombstones?.isEmpty ?? true) && addedColumns == 0 && noted.isEmpty
    }

    /// Whether an object is new.
    func isNew(_ object: ObjectKey) -> Bool { object.value > highestKey }

    /// The objects, or the tombstones, that a key belongs to.
    func tree(of key: ObjectKey) -> ObjectChanges? { key.isUnresolved ? tombstones : objects }

    /// The key of an object that is made next (Spec 50).
    func nextKey(fileIdentifier: UInt64) throws(WriteError) -> ObjectKey {
        while true {
            let number = sequenceNumber
            guard number < Self.lastSequenceNumber else {
                throw .source(
                    FormatError(.badTable, at: core.topRef.offset, "the sequence number \(number) has no next one"))
            }
            sequenceNumber += 1
            let key: UInt64 =
                if layout.primaryKey != nil {
                    number
                } else {
                    number & 0xFF | (fileIdentifier & 0xFF) << 8 | (number & 0xFFFF_FF00) << 8
                        | (fileIdentifier & 0x3FFF_FF00) << 32
                }
            let found = ObjectKey(Int64(bitPattern: key))
            if found.value > highestKey { return found }
            if try !objects.contains(found) { return found }
        }
    }

    /// Lets keys that are made from now on be of higher numbers than one that was chosen, if it could be one of them (R165.17).
    func noteChosen(_ key: ObjectKey, fileIdentifier: UInt64) {
        let bits = UInt64(bitPattern: key.value)
        guard layout.primaryKey == nil else {
            if bits < Self.lastSequenceNumber { sequenceNumber = max(sequenceNumber, bits + 1) }
            return
        }
        let maker = (bits >> 8) & 0xFF | (bits >> 32) & 0x3FFF_FF00
        guard maker == 0 || maker == fileIdentifier else { return }
        sequenceNumber = max(sequenceNumber, (bits & 0xFF | (bits >> 8) & 0xFFFF_FF00) + 1)
    }

    /// Adds the column of backlinks for a column of Mixed values, of which none led here so far.
    ///
    /// - Returns: its index.
    func addBacklinkColumn(of origin: ColumnKey, in table: TableKey) throws(WriteError) -> ColumnIndex {
        let used = Set(layout.columns.map(\.index.number))
        // Realm Core removes an object column by column: of links within a table, those must come first (Spec 220).
        let lowest = table == layout.key ? origin.index.next.number : 0
        let number = (lowest...lowest + used.count).first { !used.contains($0) } ?? lowest + used.count
        guard number < Limits.columns else {
            throw .source(FormatError(.badTable, at: core.topRef.offset, "the table has no room for another column"))
        }
        // The table's key tells columns of different tables apart, the number those of one index (Spec 60).
        let sequence = UInt32(truncatingIfNeeded: top.slots.number(.columnKeySequence) ?? 0)
        let tag = TableKey(sequence ^ layout.key.value)
        let index = ColumnIndex(number)
        var record = ColumnRecord(
            key: ColumnKey(index: index, type: .backLink, attributes: [], table: tag), type: .backLink)
        record.oppositeTable = table
        record.oppositeColumn = origin
        layout.columns.append(ColumnLayout(name: nil, record))
        backlinks.append(BacklinkColumn(record))
        addedColumns += 1
        let column = Column(backlinksAt: index, from: nil)
        try objects.add(column, emptyAt: Self.anyObject)
        try tombstones?.add(column, emptyAt: Self.anyTombstone)
        return index
    }
}
