package import RealmLayout

/// Which encodings a leaf may have: what a column, or the elements of a collection, hold (Spec 30).
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
    /// Strings of formats 2 to 9: other null flags, and where there is no null it means "empty".
    case legacyString(nullable: Bool)
    /// Binaries of formats 2 to 9: maybe without null flags, and where there is no null it means "empty".
    case legacyBinary(nullable: Bool)
    /// Refs of collections, one an object.
    case collections
    case backlinks
}

extension LeafType {
    /// What leaves hold: those of a column of that type, or those of its collections.
    ///
    /// - Parameter isLegacy: whether the leaves are of formats 2 to 9.
    package init(of type: ColumnType, isNullable: Bool, in collection: CollectionKind?, isLegacy: Bool = false) {
        // The values of a dictionary are Mixed, whatever the column says.
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
