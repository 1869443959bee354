internal import RealmCore
internal import RealmLayout

/// Checks parts of a schema that involve several tables (S08), and which columns have an index (S10).
struct OppositeChecks {
    let scope: SnapshotScope
    let tables: [CheckedTable]

    /// A table with its columns by key.
    private struct Other {
        let table: CheckedTable
        let columns: [ColumnKey: CheckedColumn]

        init(_ table: CheckedTable) {
            self.table = table
            columns = Dictionary(table.columns.map { ($0.key, $0) }) { first, _ in first }
        }
    }

    func run() {
        let others = Dictionary(tables.map { ($0.key, Other($0)) }) { first, _ in first }
        for table in tables {
            for column in table.columns {
                checkOpposite(column, table, others)
                checkIndex(column, table)
                if table.kind == .asymmetric, column.isBacklink {
                    report(.tableFlags, table, column, "an asymmetric class, to which no other can link, has backlinks")
                }
            }
        }
    }

    private func report(
        _ check: CheckIdentifier, as severity: FindingSeverity? = nil, _ table: CheckedTable, _ column: CheckedColumn,
        _ message: String
    ) {
        scope.sink.report(
            check, as: severity, at: table.topRef.offset, in: scope.place(table.name, column.name), message)
    }

    private func checkOpposite(_ column: CheckedColumn, _ table: CheckedTable, _ others: [TableKey: Other]) {
        guard column.isLink || column.isBacklink else {
            // Nothing reads it. Core 6 left zeros there.
            let tables: [TableKey] = [.null, TableKey(0)]
            let columns: [ColumnKey] = [.null, ColumnKey(0)]
            if !tables.contains(column.oppositeTable) || !columns.contains(column.oppositeColumn) {
                report(.oppositeColumn, as: .warning, table, column, "a column without links has an opposite column")
            }
            return
        }
        // When Realm Core removes a link column, it also removes the backlinks, except for Mixed columns (R60.14). An
        // existing link column without its backlink column is reported separately.
        let severity: FindingSeverity? = column.isBacklink ? .info : nil
        guard let other = others[column.oppositeTable] else {
            report(
                .oppositeColumn, as: severity, table, column,
                column.isBacklink
                    ? "backlinks from the table \(column.oppositeTable), which does not exist any more"
                    : "the column's links lead to the table \(column.oppositeTable), which does not exist")
            return
        }
        guard let opposite = other.columns[column.oppositeColumn] else {
            report(
                .oppositeColumn, as: severity, table, column,
                "the opposite column \(column.oppositeColumn) does not exist in \(other.table.name)")
            return
        }
        // A Mixed column can link to several tables and therefore names none.
        let isMixedOrigin =
            column.isBacklink && (opposite.type == .mixed || opposite.elementType == .mixed && !opposite.isLink)
        guard !isMixedOrigin else { return }
        if opposite.oppositeTable != table.key || opposite.oppositeColumn != column.key
            || opposite.isBacklink == column.isBacklink
        {
            report(
                .oppositeColumn, table, column,
                "\(other.table.name).\(opposite.name) does not name this column as its opposite")
        }
    }

    private func checkIndex(_ column: CheckedColumn, _ table: CheckedTable) {
        let isPrimaryKey = table.primaryKey == column.key
        if column.isMarkedIndexed, column.index == nil {
            // Formats 20 and 21 keep no index of primary keys, regardless of the mark.
            guard !(isPrimaryKey && scope.format.number < 22) else { return }
            // The mark remains on a column that was a primary key then and no longer is; an index is not expected.
            let wasPrimaryKey =
                !isPrimaryKey && column.collection == nil && !column.isFullText
                && [.int, .string, .objectId, .uuid].contains(column.type)
            report(
                .indexSlots, as: wasPrimaryKey ? .info : nil, table, column,
                "the column is marked as indexed, but has no search index")
        } else if isPrimaryKey, scope.format.number >= 22, column.index == nil {
            report(.indexSlots, table, column, "the primary key has no search index")
        } else if !column.isMarkedIndexed, column.index != nil, !isPrimaryKey {
            report(.indexSlots, table, column, "the column has a search index, but is not marked as indexed")
        }
    }
}
