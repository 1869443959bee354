public import RealmCore
internal import RealmLayout

// Adding, removing and renaming properties; indexes and primary keys.
extension WriteTransaction {
    /// Adds a property to a class.
    ///
    /// - Parameters:
    ///   - property: as for a new file.
    ///   - value: the value for existing objects; nil for null if that is allowed, otherwise for zero or an empty
    ///     value. Must be nil for links and collections.
    /// - Throws: `WriteError`: `badSchema` if the property exists or is invalid; as `set` for the value.
    public func addProperty(
        _ property: PropertyDefinition, to className: String, value: NewValue? = nil
    ) throws(WriteError) {
        try guarded {
            let table = try schemaTable(className)
            var schema = definition
            let position = try position(table, in: schema)
            schema[position].properties.append(property)
            let new = try sound(schema)[position].properties[table.schema.properties.count]
            let filling = try value.map { try self.filling($0, new, table) }
            try editSchema { edit in _ = try edit.add(new, to: edit.table(table.schema.key), filling) }
        }
    }

    /// Returns a filling with the same value for all objects.
    private func filling(
        _ value: NewValue, _ property: PropertyDefinition, _ table: TableDescription
    ) throws(InvalidValue) -> ColumnFilling {
        do throws(InvalidValue) {
            guard property.collection == nil, property.type != .link else {
                throw InvalidValue(.wrongType, "links and collections are empty in objects that are there")
            }
            guard let stored = stored(value) else {
                throw InvalidValue(.wrongType, "\(value.kindName) cannot be the value of all objects")
            }
            if let misfit = PropertyConstraint(StoredProperty(property)).misfit(stored) { throw misfit }
            return MutableColumn.same(stored, property.elementType)
        } catch {
            throw error.at(table: table.schema.tableName, property: property.name)
        }
    }

    /// Renames a property.
    ///
    /// - Throws: `WriteError`: `badSchema` if the name is taken or invalid.
    public func renameProperty(
        _ name: String, of className: String, to newName: String
    ) throws(WriteError) {
        try guarded {
            let table = try schemaTable(className)
            let index = try schemaProperty(name, of: table)
            var schema = definition
            let position = try position(table, in: schema)
            schema[position].properties[index].name = newName
            if schema[position].primaryKey == name { schema[position].primaryKey = newName }
            _ = try sound(schema)
            try editSchema { edit in
                try edit.table(table.schema.key).rename(table.schema.properties[index].columnKey, to: newName)
            }
        }
    }

    /// Removes a property with all of its values, and the objects embedded in them. If it was the primary key, the
    /// class has none afterwards.
    ///
    /// - Throws: `WriteError`.
    public func removeProperty(_ name: String, of className: String) throws(WriteError) {
        try removeProperty(name, of: className, keepingObjects: false)
    }

    /// Removes a property with all of its values.
    ///
    /// - Parameter keepsObjects: whether the objects embedded in it stay; the caller must then make their class
    ///   top-level.
    /// - Throws: `WriteError`.
    package func removeProperty(
        _ name: String, of className: String, keepingObjects keepsObjects: Bool
    ) throws(WriteError) {
        try guarded {
            let table = try schemaTable(className)
            let index = try schemaProperty(name, of: table)
            let property = table.schema.properties[index]
            if property.type == .link, property.isTargetEmbedded, !keepsObjects { try clear(index, of: table) }
            try editSchema { edit in try edit.remove(property.columnKey, of: edit.table(table.schema.key)) }
        }
    }

    /// Removes all objects embedded in a property.
    private func clear(_ index: PropertyIndex, of table: TableDescription) throws {
        try settle()
        guard let core = base.position(of: table.schema.key).map({ base.cores[$0] }) else { return }
        let nothing: NewValue =
            switch core.schema.properties[index].collection {
            case .list, .set: .list([])
            case .dictionary: .dictionary([NewEntry]())
            case nil: .null
            }
        let keys = try allKeys(of: core).filter { !$0.isUnresolved }
        guard !keys.isEmpty else { return }
        noteChange()
        for key in keys {
            let changes = try self.table(table.schema.key)
            // If the class is embedded in itself, the object may have been removed.
            guard try changes.objects.contains(key) else { continue }
            try set(key, of: changes, index, nothing, depth: 0)
        }
    }

    /// Adds or removes an index of a property. The index of a primary key stays.
    ///
    /// - Throws: `WriteError`: `badSchema` if the property cannot have an index of that kind (Spec 80).
    public func setIndex(_ kind: IndexKind, of name: String, in className: String) throws(WriteError) {
        try guarded {
            let table = try schemaTable(className)
            let property = table.schema.properties[try schemaProperty(name, of: table)]
            let isPrimary = property.name == table.schema.primaryKeyName
            var wanted = PropertyDefinition(property)
            wanted.index = kind
            guard kind != .fullText || !isPrimary, wanted.effectiveIndex(isPrimaryKey: false) == kind else {
                throw InvalidValue(
                    .badSchema, "such a property cannot have \(kind == .fullText ? "a full-text" : "an") index"
                ).at(table: table.schema.tableName, property: name)
            }
            try editSchema { edit in
                let table = try edit.table(table.schema.key)
                try table.setIndex(isPrimary ? .general : kind, of: property.columnKey, isMarked: kind != .none)
            }
        }
    }

    /// Makes a property the primary key of its class, or removes the primary key.
    ///
    /// - Parameter name: the property; nil for no primary key.
    /// - Throws: `WriteError`: `duplicatePrimaryKey` with two objects that have the same value; `badSchema` if the type
    ///   is not allowed, or the class has tombstones, which are identified by their primary keys.
    public func setPrimaryKey(_ name: String?, of className: String) throws(WriteError) {
        try guarded {
            let table = try schemaTable(className)
            let index = try name.map { name in try schemaProperty(name, of: table) }
            guard name != table.schema.primaryKeyName else { return }
            var schema = definition
            schema[try position(table, in: schema)].primaryKey = name
            _ = try sound(schema)
            let property = index.map { table.schema.properties[$0] }
            if property?.index == .fullText {
                throw InvalidValue(.badSchema, "a primary key cannot have a full-text index").at(
                    table: table.schema.tableName, property: name)
            }
            let tombstones = try table.tombstones?.storedCount() ?? 0
            guard tombstones == 0 else {
                throw InvalidValue(
                    .badSchema, "\(tombstones) objects of it are linked to by primary keys that do not exist"
                )
                .at(
                    table: table.schema.tableName)
            }
            try editSchema { edit in
                try edit.table(table.schema.key).setPrimaryKey(property?.columnKey)
            }
        }
    }
}

extension StoredProperty {
    /// Describes the values of a property that is about to be added.
    init(_ property: PropertyDefinition) {
        self.init(
            name: property.name, columnKey: .null, type: property.type, isNullable: property.isNullable,
            collection: property.collection, target: property.target, isTargetEmbedded: false, index: property.index,
            isEnumerated: false)
    }
}
