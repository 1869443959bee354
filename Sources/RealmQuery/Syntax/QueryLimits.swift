/// What a query may take, so that one from outside cannot exhaust the process.
enum QueryLimits {
    /// Levels of brackets, NOT and subqueries: each takes frames of the parser's and the evaluation's stack.
    static let depth = 200
    /// Longer texts come from programs that should pass lists as arguments.
    static let textBytes = 4 << 20
}
