package import RealmLayout

/// A column of a table's layout: its record with what had to be opened for it. All of the record can be asked of it.
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

    // Inlined, so that a path that is written down costs nothing.
    @inlinable @inline(__always)
    package subscript<Part>(dynamicMember path: KeyPath<ColumnRecord, Part>) -> Part { record[keyPath: path] }

    @inlinable @inline(__always)
    package subscript<Part>(dynamicMember path: WritableKeyPath<ColumnRecord, Part>) -> Part {
        get { record[keyPath: path] }
        set { record[keyPath: path] = newValue }
    }
}

extension SpecArrays {
    /// The arrays of a sound spec, and of the table's top.
    ///
    /// - Throws: what opening nodes throws.
    init(_ spec: Record<SpecSlot>, _ top: Record<TableTopSlot>, in space: NodeSpace) throws(FormatError) {
        try self.init { slot throws(FormatError) in
            try spec.integers(slot, in: space)
        } top: { slot throws(FormatError) in
            try top.integers(slot, in: space)
        }
    }

    /// The arrays that can be read: the others are empty.
    ///
    /// - Parameter top: the table's top; nil where it is lost.
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
