/// A column as the arrays of its table describe it (Spec 60).
package struct ColumnRecord: Sendable {
    package let key: ColumnKey
    /// Where the column's leaves are in clusters, and its entries in the arrays of the table's top.
    package let index: ColumnIndex
    package let type: ColumnType
    /// The attributes of all values: those that a key carries.
    package let attributes: ColumnAttributes
    /// The attributes in the spec, which tell of indexes as well.
    package var marks: ColumnAttributes = []
    /// What the dictionary's keys are, as a number; of other columns 0.
    package var dictionaryKeyNumber: Int64 = 0
    package var searchIndex = Slot.empty
    package var isIndexed = false
    /// Where the distinct strings of an enumerated column are.
    package var distinctStrings = Slot.empty
    /// The table that links lead to, or that backlinks come from.
    package var oppositeTable = TableKey.null
    /// The column at the other end of links or backlinks.
    package var oppositeColumn = ColumnKey.null

    /// A column whose key says all of its values.
    package init(key: ColumnKey, type: ColumnType) {
        self.init(key: key, index: key.index, type: type, attributes: key.attributes)
    }

    package init(key: ColumnKey, index: ColumnIndex, type: ColumnType, attributes: ColumnAttributes) {
        self.key = key
        self.index = index
        self.type = type
        self.attributes = attributes
    }

    package var isNullable: Bool { attributes.contains(.nullable) }
    package var isFullText: Bool { marks.contains(.fullText) }
    package var isBacklink: Bool { type == .backLink }

    /// What a dictionary's keys are, whatever number stands there: strings, or integers.
    package var dictionaryKeyType: DictionaryKeyType {
        dictionaryKeyNumber == Int64(DictionaryKeyType.string.rawValue) ? .string : .int
    }

    /// The collection that each object has; nil for single values.
    package var collection: CollectionKind? {
        if attributes.contains(.list) || type == .linkList { return .list }
        if attributes.contains(.set) { return .set }
        return attributes.contains(.dictionary) ? .dictionary(dictionaryKeyType) : nil
    }
}
