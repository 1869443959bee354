/// Limits for queries from untrusted sources, so that they cannot exhaust the process.
enum QueryLimits {
    /// Maximum nesting depth of brackets, NOT and subqueries. Each level takes stack frames of the parser, the binder
    /// and the engine, up to 6 kB without optimisation, and a thread may have a stack of 512 kB.
    static let depth = 50
    /// Maximum depth of a query tree. A text within `depth` stays below it, because brackets enclose an OR of ANDs, or
    /// a sum of products.
    static let treeDepth = 2 * depth + 10
    /// Maximum nesting depth of subqueries. Each level multiplies the number of objects to evaluate by the lengths of
    /// the lists.
    static let subqueries = 20
    /// Maximum length of a text; programs should pass long lists as arguments.
    static let textBytes = 4 << 20
}
