internal import RealmLayout

extension NewValue {
    /// Display name of the value's type.
    package var kindName: String {
        switch self {
        case .null: "null"
        case .int: "an int"
        case .bool: "a bool"
        case .float: "a float"
        case .double: "a double"
        case .string, .malformedString: "a string"
        case .binary: "a binary"
        case .timestamp: "a timestamp"
        case .decimal128: "a decimal128"
        case .objectId: "an objectId"
        case .uuid: "a uuid"
        case .link, .primaryKeyLink: "a link"
        case .embedded: "an embedded object"
        case .list: "a list"
        case .dictionary: "a dictionary"
        }
    }

    /// Display text of a primary key, or of the key of a dictionary's entry.
    package var text: String {
        switch self {
        case .int(let number): "\(number)"
        case .string(let text): "\"\(text.prefix(60))\""
        case .malformedString(let bytes): "0x\(Hexadecimal.text(Array(bytes.prefix(60))))"
        case .objectId(let id): "\(id)"
        case .uuid(let id): "\(id)"
        default: kindName
        }
    }
}
