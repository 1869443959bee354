internal import RealmWriter
internal import RealmLayout
internal import RealmReader

/// A table of the new file, and where its objects come from.
struct SalvageTarget {
    let definition: TableDefinition
    /// The damaged file's table.
    let source: TablePosition
    /// The properties of that table that the new one has.
    let properties: ByProperty<PropertyIndex>
    /// Whether it is for objects that have lost their place.
    let isLostAndFound: Bool
}

extension SalvageTarget {
    /// What a class begins with that holds what has lost its place.
    static let lostAndFound = "lost_and_found"
}

/// Makes a schema that can be written of whatever the damaged file has.
struct SalvageSchema {
    private(set) var targets: ByTable<SalvageTarget> = []
    private var names: Set<String> = []
    /// What had to be changed.
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

    /// Why a property cannot be written.
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

    /// A name of at most as many bytes as names have, that is not taken: that one, where it is such a name.
    private func unique(_ name: String, in taken: Set<String>) -> String {
        if !name.isEmpty, name.utf8.count <= Limits.nameBytes, !taken.contains(name) { return name }
        let stem = name.isEmpty ? SalvageTarget.lostAndFound : name
        // Nearly always the first or the second is free.
        var number = 0
        while true {
            let suffix = number == 0 ? "" : "_\(taken.count + number)"
            let candidate = stem.shortened(to: Limits.nameBytes - suffix.utf8.count)
            if !taken.contains(candidate + suffix) { return candidate + suffix }
            number += 1
        }
    }
}
