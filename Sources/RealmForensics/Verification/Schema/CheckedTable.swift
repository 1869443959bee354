internal import RealmCore
package import RealmLayout

/// A table, as far as its schema is readable (Spec 60).
package struct CheckedTable {
    let slot: Int
    package let name: String
    let key: TableKey
    let topRef: Ref
    let kind: TableKind
    package let clusters: Ref?
    let tombstones: Ref?
    let collisionMap: Ref?
    let primaryKey: ColumnKey?
    let sequenceNumber: UInt64
    var columns: [CheckedColumn]
    /// Whether the columns are known from the description: without it no object can be read.
    var areColumnsKnown = false
    /// The number of elements of the arrays of search indexes and opposite columns.
    let leafSlots: Int

    /// The name without the prefix of classes.
    var className: String { TableName.className(of: name) }

    func column(index: ColumnIndex) -> CheckedColumn? { columns.first { $0.key.index == index } }

    var primaryKeyColumn: CheckedColumn? { primaryKey.flatMap { key in columns.first { $0.key == key } } }
}

/// A column, as far as its description is readable. A class, so that passing it to leaf checks costs nothing.
final class CheckedColumn: Sendable {
    /// The position in the spec.
    let position: Int
    /// The name; for backlinks, which have no name, a description.
    let name: String
    let record: ColumnRecord
    let collection: CollectionKind?
    /// The column in the form in which leaves are read.
    let column: Column
    let index: Ref?

    init(position: Int, name: String, _ record: ColumnRecord, distinct: ColumnLeaf?, index: Ref?) {
        self.position = position
        self.name = name
        self.record = record
        collection = record.collection
        column = Column(record, distinct: distinct)
        self.index = index
    }

    var key: ColumnKey { record.key }
    var type: ColumnType { record.type }
    var attributes: ColumnAttributes { record.attributes }
    var leafType: LeafType { column.leafType }
    var elementType: LeafType { column.elementType }
    var distinct: ColumnLeaf? { column.distinct }
    var oppositeTable: TableKey { record.oppositeTable }
    var oppositeColumn: ColumnKey { record.oppositeColumn }
    var isFullText: Bool { record.isFullText }
    var isMarkedIndexed: Bool { !record.marks.isDisjoint(with: [.indexed, .fullText]) }
    var isNullable: Bool { record.isNullable }
    var isBacklink: Bool { record.isBacklink }
    var isLink: Bool { type == .link || type == .linkList }
}
