internal import RealmLayout
internal import RealmReader
public import RealmWriter

// A whole schema, and its version.
extension WriteTransaction {
    /// Brings the database to a wanted schema, as far as nothing in it is lost or changed by that: adds classes, properties and
    /// indexes that are missing.
    ///
    /// New properties of objects that are there are null where they may be, else zero, or an empty value. The version is not
    /// looked at, and not set.
    ///
    /// ```swift
    /// try await store.write { transaction in
    ///     let left = try transaction.apply(schema)
    ///     for step in left where step.kind != .removeClass { print(step) }
    /// }
    /// ```
    ///
    /// - Parameter schema: the classes as for a new file. What the database has beside them stays.
    /// - Returns: in what the database still differs from it: nothing of what is `isAdditive`. `StoredSchema.steps(to:)` tells all of it
    ///   before.
    /// - Throws: `WriteError`: `badSchema` where the schema is not possible, by itself or together with what the database has;
    ///   nothing was added then.
    @discardableResult
    public func apply(_ schema: SchemaDefinition) throws(WriteError) -> [SchemaStep] {
        try apply(schema, addingTables: .firstFree)
    }

    /// The same.
    ///
    /// - Parameter place: where tables go that are added.
    @discardableResult
    package func apply(
        _ schema: SchemaDefinition, addingTables place: NewTablePlace
    ) throws(WriteError) -> [SchemaStep] {
        try guarded { () throws(WriteError) in
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
            try editSchema { edit throws(WriteError) in
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

    /// The version that the app gave its schema; nil when the database does not say.
    public var schemaVersion: UInt64? {
        get throws(WriteError) {
            try guarded { () throws(WriteError) in
                try settle()
                return base.schema.version
            }
        }
    }

    /// Sets the version that the app gives its schema.
    ///
    /// - Parameter version: below 2^64 − 1, which means none; nil for none.
    /// - Throws: `WriteError`: `badSchema` for 2^64 − 1, and where the table of the version has another form than the SDKs give it.
    public func setSchemaVersion(_ version: UInt64?) throws(WriteError) {
        try guarded { () throws(WriteError) in
            let name = SchemaDefinition.metadataTable
            guard version != .max else {
                throw .misfit(InvalidValue(.badSchema, "the version 2^64 - 1 means that there is none").at(table: name))
            }
            func found() -> TableDescription? { base.cores.first { $0.schema.tableName == name } }
            if found() == nil {
                guard version != nil else { return }
                var schema = definition
                schema.tables.append(
                    TableDefinition(table: name, [PropertyDefinition(SchemaDefinition.versionProperty, .int)]))
                _ = try sound(schema)
                try editSchema { edit throws(WriteError) in try edit.add(schema.tables.suffix(1)) }
            }
            guard let core = found(),
                let index = core.schema.properties.propertyIndex(named: SchemaDefinition.versionProperty),
                core.schema.properties[index].type == .int, core.schema.properties[index].collection == nil
            else {
                throw .misfit(InvalidValue(.badSchema, "the table has no int called version").at(table: name))
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
