internal import RealmCore
internal import RealmLayout

/// The changes of a transaction to a table.
final class MutableTable {
    let core: TableDescription
    private(set) var layout: TableLayout
    let position: TablePosition
    let objects: ObjectChanges
    let tombstones: ObjectChanges?
    let constraints: ByProperty<PropertyConstraint>
    /// The indexed columns.
    let indexed: [IndexedColumn]
    let space: NodeSpace
    let top: Record<TableTopSlot>
    private(set) var sequenceNumber: UInt64
    /// The highest key of the base; objects with higher keys are new.
    let highestKey: Int64
    /// Backlinks to be added and removed.
    var noted = NotedLinks()
    /// The columns of backlinks, kept separately because copying the layout costs more than searching these.
    private(set) var backlinks: [BacklinkColumn]
    /// Removed objects of the base, if the table has indexes.
    var removedObjects: [Int64] = []
    /// The index of the primary key; nil until it is needed.
    var primaryKeySearch: PrimaryKeySearch?
    var newPrimaryKeys = NewPrimaryKeys()
    /// The name of the class and other parts of the schema that each object needs; copying the schema would cost more.
    let name: String
    let key: TableKey
    let isEmbedded: Bool
    let columnKeys: ByProperty<ColumnKey>
    /// The properties that are links, Mixed, or collections; and the rest.
    let otherProperties: [PropertyIndex]
    let scalarProperties: [PropertyIndex]
    /// Whether each property has an index.
    private(set) var areIndexed: ByProperty<Bool> = []
    /// An array for the values of an added object, reused for the next one.
    private var spareValues: ByProperty<NewValue?> = []
    private var spareCells: [NewRows.Prepared] = []
    /// The names of the last object added by names, and their properties.
    private var lastNames: (names: [String], properties: [PropertyIndex]) = ([], [])

    /// Columns that store each string once. In a table that changes, they are converted to plain strings.
    let enumerated: [Column]
    /// The tombstones by primary key; nil until they are needed.
    var tombstoneKeys: [IndexKeyBytes: ObjectKey]?

    /// The number of columns that have been added to the layout.
    var addedColumns = 0

    /// Keys in the range of an empty tree.
    static let anyObject = ObjectKey(0)
    static let anyTombstone = ObjectKey(-2)

    /// An upper bound for the objects ever created in one table. Keys made from such numbers have room for their other
    /// parts.
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

    /// An indexed column, with its former entries for objects of the base that the transaction changed.
    final class IndexedColumn {
        let property: PropertyIndex
        let column: Column
        let root: Ref
        let kind: IndexKind
        var storedEntries: [Int64: Entries] = [:]

        /// The entries of an index for one object.
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

    /// Returns an array with nil for each property.
    func takeValues() -> ByProperty<NewValue?> {
        let count = constraints.count
        guard spareValues.count == count else { return ByProperty(repeating: nil, count: count) }
        defer { spareValues = [] }
        return spareValues
    }

    /// Returns an empty array for the prepared values of an object.
    func takeCells() -> [NewRows.Prepared] {
        defer { spareCells = [] }
        return spareCells
    }

    /// Keeps arrays for the next object. They must be uniquely referenced, otherwise they are copied here.
    func keep(_ values: inout ByProperty<NewValue?>, _ cells: inout [NewRows.Prepared]) {
        for index in values.indices { values[index] = nil }
        cells.removeAll(keepingCapacity: true)
        swap(&values, &spareValues)
        swap(&cells, &spareCells)
    }

    /// Stores values by property. Most objects have the same names in the same order as the previous one.
    ///
    /// - Returns: a name that occurs twice, or that the class lacks; nil if there is none.
    func place(_ values: some Sequence<(key: String, value: NewValue)>, in given: inout ByProperty<NewValue?>)
        -> String?
    {
        // Taken out, because each access to a property of a class is checked.
        var (names, properties) = lastNames
        lastNames = ([], [])
        defer { lastNames = (names, properties) }
        var number = 0
        for (name, value) in values {
            if number >= names.count || names[number] != name {
                guard let found = core.schema.properties.propertyIndex(named: name) else { return name }
                names.removeSubrange(min(number, names.count)...)
                properties.removeSubrange(min(number, properties.count)...)
                names.append(name)
                properties.append(found)
            }
            guard given[properties[number]] == nil else {
                (names, properties) = ([], [])
                return name
            }
            given[properties[number]] = value
            number += 1
        }
        return nil
    }

    /// Stores values in the order of `names`, if these are the names of the last object.
    ///
    /// - Returns: whether they are.
    func place(_ values: [NewValue], inOrderOf names: [String], in given: inout ByProperty<NewValue?>) -> Bool {
        guard lastNames.names == names else { return false }
        // The next comparison with the same array compares only its address.
        lastNames.names = names
        for (property, value) in zip(lastNames.properties, values) { given[property] = value }
        return true
    }

    var isEmpty: Bool {
        objects.isEmpty && (tombstones?.isEmpty ?? true) && addedColumns == 0 && noted.isEmpty
    }

    /// Whether an object is new.
    func isNew(_ object: ObjectKey) -> Bool { object.value > highestKey }

    /// Returns the tree for a key: objects or tombstones.
    func tree(of key: ObjectKey) -> ObjectChanges? { key.isUnresolved ? tombstones : objects }

    /// Creates the key of the next object (Spec 50).
    func nextKey(fileIdentifier: UInt64) throws(FormatError) -> ObjectKey {
        while true {
            let number = sequenceNumber
            guard number < Self.lastSequenceNumber else {
                throw FormatError(.badTable, at: core.topRef.offset, "the sequence number \(number) has no next one")
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

    /// Ensures that keys created later have higher numbers than a key chosen by the caller, if it could be one of them
    /// (R165.17).
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

    /// Adds the column of backlinks for a column of Mixed values that did not link to this table before.
    ///
    /// - Returns: its index.
    func addBacklinkColumn(of origin: ColumnKey, in table: TableKey) throws -> ColumnIndex {
        let used = Set(layout.columns.map(\.index.number))
        // Realm Core removes an object column by column; the columns of links within a table must come first (Spec
        // 220).
        let lowest = table == layout.key ? origin.index.next.number : 0
        let number = (lowest...lowest + used.count).first { !used.contains($0) } ?? lowest + used.count
        guard number < Limits.columns else {
            throw FormatError(.badTable, at: core.topRef.offset, "the table has no room for another column")
        }
        // The table's key distinguishes columns of different tables, the number those of the same index (Spec 60).
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
