/// All bounds that the toolkit puts on its input, with their reasons. Bounds of the format itself are in Spec 90.
@usableFromInline
package enum Limits {
    /// Objects in a leaf of a cluster tree: Realm Core never makes more.
    @inlinable package static var clusterObjects: Int { 256 }
    /// Children of an inner node of a cluster tree: Realm Core never makes more.
    @inlinable package static var clusterChildren: Int { 256 }
    /// Elements of a leaf of a B+tree, children of its inner nodes, and entries of a node of a search index: Realm Core
    /// never makes more.
    @inlinable package static var treeElements: Int { 1000 }
    /// Bytes of a node of plain bytes: Realm Core never makes more (Spec 90).
    @inlinable package static var blobBytes: Int { 16_777_200 }
    /// Bytes of a string: a zero follows it in the node.
    @inlinable package static var stringBytes: Int { blobBytes - 1 }
    /// No node crosses a multiple of this: Realm Core maps files in sections of this size (Spec 165).
    @inlinable package static var sectionSize: Int { 1 << 26 }
    /// Elements of a leaf in formats 2 to 9, and thus objects of a cluster that presents such leaves.
    @inlinable package static var legacyLeafElements: Int { 1000 }
    /// Subtables nested in subtables, and tables in Mixed values, of formats 2 to 9. Programs had to spell out each
    /// level.
    package static var subtableDepth: Int { 16 }
    /// Bytes of memory per byte of a file of formats 2 to 9, for data that must be rewritten to be read. Ordinary files
    /// take a hundredth of a byte; small strings in Mixed columns about five.
    package static var overlayBytesPerByte: Int { 8 }
    /// Levels of a cluster tree or B+tree. Trees of 256-ary or 1000-ary nodes have at most 8 for 2^63 objects; the
    /// 4-ary nodes of old test builds reach 24 in the largest files ever made.
    @inlinable package static var treeDepth: Int { 32 }
    /// Nested nodes of any kind. The most deeply nested values have some hundreds; search trees of formats 2 to 5 have
    /// a level for each byte or two of a long string.
    @inlinable package static var nodeDepth: Int { 4096 }
    /// Nested collections in a Mixed: Realm Core allows 100.
    @inlinable package static var nestingDepth: Int { 100 }
    /// Nested embedded objects. Documents deeper than MongoDB's limit of 100 levels cannot be stored there; the stack
    /// holds this many with room to spare.
    @inlinable package static var embeddingDepth: Int { 100 }
    /// Nested embedded objects written from a damaged cluster: each level records its omissions, which takes more of
    /// the stack, and no real database nests as deeply.
    @inlinable package static var damagedEmbeddingDepth: Int { 40 }
    /// Nested documents and arrays in one document, embedded objects and collections together. Values of any depth that
    /// Realm Core allows fit, inside some embedded objects; threads with small stacks hold this many.
    @inlinable package static var documentDepth: Int { 128 }
    /// Bytes of a table or column name.
    @inlinable package static var nameBytes: Int { 63 }
    /// Bytes of one string or binary, split or not: a node's count is at most 2^24 - 1; histories store longer values
    /// in parts.
    @inlinable package static var nodeElements: Int { 0xFF_FFFF }
    /// Table slots of a group: the table key has 16 bits for them.
    @inlinable package static var tableSlots: Int { 0xFFFF }
    /// Columns of a table: the column key has 16 bits for the index.
    @inlinable package static var columns: Int { 0xFFFF }
}
