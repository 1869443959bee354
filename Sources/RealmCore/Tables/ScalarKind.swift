internal import RealmLayout

/// The kinds of values that loops over properties distinguish.
@usableFromInline
package enum ScalarKind: UInt8, BitwiseCopyable, Sendable {
    case int
    case nullableInt
    case bool
    case float
    case double
    case string
    case binary
    case timestamp
    case decimal128
    case objectId
    case uuid
    case mixed
    /// An independent object.
    case link
    /// An embedded object, owned by the object with the property.
    case embedded

    /// Determines the kind of a property's values.
    package init(_ type: StoredPropertyType, isNullable: Bool, isEmbedded: Bool) {
        self =
            switch type {
            case .int: isNullable ? .nullableInt : .int
            case .bool: .bool
            case .string: .string
            case .binary: .binary
            case .mixed: .mixed
            case .timestamp: .timestamp
            case .float: .float
            case .double: .double
            case .decimal128: .decimal128
            case .link: isEmbedded ? .embedded : .link
            case .objectId: .objectId
            case .uuid: .uuid
            }
    }
}

extension ScalarKind {
    /// Whether the values are non-null integers, for loops of other modules.
    @inlinable package var isInt: Bool { if case .int = self { true } else { false } }
}
