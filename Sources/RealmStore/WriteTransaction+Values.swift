internal import RealmCore
internal import RealmLayout

// Converting values for their columns.
extension WriteTransaction {
    /// Converts and checks a value that is neither a link nor a collection; its bytes live as long as the transaction.
    func scalar(_ value: NewValue, _ table: MutableTable, _ property: PropertyIndex) throws(WriteError) -> MixedValue {
        let stored = try stored(value, table, property)
        if let misfit = table.constraints[property].misfit(stored) { throw located(misfit, table, property) }
        return stored
    }

    func stored(_ value: NewValue, _ table: MutableTable, _ property: PropertyIndex) throws(WriteError) -> MixedValue {
        if let stored = stored(value) { return stored }
        let type = table.constraints[property].type.rawValue
        throw located(InvalidValue(.wrongType, "is of type \(type), not \(value.kindName)"), table, property)
    }

    /// Converts without checking; nil for links, objects and collections.
    func stored(_ value: NewValue) -> MixedValue? {
        switch value {
        case .null: .null
        case .int(let number): .int(number)
        case .bool(let value): .bool(value)
        case .float(let number): .float(bits: number.bitPattern)
        case .double(let number): .double(bits: number.bitPattern)
        case .decimal128(let number): .decimal128(number)
        case .timestamp(let time): .timestamp(time)
        case .string(let text): .string(bytes.copy(text))
        case .malformedString(let text): .string(bytes.copy(text))
        case .binary(let data): .binary(bytes.copy(data))
        case .objectId(let id): .objectId(id.withBytes { bytes.copy($0) })
        case .uuid(let id): .uuid(id.withBytes { bytes.copy($0) })
        case .link, .primaryKeyLink, .embedded, .list, .dictionary: nil
        }
    }

    func located(_ misfit: InvalidValue, _ table: MutableTable, _ property: PropertyIndex) -> WriteError {
        let schema = table.core.schema
        return .misfit(misfit.at(table: schema.tableName, property: schema.properties[property].name))
    }

    // MARK: Objects

    /// Adds an object with its values.
    func add(to table: MutableTable, _ values: [String: NewValue], depth: Int) throws -> ObjectKey {
        var given = try given(values, table)
        return try add(to: table, &given, depth: depth)
    }

    /// Adds an object with its values, in the order of the properties.
    ///
    /// - Parameters:
    ///   - given: the values; the array is reused for other objects afterwards.
    ///   - chosen: the object's key; nil for the next one.
    func add(
        to table: MutableTable, _ given: inout ByProperty<NewValue?>, key chosen: ObjectKey? = nil, depth: Int
    ) throws -> ObjectKey {
        guard depth <= Limits.embeddingDepth else {
            throw InvalidValue(.tooDeep, Nesting.embedding.excess).at(
                table: table.core.schema.tableName)
        }
        var primaryKey: IndexKeyBytes?
        if let primary = table.core.primaryKeyIndex {
            let value = given[primary] ?? .null
            let bytes = IndexKeyBytes(try scalar(value, table, primary))
            if try table.object(primaryKey: bytes, in: base) != nil {
                throw located(
                    InvalidValue(.duplicatePrimaryKey, "there is an object with the primary key \(value.text)"), table,
                    primary)
            }
            primaryKey = bytes
        }
        try checkScalars(given, table)
        let key = if let chosen { try take(chosen, in: table) } else { try newKey(in: table) }
        noteChange()
        try table.noteNew(key)
        if let primaryKey { table.note(primaryKey: primaryKey, of: key) }
        // Embedded objects come first, so that the row of this object can still be appended.
        var cells = table.takeCells()
        for index in table.otherProperties {
            guard let value = given[index] else { continue }
            cells.append(NewRows.Prepared(property: index, value: try cell(value, of: key, table, index, depth: depth)))
        }
        if let tail = try table.objects.tail(for: key, nodes) {
            try tail.append(key, given, cells)
        } else {
            try insert(given, cells, key, table)
        }
        table.keep(&given, &cells)
        if let primaryKey, table.tombstones != nil { try resolveTombstone(primaryKey, as: key, of: table) }
        return key
    }

    /// Creates the stored form of a link, Mixed value or collection, and records its links.
    private func cell(
        _ value: NewValue, of key: ObjectKey, _ table: MutableTable, _ index: PropertyIndex, depth: Int
    ) throws -> NewRows.Prepared.Value {
        let property = table.constraints[index]
        if property.collection != nil {
            return .collection(try collection(value, of: key, table, index, depth: depth))
        }
        guard property.type == .link else { return .mixed(try mixed(value, of: key, table, index, depth: 0)) }
        let target = try link(value, of: key, table, index, depth: depth)
        if target != .null { try noteLink(target, targetTable(table, index), from: key, table, index, isAdded: true) }
        return .link(target)
    }

    /// Inserts an object between others.
    private func insert(
        _ given: ByProperty<NewValue?>, _ cells: [NewRows.Prepared], _ key: ObjectKey, _ table: MutableTable
    ) throws {
        let cluster = try table.objects.cluster(of: key)
        let row = try cluster.insert(key)
        for (index, column) in table.core.columns.indexed {
            let values = try cluster.values(column)
            switch (column.leafType, given[index]) {
            case (.collections, _), (.link, _): values.set(row, number: 0)
            case (.mixed, _), (_, nil): values.set(row, .null)
            case (_, let value?): values.set(row, try scalar(value, table, index))
            }
        }
        for cell in cells {
            let column = table.core.columns[cell.property]
            let values = try cluster.values(column)
            switch cell.value {
            case .link(let target): values.set(row, link: target)
            case .collection(let root): values.set(row, number: Int64(root?.offset ?? 0))
            case .mixed(let value): values.set(row, value)
            }
        }
        for column in table.objects.columns where column.leafType == .backlinks {
            try cluster.values(column).set(row, number: 0)
        }
    }

    /// Orders the given values by property; nil for omitted ones.
    func given(
        _ values: some Sequence<(key: String, value: NewValue)>, _ table: MutableTable
    ) throws(InvalidValue) -> ByProperty<NewValue?> {
        var given = table.takeValues()
        guard let wrong = table.place(values, in: &given) else { return given }
        let schema = table.core.schema
        guard schema.properties.propertyIndex(named: wrong) == nil else {
            throw InvalidValue(.duplicateValue, "is named twice").at(table: schema.tableName, property: wrong)
        }
        let unknown = InvalidValue.unknownName(
            in: Dictionary(values.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first }), of: schema.name,
            schema.properties.map(\.name)
        ) { schema.property(named: $0) != nil }
        throw (unknown ?? InvalidValue(.noSuchProperty, "has no such property")).at(table: schema.tableName)
    }

    /// Checks the values of a new object for properties that are neither links, nor Mixed, nor collections.
    private func checkScalars(_ given: ByProperty<NewValue?>, _ table: MutableTable) throws(WriteError) {
        for index in table.scalarProperties {
            if let value = given[index] {
                // `scalar` throws the detailed error.
                if !table.constraints[index].fits(scalar: value) { _ = try scalar(value, table, index) }
            } else if !table.constraints[index].isNullable {
                throw located(InvalidValue(.missingValue, "has no value"), table, index)
            }
        }
    }

    /// Sets a property of any kind.
    func set(
        _ key: ObjectKey, of table: MutableTable, _ index: PropertyIndex, _ value: NewValue, depth: Int
    ) throws {
        let column = table.core.columns[index]
        if index == table.core.primaryKeyIndex {
            throw located(InvalidValue(.wrongType, "is the primary key, which stays what it is"), table, index)
        }
        guard !table.constraints[index].isScalar else {
            let (cluster, row) = try place(of: key, in: table)
            try table.noteIndexes(key, property: index)
            let values = try cluster.values(column)
            return values.set(row, try scalar(value, table, index))
        }
        try closeCollection(of: key, table, index)
        _ = try place(of: key, in: table)
        try table.noteIndexes(key, property: index)
        noteChange()
        // A new embedded object may move the row, so it is looked up afterwards.
        let new = try cell(value, of: key, table, index, depth: depth)
        let (cluster, row) = try place(of: key, in: table)
        let values = try cluster.values(column)
        switch new {
        case .collection(let root): try replaceCollection(values, row, with: root, of: key, table, index: index)
        case .link(let target):
            let old = values.link(at: row)
            values.set(row, link: target)
            if old != .null { try unlink(old, targetTable(table, index), from: key, table, index) }
        case .mixed(let new):
            let old = values.value(at: row)
            values.set(row, new)
            try forget(old, of: key, table, index)
        }
    }

    // MARK: Links

    func targetTable(_ table: MutableTable, _ index: PropertyIndex) throws -> MutableTable {
        guard let position = table.core.columns[index].target else {
            throw WriteError.internalInconsistency("a property without links is asked where they lead")
        }
        return try self.table(at: position)
    }

    /// Returns the key of the object to which a property, or an element of its collection, will link.
    func link(
        _ value: NewValue, of key: ObjectKey, _ table: MutableTable, _ index: PropertyIndex, depth: Int
    ) throws -> ObjectKey {
        let target = try targetTable(table, index)
        let isEmbedded = target.isEmbedded
        switch value {
        case .null: return .null
        case .embedded(let values) where isEmbedded: return try add(to: target, values, depth: depth + 1)
        case .link(let reference) where !isEmbedded:
            let isNamed = reference.className == target.name
            guard try isNamed ? true : self.table(named: reference.className) === target else {
                throw located(
                    InvalidValue(.wrongType, "leads to \(target.name), not to \(reference.className)"), table,
                    index)
            }
            try check(reference.key, in: target, table, index)
            return reference.key
        case .primaryKeyLink(_, let primaryKey) where !isEmbedded:
            guard let found = try find(primaryKey: primaryKey, in: target) else {
                throw located(
                    InvalidValue(
                        .danglingLink, "there is no \(target.name) with the primary key \(primaryKey.text)"),
                    table, index)
            }
            return found
        default:
            let held = isEmbedded ? "holds an embedded object" : "is a link"
            throw located(InvalidValue(.wrongType, "\(held), not \(value.kindName)"), table, index)
        }
    }

    private func check(
        _ key: ObjectKey, in target: MutableTable, _ table: MutableTable, _ index: PropertyIndex
    ) throws {
        guard try target.tree(of: key)?.contains(key) ?? false else {
            throw located(
                InvalidValue(.danglingLink, "there is no \(target.name) with the key \(key)"), table, index)
        }
    }

    /// Records that a link is added or removed.
    func noteLink(
        _ target: ObjectKey, _ targetTable: MutableTable, from key: ObjectKey, _ table: MutableTable,
        _ index: PropertyIndex,
        isAdded: Bool
    ) throws {
        let origin = table.columnKeys[index]
        let column =
            if let known = targetTable.backlinkColumn(of: origin, in: table.key) {
                known
            } else {
                try targetTable.addBacklinkColumn(of: origin, in: table.key)
            }
        targetTable.note(LinkChange(target: target, origin: key, isAdded: isAdded), in: column)
    }

    /// Removes a link; an embedded target is removed as well.
    func unlink(
        _ target: ObjectKey, _ targetTable: MutableTable, from key: ObjectKey, _ table: MutableTable,
        _ index: PropertyIndex
    ) throws {
        try noteLink(target, targetTable, from: key, table, index, isAdded: false)
        if targetTable.isEmbedded { try remove(target, of: targetTable) }
    }

    // MARK: Mixed values and collections

    func mixed(
        _ value: NewValue, of key: ObjectKey, _ table: MutableTable, _ index: PropertyIndex, depth: Int
    ) throws -> MixedValue {
        switch value {
        case .link(let reference):
            let target = try self.table(named: reference.className)
            try check(reference.key, in: target, table, index)
            try noteLink(reference.key, target, from: key, table, index, isAdded: true)
            return .link(target.key, reference.key)
        case .primaryKeyLink(let name?, let primaryKey):
            let target = try self.table(named: name)
            guard let found = try find(primaryKey: primaryKey, in: target) else {
                throw located(
                    InvalidValue(.danglingLink, "there is no \(name) with the primary key \(primaryKey.text)"), table,
                    index)
            }
            try noteLink(found, target, from: key, table, index, isAdded: true)
            return .link(target.key, found)
        case .list(let elements):
            try checkNesting(depth, table, index: index)
            let builder = CollectionBuilder(nodes)
            builder.begin(.list, of: .mixed)
            for element in elements { try builder.add(mixed(element, of: key, table, index, depth: depth + 1)) }
            return .list(try builder.end())
        case .dictionary(let entries):
            try checkNesting(depth, table, index: index)
            return .dictionary(
                try dictionary(entries, .string, table, index) { value in
                    try mixed(value, of: key, table, index, depth: depth + 1)
                })
        default:
            let stored = try stored(value, table, index)
            if let misfit = PropertyConstraint.lengthMisfit(stored) { throw located(misfit, table, index) }
            return stored
        }
    }

    private func checkNesting(_ depth: Int, _ table: MutableTable, index: PropertyIndex) throws(WriteError) {
        guard depth < Limits.nestingDepth else {
            throw located(
                InvalidValue(.tooDeep, Nesting.collections.excess), table,
                index)
        }
    }

    private func dictionary(
        _ entries: [NewEntry], _ keyType: DictionaryKeyType, _ table: MutableTable, _ index: PropertyIndex,
        _ stored: (NewValue) throws -> MixedValue
    ) throws -> Ref? {
        let builder = CollectionBuilder(nodes)
        builder.begin(.dictionary(keyType), of: .mixed)
        for entry in entries {
            switch (try self.stored(entry.key, table, index), keyType) {
            case (.string(let key), .string): builder.add(key: key)
            case (.int(let number), .int): builder.add(key: number)
            default:
                throw located(
                    InvalidValue(.wrongType, "the key is \(entry.key.kindName), which the dictionary has not"), table,
                    index)
            }
            try builder.add(stored(entry.value))
        }
        let root = try builder.end()
        guard builder.duplicates == 0 else {
            throw located(InvalidValue(.duplicateValue, "a key is there twice"), table, index)
        }
        return root
    }

    /// Writes the new collection of a property.
    ///
    /// - Returns: its root; nil for an empty one.
    private func collection(
        _ value: NewValue, of key: ObjectKey, _ table: MutableTable, _ index: PropertyIndex, depth: Int
    ) throws -> Ref? {
        let property = table.constraints[index]
        switch (property.collection, value) {
        case (.dictionary(let keyType), .dictionary(let entries)):
            return try dictionary(entries, keyType, table, index) { value in
                if property.type == .link {
                    let target = try link(value, of: key, table, index, depth: depth)
                    guard target != .null else { return .null }
                    let targets = try targetTable(table, index)
                    try noteLink(target, targets, from: key, table, index, isAdded: true)
                    return .link(targets.key, target)
                }
                return try element(value, of: key, table, index, nesting: 1)
            }
        case (.list, .list(let elements)), (.set, .list(let elements)):
            let isSet = property.collection == .set
            let builder = CollectionBuilder(nodes)
            builder.begin(isSet ? .set : .list, of: table.constraints[index].elementType)
            var added: Set<ObjectKey> = []
            for value in elements {
                guard property.type == .link else {
                    try builder.add(element(value, of: key, table, index, nesting: 1))
                    continue
                }
                let target = try link(value, of: key, table, index, depth: depth)
                guard target != .null else {
                    throw located(InvalidValue(.nullNotAllowed, "an element cannot be null"), table, index)
                }
                // A set contains each link once.
                guard !isSet || added.insert(target).inserted else { continue }
                try builder.add(link: target)
                try noteLink(target, targetTable(table, index), from: key, table, index, isAdded: true)
            }
            return try builder.end()
        case (.list, _): throw located(InvalidValue(.wrongType, "is a list, not \(value.kindName)"), table, index)
        case (.set, _): throw located(InvalidValue(.wrongType, "is a set, not \(value.kindName)"), table, index)
        default: throw located(InvalidValue(.wrongType, "is a dictionary, not \(value.kindName)"), table, index)
        }
    }

    func element(
        _ value: NewValue, of key: ObjectKey, _ table: MutableTable, _ index: PropertyIndex, nesting: Int
    ) throws -> MixedValue {
        let property = table.constraints[index]
        if property.type == .mixed {
            let isSet = property.collection == .set
            switch value {
            case .list where isSet, .dictionary where isSet:
                throw located(InvalidValue(.wrongType, "a set cannot hold collections"), table, index)
            default: return try mixed(value, of: key, table, index, depth: nesting)
            }
        }
        let stored = try stored(value, table, index)
        if let misfit = table.constraints[index].elementMisfit(stored) { throw located(misfit, table, index) }
        return stored
    }
}

extension WriteTransaction {
    /// Converts an element of a set for searching, without recording links.
    ///
    /// - Returns: nil for a link to an object that does not exist.
    func soughtElement(_ value: NewValue, _ table: MutableTable, _ index: PropertyIndex) throws
        -> MixedValue?
    {
        let property = table.constraints[index]
        switch value {
        case .link(let reference):
            let target = try self.table(named: reference.className)
            return property.type == .link
                ? .int(reference.key.value) : .link(target.key, reference.key)
        case .primaryKeyLink(let name, let primaryKey):
            let target = if let name { try self.table(named: name) } else { try targetTable(table, index) }
            guard let found = try find(primaryKey: primaryKey, in: target) else { return nil }
            return property.type == .link ? .int(found.value) : .link(target.key, found)
        default: return try stored(value, table, index)
        }
    }
}

extension StoredProperty {
    /// Whether values are neither links, nor Mixed, nor collections.
    var isScalar: Bool { collection == nil && type != .link && type != .mixed }
}
