package import RealmLayout
internal import RealmReader

/// A table as far as its schema could be read (Spec 60).
package struct TableModel {
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
    var columns: [ColumnModel]
    /// Whether the description says which columns there are: without it no object can be read.
    var areColumnsKnown = false
    /// Elements of the arrays of search indexes and opposite columns.
    let leafSlots: Int

    /// The name without the prefix of classes.
    var className: String { TableSchema.className(of: name) }

    func column(index: Int) -> ColumnModel? { columns.first { $0.key.index == index } }

    var primaryKeyColumn: ColumnModel? { primaryKey.flatMap { key in columns.first { $0.key == key } } }
}

/// A column as far as its description could be read. An object, so that checks of leaves hand it on at no cost.
final class ColumnModel: Sendable {
    /// The position in the spec.
    let position: Int
    /// The name; for backlinks, which have none, what they are.
    let name: String
    let key: ColumnKey
    let type: ColumnType
    let attributes: ColumnAttributes
    let collection: CollectionKind?
    /// How the leaves in clusters are encoded.
    let leafType: LeafType
    /// How values, or elements of collections, are encoded.
    let elementType: LeafType
    let distinct: ColumnLeaf?
    let oppositeTable: TableKey
    let oppositeColumn: ColumnKey
    let index: Ref?
    let isFullText: Bool
    let isMarkedIndexed: Bool

    /// - Parameter marks: the attributes in the spec, which say more than those in the key.
    init(
        position: Int, name: String, key: ColumnKey, type: ColumnType, marks: ColumnAttributes,
        collection: CollectionKind?, elementType: LeafType, distinct: ColumnLeaf?, oppositeTable: TableKey,
        oppositeColumn: ColumnKey, index: Ref?
    ) {
        self.position = position
        self.name = name
        self.key = key
        self.type = type
        attributes = key.attributes
        self.collection = collection
        leafType = collection == nil ? elementType : .collections
        self.elementType = elementType
        self.distinct = distinct
        self.oppositeTable = oppositeTable
        self.oppositeColumn = oppositeColumn
        self.index = index
        isFullText = marks.contains(.fullText)
        isMarkedIndexed = !marks.isDisjoint(with: [.indexed, .fullText])
    }

    var isNullable: Bool { attributes.contains(.nullable) }
    var isBacklink: Bool { type == .backLink }
    var isLink: Bool { type == .link || type == .linkList }
}
