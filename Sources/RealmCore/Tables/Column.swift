package import RealmLayout

/// The location and encoding of a column's values: the part of a `StoredProperty` that reading loops need.
package struct Column: Sendable, BitwiseCopyable {
    /// The column's index in clusters and in the table's arrays.
    package let index: ColumnIndex
    /// The content of the cluster leaf: values, or refs of collections.
    package let leafType: LeafType
    /// The type of the values, or of the elements of collections.
    package let elementType: LeafType
    /// The distinct strings of an enumerated column.
    package let distinct: ColumnLeaf?
    /// The target table of links.
    package let target: TablePosition?
}

extension Column {
    /// Makes a column from its description in the table.
    package init(_ record: ColumnRecord, distinct: ColumnLeaf?) {
        let elementType = LeafType(of: record.type, isNullable: record.isNullable, in: record.collection)
        let leafType = record.collection == nil ? elementType : .collections
        self.init(
            index: record.index, leafType: leafType, elementType: elementType, distinct: distinct, target: nil)
    }

    /// Makes a backlink column.
    package init(backlinksAt index: ColumnIndex, from table: TablePosition?) {
        self.init(
            index: index, leafType: .backlinks, elementType: .int(nullable: false), distinct: nil, target: table)
    }

    /// Makes the column of keys or values of a dictionary before format 23, which is a cluster tree.
    package init(entryColumn index: ColumnIndex, _ type: LeafType) {
        self.init(index: index, leafType: type, elementType: type, distinct: nil, target: nil)
    }
}
