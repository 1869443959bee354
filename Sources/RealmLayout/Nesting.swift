/// Things that are nested, up to a limit.
package enum Nesting: Sendable {
    /// Collections in a Mixed value.
    case collections
    /// Embedded objects.
    case embedding
    /// Embedded objects written from a damaged cluster.
    case damagedEmbedding
    /// Embedded objects and collections together.
    case values
    /// Tables of formats 2 to 9.
    case tables
    /// Nodes of a B+tree.
    case tree

    /// The greatest number of levels.
    package var limit: Int {
        switch self {
        case .collections: Limits.nestingDepth
        case .embedding: Limits.embeddingDepth
        case .damagedEmbedding: Limits.damagedEmbeddingDepth
        case .values: Limits.documentDepth
        case .tables: Limits.subtableDepth
        case .tree: Limits.treeDepth
        }
    }

    /// The message for more levels.
    package var excess: String {
        switch self {
        case .collections: "collections are nested more than \(limit) levels deep"
        case .embedding, .damagedEmbedding: "objects are embedded more than \(limit) levels deep"
        case .values: "values are nested more than \(limit) levels deep"
        case .tables: "tables are nested more than \(limit) levels deep"
        case .tree: "the B+tree has more than \(limit) levels"
        }
    }

    /// Checks a level; the outermost is 1.
    ///
    /// - Throws: `tooDeep` beyond the limit.
    package func check(level: Int, at ref: Ref? = nil) throws(FormatError) {
        guard level <= limit else { throw FormatError.tooDeep(self, at: ref) }
    }
}

extension FormatError {
    /// The error for more levels than the limit.
    @inline(never)
    package static func tooDeep(_ nesting: Nesting, at ref: Ref? = nil) -> FormatError {
        FormatError(.tooDeep, at: ref?.offset, nesting.excess)
    }
}
