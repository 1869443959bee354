internal import RealmCore
internal import RealmLayout

/// The types of `@type`, as bits: two match if they have a bit in common.
struct TypeName: OptionSet, Sendable {
    let rawValue: Int64

    static let null = TypeName(rawValue: 1)
    static let int = TypeName(rawValue: 2)
    static let bool = TypeName(rawValue: 4)
    static let string = TypeName(rawValue: 8)
    static let binary = TypeName(rawValue: 16)
    static let timestamp = TypeName(rawValue: 32)
    static let float = TypeName(rawValue: 64)
    static let double = TypeName(rawValue: 128)
    static let decimal128 = TypeName(rawValue: 256)
    static let link = TypeName(rawValue: 512)
    static let objectId = TypeName(rawValue: 1024)
    static let uuid = TypeName(rawValue: 2048)
    static let dictionary = TypeName(rawValue: 4096)
    static let list = TypeName(rawValue: 8192)
    static let numeric: TypeName = [.int, .float, .double, .decimal128]
    static let collection: TypeName = [.dictionary, .list]

    /// Looks up a type name, ignoring case. Names of several programming languages are accepted, as in Realm.
    init?(_ name: String) {
        let names: [TypeName: [String]] = [
            .null: ["null"],
            .int: ["int", "integer", "int16", "int32", "int64", "short", "long", "byte", "char"],
            .bool: ["bool", "boolean"], .string: ["string"],
            .binary: ["binary", "data", "bytearray", "byte[]", "bindata"],
            .timestamp: ["date", "datetimeoffset", "timestamp"], .float: ["float"], .double: ["double"],
            .decimal128: ["decimal128", "decimal"], .link: ["objectlink", "link"], .objectId: ["objectid"],
            .uuid: ["uuid", "guid"], .numeric: ["numeric"], .dictionary: ["object", "dictionary"],
            .list: ["array", "list"], .collection: ["collection"],
        ]
        let wanted = name.lowercased()
        guard let found = names.first(where: { $0.value.contains(wanted) }) else { return nil }
        self = found.key
    }

    init(rawValue: Int64) { self.rawValue = rawValue }

    /// The type of a value.
    init(of value: Value) {
        self =
            switch value {
            case .null: .null
            case .int: .int
            case .bool: .bool
            case .string, .malformedString: .string
            case .binary: .binary
            case .timestamp: .timestamp
            case .float: .float
            case .double: .double
            case .decimal128: .decimal128
            case .objectId: .objectId
            case .uuid: .uuid
            case .link, .embedded: .link
            case .list, .set: .list
            case .dictionary: .dictionary
            }
    }
}

extension TypeName: Hashable {}

extension TypeName {
    /// The type of a property's values.
    init(of type: StoredPropertyType) {
        self =
            switch type {
            case .int: .int
            case .bool: .bool
            case .string: .string
            case .binary: .binary
            case .mixed: []
            case .timestamp: .timestamp
            case .float: .float
            case .double: .double
            case .decimal128: .decimal128
            case .link: .link
            case .objectId: .objectId
            case .uuid: .uuid
            }
    }
}
