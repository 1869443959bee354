internal import RealmLayout
internal import RealmReader

// Links.
extension ObjectRecorder {
    func record(link value: NewValue, at place: Place) throws(Misfit) {
        let name: String? =
            switch value {
            case .link(let reference): reference.className
            case .primaryKeyLink(let name, _): name
            default: nil
            }
        let table = try name.map { name throws(Misfit) in try position(ofLinked: name) }
        let target: TablePosition
        let isMixed: Bool
        switch (place.rules.type, place.rules.target) {
        case (.link, let expected?):
            if let table, table != expected {
                throw Misfit(
                    .wrongType,
                    "links to \(classes[expected].definition.name), not to \(classes[table].definition.name)")
            }
            (target, isMixed) = (expected, false)
        case (.mixed, _):
            guard let table else {
                throw Misfit(.noSuchTable, "a link by primary key in a mixed value needs the name of the class")
            }
            (target, isMixed) = (table, true)
        default: throw place.wrongType(value)
        }
        if let misfit = classes[target].embeddedMisfit { throw misfit }
        guard classes[target].definition.kind != .asymmetric else {
            throw Misfit(.wrongType, "nothing can link to the asymmetric class \(classes[target].definition.name)")
        }
        let link = try linkTarget(value, target)
        steps.append(.link(link, table: target, property: place.property, isMixed: isMixed))
    }

    private func position(ofLinked name: String) throws(Misfit) -> TablePosition {
        guard let table = position(of: name) else { throw Misfit(.noSuchTable, "there is no class \(name)") }
        return table
    }

    private func linkTarget(_ value: NewValue, _ table: TablePosition) throws(Misfit) -> LinkTarget {
        switch value {
        case .link(let reference):
            guard reference.key != .null, reference.key.value < .max else {
                throw Misfit(.badObjectKey, "\(reference.key) is not an object key")
            }
            return .key(reference.key)
        case .primaryKeyLink(_, let primaryKey):
            return .primaryKey(try identity(primaryKey, in: table), text: primaryKey.text)
        default: return .key(.null)
        }
    }

    /// What identifies the object of a table with that primary key.
    func identity(_ primaryKey: NewValue, in table: TablePosition) throws(Misfit) -> PrimaryKeyRegistry.Value {
        let rules = classes[table]
        guard let index = rules.primaryKey else {
            throw Misfit(.noSuchProperty, "the class \(rules.definition.name) has no primary key")
        }
        let start = bytes.count
        defer { bytes.removeLast(bytes.count - start) }
        let value = flat(primaryKey)
        if let misfit = rules.properties[index].misfit(value.value(bytes.view)) {
            throw Misfit(misfit.code, "the primary key of \(rules.definition.name) \(misfit.detail)")
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
