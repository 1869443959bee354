internal import RealmLayout

// Columns as an upgrade presents them (Spec 120).
extension LegacyTables {
    /// Names of columns that an upgrade uses itself and removes at its end: numbers of objects in synchronised files, and
    /// of rows.
    static let helperColumns: Set<String> = ["!OID", "!ROW_INDEX"]

    /// The layouts of all tables.
    ///
    /// - Parameter space: the file with the finished overlay.
    func layouts(in space: NodeSpace) -> (layouts: [TableLayout], damage: [FormatError]) {
        var layouts: [TableLayout] = []
        var damage = damage
        var keys: [TableKey: [ColumnKey]] = [:]
        for table in tables {
            keys[table.key] = table.spec.columns.enumerated().map { Self.key(of: $1, $0, in: table.key) }
        }
        for table in tables {
            guard let root = table.root else { continue }
            var columns: [TableLayout.ColumnLayout] = []
            for (index, column) in table.spec.columns.enumerated() where !table.damaged.contains(index) {
                guard column.type == .backLink || !Self.helperColumns.contains(column.name) else { continue }
                do throws(FormatError) {
                    columns.append(try layout(of: column, index, in: table, keys, space))
                } catch {
                    damage.append(error.at(table: table.name, property: column.name))
                }
            }
            if let owner = table.owner {
                columns.append(Self.backlinks(table.spec.columns.count, from: owner, in: table.key))
            }
            layouts.append(
                TableLayout(
                    name: table.name, key: table.key, kind: table.kind, clusterTree: root, tombstones: nil,
                    primaryKey: table.primaryKey, columns: columns, topRef: table.topRef))
        }
        return (layouts, damage)
    }

    private func layout(
        of column: LegacySpec.Column, _ index: Int, in table: LegacyTable, _ keys: [TableKey: [ColumnKey]],
        _ space: NodeSpace
    ) throws(FormatError) -> TableLayout.ColumnLayout {
        let (type, attributes) = Self.presented(column)
        var oppositeTable = TableKey.null
        var oppositeColumn = ColumnKey.null
        if let child = table.children[index] {
            oppositeTable = tables[child].key
        } else if let number = column.table {
            oppositeTable = TableKey(UInt32(truncatingIfNeeded: number))
        }
        if let origin = column.originColumn, let key = keys[oppositeTable]?[safe: origin] { oppositeColumn = key }
        var distinct: ColumnLeaf?
        if let ref = table.distincts[index] {
            distinct = try ColumnLeaf(at: ref, as: .legacyString(nullable: column.isNullable), in: space.lasting)
        }
        return TableLayout.ColumnLayout(
            name: type == .backLink ? nil : column.name, key: Self.key(of: column, index, in: table.key), index: index,
            type: type, attributes: attributes, dictionaryKeyType: .string, isIndexed: column.isIndexed,
            isFullText: false, distinct: distinct, oppositeTable: oppositeTable, oppositeColumn: oppositeColumn,
            isLegacy: true)
    }

    /// A column of incoming links, at `index` in clusters.
    static func backlinks(
        _ index: Int, from origin: (table: TableKey, column: ColumnKey), in table: TableKey
    ) -> TableLayout.ColumnLayout {
        TableLayout.ColumnLayout(
            name: nil, key: key(index, .backLink, [], in: table), index: index, type: .backLink, attributes: [],
            dictionaryKeyType: .string, isIndexed: false, isFullText: false, distinct: nil, oppositeTable: origin.table,
            oppositeColumn: origin.column, isLegacy: true)
    }

    /// Type and attributes of a column after an upgrade.
    private static func presented(_ column: LegacySpec.Column) -> (ColumnType, ColumnAttributes) {
        let attributes = column.attributes.subtracting([.indexed, .unique])
        switch column.type {
        case .int: return (.int, attributes)
        case .bool: return (.bool, attributes)
        case .string, .enumeratedString: return (.string, attributes)
        case .binary: return (.binary, attributes)
        case .mixed: return (.mixed, attributes)
        case .oldDateTime, .timestamp: return (.timestamp, attributes)
        case .float: return (.float, attributes)
        case .double: return (.double, attributes)
        case .link: return (.link, attributes.union(.nullable))
        case .linkList: return (.linkList, attributes.union(.list))
        case .backLink: return (.backLink, attributes)
        case .subtable:
            guard let element = column.listElement else { return (.linkList, attributes.union(.list)) }
            let (type, more) = presented(element)
            return (type, attributes.union(more).union(.list))
        }
    }

    /// The key that an upgrade gives a column.
    static func key(of column: LegacySpec.Column, _ index: Int, in table: TableKey) -> ColumnKey {
        if let key = column.key { return key }
        let (type, attributes) = presented(column)
        // An integer column's number already is a valid key, so that the upgrade keeps it.
        if type == .int, attributes.isEmpty { return ColumnKey(Int64(index)) }
        return key(index, type, attributes, in: table)
    }

    private static func key(
        _ index: Int, _ type: ColumnType, _ attributes: ColumnAttributes, in table: TableKey
    ) -> ColumnKey {
        ColumnKey(
            Int64(index) | Int64(type.rawValue) << 16 | Int64(attributes.rawValue & 0xFF) << 22
                | Int64(table.value) << 30)
    }
}
