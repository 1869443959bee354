internal import RealmCore
internal import RealmLayout
internal import RealmStore
import WriterTestSupport

// Random schema changes, and their effects on the model.
extension RandomProgram {
    private var tables: [TableDefinition] { database.schema.tables }

    /// Returns the differences between the schema of the file and that of the model.
    package func schemaDifferences() -> [String] {
        store.snapshot().schema.steps(to: database.schema).map(\.description)
    }

    mutating func changeSchema(_ transaction: WriteTransaction) throws {
        switch Int.random(in: 0..<14, using: &random) {
        case 0: try addClass(transaction)
        case 1: try removeClass(transaction)
        case 2: try renameClass(transaction)
        case 3..<6: try addProperty(transaction)
        case 6: try removeProperty(transaction)
        case 7: try renameProperty(transaction)
        case 8..<10: try setIndex(transaction)
        case 10..<13: try convert(transaction)
        default: try setPrimaryKey(transaction)
        }
    }

    // MARK: The model

    /// Changes the values of all objects of a class, including embedded ones.
    private mutating func update(_ tableName: String, _ body: (inout [String: NewValue]) -> Void) {
        for (reference, values) in objects {
            guard let table = tables.first(where: { $0.name == reference.className }) else { continue }
            objects[reference] = updated(values, table, tableName, body)
        }
    }

    private func updated(
        _ values: [String: NewValue], _ table: TableDefinition, _ tableName: String,
        _ body: (inout [String: NewValue]) -> Void
    ) -> [String: NewValue] {
        var values = values
        for property in table.properties where property.type == .link {
            guard let target = tables.first(where: { $0.tableName == property.target }), target.kind == .embedded,
                let value = values[property.name]
            else { continue }
            values[property.name] = value.mapped {
                if case .embedded(let inner) = $0 { .embedded(updated(inner, target, tableName, body)) } else { $0 }
            }
        }
        if table.tableName == tableName { body(&values) }
        return values
    }

    private func isEmbedded(_ property: PropertyDefinition) -> Bool {
        tables.contains { $0.tableName == property.target && $0.kind == .embedded }
    }

    private mutating func anyTable() -> Int? { tables.indices.randomElement(using: &random) }

    private mutating func anyProperty(
        _ isWanted: (TableDefinition, PropertyDefinition) -> Bool = { _, _ in true }
    ) -> (table: Int, property: Int)? {
        tables.enumerated().flatMap { table in
            table.element.properties.enumerated().filter { isWanted(table.element, $0.element) }
                .map { (table.offset, $0.offset) }
        }.randomElement(using: &random)
    }

    private mutating func newName(_ letter: String) -> String {
        names += 1
        return "\(letter)\(1000 + names)"
    }

    // MARK: Classes

    private var kinds: [(String, TableKind)] { tables.map { ($0.name, $0.kind) } }

    private mutating func addClass(_ transaction: WriteTransaction) throws {
        let name = newName("N")
        let kind: TableKind = random.chance(3) ? .embedded : .topLevel
        var table = RandomSchema.table(name, kind, kinds + [(name, kind)], &random)
        if isShared { table.removeIndexesOfMixed() }
        try transaction.addClass(table)
        database.schema.tables.append(table)
    }

    private mutating func removeClass(_ transaction: WriteTransaction) throws {
        guard tables.count > 1, let index = anyTable() else { return }
        let gone = tables[index]
        for (number, table) in tables.enumerated() where number != index {
            for property in table.properties where property.target == gone.tableName {
                try remove(property.name, of: number, transaction)
            }
        }
        try transaction.removeClass(gone.name)
        // Embedded objects are removed one by one, together with links from them; other links are removed with their
        // column.
        let linked = linkedTombstones
        let holders = gone.properties.filter { isEmbedded($0) }.map(\.name)
        update(gone.tableName) { values in for name in holders { values[name] = nil } }
        content.forget(linked.subtracting(linkedTombstones))
        for (reference, values) in objects {
            objects[reference] = reference.className == gone.name ? nil : values.mapValues { $0.without(gone.name) }
        }
        content.rename(gone.name, to: nil)
        database.schema.tables.remove(at: index)
    }

    private mutating func renameClass(_ transaction: WriteTransaction) throws {
        guard let index = anyTable() else { return }
        let (old, new) = (tables[index].name, newName("R"))
        try transaction.renameClass(old, to: new)
        for table in tables.indices {
            for property in tables[table].properties.indices
            where tables[table].properties[property].target == "class_\(old)" {
                database.schema.tables[table].properties[property].target = "class_\(new)"
            }
        }
        database.schema.tables[index].tableName = "class_\(new)"
        content.rename(old, to: new)
        func renamed(_ value: NewValue) -> NewValue {
            value.mapped {
                switch $0 {
                case .link(let reference) where reference.className == old: .link(ObjectReference(new, reference.key))
                case .embedded(let values): .embedded(values.mapValues { renamed($0) })
                default: $0
                }
            }
        }
        for (reference, values) in objects {
            objects[reference] = nil
            let name = reference.className == old ? new : reference.className
            objects[ObjectReference(name, reference.key)] = values.mapValues { renamed($0) }
        }
    }

    // MARK: Properties

    private mutating func addProperty(_ transaction: WriteTransaction) throws {
        guard let index = anyTable() else { return }
        let table = tables[index]
        var property = RandomSchema.property(newName("n"), table.kind, kinds, &random)
        if isShared { property.removeIndexOfMixed() }
        var value: NewValue?
        if property.collection == nil, property.type != .link, random.chance(2) {
            value = random.scalar(property.type == .mixed ? .string : property.type, nil)
        }
        try transaction.addProperty(property, to: table.name, value: value)
        let stored = value ?? (property.isNullable || property.collection != nil ? nil : property.type.newZero)
        update(table.tableName) { $0[property.name] = stored }
        database.schema.tables[index].properties.append(property)
    }

    private mutating func removeProperty(_ transaction: WriteTransaction) throws {
        guard let (table, property) = anyProperty() else { return }
        try remove(tables[table].properties[property].name, of: table, transaction)
    }

    private mutating func remove(_ name: String, of index: Int, _ transaction: WriteTransaction) throws {
        try transaction.removeProperty(name, of: tables[index].name)
        let linked = linkedTombstones
        update(tables[index].tableName) { $0[name] = nil }
        if tables[index].properties.contains(where: { $0.name == name && isEmbedded($0) }) {
            content.forget(linked.subtracting(linkedTombstones))
        }
        database.schema.tables[index].properties.removeAll { $0.name == name }
        guard tables[index].primaryKey == name else { return }
        database.schema.tables[index].primaryKey = nil
        content.rename(tables[index].name, to: nil)
    }

    private mutating func renameProperty(_ transaction: WriteTransaction) throws {
        guard let (table, property) = anyProperty() else { return }
        let (old, new) = (tables[table].properties[property].name, newName("r"))
        try transaction.renameProperty(old, of: tables[table].name, to: new)
        update(tables[table].tableName) { $0[new] = $0.removeValue(forKey: old) }
        database.schema.tables[table].properties[property].name = new
        if tables[table].primaryKey == old { database.schema.tables[table].primaryKey = new }
    }

    private mutating func setIndex(_ transaction: WriteTransaction) throws {
        // Elements of lists may be too long for one.
        let found = anyProperty { $1.collection == nil && $1.canHaveGeneralIndex && $0.kind != .asymmetric }
        guard let (table, number) = found else { return }
        let property = tables[table].properties[number]
        if isShared, property.type == .mixed { return }
        var kinds: [IndexKind] = [.none, .general]
        if property.type == .string, property.name != tables[table].primaryKey { kinds.append(.fullText) }
        let kind = kinds.randomElement(using: &random) ?? .none
        try transaction.setIndex(kind, of: property.name, in: tables[table].name)
        database.schema.tables[table].properties[number].index = kind
    }

    private mutating func setPrimaryKey(_ transaction: WriteTransaction) throws {
        guard let index = tables.indices.filter({ tables[$0].kind == .topLevel }).randomElement(using: &random) else {
            return
        }
        let table = tables[index]
        guard try transaction.snapshot().table(named: table.name).tombstoneCount == 0 else { return }
        if table.primaryKey != nil, random.chance(2) {
            try transaction.setPrimaryKey(nil, of: table.name)
            try noteIndex(ofFormerKey: table, index, transaction)
            database.schema.tables[index].primaryKey = nil
            return
        }
        let mine = objects.filter { $0.key.className == table.name }.values
        let possible = table.properties.filter { property in
            property.collection == nil && [.int, .string, .objectId, .uuid].contains(property.type)
                && property.index != .fullText
                && Set(mine.map { Array("\($0[property.name] ?? .null)".utf8) }).count == mine.count
        }
        guard let new = possible.randomElement(using: &random) else { return }
        try transaction.setPrimaryKey(new.name, of: table.name)
        if new.name != table.primaryKey { try noteIndex(ofFormerKey: table, index, transaction) }
        database.schema.tables[index].primaryKey = new.name
    }

    /// Records whether the index of the former primary key stays. This depends on a mark (Spec 80) that is not part of
    /// a schema.
    private mutating func noteIndex(
        ofFormerKey table: TableDefinition, _ index: Int, _ transaction: WriteTransaction
    ) throws {
        guard let number = table.properties.firstIndex(where: { $0.name == table.primaryKey }) else { return }
        let properties = try transaction.snapshot().table(named: table.name).schema.properties
        let isIndexed = properties.contains { $0.name == table.primaryKey && $0.index == .general }
        if !isIndexed { database.schema.tables[index].properties[number].index = .none }
    }

    // MARK: Conversions

    private mutating func convert(_ transaction: WriteTransaction) throws {
        let found = anyProperty { table, property in
            property.type != .link && property.type != .mixed && property.name != table.primaryKey
                && table.kind != .asymmetric
                // Different values of sets may become equal.
                && !(property.collection == .set && [.float, .double, .decimal128].contains(property.type))
        }
        guard let (table, number) = found else { return }
        let property = tables[table].properties[number]
        var new = property
        var convert: (NewValue) -> NewValue = { $0 }
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            new = property.with(property.type, isNullable: true)
            try transaction.setOptional(true, property.name, of: tables[table].name)
        case 1 where property.isNullable:
            new = property.with(property.type, isNullable: false)
            let value = property.hasIndexOfElements ? "short" : random.scalar(property.type, nil)
            try transaction.setOptional(false, property.name, of: tables[table].name, insteadOfNull: value)
            convert = { if case .null = $0 { value } else { $0 } }
        case 2 where property.type == .int:
            new = property.with(.string, isNullable: property.isNullable)
            try transaction.changeType(of: property.name, in: tables[table].name, to: .string)
            convert = { if case .int(let number) = $0 { .string("\(number)") } else { $0 } }
        case 2 where property.type == .bool:
            new = property.with(.int, isNullable: property.isNullable)
            try transaction.changeType(of: property.name, in: tables[table].name, to: .int)
            convert = { if case .bool(let value) = $0 { .int(value ? 1 : 0) } else { $0 } }
        case 3 where !isShared || property.index == .none:
            new = property.with(.mixed, isNullable: true)
            try transaction.changeType(of: property.name, in: tables[table].name, to: .mixed)
        default: return
        }
        guard new.type != property.type || new.isNullable != property.isNullable else { return }
        let isSingle = property.collection == nil
        update(tables[table].tableName) { values in
            if isSingle {
                values[property.name] = convert(values[property.name] ?? .null)
            } else {
                values[property.name] = values[property.name]?.mapped(convert)
            }
        }
        database.schema.tables[table].properties.remove(at: number)
        database.schema.tables[table].properties.append(new)
    }
}

extension PropertyDefinition {
    fileprivate func with(_ type: StoredPropertyType, isNullable: Bool) -> PropertyDefinition {
        var copy = self
        copy.type = type
        copy.isNullable = isNullable
        copy.index = copy.effectiveIndex(isPrimaryKey: false)
        return copy
    }

    fileprivate var hasIndexOfElements: Bool { collection == .list && index != .none }
}

extension StoredPropertyType {
    fileprivate var newZero: NewValue? {
        switch self {
        case .int: .int(0)
        case .bool: .bool(false)
        case .float: .float(0)
        case .double: .double(0)
        case .string: ""
        case .binary: .binary([])
        case .timestamp: Timestamp(seconds: 0, nanoseconds: 0).map { .timestamp($0) }
        case .decimal128: .decimal128(.zero)
        case .objectId: ObjectID([UInt8](repeating: 0, count: 12)).map { .objectId($0) }
        case .uuid: UUIDBytes([UInt8](repeating: 0, count: 16)).map { .uuid($0) }
        case .mixed, .link: nil
        }
    }
}

extension NewValue {
    /// Returns the value with its elements changed, or itself changed.
    fileprivate func mapped(_ body: (NewValue) -> NewValue) -> NewValue {
        switch self {
        case .list(let elements): .list(elements.map { $0.mapped(body) })
        case .dictionary(let entries): .dictionary(entries.map { NewEntry($0.key, $0.value.mapped(body)) })
        default: body(self)
        }
    }

    /// Returns the value after the removal of a class.
    fileprivate func without(_ gone: String) -> NewValue {
        func isGone(_ value: NewValue) -> Bool {
            if case .link(let reference) = value { reference.className == gone } else { false }
        }
        if isGone(self) { return .null }
        return switch self {
        case .embedded(let values): .embedded(values.mapValues { $0.without(gone) })
        case .list(let elements): .list(elements.filter { !isGone($0) }.map { $0.without(gone) })
        case .dictionary(let entries): .dictionary(entries.map { NewEntry($0.key, $0.value.without(gone)) })
        default: self
        }
    }
}
