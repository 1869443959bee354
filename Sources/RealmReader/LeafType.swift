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
    /// Refs of collections, one an object.
    case collections
    case backlinks
}
