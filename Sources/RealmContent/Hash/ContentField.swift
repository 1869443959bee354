internal import RealmReader

/// How a value is written as bytes of content.
enum ContentForm: UInt8, BitwiseCopyable {
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
    case link

    init(_ property: StoredProperty) {
        self =
            switch property.type {
            case .int: property.isNullable ? .nullableInt : .int
            case .bool: .bool
            case .string: .string
            case .binary: .binary
            case .mixed: .mixed
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

/// How a property holds its values.
enum ContentShape: UInt8, BitwiseCopyable {
    case value
    case list
    case set
    case stringDictionary
    case intDictionary

    init(_ collection: CollectionKind?) {
        self =
            switch collection {
            case nil: .value
            case .list: .list
            case .set: .set
            case .dictionary(.string): .stringDictionary
            case .dictionary(.int): .intDictionary
            }
    }
}

/// A property as the writing loop needs it.
struct ContentField {
    /// The property's index in the schema.
    let property: Int
    let column: Column
    let form: ContentForm
    let shape: ContentShape
}

/// A property with its leaf of the cluster at hand.
struct OpenField: BitwiseCopyable {
    let leaf: ColumnLeaf
    let form: ContentForm
    let shape: ContentShape
    /// How elements of a collection are read.
    let elementType: LeafType
    /// The position of the table that links lead to; -1 for none.
    let target: Int

    init(_ field: ContentField, _ leaf: ColumnLeaf) {
        self.leaf = leaf
        form = field.form
        shape = field.shape
        elementType = field.column.elementType
        target = field.column.targetIndex ?? -1
    }
}
