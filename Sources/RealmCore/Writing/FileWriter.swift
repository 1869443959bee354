package import RealmLayout
package import RealmStorage

/// Writes a new file of format 24: tables with their objects, then the nodes that refer to them (Spec 165).
///
/// Nodes are written as soon as they are complete, from the leaves up. Memory holds one cluster of each table; links
/// and index entries move to disk when there are many.
package final class FileWriter {
    /// The format of the file.
    static let format = FormatVersion(24)

    package let tables: ByTable<TableWriter>
    package let nodes: NodeOutput
    package let ledgers: PendingBacklinksByTable
    let room: SpillRoom
    /// The positions of tables, by name.
    let positions: [ExactName: TablePosition]

    /// Validates the schema and begins the file.
    ///
    /// - Parameters:
    ///   - output: Nil for a rehearsal, which writes nothing.
    ///   - memory: Maximum memory in bytes for data that grows with the number of objects.
    package init(
        _ schema: SchemaDefinition, _ output: DatabaseOutput?, memory: Int = SpillRoom.usualMemory
    ) throws(WriteError) {
        let schema = schema.normalized
        try schema.check()
        let nodes = NodeOutput(output)
        self.nodes = nodes
        let ledgers = PendingBacklinksByTable(in: nodes.folder)
        self.ledgers = ledgers
        let definitions = schema.tablesOfFile
        positions = SchemaDefinition.positions(of: definitions)
        let room = SpillRoom(definitions, memory: memory, in: nodes.folder)
        self.room = room
        let indexRoom = output == nil ? nil : room
        tables = ByTable(
            definitions.enumerated().map {
                TableWriter($0.element, at: TablePosition($0.offset), nodes, ledgers, indexRoom: indexRoom)
            })
        // Backlink columns are in the order of tables and properties.
        for table in tables {
            for number in table.definition.properties.propertyIndexes { _ = ledger(table, number) }
        }
    }

    /// Returns the pending backlinks of a link property.
    func ledger(_ table: TableWriter, _ property: PropertyIndex) -> PendingBacklinks? {
        target(of: table, property)?.ledger(from: table.position, property)
    }

    /// Returns the target table of a property's links.
    func target(of table: TableWriter, _ property: PropertyIndex) -> TableWriter? {
        table.definition.properties[property].target.flatMap { positions[ExactName($0)] }.map { tables[$0] }
    }

    /// Writes the remaining nodes.
    ///
    /// - Returns: The file's header.
    package func end() throws(WriteError) -> [UInt8] {
        var tops: [Int64] = []
        for table in tables { tops.append(Int64(try top(of: table).offset)) }
        let names = try nodes.names(tables.map(\.definition.tableName))
        let list = try nodes.refs(tops)
        let root = try GroupTop(format: Self.format).write(names: names, tables: list, to: nodes)
        try nodes.end()
        return FileHeader.bytes(selecting: (root, Self.format))
    }

    private func name(of ledger: PendingBacklinks) -> String {
        let table = tables[ledger.originTable].definition
        return "\(table.name).\(table.properties[ledger.originProperty].name)"
    }

    /// Writes the remaining nodes of a table (Spec 60).
    private func top(of table: TableWriter) throws(WriteError) -> Ref {
        let roots = try table.end { self.name(of: $0) }
        let arrays = specArrays(of: table)
        let spec = try self.spec(table, arrays)
        let indexes = try nodes.refs(
            roots.indexes.map { Int64($0?.offset ?? 0) } + [Int64](repeating: 0, count: table.incoming.count))
        let oppositeTables = try nodes.integers(arrays.oppositeTables)
        let oppositeColumns = try nodes.integers(arrays.oppositeColumns)
        var top = RecordBuilder<TableTopSlot>()
        top[.spec] = .ref(spec)
        top[.clusterTree] = .ref(roots.clusters)
        top[.tableKey] = .number(table.position.number)
        top[.searchIndexes] = .ref(indexes)
        top[.columnKeySequence] = .number(0)
        top[.contentVersion] = .number(1)
        top[.oppositeTables] = .ref(oppositeTables)
        top[.oppositeColumns] = .ref(oppositeColumns)
        top[.sequenceNumber] = .number(table.nextSequenceNumber)
        if let primaryKey = table.primaryKey {
            top[.primaryKeyColumn] = .tagged(UInt64(bitPattern: arrays.keys[primaryKey.number]))
        }
        top[.flags] = .number(table.definition.kind.rawValue)
        top.set(.tombstones, roots.tombstones)
        return try nodes.refs(top.elements)
    }

    private func spec(_ table: TableWriter, _ arrays: SpecArraysImage) throws(WriteError) -> Ref {
        let types = try nodes.integers(arrays.types)
        let names = try nodes.names(table.definition.properties.map(\.name))
        let attributes = try nodes.integers(arrays.attributes)
        let keys = try nodes.integers(arrays.keys)
        var spec = RecordBuilder<SpecSlot>()
        spec[.types] = .ref(types)
        spec[.names] = .ref(names)
        spec[.attributes] = .ref(attributes)
        spec[.columnKeys] = .ref(keys)
        return try nodes.refs(spec.elements)
    }
}

extension FileWriter {
    /// Returns the content of the arrays that describe a table: properties, then backlinks (Spec 60).
    private func specArrays(of table: TableWriter) -> SpecArraysImage {
        var arrays = SpecArraysImage()
        for (index, property) in zip(table.definition.properties.propertyIndexes, table.definition.properties) {
            var column = Self.column(ofProperty: index, in: table)
            if case .dictionary(let keyType) = property.collection {
                column.dictionaryKeyNumber = Int64(keyType.rawValue)
            }
            column.marks = column.attributes
            switch property.effectiveIndex(isPrimaryKey: index == table.primaryKey) {
            // The index of a primary key is implied.
            case .general where property.index == .general || index != table.primaryKey: column.marks.insert(.indexed)
            case .fullText: column.marks.insert(.fullText)
            case .general, .none: break
            }
            if let target = target(of: table, index) {
                column.oppositeTable = target.key
                let backlinks = target.ledger(from: table.position, index).column
                column.oppositeColumn = Self.column(ofBacklinks: backlinks, in: target).key
            }
            arrays.append(column)
        }
        for (index, ledger) in table.incoming.enumerated() {
            var column = Self.column(ofBacklinks: index, in: table)
            column.oppositeTable = tables[ledger.originTable].key
            column.oppositeColumn = Self.column(ofProperty: ledger.originProperty, in: tables[ledger.originTable]).key
            arrays.append(column)
        }
        return arrays
    }

    private static func column(ofProperty index: PropertyIndex, in table: TableWriter) -> ColumnRecord {
        let property = table.definition.properties[index]
        return column(index.number, property.type.columnType, property.keyAttributes, in: table)
    }

    private static func column(ofBacklinks index: Int, in table: TableWriter) -> ColumnRecord {
        column(table.definition.properties.count + index, .backLink, [], in: table)
    }

    private static func column(
        _ index: Int, _ type: ColumnType, _ attributes: ColumnAttributes, in table: TableWriter
    ) -> ColumnRecord {
        ColumnRecord(
            key: ColumnKey(index: ColumnIndex(index), type: type, attributes: attributes, table: table.key), type: type)
    }
}
