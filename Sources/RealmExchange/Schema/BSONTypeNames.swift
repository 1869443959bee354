internal import RealmReader

extension StoredPropertyType {
    /// The alias of the BSON type that MongoDB knows; nil for values of any type.
    var bsonName: String? {
        switch self {
        case .int: "long"
        case .bool: "bool"
        case .string: "string"
        case .binary, .uuid: "binData"
        case .mixed, .link: nil
        case .timestamp: "date"
        // Documents have no singles.
        case .float, .double: "double"
        case .decimal128: "decimal"
        case .objectId: "objectId"
        }
    }

    /// The `bsonType` of App Services, which has two names of its own.
    var appServicesName: String {
        switch self {
        case .uuid: "uuid"
        default: bsonName ?? "mixed"
        }
    }
}
