/// Every bound that the toolkit puts on what it reads, with its reason. Bounds of the format itself are in Spec 90.
public enum Limits {
    /// Objects in a leaf of a cluster tree: Realm Core never makes more.
    package static let clusterObjects = 256
    /// Children of an inner node of a cluster tree: Realm Core never makes more.
    package static let clusterChildren = 256
    /// Levels of a cluster tree or B+tree. Trees of 256-ary or 1000-ary nodes have at most 8 for 2^63 objects; the
    /// 4-ary nodes of old test builds need up to 24 for files that were ever made.
    package static let treeDepth = 32
    /// Collections inside collections in a Mixed: Realm Core allows 100.
    package static let nestingDepth = 100
    /// Embedded objects inside embedded objects. Documents deeper than MongoDB's 100 levels cannot be stored there;
    /// the stack holds this many with room to spare.
    package static let embeddingDepth = 100
    /// Bytes of a table's or column's name.
    package static let nameBytes = 63
    /// Bytes of one string or binary, split or not: a node counts at most 2^24 - 1, histories hold more in parts.
    package static let nodeElements = 0xFF_FFFF
    /// Table slots of a group: the key has 16 bits for them.
    package static let tableSlots = 0xFFFF
    /// Columns of a table: the column key has 16 bits for the index.
    package static let columns = 0xFFFF
}
