import RealmCore
import RealmExchange

/// The shape of a document in the `mongo` profile: types of values, not values.
indirect enum DocumentShape {
    case value(type: String)
    case array([DocumentShape])
    case document([(name: String, value: DocumentShape)])

    /// The BSON type.
    var type: String {
        switch self {
        case .value(let type): type
        case .array: "array"
        case .document: "object"
        }
    }

    /// Creates the shape of an object's document, with or without nulls.
    init(_ object: StoredObject, keepsNulls: Bool) throws {
        let schema = object.table.schema
        var fields: [(name: String, value: DocumentShape)] = []
        if schema.kind != .embedded {
            let key = try object.primaryKey ?? .int(object.key.value)
            fields.append((TableSchema.identityField, try DocumentShape(key, keepsNulls: keepsNulls)))
        }
        for (property, value) in zip(schema.properties, try object.values()) {
            let name = schema.fieldName(of: property)
            guard schema.kind == .embedded || name != TableSchema.identityField else { continue }
            let shape = try DocumentShape(value, keepsNulls: keepsNulls)
            if shape.type != "null" || keepsNulls { fields.append((name, shape)) }
        }
        self = .document(fields)
    }

    private init(_ value: Value, keepsNulls: Bool) throws {
        switch value {
        case .null: self = .value(type: "null")
        case .int: self = .value(type: "long")
        case .bool: self = .value(type: "bool")
        case .string, .malformedString: self = .value(type: "string")
        case .binary, .uuid: self = .value(type: "binData")
        case .timestamp: self = .value(type: "date")
        case .float, .double: self = .value(type: "double")
        case .decimal128: self = .value(type: "decimal")
        case .objectId: self = .value(type: "objectId")
        case .link(let link):
            // Tombstones and missing objects: null, or the tombstone's key inside collections.
            let key = try link.primaryKey() ?? (link.isUnresolved ? .null : .int(link.objectKey.value))
            self = try DocumentShape(key, keepsNulls: keepsNulls)
        case .embedded(let object): self = try DocumentShape(object, keepsNulls: keepsNulls)
        case .list(let values), .set(let values):
            self = .array(try values.map { try DocumentShape($0, keepsNulls: keepsNulls) })
        case .dictionary(let entries):
            self = .document(try entries.map { ("\($0.key)", try DocumentShape($0.value, keepsNulls: keepsNulls)) })
        }
    }
}
