public import RealmCore
internal import RealmLayout

// Adding, removing and renaming classes.
extension WriteTransaction {
    /// Adds a class without objects.
    ///
    /// - Parameter definition: as for a new file; its links refer to existing classes, or to itself.
    /// - Throws: `WriteError`: `badSchema` if the class exists, or a name or property is invalid.
    public func addClass(_ definition: TableDefinition) throws(WriteError) { try addClasses([definition]) }

    /// Adds classes whose links may refer to each other.
    ///
    /// - Throws: `WriteError`, as `addClass`.
    public func addClasses(_ definitions: [TableDefinition]) throws(WriteError) {
        try guarded {
            var schema = definition
            schema.tables += definitions
            let new = try sound(schema).tables.suffix(definitions.count)
            try editSchema { edit in try edit.add(Array(new)) }
        }
    }

    /// Renames a class. Existing references to its objects have the old name.
    ///
    /// - Throws: `WriteError`: `badSchema` if the name is taken or invalid.
    public func renameClass(_ className: String, to newName: String) throws(WriteError) {
        try guarded {
            let table = try schemaTable(className)
            let name = table.schema.isClass ? TableName.classPrefix + newName : newName
            var schema = definition
            let position = try position(table, in: schema)
            for other in schema.tables.indices {
                for property in schema.tables[other].properties.indices
                where schema.tables[other].properties[property].target == table.schema.tableName {
                    schema.tables[other].properties[property].target = name
                }
            }
            schema[position].tableName = name
            _ = try sound(schema)
            try editSchema { edit in edit.rename(table.schema.key, to: name) }
        }
    }

    /// Removes a class with its objects, and the objects embedded in them. Links to them in Mixed values become null,
    /// or are removed from their lists.
    ///
    /// - Throws: `WriteError`: `badSchema` if a property of another class links to it; remove that property first.
    public func removeClass(_ className: String) throws(WriteError) {
        try guarded {
            let table = try schemaTable(className)
            let leading = base.schema.tables.filter { $0.key != table.schema.key }.flatMap { other in
                other.properties.filter { $0.target == table.schema.tableName }.map { "\(other.name).\($0.name)" }
            }
            guard leading.isEmpty else {
                let words = leading.joined(separator: ", ") + (leading.count == 1 ? " leads" : " lead")
                throw InvalidValue(.badSchema, "\(words) to it").at(table: table.schema.tableName)
            }
            try settle()
            try emptyClass(try schemaTable(className))
            try editSchema { edit in try edit.remove(table.schema.key) }
        }
    }

    /// Removes the relations of a class to remaining objects: links in their Mixed values, and its own embedded
    /// objects.
    private func emptyClass(_ table: TableDescription) throws {
        let ownsObjects = table.schema.properties.contains { $0.type == .link && $0.isTargetEmbedded }
        let mixedOrigins = table.layout.columns.contains { column in
            column.isBacklink && column.oppositeTable != table.schema.key
        }
        guard ownsObjects || mixedOrigins else { return }
        let keys = try allKeys(of: table)
        guard !keys.isEmpty else { return }
        noteChange()
        for key in keys {
            let changes = try self.table(table.schema.key)
            // Some objects of the class may have been embedded in one that was removed.
            guard try changes.tree(of: key)?.contains(key) ?? false else { continue }
            if key.isUnresolved { try removeIncoming(key, of: changes) } else { try remove(key, of: changes) }
        }
    }
}
