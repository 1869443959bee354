package import RealmCore
internal import RealmLayout
package import RealmStore

/// A schema and objects determined by a seed, with everything that a file can contain.
package struct RandomDatabase {
    package var schema: SchemaDefinition
    private var random: Numbers
    /// The objects that were built.
    package private(set) var objects: [ObjectReference: [String: NewValue]] = [:]
    /// The primary keys of each class, beginning with those of tombstones.
    private var primaryKeys: [String: [NewValue]] = [:]
    private var tombstoneCounts: [String: Int] = [:]
    private var references: [String: [ObjectReference]] = [:]
    /// Classes whose objects get keys that do not ascend.
    private var chosenKeys: [String: [ObjectKey]] = [:]
    private var objectCounts: [String: Int] = [:]
    /// Limits the total, because long collections and many objects take time.
    private var room = 6000

    package init(seed: UInt64) {
        var random = Numbers(state: seed)
        for _ in 0..<4 { _ = random.next() }
        schema = RandomSchema.make(&random)
        self.random = random
        for table in schema.tables where table.kind != .embedded {
            let count = [0, 1, 2, 3, 8, 20, 60, 255, 256, 257, 300].randomElement(using: &self.random) ?? 0
            let limited = min(count, max(2, room / (table.properties.count + 1)))
            room -= limited * (table.properties.count + 1)
            objectCounts[table.name] = limited
        }
        for table in schema.tables { choosePrimaryKeys(table) }
    }

    /// Continues with another content.
    ///
    /// - Parameter tombstones: the primary keys of the tombstones of each class.
    package mutating func adopt(
        _ schema: SchemaDefinition, _ objects: [ObjectReference], tombstones: [String: [NewValue]]
    ) {
        self.schema = schema
        references = Dictionary(grouping: objects.sorted { $0.key < $1.key }) { $0.className }
        (primaryKeys, tombstoneCounts, chosenKeys) = (tombstones, tombstones.mapValues { $0.count }, [:])
        room = 6000
    }

    /// Writes everything.
    ///
    /// - Returns: the content written.
    package mutating func build(_ builder: RealmBuilder) throws -> BuiltContent {
        var content = BuiltContent(schema)
        var added: [(ObjectReference, [String: NewValue])] = []
        for table in schema.tables {
            for primaryKey in (primaryKeys[table.name] ?? []).prefix(tombstoneCounts[table.name] ?? 0) {
                content.note(try builder.addTombstone(table.name, primaryKey: primaryKey), primaryKey: primaryKey)
            }
        }
        var order: [String] = []
        for table in schema.tables { order += [String](repeating: table.name, count: objectCounts[table.name] ?? 0) }
        if random.chance(2) { order.shuffle(using: &random) }
        var next: [String: Int] = [:]
        for name in order {
            guard let table = schema.tables.first(where: { $0.name == name }) else { continue }
            let number = next[name, default: 0]
            next[name] = number + 1
            var values = object(table, depth: 0)
            if let primaryKey = table.primaryKey {
                values[primaryKey] = primaryKeys[name]?[number + (tombstoneCounts[name] ?? 0)]
            }
            let reference = try builder.add(name, values, key: chosenKeys[name]?[number])
            if let primaryKey = table.primaryKey { content.note(reference, primaryKey: values[primaryKey] ?? .null) }
            references[name, default: []].append(reference)
            added.append((reference, values))
        }
        try builder.finish()
        for (reference, values) in added {
            content.add(reference, values)
            objects[reference] = values
        }
        return content
    }

    /// Returns the values of an object, in which links refer to objects that were built.
    package mutating func randomObject(_ table: TableDefinition) -> [String: NewValue] { object(table, depth: 0) }

    /// Returns the value of a property, as in `randomObject`.
    package mutating func randomValue(_ property: PropertyDefinition) -> NewValue { value(property, depth: 0) }

    /// Returns the primary keys of the tombstones that a class had.
    package func tombstoneKeys(of className: String) -> [NewValue] {
        Array((primaryKeys[className] ?? []).prefix(tombstoneCounts[className] ?? 0))
    }

    private mutating func choosePrimaryKeys(_ table: TableDefinition) {
        let count = objectCounts[table.name] ?? 0
        let property = table.properties.first { $0.name == table.primaryKey }
        if random.chance(5), table.kind == .topLevel {
            var keys: Set<Int64> = []
            while keys.count < count {
                let largest: Int64 = [1000, 1 << 20, 1 << 40, (1 << 62) - 1].randomElement(using: &random) ?? 1000
                keys.insert(Int64.random(in: 0...largest, using: &random))
            }
            chosenKeys[table.name] = keys.sorted().shuffled(using: &random).map { ObjectKey($0) }
        }
        guard let property else { return }
        let tombstones = chosenKeys[table.name] == nil && table.kind == .topLevel && random.chance(4) ? 3 : 0
        tombstoneCounts[table.name] = tombstones
        var keys: [NewValue] = []
        var seen: Set<String> = []
        var number = 0
        while keys.count < count + tombstones {
            number += 1
            let key: NewValue =
                number == 1 && property.isNullable
                ? .null
                : random.chance(2)
                    ? random.scalar(property.type, number)
                    : random.unique(property.type, number)
            if seen.insert("\(key)").inserted { keys.append(key) }
        }
        primaryKeys[table.name] = keys.shuffled(using: &random)
    }

    // MARK: Objects

    private mutating func object(_ table: TableDefinition, depth: Int) -> [String: NewValue] {
        var values: [String: NewValue] = [:]
        for property in table.properties {
            let canBeAbsent = property.isNullable || property.collection != nil
            if canBeAbsent, random.chance(6) { continue }
            values[property.name] = value(property, depth: depth)
        }
        return values
    }

    private mutating func value(_ property: PropertyDefinition, depth: Int) -> NewValue {
        switch property.collection {
        case nil: return single(property, depth: depth)
        case .list: return .list(elements(property, depth: depth))
        case .set: return .list(elements(property, depth: depth))
        case .dictionary(let keyType):
            var entries: [NewEntry] = []
            for (number, element) in elements(property, depth: depth).enumerated() {
                let text: NewValue = number == 0 && random.chance(2) ? "" : .string(random.word() + "\(number)")
                entries.append(NewEntry(keyType == .int ? .int(Int64(number) * 7 - 3) : text, element))
            }
            return .dictionary(entries.shuffled(using: &random))
        }
    }

    private mutating func elements(_ property: PropertyDefinition, depth: Int) -> [NewValue] {
        var count = [0, 1, 2, 3, 5].randomElement(using: &random) ?? 0
        if room > 1000, random.chance(12), depth == 0, property.type != .mixed, !isEmbedded(property) {
            count = [999, 1000, 1001].randomElement(using: &random) ?? 0
            room -= count
        }
        var elements: [NewValue] = []
        for _ in 0..<count {
            let element =
                property.collection == .set && [.double, .float, .decimal128, .mixed].contains(property.type)
                ? random.setElement(property.type) : single(property, depth: depth, isElement: true)
            // There may be no object to link to.
            if case .null = element, property.type == .link, !property.isNullable { continue }
            elements.append(element)
        }
        return elements
    }

    private func isEmbedded(_ property: PropertyDefinition) -> Bool {
        schema.tables.contains { $0.tableName == property.target && $0.kind == .embedded }
    }

    private mutating func single(_ property: PropertyDefinition, depth: Int, isElement: Bool = false) -> NewValue {
        if property.type == .mixed { return mixed(depth: 0) }
        if property.type != .link || property.isNullable, property.isNullable, random.chance(5) { return .null }
        guard property.type == .link else {
            let value = random.scalar(property.type, nil)
            guard property.index != .none, property.collection == .list, case .string(let text) = value else {
                return value
            }
            // Realm Core's index of lists does not accept longer ones.
            return .string(String(text.unicodeScalars.filter(\.isASCII).prefix(200).map { Character($0) }))
        }
        guard let target = schema.tables.first(where: { $0.tableName == property.target }) else { return .null }
        guard target.kind == .embedded else { return link(to: target, isMixed: false) ?? .null }
        guard depth < 3 else { return .null }
        return .embedded(object(target, depth: depth + 1))
    }

    private mutating func link(to table: TableDefinition, isMixed: Bool) -> NewValue? {
        if let keys = primaryKeys[table.name], chosenKeys[table.name] == nil, random.chance(2) {
            guard let key = keys.randomElement(using: &random) else { return nil }
            return isMixed ? .link(table.name, primaryKey: key) : .link(primaryKey: key)
        }
        return references[table.name]?.randomElement(using: &random).map { .link($0) }
    }

    private mutating func mixed(depth: Int) -> NewValue {
        switch Int.random(in: 0..<14, using: &random) {
        case 0: return .null
        case 1:
            let targets = schema.tables.filter { $0.kind == .topLevel }
            return targets.randomElement(using: &random).flatMap { link(to: $0, isMixed: true) } ?? .null
        case 2 where depth < 4:
            return .list((0..<Int.random(in: 0...4, using: &random)).map { _ in mixed(depth: depth + 1) })
        case 3 where depth < 4:
            return .dictionary(
                (0..<Int.random(in: 0...4, using: &random)).map {
                    NewEntry(.string(random.word() + "\($0)"), mixed(depth: depth + 1))
                })
        default:
            let type = RandomSchema.scalars.randomElement(using: &random) ?? .int
            return random.scalar(type, nil)
        }
    }
}
