internal import RealmCore
internal import RealmLayout

extension ValueType {
    /// The type of a value.
    init(_ value: Value) {
        switch value {
        case .null: self = .null
        case .int: self = .property(.int)
        case .bool: self = .property(.bool)
        case .string, .malformedString: self = .property(.string)
        case .binary: self = .property(.binary)
        case .timestamp: self = .property(.timestamp)
        case .float: self = .property(.float)
        case .double: self = .property(.double)
        case .decimal128: self = .property(.decimal128)
        case .objectId: self = .property(.objectId)
        case .uuid: self = .property(.uuid)
        case .link(let link): self = .link(link.table.schema.key)
        case .embedded(let object): self = .link(object.table.schema.key)
        case .list, .set, .dictionary: self = .property(.mixed)
        }
    }

    var isLink: Bool {
        if case .link = self { true } else { self == .property(.link) }
    }

    /// Whether it is, or may be, a number.
    var isNumber: Bool {
        switch self {
        case .property(let type): [.int, .float, .double, .decimal128, .mixed].contains(type)
        case .null, .link, .typeName: false
        }
    }

    /// Whether it is, or may be, a string or binary data.
    var canBeText: Bool {
        switch self {
        case .property(let type): [.string, .binary, .mixed].contains(type)
        case .null: true
        case .link, .typeName: false
        }
    }

    /// Whether values of the two types can be equal.
    func isComparable(with other: ValueType) -> Bool {
        if self == .null || other == .null || self == .property(.mixed) || other == .property(.mixed) { return true }
        if isNumber, other.isNumber { return true }
        switch (self, other) {
        case (.link(let left), .link(let right)): return left == nil || right == nil || left == right
        default: return self == other
        }
    }

    /// The type, worded for messages.
    var words: String {
        switch self {
        case .property(let type):
            switch type {
            case .int: "an integer"
            case .bool: "a bool"
            case .string: "a string"
            case .binary: "binary data"
            case .mixed: "a mixed value"
            case .timestamp: "a timestamp"
            case .float: "a float"
            case .double: "a double"
            case .decimal128: "a decimal"
            case .link: "a link"
            case .objectId: "an ObjectId"
            case .uuid: "a UUID"
            }
        case .link: "an object"
        case .typeName: "a type"
        case .null: "null"
        }
    }
}
