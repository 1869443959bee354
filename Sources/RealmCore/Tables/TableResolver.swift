package import RealmLayout

/// Resolves tables' layouts, which refer to each other by key, into the form that readers use.
package struct TableResolver {
    private let layouts: ByTable<TableLayout>
    private let positions: [TableKey: TablePosition]
    /// The names of each table's columns.
    private let names: ByTable<[ColumnKey: String]>

    package init(_ layouts: ByTable<TableLayout>) {
        self.layouts = layouts
        positions = Dictionary(zip(layouts.lazy.map(\.key), layouts.indices), uniquingKeysWith: { $1 })
        names = layouts.mapped { layout in
            Dictionary(layout.columns.compactMap { column in column.name.map { (column.key, $0) } }) { first, _ in first
            }
        }
    }

    /// Returns the table's schema and columns. A column that cannot be interpreted is omitted and reported.
    package func core(of layout: TableLayout, in space: NodeSpace, _ damage: inout [FormatError]) -> TableDescription {
        var properties: [StoredProperty] = []
        var columns: ByProperty<Column> = []
        var incoming: [IncomingLinks] = []
        var backlinks: [Column] = []
        for column in layout.columns {
            if column.type == .backLink {
                backlinks.append(Column(backlinksAt: column.index, from: positions[column.oppositeTable]))
                incoming.append(origin(of: column))
                continue
            }
            let name = column.name ?? "column \(column.index)"
            do throws(FormatError) {
                let (property, reading) = try property(name, column, of: layout)
                properties.append(property)
                columns.append(reading)
            } catch {
                damage.append(error.at(table: layout.name, property: name))
            }
        }
        let primaryKey = properties.propertyIndex { $0.columnKey == layout.primaryKey }
        if layout.primaryKey != nil, primaryKey == nil {
            damage.append(
                FormatError(.badTable, at: layout.topRef.offset, "the primary key is not a column of the table")
                    .at(table: layout.name))
        }
        let schema = TableSchema(
            tableName: layout.name, key: layout.key, kind: layout.kind, properties: properties,
            primaryKeyName: primaryKey.map { properties[$0].name }, incoming: incoming)
        return TableDescription(schema, columns, backlinks: backlinks, primaryKey: primaryKey, layout, in: space)
    }

    private func property(
        _ name: String, _ column: ColumnLayout, of layout: TableLayout
    ) throws(FormatError) -> (StoredProperty, Column) {
        let type = try propertyType(column, at: layout.topRef)
        let isNullable = column.isNullable
        let collection = column.collection
        let target = type == .link ? positions[column.oppositeTable] : nil
        if type == .link, target == nil {
            throw FormatError(
                .badLink, at: layout.topRef.offset, "links to the table \(column.oppositeTable), which does not exist")
        }
        let elementType = LeafType(
            of: column.type, isNullable: isNullable, in: collection, isLegacy: column.isLegacy)
        let property = StoredProperty(
            name: name, columnKey: column.key, type: type, isNullable: isNullable, collection: collection,
            target: target.map { layouts[$0].name },
            isTargetEmbedded: target.map { layouts[$0].kind == .embedded } ?? false,
            index: column.isIndexed ? (column.isFullText ? .fullText : .general) : .none,
            isEnumerated: column.distinct != nil)
        let reading = Column(
            index: column.index, leafType: collection == nil ? elementType : .collections,
            elementType: elementType, distinct: column.distinct, target: target)
        return (property, reading)
    }

    private func propertyType(_ column: ColumnLayout, at top: Ref) throws(FormatError) -> StoredPropertyType {
        guard let type = StoredPropertyType(column.type) else {
            throw FormatError(.badSpec, at: top.offset, "a column cannot have the type \(column.type)")
        }
        return type
    }

    private func origin(of column: ColumnLayout) -> IncomingLinks {
        guard let position = positions[column.oppositeTable] else {
            return IncomingLinks(tableName: "?", propertyName: "?")
        }
        return IncomingLinks(
            tableName: layouts[position].name, propertyName: names[position][column.oppositeColumn] ?? "?")
    }
}
