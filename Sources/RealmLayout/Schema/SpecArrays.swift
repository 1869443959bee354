/// The parallel arrays that describe the columns of a table (Spec 60).
package struct SpecArrays: Sendable {
    // In the spec: one element per column, in spec order.
    package var types = IntegerVector.empty
    package var attributes = IntegerVector.empty
    package var keys = IntegerVector.empty
    package var distinctStrings = IntegerVector.empty
    // In the table's top: one element per column, at the column's index.
    package var searchIndexes = IntegerVector.empty
    package var oppositeTables = IntegerVector.empty
    package var oppositeColumns = IntegerVector.empty

    package init() {}

    /// The number of columns.
    package var count: Int { keys.count }

    /// The key of the column at a position, which must be below `count`.
    package func key(_ position: Int) -> ColumnKey { ColumnKey(keys[unchecked: position]) }

    /// The column type and the dictionary key type at a position, as one number.
    package func rawType(_ position: Int) -> Int64 {
        // A dictionary whose types are lost is given the key type that every SDK uses.
        types.element(at: position) ?? Int64(DictionaryKeyType.string.rawValue) << 16
    }

    /// The column at a position, which must be below `count`; nil when its type is unknown. Elements missing in the
    /// other arrays count as 0.
    package func column(_ position: Int) -> ColumnRecord? {
        let key = key(position)
        guard let type = ColumnType(rawValue: key.typeNumber) else { return nil }
        var column = ColumnRecord(key: key, type: type)
        column.marks = ColumnAttributes(rawValue: Int(truncatingIfNeeded: attributes.element(at: position) ?? 0))
        column.dictionaryKeyNumber = rawType(position) >> 16
        column.searchIndex = Slot(searchIndexes.element(of: key.index) ?? 0)
        column.isIndexed = column.searchIndex != .empty
        column.distinctStrings = Slot(distinctStrings.element(at: position) ?? 0)
        if let table = oppositeTables.element(of: key.index) {
            column.oppositeTable = TableKey(UInt32(truncatingIfNeeded: table))
        }
        if let opposite = oppositeColumns.element(of: key.index) { column.oppositeColumn = ColumnKey(opposite) }
        return column
    }
}

extension IntegerVector {
    /// The element for a column in one of the table's arrays; nil when there is none (Spec 70).
    package func element(of column: ColumnIndex) -> Int64? { element(at: column.number) }
}

extension Array {
    /// The element for a column, in an array with one element per index. `_modify` changes it in place; a setter would
    /// copy nested arrays each time.
    @inlinable
    package subscript(column column: ColumnIndex) -> Element {
        @inline(__always) get { self[column.number] }
        @inline(__always) _modify { yield &self[column.number] }
    }

    /// The element for a column; nil when the array is too short.
    @inlinable @inline(__always)
    package subscript(safe column: ColumnIndex) -> Element? { column.number < count ? self[column.number] : nil }

    /// Makes the array long enough for a column.
    @inlinable @inline(__always)
    package mutating func makeRoom(for column: ColumnIndex, filling empty: @autoclosure () -> Element) {
        if column.number >= count { extend(to: column.number + 1, filling: empty()) }
    }

    @usableFromInline
    mutating func extend(to size: Int, filling empty: Element) {
        self += repeatElement(empty, count: size - count)
    }
}

/// The arrays of a table under construction. Indexes and names are written elsewhere.
package struct SpecArraysImage {
    package private(set) var types: [Int64] = []
    package private(set) var attributes: [Int64] = []
    package private(set) var keys: [Int64] = []
    package private(set) var oppositeTables: [Int64] = []
    package private(set) var oppositeColumns: [Int64] = []

    package init() {}

    /// Adds a column. Backlink columns come last, and each column's index is its position.
    package mutating func append(_ column: ColumnRecord) {
        types.append(Int64(column.type.rawValue) | column.dictionaryKeyNumber << 16)
        attributes.append(Int64(column.marks.rawValue))
        keys.append(column.key.value)
        oppositeTables.append(Int64(column.oppositeTable.value))
        oppositeColumns.append(column.oppositeColumn.value)
    }
}
