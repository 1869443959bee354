internal import RealmLayout

extension SchemaDefinition {
    /// The tables, plus the table of the schema version unless it is among them (Spec 70).
    var tablesOfFile: [TableDefinition] {
        guard version != nil, !tables.contains(where: { $0.tableName == Self.metadataTable }) else { return tables }
        return tables + [
            TableDefinition(table: Self.metadataTable, [PropertyDefinition(Self.versionProperty, .int)])
        ]
    }

    package static let metadataTable = "metadata"
    package static let versionProperty = "version"

    /// Returns the positions of tables, by name.
    static func positions(of tables: [TableDefinition]) -> [ExactName: TablePosition] {
        Dictionary(
            tables.enumerated().map { (ExactName($0.element.tableName), TablePosition($0.offset)) },
            uniquingKeysWith: { first, _ in first })
    }

    /// The schema with table names in place of class names as link targets, and with nullability as the format
    /// requires.
    package var normalized: SchemaDefinition {
        var schema = self
        let positions = Self.positions(of: tables)
        for table in tables.indices {
            for (number, property) in zip(tables[table].properties.propertyIndexes, tables[table].properties) {
                schema.tables[table].properties[number].isNullable = property.mayBeNull
                guard let name = property.target, positions[ExactName(name)] == nil,
                    positions[ExactName(TableName.classPrefix + name)] != nil
                else { continue }
                schema.tables[table].properties[number].target = TableName.classPrefix + name
            }
        }
        return schema
    }

    /// Validates names, targets and primary keys against the rules of the format (Spec 60, 70, 90).
    ///
    /// - Throws: `badSchema` with the table and the property.
    package func check() throws(WriteError) {
        guard tablesOfFile.count <= Limits.tableSlots else {
            throw .misfit(
                InvalidValue(
                    .badSchema, "\(tables.count) tables are more than the \(Limits.tableSlots) that a file can have")
            )
        }
        let positions = Self.positions(of: tables)
        for (index, table) in tables.enumerated() {
            do throws(InvalidValue) {
                guard positions[ExactName(table.tableName)]?.number == index else {
                    throw InvalidValue(.badSchema, "there are two tables of this name")
                }
                try check(table, positions)
            } catch {
                throw .misfit(error.at(table: table.tableName))
            }
        }
    }

    private func check(_ table: TableDefinition, _ positions: [ExactName: TablePosition]) throws(InvalidValue) {
        try Self.check(name: table.tableName, "table")
        guard table.properties.count <= Limits.columns else {
            throw InvalidValue(.badSchema, "\(table.properties.count) properties are more than a table can have")
        }
        var names: Set<ExactName> = []
        for property in table.properties {
            do throws(InvalidValue) {
                guard names.insert(ExactName(property.name)).inserted else {
                    throw InvalidValue(.badSchema, "there are two properties of this name")
                }
                try check(property, positions)
            } catch {
                throw error.at(property: property.name)
            }
        }
        guard let name = table.primaryKey else { return }
        guard let number = table.properties.propertyIndex(named: name) else {
            throw InvalidValue(.badSchema, "the primary key \(name) is not a property")
        }
        let primaryKey = table.properties[number]
        guard [.int, .string, .objectId, .uuid].contains(primaryKey.type), primaryKey.collection == nil else {
            throw InvalidValue(.badSchema, "a primary key is an int, a string, an objectId or a uuid").at(
                property: name)
        }
        guard table.kind != .embedded else {
            throw InvalidValue(.badSchema, "embedded objects have no primary key").at(property: name)
        }
    }

    private func check(_ property: PropertyDefinition, _ positions: [ExactName: TablePosition]) throws(InvalidValue) {
        try Self.check(name: property.name, "property")
        if case .dictionary(.int) = property.collection, property.type == .link {
            throw InvalidValue(.badSchema, "dictionaries of links have strings as keys")
        }
        guard property.type == .link else {
            guard property.target == nil else { throw InvalidValue(.badSchema, "only links have a target") }
            return
        }
        guard let target = property.target else { throw InvalidValue(.badSchema, "a link needs a target") }
        guard let position = positions[ExactName(target)] else {
            throw InvalidValue(.badSchema, "its target \(target) is not a table")
        }
        let table = tables[position.number]
        if table.kind == .embedded, property.collection == .set {
            throw InvalidValue(.badSchema, "a set cannot hold embedded objects")
        }
        if table.kind == .asymmetric {
            throw InvalidValue(.badSchema, "nothing can link to the asymmetric class \(target)")
        }
    }

    private static func check(name: String, _ what: String) throws(InvalidValue) {
        guard !name.isEmpty else { throw InvalidValue(.badSchema, "a \(what) needs a name") }
        guard name.utf8.count <= Limits.nameBytes else {
            throw InvalidValue(
                .badSchema, "the name has \(name.utf8.count) bytes; a \(what)'s has at most \(Limits.nameBytes)")
        }
    }
}
