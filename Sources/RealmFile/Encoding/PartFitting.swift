/// Converts encoded parts to values. The schema decides which kind of value a part is.
struct PartFitting {
    let schema: SchemaDefinition

    /// Converts the values of an object. Properties that the class lacks are kept, so that they are reported when it is
    /// added.
    func object(_ part: EncodedPart, of table: TableDefinition) throws(WriteError) -> [String: NewValue] {
        guard case .keyed(let parts) = part.content else {
            throw .misfit(
                InvalidValue(.wrongType, "an object of \(table.name) has keys and values, which were not encoded"))
        }
        var values: [String: NewValue] = [:]
        for (name, part) in parts {
            let property = table.properties.first { $0.name.hasBytes(of: name) }
            do throws(WriteError) {
                values[name] =
                    try property.map { property throws(WriteError) in try value(part, of: property) } ?? part.value
            } catch {
                throw error.inside(name)
            }
        }
        return values
    }

    private func value(_ part: EncodedPart, of property: PropertyDefinition) throws(WriteError) -> NewValue {
        switch (property.collection, part.content) {
        case (nil, _): return try element(part, of: property)
        case (.list, .list(let parts)), (.set, .list(let parts)):
            return .list(try parts.map { part throws(WriteError) in try element(part, of: property) })
        case (.list, .value(.binary(let bytes))), (.set, .value(.binary(let bytes))):
            return .list(bytes.map { .int(Int64($0)) })
        case (.dictionary(let keyType), .keyed(let parts)):
            return .dictionary(
                try parts.map { entry throws(WriteError) in
                    let number = keyType == .int ? Int64(entry.key) : nil
                    return NewEntry(
                        number.map { .int($0) } ?? .string(entry.key), try element(entry.part, of: property))
                })
        default: return part.value
        }
    }

    /// Converts a value, or an element of a collection.
    private func element(_ part: EncodedPart, of property: PropertyDefinition) throws(WriteError) -> NewValue {
        if property.type == .link, let name = property.target,
            let target = schema.tables.first(where: { $0.tableName.hasBytes(of: name) || $0.name.hasBytes(of: name) })
        {
            return target.kind == .embedded ? try embedded(part, of: target) : try link(part, to: target)
        }
        return converted(part.value, to: property.type)
    }

    private func embedded(_ part: EncodedPart, of table: TableDefinition) throws(WriteError) -> NewValue {
        guard case .keyed = part.content else { return part.value }
        return .embedded(try object(part, of: table))
    }

    /// Converts an encoded key to a link.
    private func link(_ part: EncodedPart, to table: TableDefinition) throws(WriteError) -> NewValue {
        guard case .value(let key) = part.content else {
            if case .nothing = part.content { return .null }
            throw .misfit(
                InvalidValue(
                    .wrongType, "links to \(table.name): encode the primary key of that object, and add it on its own"))
        }
        if case .null = key { return .null }
        if let name = table.primaryKey, let property = table.properties.first(where: { $0.name.hasBytes(of: name) }) {
            return .link(table.name, primaryKey: converted(key, to: property.type))
        }
        guard case .int(let number) = key else { return key }
        return .link(ObjectReference(table.name, ObjectKey(number)))
    }

    /// Converts from the Swift types that `StoredDecoder` gives for stored ones: texts of ids and decimals, doubles for
    /// floats.
    private func converted(_ value: NewValue, to type: StoredPropertyType) -> NewValue {
        switch (type, value) {
        case (.objectId, .string(let text)): ObjectID(text).map { .objectId($0) } ?? value
        case (.uuid, .string(let text)): UUIDBytes(text).map { .uuid($0) } ?? value
        case (.decimal128, .string(let text)): Decimal128Bits(text).map { .decimal128($0) } ?? value
        case (.float, .double(let number)) where Double(Float(number)).bitPattern == number.bitPattern:
            .float(Float(number))
        default: value
        }
    }
}
