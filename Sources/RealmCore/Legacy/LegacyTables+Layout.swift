internal import RealmLayout

// Columns as presented by an upgrade (Spec 120).
extension LegacyTables {
    /// Names of columns that an upgrade uses internally and finally removes: object identifiers in synchronised files,
    /// and row numbers.
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
            var columns: [ColumnLayout] = []
            for (index, column) in table.spec.columns.enumerated() where !table.damaged.contains(index) {
                guard column.type == .backLink || !Self.helperColumns.contains(column.name) else { continue }
                do throws(FormatError) {
                    columns.append(try layout(of: column, index, in: table, keys, space))
                } catch {
                    damage.append(error.at(table: table.name, property: column.name))
                }
            }
            if let owner = table.owner {
                columns.append(Self.backlinks(ColumnIndex(table.spec.columns.count), from: owner, in: table.key))
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
    ) throws(FormatError) -> ColumnLayout {
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
        var record = ColumnRecord(
            key: Self.key(of: column, index, in: table.key), index: ColumnIndex(index), type: type,
            attributes: attributes)
        record.dictionaryKeyNumber = Int64(DictionaryKeyType.string.rawValue)
        record.isIndexed = column.isIndexed
        record.oppositeTable = oppositeTable
        record.oppositeColumn = oppositeColumn
        return ColumnLayout(
            name: type == .backLink ? nil : column.name, record, distinct: distinct, isLegacy: true)
    }

    /// Makes a backlink column, at `index` in clusters.
    static func backlinks(
        _ index: ColumnIndex, from origin: (table: TableKey, column: ColumnKey), in table: TableKey
    ) -> ColumnLayout {
        let key = ColumnKey(index: index, type: .backLink, attributes: [], table: table)
        var record = ColumnRecord(key: key, type: .backLink)
        record.oppositeTable = origin.table
        record.oppositeColumn = origin.column
        return ColumnLayout(name: nil, record, isLegacy: true)
    }

    /// The type and attributes of a column after an upgrade.
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

    /// The key that an upgrade assigns to a column.
    static func key(of column: LegacySpec.Column, _ index: Int, in table: TableKey) -> ColumnKey {
        if let key = column.key { return key }
        let (type, attributes) = presented(column)
        // An integer column's number is already a valid key, so the upgrade keeps it.
        if type == .int, attributes.isEmpty { return ColumnKey(Int64(index)) }
        return ColumnKey(index: ColumnIndex(index), type: type, attributes: attributes, table: table)
    }
}
