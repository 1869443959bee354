package import RealmLayout

/// A column in a table's layout: its record, and the leaves opened for it. All members of the record are accessible.
@dynamicMemberLookup
package struct ColumnLayout: Sendable {
    /// The name; nil for backlinks, which have none.
    package let name: String?
    package var record: ColumnRecord
    /// The distinct strings of an enumerated column.
    package let distinct: ColumnLeaf?
    /// Whether leaves have the form of formats 2 to 9.
    let isLegacy: Bool

    package init(name: String?, _ record: ColumnRecord, distinct: ColumnLeaf? = nil, isLegacy: Bool = false) {
        self.name = name
        self.record = record
        self.distinct = distinct
        self.isLegacy = isLegacy
    }

    // Inlined, so that constant key paths cost nothing.
    @inlinable @inline(__always)
    package subscript<Part>(dynamicMember path: KeyPath<ColumnRecord, Part>) -> Part { record[keyPath: path] }

    @inlinable @inline(__always)
    package subscript<Part>(dynamicMember path: WritableKeyPath<ColumnRecord, Part>) -> Part {
        get { record[keyPath: path] }
        set { record[keyPath: path] = newValue }
    }
}

extension SpecArrays {
    /// Reads the arrays of an intact spec and of the table's top.
    ///
    /// - Throws: errors from opening nodes.
    init(_ spec: Record<SpecSlot>, _ top: Record<TableTopSlot>, in space: NodeSpace) throws(FormatError) {
        try self.init { slot throws(FormatError) in
            try spec.integers(slot, in: space)
        } top: { slot throws(FormatError) in
            try top.integers(slot, in: space)
        }
    }

    /// Reads the readable arrays; the rest are empty.
    ///
    /// - Parameter top: the table's top; nil when it is lost.
    package init(readableOf spec: Record<SpecSlot>, _ top: Record<TableTopSlot>?, in space: NodeSpace) {
        self.init {
            spec.integersIfSound($0, in: space)
        } top: {
            top?.integersIfSound($0, in: space) ?? .empty
        }
    }

    private init<Failure: Error>(
        spec: (SpecSlot) throws(Failure) -> IntegerVector, top: (TableTopSlot) throws(Failure) -> IntegerVector
    ) throws(Failure) {
        self.init()
        types = try spec(.types)
        attributes = try spec(.attributes)
        keys = try spec(.columnKeys)
        distinctStrings = try spec(.enumKeys)
        searchIndexes = try top(.searchIndexes)
        oppositeTables = try top(.oppositeTables)
        oppositeColumns = try top(.oppositeColumns)
    }
}
