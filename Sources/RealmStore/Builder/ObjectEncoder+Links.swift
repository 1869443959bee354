internal import RealmCore
internal import RealmLayout

// Links.
extension ObjectEncoder {
    func record(link value: NewValue, at place: Place) throws(InvalidValue) {
        let name: String? =
            switch value {
            case .link(let reference): reference.className
            case .primaryKeyLink(let name, _): name
            default: nil
            }
        let table = try name.map { name throws(InvalidValue) in try position(ofLinked: name) }
        let target: TablePosition
        let isMixed: Bool
        switch (place.rules.type, place.rules.target) {
        case (.link, let expected?):
            if let table, table != expected {
                throw InvalidValue(
                    .wrongType,
                    "links to \(classes[expected].definition.name), not to \(classes[table].definition.name)")
            }
            (target, isMixed) = (expected, false)
        case (.mixed, _):
            guard let table else {
                throw InvalidValue(.noSuchTable, "a link by primary key in a mixed value needs the name of the class")
            }
            (target, isMixed) = (table, true)
        default: throw place.wrongType(value)
        }
        if let misfit = classes[target].embeddedMisfit { throw misfit }
        guard classes[target].definition.kind != .asymmetric else {
            throw InvalidValue(
                .wrongType, "nothing can link to the asymmetric class \(classes[target].definition.name)")
        }
        let link = try linkTarget(value, target)
        steps.append(.link(link, table: target, property: place.property, isMixed: isMixed))
    }

    private func position(ofLinked name: String) throws(InvalidValue) -> TablePosition {
        guard let table = position(of: name) else { throw InvalidValue(.noSuchTable, "there is no class \(name)") }
        return table
    }

    private func linkTarget(_ value: NewValue, _ table: TablePosition) throws(InvalidValue) -> LinkResolver {
        switch value {
        case .link(let reference):
            guard reference.key != .null, reference.key.value < .max else {
                throw InvalidValue(.badObjectKey, "\(reference.key) is not an object key")
            }
            return .key(reference.key)
        case .primaryKeyLink(_, let primaryKey):
            return .primaryKey(try identity(primaryKey, in: table), text: primaryKey.text)
        default: return .key(.null)
        }
    }

    /// Returns the registry value of a primary key.
    func identity(_ primaryKey: NewValue, in table: TablePosition) throws(InvalidValue) -> PrimaryKeyRegistry.Value {
        let rules = classes[table]
        guard let index = rules.primaryKey else {
            throw InvalidValue(.noSuchProperty, "the class \(rules.definition.name) has no primary key")
        }
        let start = bytes.count
        defer { bytes.removeLast(bytes.count - start) }
        let value = flat(primaryKey)
        if let misfit = rules.properties[index].misfit(value.value(bytes.view)) {
            throw InvalidValue(misfit.code, "the primary key of \(rules.definition.name) \(misfit.detail)")
        }
        return identity(value)
    }

    func identity(_ value: FlatValue) -> PrimaryKeyRegistry.Value {
        switch value {
        case .int(let number): .int(number)
        case .bytes(_, let start, let count): .bytes(bytes.view(start..<(start + count)).bytes)
        default: .null
        }
    }
}
