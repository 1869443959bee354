internal import RealmCore
internal import RealmLayout

/// A table of the new file, and the origin of its objects.
struct SalvageTarget {
    let definition: TableDefinition
    /// The table of the damaged file.
    let source: TablePosition
    /// The properties to copy, as indices in the source table.
    let properties: ByProperty<PropertyIndex>
    /// Whether the table holds objects that nothing refers to.
    let isLostAndFound: Bool
}

extension SalvageTarget {
    /// Name prefix of classes for objects that nothing refers to.
    static let lostAndFound = "lost_and_found"
}

/// Builds a valid schema from that of the damaged file.
struct SalvageSchema {
    private(set) var targets: ByTable<SalvageTarget> = []
    private var names: Set<String> = []
    /// Changes that were necessary.
    private(set) var changes: [FormatError] = []
    private let surveys: ByTable<TableSurvey>
    /// The new name of each table.
    private var tableNames: ByTable<String> = []

    init(_ surveys: ByTable<TableSurvey>) {
        self.surveys = surveys
        for survey in surveys {
            let schema = survey.core.schema
            let name = unique(schema.tableName, in: names)
            if name != schema.tableName { change(schema, nil, "the table is called \(name) now") }
            names.insert(name)
            tableNames.append(name)
        }
        for position in surveys.indices { add(position, as: tableNames[position], isLostAndFound: false) }
        for (position, survey) in surveys.indexed
        where !survey.orphans.isEmpty || !survey.keylessOrphans.isEmpty {
            let wanted = TableName.classPrefix + SalvageTarget.lostAndFound + "_" + survey.core.schema.name
            let name = unique(wanted, in: names)
            names.insert(name)
            add(position, as: name, isLostAndFound: true)
        }
    }

    private mutating func change(_ schema: TableSchema, _ property: String?, _ detail: String) {
        changes.append(FormatError(.badTable, detail).at(table: schema.tableName, property: property))
    }

    private mutating func add(_ position: TablePosition, as name: String, isLostAndFound: Bool) {
        let core = surveys[position].core
        let schema = core.schema
        var definition = TableDefinition(schema)
        definition.tableName = name
        if isLostAndFound { (definition.kind, definition.primaryKey) = (.topLevel, nil) }
        var properties: [PropertyDefinition] = []
        var numbers: ByProperty<PropertyIndex> = []
        var known: Set<String> = []
        var primaryKey: String?
        for (number, property) in zip(definition.properties.propertyIndexes, definition.properties) {
            if let problem = problem(core, number) {
                if !isLostAndFound { change(schema, property.name, problem) }
                continue
            }
            var copy = property
            copy.name = unique(property.name, in: known)
            if copy.name != property.name, !isLostAndFound {
                change(schema, property.name, "the property is called \(copy.name) now")
            }
            known.insert(copy.name)
            copy.target = core.columns[number].target.map { tableNames[$0] }
            if number == core.primaryKeyIndex, !isLostAndFound {
                if canBePrimaryKey(copy), definition.kind != .embedded {
                    primaryKey = copy.name
                } else {
                    change(schema, property.name, "the property cannot be a primary key")
                }
            }
            properties.append(copy)
            numbers.append(number)
        }
        definition.properties = properties
        definition.primaryKey = primaryKey
        targets.append(
            SalvageTarget(
                definition: definition, source: position, properties: numbers, isLostAndFound: isLostAndFound))
    }

    private func canBePrimaryKey(_ property: PropertyDefinition) -> Bool {
        [.int, .string, .objectId, .uuid].contains(property.type) && property.collection == nil
    }

    /// Returns the reason why a property cannot be written; nil if it can.
    private func problem(_ core: TableDescription, _ number: PropertyIndex) -> String? {
        let property = core.schema.properties[number]
        guard property.type == .link else { return nil }
        if case .dictionary(.int) = property.collection { return "dictionaries of links have strings as keys" }
        guard let target = core.columns[number].target, surveys.indices.contains(target) else {
            return "the table that it links to is lost"
        }
        switch surveys[target].core.schema.kind {
        case .embedded where property.collection == .set: return "a set cannot hold embedded objects"
        case .asymmetric: return "nothing can link to an asymmetric class"
        default: return nil
        }
    }

    /// Returns an unused name of valid length: `name` itself if possible.
    private func unique(_ name: String, in taken: Set<String>) -> String {
        if !name.isEmpty, name.utf8.count <= Limits.nameBytes, !taken.contains(name) { return name }
        let stem = name.isEmpty ? SalvageTarget.lostAndFound : name
        // Almost always ends at the first or second candidate.
        var number = 0
        while true {
            let suffix = number == 0 ? "" : "_\(taken.count + number)"
            let candidate = stem.shortened(to: Limits.nameBytes - suffix.utf8.count)
            if !taken.contains(candidate + suffix) { return candidate + suffix }
            number += 1
        }
    }
}
