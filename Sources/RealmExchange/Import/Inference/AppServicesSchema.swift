internal import RealmCore
internal import RealmLayout

/// Reads the JSON schemas of App Services: the inverse of `DocumentSchema`.
struct AppServicesSchema {
    private let relationships: DocumentRelationships
    private(set) var tables: [TableDefinition] = []
    /// The document fields of properties with other names, by table.
    private(set) var fieldNames: [String: [String: String]] = [:]
    private var positions: [String: Int] = [:]
    private let classNames: Set<String>
    private static let depth = 100

    /// - Parameter names: The names of all collections.
    init(_ names: [String], relationships: DocumentRelationships) {
        classNames = Set(names)
        self.relationships = relationships
    }

    /// Adds the class of a collection, and those of nested objects.
    ///
    /// - Throws: `badSchema`.
    mutating func add(_ schema: JSONValue, collection: String) throws(DocumentError) {
        let object = schema["$jsonSchema"] ?? schema
        guard object["properties"]?.members != nil else {
            throw DocumentError(.badSchema, "not a JSON schema of documents: it has no `properties`")
        }
        let name = object["title"]?.text ?? collection
        _ = try table(object, name, kind: .topLevel, collection: collection, path: [], depth: 0)
    }

    /// The full table name of an object. Creates the table if necessary.
    private mutating func table(
        _ object: JSONValue, _ name: String, kind: TableKind, collection: String, path: [String], depth: Int
    ) throws(DocumentError) -> String {
        guard depth < Self.depth else {
            throw DocumentError(.tooDeep, "\(name.singleLine): objects too deep inside others")
        }
        let name = RealmName.table(name)
        var table = TableDefinition(class: name, kind: kind, [])
        // A class that occurs in several places, or within itself, is described once.
        if let known = positions[name] {
            guard kind == .embedded, tables[known].kind == .embedded else {
                throw DocumentError(.badSchema, "there are two classes \(name.singleLine)")
            }
            return tables[known].tableName
        }
        let position = tables.count
        positions[name] = position
        tables.append(table)
        let required = Set((object["required"]?.elements ?? []).compactMap(\.text))
        for (field, schema) in object["properties"]?.members ?? [] {
            let property = try self.property(
                RealmName.property(field), schema, of: name, isRequired: required.contains(field),
                collection: collection, path: path + [field], depth: depth)
            if kind == .topLevel, field == TableSchema.identityField {
                if [.int, .string, .objectId, .uuid].contains(property.type), property.collection == nil {
                    table.primaryKey = field
                } else {
                    throw DocumentError(.badSchema, "\(name.singleLine)._id: a primary key cannot be of this type")
                }
            }
            if property.name != field { fieldNames[table.tableName, default: [:]][property.name] = field }
            table.properties.append(property)
        }
        tables[position] = table
        return table.tableName
    }

    private mutating func property(
        _ name: String, _ schema: JSONValue, of table: String, isRequired: Bool, collection: String, path: [String],
        depth: Int
    ) throws(DocumentError) -> PropertyDefinition {
        let types = Self.types(schema)
        if let target = relationships.target(of: path, in: collection), classNames.contains(target) {
            let isSet = schema["uniqueItems"]?.isTrue ?? false
            let kind: CollectionKind? =
                types.contains("array") ? (isSet ? .set : .list) : types.contains("object") ? .dictionary(.string) : nil
            return PropertyDefinition(name, .link, collection: kind, target: TableName.classPrefix + target)
        }
        if types.contains("array") {
            let element = try property(
                name, schema["items"] ?? .object([]), of: table, isRequired: true, collection: collection, path: path,
                depth: depth + 1)
            let isSet = schema["uniqueItems"]?.isTrue ?? false
            guard element.collection == nil else { return PropertyDefinition(name, .mixed, collection: .list) }
            return PropertyDefinition(
                name, element.type, isNullable: element.isNullable, collection: isSet ? .set : .list,
                target: element.target)
        }
        if types.contains("object") {
            return try object(name, schema, of: table, collection: collection, path: path, depth: depth)
        }
        let known = types.compactMap { Self.scalars[$0] }
        guard known.count == 1, types.allSatisfy({ $0 == "null" || Self.scalars[$0] != nil }) else {
            return PropertyDefinition(name, .mixed)
        }
        return PropertyDefinition(name, known[0], isNullable: !isRequired || types.contains("null"))
    }

    private mutating func object(
        _ name: String, _ schema: JSONValue, of table: String, collection: String, path: [String], depth: Int
    ) throws(DocumentError) -> PropertyDefinition {
        if let title = schema["title"]?.text ?? (schema["properties"] == nil ? nil : "\(table)_\(name)") {
            let isKnown = positions[RealmName.table(title)] != nil
            if schema["properties"]?.members != nil || isKnown {
                let target = try self.table(
                    schema, title, kind: .embedded, collection: collection, path: path, depth: depth + 1)
                return PropertyDefinition(name, .link, target: target)
            }
        }
        guard let values = schema["additionalProperties"], values.members != nil else {
            return PropertyDefinition(name, .mixed, collection: .dictionary(.string))
        }
        let element = try property(
            name, values, of: table, isRequired: true, collection: collection, path: path, depth: depth + 1)
        guard element.collection == nil else {
            return PropertyDefinition(name, .mixed, collection: .dictionary(.string))
        }
        return PropertyDefinition(
            name, element.type, isNullable: element.isNullable, collection: .dictionary(.string), target: element.target
        )
    }

    private static func types(_ schema: JSONValue) -> [String] {
        switch schema["bsonType"] ?? schema["type"] {
        case .string(let type): [type]
        case .array(let types): types.compactMap(\.text)
        default: []
        }
    }

    private static let scalars: [String: StoredPropertyType] = [
        "int": .int, "long": .int, "integer": .int, "bool": .bool, "boolean": .bool, "string": .string,
        "double": .double, "number": .double, "float": .float, "decimal": .decimal128, "objectId": .objectId,
        "uuid": .uuid, "binData": .binary, "date": .timestamp,
    ]
}
