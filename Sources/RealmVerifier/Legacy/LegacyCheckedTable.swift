internal import RealmLayout
internal import RealmReader

/// A table of formats 2 to 9 as it is in the file, for what an upgrade does not show: its search indexes, and the table
/// of primary keys (Spec 100).
struct LegacyCheckedTable {
    struct Column {
        let name: String
        let type: LegacyType
        let isNullable: Bool
        let isIndexed: Bool
        let root: Ref
        /// The root of the search index; nil when there is none.
        let index: Ref?
        /// The root of the distinct strings of an enumerated column.
        let distinct: Ref?
        /// The spec of the tables in a column of subtables.
        let subspec: Ref?
    }

    let name: String
    /// The object that a subtable is a value of; nil for tables.
    var owner: ObjectKey?
    let topRef: Ref
    /// The leaf of the columns' names.
    let namesRef: Ref?
    let columns: [Column]

    func column(_ name: String) -> Column? { columns.first { $0.name == name } }

    /// The place of a row, as far as it is known: of that which holds the subtable.
    func place(_ scope: SnapshotScope, _ column: Column, row: Int?) -> Finding.Place {
        scope.place(name, column.name, owner ?? row.map { ObjectKey(Int64($0)) })
    }

    /// What a message about a row begins with.
    func prefix(row: Int?) -> String { owner == nil ? "" : row.map { "row \($0) of the subtable: " } ?? "" }
}

extension LegacyCheckedTable.Column {
    /// How the leaves of the column are encoded; nil for types that are more than one tree, or have no index.
    var leafType: LeafType? {
        switch type {
        case .int, .oldDateTime: .int(nullable: isNullable)
        case .bool: isNullable ? .int(nullable: true) : .bool
        case .string: .legacyString(nullable: isNullable)
        case .enumeratedString: .int(nullable: false)
        default: nil
        }
    }
}
