internal import RealmCore
internal import RealmLayout

/// Infers a schema from the contents of documents if none is given.
///
/// `_id`, or another field if the options name one, becomes the primary key if all documents have one of a suitable
/// type. Nested documents become embedded
/// objects, or dictionaries if they have too many different keys or keys that are not valid property names. Values of
/// several types become Mixed. A field that is missing or null in some documents becomes nullable.
struct SchemaInference {
    private let nesting: ImportOptions.Nesting
    /// The field that becomes the primary key.
    private let primaryKeyField: String
    /// The links of each collection, by path.
    private let relationships: DocumentRelationships
    private(set) var tables: [TableDefinition] = []
    /// The document fields of properties with other names, by table.
    private(set) var fieldNames: [String: [String: String]] = [:]
    /// Classes whose documents have the field for the primary key, but not with suitable values.
    private(set) var missingPrimaryKeys: [ImportReport.MissingPrimaryKey] = []
    private let classNames: Set<String>
    private var tableNames: Set<String> = []

    /// - Parameter names: The names of all collections.
    init(
        _ names: [String], nesting: ImportOptions.Nesting, primaryKey: String? = nil,
        relationships: DocumentRelationships
    ) {
        self.nesting = nesting
        primaryKeyField = primaryKey ?? TableSchema.identityField
        self.relationships = relationships
        classNames = Set(names)
        tableNames = Set(names)
    }

    /// With more keys than this, a document is a dictionary.
    private static let mostProperties = 200
    /// Leaves room for the deepest Mixed values inside, so that documents can be exported again.
    private static let embeddingDepth = 12

    /// Adds the class of a collection, and those of nested documents.
    ///
    /// - Parameter isNumbered: Whether `_id` only numbers the documents, and is no property.
    mutating func add(_ name: String, _ statistics: DocumentStatistics, isNumbered: Bool = false) {
        var table = TableDefinition(class: name, [])
        let position = tables.count
        tables.append(table)
        let names = Self.propertyNames(statistics)
        for (index, field) in statistics.fields.enumerated() {
            guard let property = names[index] else { continue }
            let fieldName = String(decoding: statistics.names[index], as: UTF8.self)
            if isNumbered, fieldName == TableSchema.identityField { continue }
            if fieldName == primaryKeyField {
                if let key = primaryKey(property, field, isInAll: field.count == statistics.count) {
                    table.primaryKey = property
                    table.properties.append(key)
                    if property != fieldName { fieldNames[table.tableName, default: [:]][property] = fieldName }
                    continue
                }
                missingPrimaryKeys.append(
                    .init(className: name, field: fieldName, reason: Self.reason(field, statistics.count)))
            }
            // A non-key property called `_id` would have another field name, as in exports.
            if property != fieldName || fieldName == TableSchema.identityField {
                fieldNames[table.tableName, default: [:]][property] = fieldName
            }
            table.properties.append(
                self.property(
                    property, field, of: name, path: [fieldName], collection: name,
                    isInAll: field.count == statistics.count, depth: 0))
        }
        tables[position] = table
    }

    /// Adds the class of a CSV file. Columns have the type given by their names, or else one that all their texts can
    /// be parsed as.
    mutating func add(_ name: String, _ columns: [CSVColumn], _ statistics: DocumentStatistics) {
        let fields = Dictionary(
            zip(statistics.names, statistics.fields), uniquingKeysWith: { first, _ in first })
        var table = TableDefinition(class: name, [])
        var used: Set<String> = []
        for column in columns where used.insert(column.name).inserted {
            let field = fields[Array(column.name.utf8)]
            let type = column.type ?? field?.spelled.type ?? .string
            let nulls = field?.nullCount ?? 0
            let isIdentity = column.name == TableSchema.identityField
            let property = RealmName.property(column.name)
            if column.name == primaryKeyField {
                if nulls <= 1 || column.type != nil, [.int, .string, .objectId, .uuid].contains(type) {
                    table.primaryKey = property
                } else {
                    let words =
                        nulls > 1
                        ? "it is empty in \(nulls) lines"
                        : "its values are of the type \(type.rawValue), and keys are integers, strings, ObjectIds or UUIDs"
                    missingPrimaryKeys.append(.init(className: name, field: column.name, reason: words))
                }
            }
            if property != column.name || isIdentity && table.primaryKey != property {
                fieldNames[table.tableName, default: [:]][property] = column.name
            }
            table.properties.append(
                PropertyDefinition(property, type, isNullable: table.primaryKey != property || nulls > 0))
        }
        tables.append(table)
    }

    private func primaryKey(_ name: String, _ field: FieldStatistics, isInAll: Bool) -> PropertyDefinition? {
        // One object can have null as its primary key.
        guard isInAll, field.nullCount <= 1 else { return nil }
        let type: StoredPropertyType
        switch field.types.subtracting([.wideInt, .null]) {
        case .int: type = .int
        case .string: type = .string
        case .objectId: type = .objectId
        case .uuid: type = .uuid
        default: return nil
        }
        return PropertyDefinition(name, type, isNullable: field.nullCount > 0)
    }

    /// The reason why a field cannot be a primary key.
    private static func reason(_ field: FieldStatistics, _ count: Int) -> String {
        if field.count < count { return "it is missing in \(count - field.count) of \(count) documents" }
        if field.nullCount > 1 { return "it is null in \(field.nullCount) documents" }
        let types = field.types.names
        return types.count == 1
            ? "its values are of the type \(types[0]), and keys are integers, strings, ObjectIds or UUIDs"
            : "its values are of several types: \(types.joined(separator: ", "))"
    }

    /// The names of properties: those of the fields, shortened if they are too long for Realm; nil for a field that
    /// cannot become a property.
    private static func propertyNames(_ statistics: DocumentStatistics) -> [String?] {
        var used: Set<ExactName> = []
        return statistics.names.map { bytes in
            guard let name = String(validating: bytes, as: UTF8.self), !name.isEmpty else { return nil }
            var property = name == TableSchema.identityField ? name : RealmName.property(name)
            while !used.insert(ExactName(property)).inserted { property += "_" }
            return property
        }
    }

    private mutating func property(
        _ name: String, _ field: FieldStatistics, of table: String, path: [String], collection: String, isInAll: Bool,
        depth: Int
    ) -> PropertyDefinition {
        let mixed = PropertyDefinition(name, .mixed)
        let types = field.types.subtracting(.wideInt)
        let isNullable = !isInAll || types.contains(.null)
        if let target = relationships.target(of: path, in: collection), classNames.contains(target) {
            return PropertyDefinition(
                name, .link, isNullable: true, collection: types.contains(.array) ? .list : nil,
                target: TableName.classPrefix + target)
        }
        switch types.subtracting(.null) {
        case .array:
            guard let elements = field.elements else { return mixed }
            let element = self.property(
                name, elements, of: table, path: path, collection: collection, isInAll: true, depth: depth)
            guard element.collection == nil, !(element.type == .link && elements.types.contains(.null)) else {
                return PropertyDefinition(name, .mixed, collection: .list)
            }
            return PropertyDefinition(
                name, element.type, isNullable: element.isNullable, collection: .list, target: element.target)
        case .document:
            guard let documents = field.documents else { return mixed }
            return nested(name, documents, of: table, path: path, collection: collection, depth: depth)
        case .reference:
            guard field.references.count == 1, let target = field.references.first, classNames.contains(target) else {
                return mixed
            }
            return PropertyDefinition(name, .link, target: TableName.classPrefix + target)
        case let rest:
            guard let type = Self.scalar(rest, isWide: field.types.contains(.wideInt)) else { return mixed }
            return PropertyDefinition(name, type, isNullable: isNullable)
        }
    }

    /// The type that holds all values of these types unchanged.
    private static func scalar(_ types: FieldStatistics.Types, isWide: Bool) -> StoredPropertyType? {
        switch types.subtracting(.unmappable) {
        case .int: .int
        case .double: .double
        case [.int, .double]: isWide ? nil : .double
        case .bool: .bool
        case .string: .string
        case .binary: .binary
        case .uuid: .uuid
        case .date: .timestamp
        case .decimal: .decimal128
        case .objectId: .objectId
        default: nil
        }
    }

    private mutating func nested(
        _ name: String, _ documents: DocumentStatistics, of table: String, path: [String], collection: String,
        depth: Int
    ) -> PropertyDefinition {
        let names = Self.propertyNames(documents)
        let canBeObject =
            nesting == .embedded && !documents.hasMore && documents.fields.count <= Self.mostProperties
            && depth < Self.embeddingDepth && !documents.fields.isEmpty
            && !names.contains { $0 == nil }
        guard canBeObject else {
            return nesting == .mixed
                ? PropertyDefinition(name, .mixed) : dictionary(name, documents, of: table, path: path, collection)
        }
        var className = RealmName.table("\(table)_\(name)")
        while !tableNames.insert(className).inserted { className = RealmName.table(className + "_") }
        var definition = TableDefinition(class: className, kind: .embedded, [])
        let position = tables.count
        tables.append(definition)
        for (index, field) in documents.fields.enumerated() {
            guard let property = names[index] else { continue }
            let fieldName = String(decoding: documents.names[index], as: UTF8.self)
            if property != fieldName { fieldNames[definition.tableName, default: [:]][property] = fieldName }
            definition.properties.append(
                self.property(
                    property, field, of: className, path: path + [fieldName], collection: collection,
                    isInAll: field.count == documents.count, depth: depth + 1))
        }
        tables[position] = definition
        return PropertyDefinition(name, .link, target: definition.tableName)
    }

    /// A dictionary of values of one type if all values have it, otherwise of Mixed values.
    private mutating func dictionary(
        _ name: String, _ documents: DocumentStatistics, of table: String, path: [String], _ collection: String
    ) -> PropertyDefinition {
        var types = documents.others.types
        for field in documents.fields { types.formUnion(field.types) }
        let values = types.subtracting([.null, .wideInt])
        let type = Self.scalar(values, isWide: types.contains(.wideInt)) ?? .mixed
        return PropertyDefinition(
            name, type, isNullable: types.contains(.null), collection: .dictionary(.string))
    }
}

/// Names that satisfy Realm's limits.
enum RealmName {
    /// Maximum length of a class name in bytes: 63 including the table prefix.
    private static let longestClass = 57

    /// The name of a property; if too long, its beginning with a hash.
    static func property(_ name: String) -> String { shortened(name, Limits.nameBytes) }

    /// The name of a class.
    static func table(_ name: String) -> String { shortened(name, longestClass) }

    private static func shortened(_ name: String, _ longest: Int) -> String {
        guard name.utf8.count > longest else { return name }
        let hash = "_" + String(name.utf8.reduce(0x811C_9DC5 as UInt32) { ($0 ^ UInt32($1)) &* 0x0100_0193 }, radix: 16)
        return name.shortened(to: longest - hash.utf8.count) + hash
    }
}
