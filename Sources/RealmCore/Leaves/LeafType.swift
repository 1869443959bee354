package import RealmLayout

/// The content of a column, or of the elements of a collection; it determines the possible encodings (Spec 30).
@usableFromInline
package enum LeafType: Equatable, Sendable, BitwiseCopyable {
    case int(nullable: Bool)
    case bool
    case string
    case binary
    case timestamp
    case float
    case double
    case decimal128
    case objectId
    case uuid
    case mixed
    /// Object keys; `biased` in clusters, where key + 1 is stored.
    case link(biased: Bool)
    /// Strings of formats 2 to 9: different null flags, and null means "empty" if not nullable.
    case legacyString(nullable: Bool)
    /// Binaries of formats 2 to 9: possibly without null flags, and null means "empty" if not nullable.
    case legacyBinary(nullable: Bool)
    /// Refs of collections, one per object.
    case collections
    case backlinks
}

extension LeafType {
    /// Determines the content of the leaves of a column of that type, or of its collections.
    ///
    /// - Parameter isLegacy: whether the leaves are of formats 2 to 9.
    package init(of type: ColumnType, isNullable: Bool, in collection: CollectionKind?, isLegacy: Bool = false) {
        // The values of a dictionary are Mixed, regardless of the column's type.
        if case .dictionary = collection {
            self = .mixed
            return
        }
        self =
            switch type {
            case .int: .int(nullable: isNullable)
            case .bool: .bool
            case .string: isLegacy ? .legacyString(nullable: isNullable) : .string
            case .binary: isLegacy ? .legacyBinary(nullable: isNullable) : .binary
            case .mixed, .list, .set, .dictionary, .typedLink: .mixed
            case .timestamp: .timestamp
            case .float: .float
            case .double: .double
            case .decimal128: .decimal128
            case .link, .linkList: .link(biased: collection == nil)
            case .backLink: .backlinks
            case .objectId: .objectId
            case .uuid: .uuid
            }
    }
}
