internal import RealmLayout
internal import RealmReader
package import RealmStorage

/// A new file of format 24 while it is written: tables with their objects, then what leads to them (Spec 165).
///
/// Nodes go to the file as soon as they are known, from the leaves up. Memory holds one cluster of each table; the links and
/// the entries of indexes are on the disk once they are many.
package final class FileWriter {
    /// The format of the file.
    static let format = FormatVersion(24)

    package let tables: [TableWriter]
    package let nodes: NodeOutput
    package let ledgers: LinkLedgers
    let room: SpillRoom
    /// The positions of tables by their names.
    let positions: [ExactName: Int]

    /// Checks the schema and begins the file.
    ///
    /// - Parameters:
    ///   - output: nil for a rehearsal, of which nothing is kept.
    ///   - memory: bytes in memory of what grows with the number of objects, at most.
    package init(
        _ schema: SchemaDefinition, _ output: DatabaseOutput?, memory: Int = SpillRoom.usualMemory
    ) throws(WriteError) {
        let schema = schema.normalized
        try schema.check()
        let nodes = NodeOutput(output)
        self.nodes = nodes
        let ledgers = LinkLedgers(in: nodes.folder)
        self.ledgers = ledgers
        let definitions = schema.tablesOfFile
        positions = SchemaDefinition.positions(of: definitions)
        let room = SpillRoom(definitions, memory: memory, in: nodes.folder)
        self.room = room
        let indexRoom = output == nil ? nil : room
        tables = definitions.enumerated().map {
            TableWriter($0.element, index: $0.offset, nodes, ledgers, indexRoom: indexRoom)
        }
        // The columns of incoming links stand in the order of tables and properties.
        for table in tables {
            for number in table.definition.properties.indices { _ = ledger(table, number) }
        }
    }

    /// The links of a property of type link.
    func ledger(_ table: TableWriter, _ property: Int) -> LinkLedger? {
        target(of: table, property)?.ledger(from: table.index, property)
    }

    /// The table that a property's links lead to.
    func target(of table: TableWriter, _ property: Int) -> TableWriter? {
        table.definition.properties[property].target.flatMap { positions[ExactName($0)] }.map { tables[$0] }
    }

    /// Writes the rest.
    ///
    /// - Returns: the file's header.
    package func end() throws(WriteError) -> [UInt8] {
        var tops: [Int64] = []
        for table in tables { tops.append(Int64(try top(of: table).offset)) }
        let names = try nodes.names(tables.map(\.definition.tableName))
        let list = try nodes.refs(tops)
        let root = try GroupTop(format: Self.format).write(names: names, tables: list, to: nodes)
        try nodes.end()
        return FileHeader.bytes(selecting: (root, Self.format))
    }

    private func name(of ledger: LinkLedger) -> String {
        let table = tables[ledger.originTable].definition
        return "\(table.name).\(table.properties[ledger.originProperty].name)"
    }

    /// Everything of a table (Spec 60).
    private func top(of table: TableWriter) throws(WriteError) -> Ref {
        let roots = try table.end { self.name(of: $0) }
        let layout = ColumnLayout(table, in: self)
        let spec = try self.spec(table, layout)
        let indexes = try nodes.refs(
            roots.indexes.map { Int64($0?.offset ?? 0) } + [Int64](repeating: 0, count: table.incoming.count))
        let oppositeTables = try nodes.integers(layout.oppositeTables)
        let oppositeColumns = try nodes.integers(layout.oppositeColumns)
        var top = RecordImage<TableTopSlot>()
        top[.spec] = .ref(spec)
        top[.clusterTree] = .ref(roots.clusters)
        top[.tableKey] = .number(table.index)
        top[.searchIndexes] = .ref(indexes)
        top[.columnKeySequence] = .number(0)
        top[.contentVersion] = .number(1)
        top[.oppositeTables] = .ref(oppositeTables)
        top[.oppositeColumns] = .ref(oppositeColumns)
        top[.sequenceNumber] = .number(table.nextSequenceNumber)
        if let primaryKey = table.primaryKey {
            top[.primaryKeyColumn] = .tagged(UInt64(bitPattern: layout.keys[primaryKey]))
        }
        top[.flags] = .number(table.definition.kind.rawValue)
        top.set(.tombstones, roots.tombstones)
        return try nodes.refs(top.elements)
    }

    private func spec(_ table: TableWriter, _ layout: ColumnLayout) throws(WriteError) -> Ref {
        let types = try nodes.integers(layout.types)
        let names = try nodes.names(table.definition.properties.map(\.name))
        let attributes = try nodes.integers(layout.attributes)
        let keys = try nodes.integers(layout.keys)
        var spec = RecordImage<SpecSlot>()
        spec[.types] = .ref(types)
        spec[.names] = .ref(names)
        spec[.attributes] = .ref(attributes)
        spec[.columnKeys] = .ref(keys)
        return try nodes.refs(spec.elements)
    }
}

/// What the arrays of a spec and of a table's opposites hold: properties, then backlinks (Spec 60).
private struct ColumnLayout {
    private(set) var types: [Int64] = []
    private(set) var attributes: [Int64] = []
    private(set) var keys: [Int64] = []
    private(set) var oppositeTables: [Int64] = []
    private(set) var oppositeColumns: [Int64] = []

    init(_ table: TableWriter, in file: FileWriter) {
        for (index, property) in table.definition.properties.enumerated() {
            let type = property.type.columnType
            let keyType = if case .dictionary(let keyType) = property.collection { keyType.rawValue } else { 0 }
            types.append(Int64(type.rawValue | keyType << 16))
            var attributes = property.keyAttributes
            switch property.effectiveIndex(isPrimaryKey: index == table.primaryKey) {
            // That a primary key has one need not be told.
            case .general where property.index == .general || index != table.primaryKey: attributes.insert(.indexed)
            case .fullText: attributes.insert(.fullText)
            case .general, .none: break
            }
            self.attributes.append(Int64(attributes.rawValue))
            keys.append(Self.key(of: index, in: table))
            let target = file.target(of: table, index)
            add(
                opposite: target,
                column: target.map { Self.backlinkKey($0.ledger(from: table.index, index).column, in: $0) })
        }
        for (index, ledger) in table.incoming.enumerated() {
            types.append(Int64(ColumnType.backLink.rawValue))
            attributes.append(0)
            keys.append(Self.backlinkKey(index, in: table))
            let origin = file.tables[ledger.originTable]
            add(opposite: origin, column: Self.key(of: ledger.originProperty, in: origin))
        }
    }

    private mutating func add(opposite table: TableWriter?, column: Int64?) {
        oppositeTables.append(Int64(table?.index ?? Int(TableKey.null.value)))
        oppositeColumns.append(column ?? ColumnKey.null.value)
    }

    private static func key(of property: Int, in table: TableWriter) -> Int64 {
        let definition = table.definition.properties[property]
        return key(
            property, definition.type.columnType, definition.keyAttributes, in: table)
    }

    private static func backlinkKey(_ index: Int, in table: TableWriter) -> Int64 {
        key(table.definition.properties.count + index, .backLink, [], in: table)
    }

    /// Index, type, attributes, and a tag that makes keys unique: that of the table, as no column was ever removed.
    private static func key(
        _ index: Int, _ type: ColumnType, _ attributes: ColumnAttributes, in table: TableWriter
    ) -> Int64 {
        Int64(index) | Int64(type.rawValue) << 16 | Int64(attributes.rawValue) << 22 | Int64(table.index) << 30
    }
}
