internal import RealmCore
internal import RealmLayout

/// A table of formats 2 to 9 as stored in the file, for parts that an upgrade does not show: search indexes, and the
/// table of primary keys (Spec 100).
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
    /// The object that contains a subtable; nil for tables.
    var owner: ObjectKey?
    let topRef: Ref
    /// The leaf of the column names.
    let namesRef: Ref?
    let columns: [Column]

    func column(_ name: String) -> Column? { columns.first { $0.name == name } }

    /// The place of a row, as far as it is known; for a subtable, that of the row that contains it.
    func place(_ scope: SnapshotScope, _ column: Column, row: Int?) -> Finding.Place {
        scope.place(name, column.name, owner ?? row.map { ObjectKey(Int64($0)) })
    }

    /// The prefix of messages about a row.
    func prefix(row: Int?) -> String { owner == nil ? "" : row.map { "row \($0) of the subtable: " } ?? "" }
}

extension LegacyCheckedTable.Column {
    /// The leaf type of the column; nil for types that are stored in several trees, or have no index.
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
