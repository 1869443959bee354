internal import RealmCore
internal import RealmLayout

// Helpers for all changes of the schema.
extension WriteTransaction {
    /// The current schema, as definitions.
    var definition: SchemaDefinition {
        SchemaDefinition(base.schema.tables.map { TableDefinition($0) }, version: nil)
    }

    /// Checks a schema by the rules for new files.
    ///
    /// - Returns: the schema with the full names of tables.
    /// - Throws: `badSchema`.
    func sound(_ schema: SchemaDefinition) throws(WriteError) -> SchemaDefinition {
        let schema = schema.normalized
        try schema.check()
        return schema
    }

    /// Changes tables and columns. All earlier changes are first written to memory.
    ///
    /// - Throws: errors of `body`; the schema has not changed then.
    func editSchema(_ body: (SchemaEdit) throws -> Void) throws {
        try settle()
        guard let group = base.group else { throw FormatError.emptyDatabase }
        let base = base
        let edit = try SchemaEdit(base, group)
        try body(edit)
        var released = released
        let (names, tables) = try edit.write(nodes, &released)
        noteChange()
        self.released = released
        try become(names: names, tables: tables)
    }

    /// Returns a table of the current schema.
    ///
    /// - Parameter name: the name of the class, or the full name of another table.
    func schemaTable(_ name: String) throws -> TableDescription {
        base.cores[try position(named: name)]
    }

    /// Returns the index of a property in the schema of a table.
    func schemaProperty(_ name: String, of table: TableDescription) throws(InvalidValue) -> PropertyIndex {
        guard let index = table.schema.properties.propertyIndex(named: name) else {
            let suggestion = table.schema.properties.lazy.map(\.name).suggestion(for: name)
            throw InvalidValue(.noSuchProperty, "there is no property called \(name)\(suggestion)").at(
                table: table.schema.tableName)
        }
        return index
    }

    /// Returns the position of a table in a schema.
    func position(_ table: TableDescription, in schema: SchemaDefinition) throws(WriteError) -> TablePosition {
        guard let position = base.position(of: table.schema.key), schema.positions.contains(position) else {
            throw WriteError.internalInconsistency("a table of the schema is not in it")
        }
        return position
    }

    /// Returns the keys of all objects of a table as of the last `settle`.
    func allKeys(of table: TableDescription) throws(FormatError) -> [ObjectKey] {
        var keys: [ObjectKey] = []
        for tree in [table.objects, table.tombstones].compactMap(\.self) {
            var cursor = ClusterCursor(tree)
            while let cluster = try cursor.next() {
                cluster.forEachKey(unchecked: 0..<cluster.count) { keys.append($1) }
            }
        }
        return keys
    }
}
