internal import RealmCore
internal import RealmLayout

/// The traits of a property in the file, as far as they follow from its type.
public struct _PropertyTraits {
    let type: PropertyType
    var isOptional = false
    var collection: RealmLayout.CollectionKind?
    /// The class that links lead to.
    var target: ObjectBase.Type?
    /// Whether the program converts stored values to its own, including missing ones.
    var isConverted = false

    init(_ type: PropertyType, target: ObjectBase.Type? = nil) {
        self.type = type
        self.target = target
    }

    /// The traits of an optional.
    var optional: _PropertyTraits {
        var traits = self
        traits.isOptional = true
        return traits
    }

    /// The traits of a type of the program that is stored as this one.
    var converted: _PropertyTraits {
        var traits = self
        traits.isConverted = true
        return traits
    }

    /// Returns the traits of a collection of these values.
    func inside(_ collection: RealmLayout.CollectionKind) -> _PropertyTraits {
        var traits = self
        traits.collection = collection
        return traits
    }
}

extension PropertyType {
    /// The type in the file; nil if it is computed.
    var stored: StoredPropertyType? {
        switch self {
        case .int: .int
        case .bool: .bool
        case .string: .string
        case .data: .binary
        case .date: .timestamp
        case .any: .mixed
        case .float: .float
        case .double: .double
        case .object: .link
        case .objectId: .objectId
        case .decimal128: .decimal128
        case .UUID: .uuid
        case .linkingObjects: nil
        }
    }

    init(_ stored: StoredPropertyType) {
        self =
            switch stored {
            case .int: .int
            case .bool: .bool
            case .string: .string
            case .binary: .data
            case .timestamp: .date
            case .mixed: .any
            case .float: .float
            case .double: .double
            case .link: .object
            case .objectId: .objectId
            case .decimal128: .decimal128
            case .uuid: .UUID
            }
    }
}
