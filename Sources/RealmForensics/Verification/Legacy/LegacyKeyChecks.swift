internal import RealmCore
internal import RealmLayout

/// Checks primary keys of formats 2 to 9 (P01, P03; Spec 120).
struct LegacyKeyChecks {
    /// The table that names the primary key of each class.
    private static let table = "pk"
    private static let classColumn = "pk_table"
    private static let propertyColumn = "pk_property"

    let scope: SnapshotScope
    let tables: [LegacyCheckedTable]
    let snapshot: Snapshot

    func run() {
        checkTable()
        checkNames()
        for table in snapshot.tables { checkValues(of: table) }
    }

    // MARK: The table of primary keys

    private func checkTable() {
        guard let table = tables.first(where: { $0.name == Self.table }) else { return }
        guard let classes = table.column(Self.classColumn), let properties = table.column(Self.propertyColumn),
            [.string, .enumeratedString].contains(classes.type)
        else {
            return report(table, "the table of primary keys has no column of strings pk_table, or no pk_property")
        }
        guard var names = LegacyIndexValues(classes, scope), var keys = LegacyIndexValues(properties, scope) else {
            return
        }
        guard names.count <= scope.root.logicalSize else { return }
        let named = Dictionary(tables.map { ($0.name, $0) }) { first, _ in first }
        var seen: Set<String> = []
        for row in 0..<names.count {
            // Rows can share a string of any length, but names have only a few bytes.
            guard let name = names.key(of: row, upTo: Limits.nameBytes)?.start,
                let key = keys.key(of: row, upTo: Limits.nameBytes)
            else { continue }
            let className = String(decoding: name, as: UTF8.self)
            // Early Java SDKs wrote the full name.
            let tableName = TableName.isClass(className) ? className : TableName.classPrefix + className
            if !seen.insert(tableName).inserted {
                report(table, row: row, "the class \(TableName.className(of: tableName)) has two primary keys")
            }
            // Entries of deleted classes and properties remain in the table.
            guard let target = named[tableName], let column = column(key.start, properties, in: target),
                ![.int, .string, .enumeratedString].contains(column.type)
            else { continue }
            report(
                table, row: row,
                "the primary key of \(TableName.className(of: tableName)) is \(column.name), whose type \(column.type) "
                    + "none may have")
        }
    }

    /// Finds a table of primary keys whose name was lost, and a metadata table with too many rows.
    private func checkNames() {
        for table in tables {
            if table.name != Self.table, table.column(Self.classColumn) != nil,
                table.column(Self.propertyColumn) != nil
            {
                report(table, "the table has the columns of that of primary keys, which is called pk")
            }
        }
        for table in snapshot.tables where table.schema.tableName == TableSchema.metadataName {
            let rows = count(of: table)
            guard rows > 1 else { continue }
            scope.sink.report(
                .metadataObject, at: table.core.topRef.offset, in: scope.place(table.schema.tableName),
                "the table has \(rows) objects")
        }
    }

    /// The column of an entry: given by name, or in files of early Java SDKs by number.
    private func column(
        _ bytes: [UInt8], _ properties: LegacyCheckedTable.Column, in table: LegacyCheckedTable
    ) -> LegacyCheckedTable.Column? {
        guard properties.type == .int else { return table.column(String(decoding: bytes, as: UTF8.self)) }
        let number = bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return number < UInt64(table.columns.count) ? table.columns[Int(number)] : nil
    }

    private func report(_ table: LegacyCheckedTable, row: Int? = nil, _ message: String) {
        scope.sink.report(
            .primaryKeyTable, at: table.topRef.offset,
            in: scope.place(table.name, nil, row.map { ObjectKey(Int64($0)) }), message)
    }

    // MARK: Values

    private func checkValues(of table: Table) {
        guard let index = table.core.primaryKeyIndex else { return }
        let (column, property) = (table.core.columns[index], table.schema.properties[index])
        guard property.collection == nil else { return }
        let equalKeys = EqualKeys(type: property.type.columnType, space: snapshot.space)
        equalKeys.find(count: count(of: table)) { visit in
            forEachLeaf(of: column, table, visit)
        } report: { object, other in
            scope.sink.report(
                .primaryKeyUnique, at: table.core.topRef.offset,
                in: scope.place(table.schema.tableName, property.name, object),
                "the object has the same primary key as the object \(other)")
        }
    }

    private func count(of table: Table) -> Int {
        do throws(FormatError) { return try table.count } catch { return 0 }
    }

    /// Passes the leaves of a column to a closure; unreadable parts were reported before.
    private func forEachLeaf(of column: Column, _ table: Table, _ visit: EqualKeys.Visitor) {
        do throws(FormatError) {
            try snapshot.reading { () throws(FormatError) in
                var cursor = ClusterCursor(table.core.objects)
                while let cluster = try cursor.next() {
                    visit(try cluster.leaf(of: column, in: snapshot.space)) { cluster.key(unchecked: $0) }
                }
            }
        } catch {}
    }
}
