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
