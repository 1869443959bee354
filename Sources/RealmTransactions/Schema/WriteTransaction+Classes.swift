internal import RealmLayout
internal import RealmReader
public import RealmWriter

// Classes that come, go, and get other names.
extension WriteTransaction {
    /// Adds a class without objects.
    ///
    /// - Parameter definition: as for a new file; its links lead to classes that are there, or to itself.
    /// - Throws: `WriteError`: `badSchema` where there is such a class, or a name or a property is not possible.
    public func addClass(_ definition: TableDefinition) throws(WriteError) { try addClasses([definition]) }

    /// Adds classes whose links may lead to each other.
    ///
    /// - Throws: `WriteError`, as `addClass`.
    public func addClasses(_ definitions: [TableDefinition]) throws(WriteError) {
        try guarded { () throws(WriteError) in
            var schema = definition
            schema.tables += definitions
            let new = try sound(schema).tables.suffix(definitions.count)
            try editSchema { edit throws(WriteError) in try edit.add(Array(new)) }
        }
    }

    /// Gives a class another name. References to its objects that were made before have the old name.
    ///
    /// - Throws: `WriteError`: `badSchema` where the name is taken, or not possible.
    public func renameClass(_ className: String, to newName: String) throws(WriteError) {
        try guarded { () throws(WriteError) in
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

    /// Removes a class with its objects, and with those that live inside them. Links in Mixed values that lead to them become null,
    /// or go from their lists.
    ///
    /// - Throws: `WriteError`: `badSchema` where a property of another class leads to it; that one has to go before.
    public func removeClass(_ className: String) throws(WriteError) {
        try guarded { () throws(WriteError) in
            let table = try schemaTable(className)
            let leading = base.schema.tables.filter { $0.key != table.schema.key }.flatMap { other in
                other.properties.filter { $0.target == table.schema.tableName }.map { "\(other.name).\($0.name)" }
            }
            guard leading.isEmpty else {
                let words = leading.joined(separator: ", ") + (leading.count == 1 ? " leads" : " lead")
                throw .misfit(InvalidValue(.badSchema, "\(words) to it").at(table: table.schema.tableName))
            }
            try settle()
            try emptyClass(try schemaTable(className))
            try editSchema { edit throws(WriteError) in try edit.remove(table.schema.key) }
        }
    }

    /// Removes what a class has to do with objects that stay: links in their Mixed values, and embedded objects of its own.
    private func emptyClass(_ table: TableDescription) throws(WriteError) {
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
            // Others of the class may have been inside of one that went.
            guard try changes.tree(of: key)?.contains(key) ?? false else { continue }
            if key.isUnresolved { try removeIncoming(key, of: changes) } else { try remove(key, of: changes) }
        }
    }
}
