public import RealmCore
internal import RealmLayout

// Changing a whole schema, and its version.
extension WriteTransaction {
    /// Adds missing classes, properties and indexes of a schema, as far as no existing data is lost or changed.
    ///
    /// New properties of existing objects are null if that is allowed, otherwise zero or empty. The version is neither
    /// checked nor set.
    ///
    /// ```swift
    /// try await store.write { transaction in
    ///     let left = try transaction.apply(schema)
    ///     for step in left where step.kind != .removeClass { print(step) }
    /// }
    /// ```
    ///
    /// - Parameter schema: the classes as for a new file. Further classes of the database stay.
    /// - Returns: the remaining differences from the schema, none of which are `isAdditive`. `StoredSchema.steps(to:)`
    ///   lists all of them in advance.
    /// - Throws: `WriteError`: `badSchema` if the schema is invalid, by itself or together with that of the database;
    ///   nothing was added then.
    @discardableResult
    public func apply(_ schema: SchemaDefinition) throws(WriteError) -> [SchemaStep] {
        try apply(schema, addingTables: .firstFree)
    }

    /// Applies a schema, as the public function does.
    ///
    /// - Parameter place: where new tables are added.
    @discardableResult
    package func apply(
        _ schema: SchemaDefinition, addingTables place: NewTablePlace
    ) throws(WriteError) -> [SchemaStep] {
        try guarded {
            let wanted = try sound(SchemaDefinition(schema.tables))
            let steps = base.schema.steps(to: wanted)
            let additions = steps.filter(\.isAdditive)
            guard !additions.isEmpty else { return steps }
            var result = definition
            var classes: [TableDefinition] = []
            var properties: [(table: String, property: PropertyDefinition)] = []
            var indexes: [(table: String, property: PropertyDefinition)] = []
            for step in additions {
                guard let table = wanted.tables.first(where: { $0.name == step.className }) else { continue }
                let index = result.tables.firstIndex(named: table.tableName) { $0.tableName }
                guard let index, let name = step.property else {
                    classes.append(table)
                    continue
                }
                guard let number = table.properties.firstIndex(named: name, { $0.name }) else { continue }
                let property = table.properties[number]
                if step.kind == .addIndex {
                    indexes.append((table.tableName, property))
                } else {
                    properties.append((table.tableName, property))
                    result.tables[index].properties.append(property)
                }
            }
            result.tables += classes
            _ = try sound(result)
            try editSchema { edit in
                try edit.add(classes, place)
                for (name, property) in properties { _ = try edit.add(property, to: edit.table(named: name)) }
                for (name, property) in indexes {
                    let table = try edit.table(named: name)
                    guard let column = table.property(property.name) else { continue }
                    try table.setIndex(property.effectiveIndex(isPrimaryKey: false), of: column.record.key)
                }
            }
            return base.schema.steps(to: wanted)
        }
    }

    /// The schema version set by the app; nil if there is none.
    public var schemaVersion: UInt64? {
        get throws(WriteError) {
            try guarded {
                try settle()
                return base.schema.version
            }
        }
    }

    /// Sets the schema version of the app.
    ///
    /// - Parameter version: below 2^64 − 1, which stands for none; nil for none.
    /// - Throws: `WriteError`: `badSchema` for 2^64 − 1, and if the table of the version differs from the form that the
    ///   SDKs give it.
    public func setSchemaVersion(_ version: UInt64?) throws(WriteError) {
        try guarded {
            let name = SchemaDefinition.metadataTable
            guard version != .max else {
                throw InvalidValue(.badSchema, "the version 2^64 - 1 means that there is none").at(table: name)
            }
            func found() -> TableDescription? { base.cores.first { $0.schema.tableName == name } }
            if found() == nil {
                guard version != nil else { return }
                var schema = definition
                schema.tables.append(
                    TableDefinition(table: name, [PropertyDefinition(SchemaDefinition.versionProperty, .int)]))
                _ = try sound(schema)
                try editSchema { edit in try edit.add(schema.tables.suffix(1)) }
            }
            guard let core = found(),
                let index = core.schema.properties.propertyIndex(named: SchemaDefinition.versionProperty),
                core.schema.properties[index].type == .int, core.schema.properties[index].collection == nil
            else {
                throw InvalidValue(.badSchema, "the table has no int called version").at(table: name)
            }
            let table = try table(core.schema.key)
            let number = NewValue.int(Int64(bitPattern: version ?? .max))
            noteChange()
            if let first = try table.objects.cluster(of: ObjectKey(0)).firstKey {
                try set(first, of: table, index, number, depth: 0)
            } else {
                _ = try add(to: table, [SchemaDefinition.versionProperty: number], depth: 0)
            }
        }
    }
}
