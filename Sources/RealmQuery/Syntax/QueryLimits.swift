/// What a query may take, so that one from outside cannot exhaust the process.
enum QueryLimits {
    /// Levels of brackets, NOT and subqueries. Each takes frames of the parser's, the binder's and the engine's stack, up to 6 kB in all
    /// where nothing is optimised, and a thread may have 512 kB.
    static let depth = 50
    /// Levels of a query as a tree: a text within `depth` has no more, as brackets enclose an OR of ANDs, or a sum of products.
    static let treeDepth = 2 * depth + 10
    /// Subqueries in each other: with each of them there are as many times more objects to look at as lists are long.
    static let subqueries = 20
    /// Longer texts come from programs that should pass lists as arguments.
    static let textBytes = 4 << 20
}
