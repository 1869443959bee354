internal import RealmLayout
internal import RealmReader
internal import RealmWriter

/// What becomes of the columns of a table (Spec 60, 220): those that come get a leaf in every cluster, those that go leave a hole.
final class TableEdit {
    /// A column as it is going to be.
    struct EditedColumn {
        /// The bytes of the name; nil for backlinks.
        var name: [UInt8]?
        var record: ColumnRecord
        /// The distinct strings of an enumerated column.
        let distinct: ColumnLeaf?
        /// Makes the values; nil for those that are there.
        let filling: ColumnFilling?
        /// The index that is to be made.
        var newIndex = IndexKind.none

        /// How its values are read.
        var column: Column { Column(record, distinct: distinct) }
    }

    let key: TableKey
    /// The full name, for messages.
    let name: String
    var kind: TableKind
    private(set) var columns: [EditedColumn] = []
    private(set) var primaryKey: ColumnKey?
    /// Whether two objects may have the same primary key so far.
    private(set) var needsUniqueKeys = false
    /// Counts the columns that were removed.
    private(set) var columnKeySequence: UInt64 = 0
    /// The table as it is; nil for a new one.
    let base: TableDescription?
    let top: Record<TableTopSlot>?
    /// The indexes of columns whose leaves go.
    private(set) var removedIndexes: Set<ColumnIndex> = []
    /// Indexes and lists of distinct strings that go.
    private(set) var droppedRoots: [Ref] = []

    /// A new table.
    init(_ key: TableKey, _ name: String, _ kind: TableKind) {
        (self.key, self.name, self.kind) = (key, name, kind)
        (base, top) = (nil, nil)
    }

    /// A table that is there.
    ///
    /// - Throws: what reading its top throws.
    init(_ base: TableDescription, in space: NodeSpace) throws(FormatError) {
        self.base = base
        (key, name, kind) = (base.schema.key, base.schema.tableName, base.schema.kind)
        primaryKey = base.layout.primaryKey
        let top = try Record<TableTopSlot>(at: base.topRef, in: space)
        self.top = top
        columnKeySequence = try top.number(.columnKeySequence) ?? 0
        let spec = try Record<SpecSlot>(at: top.requiredRef(.spec), in: space)
        let names = try TableLayout.nameLeaf(spec.ref(.names), in: space)
        let indexes = try top.integers(.searchIndexes, in: space)
        for (position, layout) in base.layout.columns.enumerated() {
            var record = layout.record
            record.searchIndex = Slot(indexes.element(of: record.index) ?? 0)
            let bytes = try layout.name == nil ? nil : names.string(at: position, in: space)?.bytes ?? []
            columns.append(EditedColumn(name: bytes, record: record, distinct: layout.distinct, filling: nil))
        }
    }

    // MARK: Columns

    /// The column of a property.
    func property(_ name: String) -> EditedColumn? {
        let bytes = Array(name.utf8)
        return columns.first { $0.name == bytes }
    }

    /// The column with a key.
    ///
    /// - Throws: `badSpec` where a damaged file has none.
    func column(_ key: ColumnKey) throws(WriteError) -> EditedColumn { columns[try place(key)] }

    private func place(_ key: ColumnKey) throws(WriteError) -> Int {
        guard let place = columns.firstIndex(where: { $0.record.key == key }) else {
            throw .source(
                FormatError(.badSpec, at: top?.ref.offset ?? 0, "the column \(key) is missing").at(table: name))
        }
        return place
    }

    /// How many indexes of columns there are, those between that no column has included.
    var columnCount: Int { columns.map(\.record.index).max()?.next.number ?? 0 }

    /// Adds a column. Its index is the lowest that is free; it stands behind the others, but before those of backlinks.
    ///
    /// - Parameter name: nil for backlinks.
    func add(
        _ name: String?, _ type: ColumnType, _ attributes: ColumnAttributes, dictionaryKeys: Int64 = 0,
        _ filling: @escaping ColumnFilling
    ) throws(WriteError) -> ColumnKey {
        let used = Set(columns.map(\.record.index.number))
        let index = (0...used.count).first { !used.contains($0) } ?? used.count
        guard index < Limits.columns else {
            throw .misfit(InvalidValue(.tooMany, "the table has no room for another column").at(table: self.name))
        }
        // The table's key tells columns of different tables apart, the number those of one index (Spec 60).
        let tag = TableKey(UInt32(truncatingIfNeeded: columnKeySequence) ^ key.value)
        let columnKey = ColumnKey(index: ColumnIndex(index), type: type, attributes: attributes, table: tag)
        guard !columns.contains(where: { $0.record.key == columnKey }) else {
            throw .source(FormatError(.badTable, at: top?.ref.offset ?? 0, "the column key \(columnKey) is in use"))
        }
        var record = ColumnRecord(key: columnKey, type: type)
        record.marks = attributes
        record.dictionaryKeyNumber = dictionaryKeys
        let column = EditedColumn(
            name: name.map { Array($0.utf8) }, record: record, distinct: nil, filling: filling)
        let place = name == nil ? nil : columns.firstIndex { $0.name == nil }
        columns.insert(column, at: place ?? columns.count)
        return columnKey
    }

    /// Removes a column: of links, the one at the other end is the caller's to remove. A primary key is none any more.
    func remove(_ key: ColumnKey) throws(WriteError) {
        if key == primaryKey { primaryKey = nil }
        let place = try place(key)
        let column = columns.remove(at: place)
        if column.filling == nil { removedIndexes.insert(column.record.index) }
        if let root = column.record.searchIndex.ref { droppedRoots.append(root) }
        if let root = column.record.distinctStrings.ref { droppedRoots.append(root) }
        columnKeySequence = (columnKeySequence + 1) & (UInt64.max >> 1)
    }

    func rename(_ key: ColumnKey, to name: String) throws(WriteError) {
        columns[try place(key)].name = Array(name.utf8)
    }

    func setOpposite(of key: ColumnKey, _ table: TableKey, _ column: ColumnKey) throws(WriteError) {
        let place = try place(key)
        columns[place].record.oppositeTable = table
        columns[place].record.oppositeColumn = column
    }

    // MARK: Indexes

    /// Gives a column an index of a kind, or takes its index away.
    ///
    /// - Parameter isMarked: whether the spec says so, which it need not of a primary key.
    func setIndex(_ kind: IndexKind, of key: ColumnKey, isMarked: Bool = true) throws(WriteError) {
        let place = try place(key)
        let marks = columns[place].record.marks
        columns[place].record.marks.remove([.indexed, .fullText])
        if kind != .none, isMarked { columns[place].record.marks.insert(kind == .fullText ? .fullText : .indexed) }
        let hasIndex = columns[place].record.searchIndex != .empty || columns[place].newIndex != .none
        let current: IndexKind = !hasIndex ? .none : marks.contains(.fullText) ? .fullText : .general
        guard current != kind else { return }
        if let root = columns[place].record.searchIndex.ref { droppedRoots.append(root) }
        columns[place].record.searchIndex = .empty
        columns[place].newIndex = kind
    }

    // MARK: Primary keys

    /// Makes a column the primary key, which has an index of its own; nil for none.
    func setPrimaryKey(_ new: ColumnKey?) throws(WriteError) {
        guard new != primaryKey else { return }
        if let old = primaryKey, !columns[try place(old)].record.marks.contains(.indexed) {
            try setIndex(.none, of: old)
        }
        primaryKey = new
        guard let new else { return }
        needsUniqueKeys = true
        try setIndex(.general, of: new, isMarked: columns[try place(new)].record.marks.contains(.indexed))
    }

    /// Whether leaves come or go.
    var hasOtherColumns: Bool {
        base == nil || !removedIndexes.isEmpty || columns.contains { $0.filling != nil }
    }
}

/// Makes the values of a new column in a cluster.
typealias ColumnFilling = (Cluster) throws(WriteError) -> MutableColumn

extension MutableColumn {
    /// As many values as a cluster has objects, all the same; no links, and empty collections.
    static func same(_ value: MixedValue, _ type: LeafType) -> ColumnFilling {
        { cluster throws(WriteError) in
            let values = MutableColumn(type)
            for row in 0..<cluster.count {
                switch type {
                case .link, .collections, .backlinks: values.set(row, number: 0)
                default: values.set(row, value)
                }
            }
            return values
        }
    }
}
