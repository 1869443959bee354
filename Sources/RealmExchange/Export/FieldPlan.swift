internal import RealmLayout
internal import RealmReader

/// How a value is turned into one of a document.
enum ValueForm: UInt8, BitwiseCopyable {
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
    /// The identity of an object of another document.
    case link
    /// A document inside the document.
    case embedded

    /// The form of a property's values.
    init(_ type: PropertyType, isNullable: Bool, isEmbedded: Bool) {
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

/// How a property holds its values.
enum FieldShape: UInt8, BitwiseCopyable {
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

/// One property of a class, ready for the writing loop.
struct FieldPlan: BitwiseCopyable {
    /// The name as the sink takes it.
    let key: ByteView
    /// The form of the value, or of a collection's elements.
    let form: ValueForm
    let shape: FieldShape
    /// How elements of a collection are read.
    let elementType: LeafType
    /// Whether values in a dictionary of links are identities, not DBRefs.
    let hasPlainLinks: Bool
    /// The position of the table that links lead to; -1 for none.
    let target: Int32
    /// The form of the primary key of the class that links lead to; nil where there is none.
    var targetIdentity: ValueForm?

    var targetPosition: Int { Int(truncatingIfNeeded: target) }
}

/// One table, ready for the writing loop.
struct TablePlan: BitwiseCopyable {
    enum Identity: UInt8, BitwiseCopyable {
        case primaryKey
        case objectKey
    }

    /// The fields are `fields[firstField ..< firstField + fieldCount]` of the plan.
    let firstField: Int
    let fieldCount: Int
    let identity: Identity
    /// The number of the primary key among the fields; -1 for none.
    let primaryField: Int
    /// Whether the primary key is called `_id` and so not written a second time.
    let isPrimaryKeyIdentity: Bool
    let isEmbedded: Bool
    /// The bytes of all fields' keys and of the identity's together.
    let keyBytes: Int
    /// The class's name as a string of a DBRef.
    let name: ByteView
}
