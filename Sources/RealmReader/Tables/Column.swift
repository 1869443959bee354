package import RealmLayout

/// Where a column's values are and how to read them: what the reading loops need of a `StoredProperty`.
package struct Column: Sendable, BitwiseCopyable {
    /// The column's index in clusters and in the table's arrays.
    package let index: ColumnIndex
    /// How the cluster leaf is read: values, or refs of collections.
    package let leafType: LeafType
    /// How values are read, or elements of collections.
    package let elementType: LeafType
    /// The distinct strings of an enumerated column.
    package let distinct: ColumnLeaf?
    /// The table that links lead to.
    package let target: TablePosition?
}

extension Column {
    /// A column as its table describes it.
    package init(_ record: ColumnRecord, distinct: ColumnLeaf?) {
        let elementType = LeafType(of: record.type, isNullable: record.isNullable, in: record.collection)
        let leafType = record.collection == nil ? elementType : .collections
        self.init(
            index: record.index, leafType: leafType, elementType: elementType, distinct: distinct, target: nil)
    }

    /// A column of backlinks.
    package init(backlinksAt index: ColumnIndex, from table: TablePosition?) {
        self.init(
            index: index, leafType: .backlinks, elementType: .int(nullable: false), distinct: nil, target: table)
    }

    /// The keys or the values of a dictionary of a format before 23, which are columns of clusters.
    package init(entryColumn index: ColumnIndex, _ type: LeafType) {
        self.init(index: index, leafType: type, elementType: type, distinct: nil, target: nil)
    }
}
