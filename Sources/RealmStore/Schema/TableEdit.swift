internal import RealmCore
internal import RealmLayout

/// Changes of the columns of a table (Spec 60, 220). New columns get a leaf in every cluster; removed ones leave a gap.
final class TableEdit {
    /// A column after the changes.
    struct EditedColumn {
        /// The bytes of the name; nil for backlinks.
        var name: [UInt8]?
        var record: ColumnRecord
        /// The distinct strings of an enumerated column.
        let distinct: ColumnLeaf?
        /// Creates the values; nil for an existing column.
        let filling: ColumnFilling?
        /// The index to be created.
        var newIndex = IndexKind.none

        /// The column for reading its values.
        var column: Column { Column(record, distinct: distinct) }
    }

    let key: TableKey
    /// The full name.
    let name: String
    var kind: TableKind
    private(set) var columns: [EditedColumn] = []
    private(set) var primaryKey: ColumnKey?
    /// Whether the uniqueness of primary keys has to be checked.
    private(set) var needsUniqueKeys = false
    /// The number of columns that have ever been removed.
    private(set) var columnKeySequence: UInt64 = 0
    /// The table before the changes; nil for a new one.
    let base: TableDescription?
    let top: Record<TableTopSlot>?
    /// The indexes of columns whose leaves are removed.
    private(set) var removedIndexes: Set<ColumnIndex> = []
    /// The roots of removed indexes and of lists of distinct strings.
    private(set) var droppedRoots: [Ref] = []

    /// Creates a new table.
    init(_ key: TableKey, _ name: String, _ kind: TableKind) {
        (self.key, self.name, self.kind) = (key, name, kind)
        (base, top) = (nil, nil)
    }

    /// Opens an existing table for changes.
    ///
    /// - Throws: errors of reading its top node.
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

    /// Returns the column of a property.
    func property(_ name: String) -> EditedColumn? {
        let bytes = Array(name.utf8)
        return columns.first { $0.name == bytes }
    }

    /// Returns the column with a key.
    ///
    /// - Throws: `badSpec` if a damaged file has none.
    func column(_ key: ColumnKey) throws(FormatError) -> EditedColumn { columns[try place(key)] }

    private func place(_ key: ColumnKey) throws(FormatError) -> Int {
        guard let place = columns.firstIndex(where: { $0.record.key == key }) else {
            throw FormatError(.badSpec, at: top?.ref.offset ?? 0, "the column \(key) is missing").at(table: name)
        }
        return place
    }

    /// The number of column indexes, including unused ones in between.
    var columnCount: Int { columns.map(\.record.index).max()?.next.number ?? 0 }

    /// Adds a column with the lowest free index, after all others except for those of backlinks.
    ///
    /// - Parameter name: its name; nil for backlinks.
    func add(
        _ name: String?, _ type: ColumnType, _ attributes: ColumnAttributes, dictionaryKeys: Int64 = 0,
        _ filling: @escaping ColumnFilling
    ) throws -> ColumnKey {
        let used = Set(columns.map(\.record.index.number))
        let index = (0...used.count).first { !used.contains($0) } ?? used.count
        guard index < Limits.columns else {
            throw InvalidValue(.tooMany, "the table has no room for another column").at(table: self.name)
        }
        // The table's key distinguishes columns of different tables, the number those of the same index (Spec 60).
        let tag = TableKey(UInt32(truncatingIfNeeded: columnKeySequence) ^ key.value)
        let columnKey = ColumnKey(index: ColumnIndex(index), type: type, attributes: attributes, table: tag)
        guard !columns.contains(where: { $0.record.key == columnKey }) else {
            throw FormatError(.badTable, at: top?.ref.offset ?? 0, "the column key \(columnKey) is in use")
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

    /// Removes a column. The caller removes the opposite of a column of links. A removed primary key leaves the table
    /// without one.
    func remove(_ key: ColumnKey) throws(FormatError) {
        if key == primaryKey { primaryKey = nil }
        let place = try place(key)
        let column = columns.remove(at: place)
        if column.filling == nil { removedIndexes.insert(column.record.index) }
        if let root = column.record.searchIndex.ref { droppedRoots.append(root) }
        if let root = column.record.distinctStrings.ref { droppedRoots.append(root) }
        columnKeySequence = (columnKeySequence + 1) & (UInt64.max >> 1)
    }

    func rename(_ key: ColumnKey, to name: String) throws(FormatError) {
        columns[try place(key)].name = Array(name.utf8)
    }

    func setOpposite(of key: ColumnKey, _ table: TableKey, _ column: ColumnKey) throws(FormatError) {
        let place = try place(key)
        columns[place].record.oppositeTable = table
        columns[place].record.oppositeColumn = column
    }

    // MARK: Indexes

    /// Gives a column an index of a kind, or removes its index.
    ///
    /// - Parameter isMarked: whether the spec marks the index, which is optional for a primary key.
    func setIndex(_ kind: IndexKind, of key: ColumnKey, isMarked: Bool = true) throws(FormatError) {
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

    /// Makes a column the primary key, with an index of its own; nil for no primary key.
    func setPrimaryKey(_ new: ColumnKey?) throws(FormatError) {
        guard new != primaryKey else { return }
        if let old = primaryKey, !columns[try place(old)].record.marks.contains(.indexed) {
            try setIndex(.none, of: old)
        }
        primaryKey = new
        guard let new else { return }
        needsUniqueKeys = true
        try setIndex(.general, of: new, isMarked: columns[try place(new)].record.marks.contains(.indexed))
    }

    /// Whether leaves are added or removed.
    var hasOtherColumns: Bool {
        base == nil || !removedIndexes.isEmpty || columns.contains { $0.filling != nil }
    }
}

/// Creates the values of a new column in a cluster.
typealias ColumnFilling = (Cluster) throws -> MutableColumn

extension MutableColumn {
    /// Fills a column with one value for all objects of a cluster; with empty ones for links and collections.
    static func same(_ value: MixedValue, _ type: LeafType) -> ColumnFilling {
        { cluster in
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
