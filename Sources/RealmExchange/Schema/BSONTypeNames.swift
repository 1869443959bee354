internal import RealmCore

extension StoredPropertyType {
    /// MongoDB's alias for the BSON type; nil for values of any type.
    var bsonName: String? {
        switch self {
        case .int: "long"
        case .bool: "bool"
        case .string: "string"
        case .binary, .uuid: "binData"
        case .mixed, .link: nil
        case .timestamp: "date"
        // BSON has no single-precision type.
        case .float, .double: "double"
        case .decimal128: "decimal"
        case .objectId: "objectId"
        }
    }

    /// The `bsonType` of App Services, which adds the types `uuid` and `mixed`.
    var appServicesName: String {
        switch self {
        case .uuid: "uuid"
        default: bsonName ?? "mixed"
        }
    }
}
