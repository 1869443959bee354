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

    package subscript<Part>(dynamicMember path: KeyPath<ColumnRecord, Part>) -> Part { record[keyPath: path] }

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
        self.init()
        types = try spec.integers(.types, in: space)
        attributes = try spec.integers(.attributes, in: space)
        keys = try spec.integers(.columnKeys, in: space)
        distinctStrings = try spec.integers(.enumKeys, in: space)
        searchIndexes = try top.integers(.searchIndexes, in: space)
        oppositeTables = try top.integers(.oppositeTables, in: space)
        oppositeColumns = try top.integers(.oppositeColumns, in: space)
    }

    /// The arrays that can be read: the others are empty.
    ///
    /// - Parameter top: the table's top; nil where it is lost.
    package init(readableOf spec: Record<SpecSlot>, _ top: Record<TableTopSlot>?, in space: NodeSpace) {
        self.init()
        types = spec.integersIfSound(.types, in: space)
        attributes = spec.integersIfSound(.attributes, in: space)
        keys = spec.integersIfSound(.columnKeys, in: space)
        distinctStrings = spec.integersIfSound(.enumKeys, in: space)
        guard let top else { return }
        searchIndexes = top.integersIfSound(.searchIndexes, in: space)
        oppositeTables = top.integersIfSound(.oppositeTables, in: space)
        oppositeColumns = top.integersIfSound(.oppositeColumns, in: space)
    }
}
