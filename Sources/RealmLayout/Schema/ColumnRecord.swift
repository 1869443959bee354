/// A column as described by its table's arrays (Spec 60).
package struct ColumnRecord: Sendable {
    package let key: ColumnKey
    /// The position of the column's leaves in clusters, and of its entries in the arrays of the table's top.
    package let index: ColumnIndex
    package let type: ColumnType
    /// The attributes of the values: those included in the key.
    package let attributes: ColumnAttributes
    /// The attributes in the spec, which include those of indexes.
    package var marks: ColumnAttributes = []
    /// The number of the dictionary's key type; 0 for other columns.
    package var dictionaryKeyNumber: Int64 = 0
    package var searchIndex = Slot.empty
    package var isIndexed = false
    /// The slot with the distinct strings of an enumerated column.
    package var distinctStrings = Slot.empty
    /// The target table of links, or the origin table of backlinks.
    package var oppositeTable = TableKey.null
    /// The column at the other end of links or backlinks.
    package var oppositeColumn = ColumnKey.null

    /// Makes a column whose type and attributes are those of its key.
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

    /// The dictionary's key type: strings, or integers for any other number.
    package var dictionaryKeyType: DictionaryKeyType {
        dictionaryKeyNumber == Int64(DictionaryKeyType.string.rawValue) ? .string : .int
    }

    /// The collection in each object; nil for single values.
    package var collection: CollectionKind? {
        if attributes.contains(.list) || type == .linkList { return .list }
        if attributes.contains(.set) { return .set }
        return attributes.contains(.dictionary) ? .dictionary(dictionaryKeyType) : nil
    }
}
