/// Options for running a query. None of them changes the result in an intact file.
///
/// ```swift
/// print(try people.count(matching: ObjectQuery("age > 60"), options: QueryOptions(usesIndexes: false)))
/// ```
public struct QueryOptions: Sendable {
    /// Whether search indexes may provide the candidates.
    ///
    /// Candidates from an index are verified, once for each value in a snapshot if the index was right. Unlike in
    /// Realm, a damaged index therefore never yields an object with another value. Objects missing from a damaged index
    /// are not found, as in Realm: finding them would take as long as a query without the index. `verify --deep` checks
    /// indexes.
    public var usesIndexes: Bool
    /// Limits on work, results and time.
    public var budget: QueryBudget
    /// Minimum number of objects per part when several tasks sort or deduplicate a result.
    package var partSize = 1 << 13

    /// Creates options, with indexes and without limits by default.
    public init(usesIndexes: Bool = true, budget: QueryBudget = QueryBudget()) {
        self.usesIndexes = usesIndexes
        self.budget = budget
    }
}

/// Limits for queries from untrusted sources, which could otherwise run for years. A query without a budget ends only
/// when its task is cancelled; its nesting depth is always limited.
///
/// ```swift
/// let careful = QueryOptions(budget: QueryBudget(work: 10_000_000, results: 100_000, time: .seconds(2)))
/// let found = try people.objects(matching: ObjectQuery("ANY dogs.name LIKE $0"), arguments: ["*e*"], options: careful)
/// print(found.count)
/// ```
///
/// A query that exceeds its budget throws `QueryError.exhausted`.
public struct QueryBudget: Equatable, Sendable {
    /// Approximate number of values to read: evaluating a condition for an object counts one, as does each element of
    /// its lists and each object reached through its links. Ten million take about a second.
    public var work: Int
    /// Maximum number of objects found, counted before DISTINCT and before a LIMIT that follows a SORT. Each takes 8
    /// bytes, and up to 40 when sorted. Counting has no such limit.
    public var results: Int
    /// Maximum duration.
    public var time: Duration?

    /// Creates a budget; omitted parameters mean no limit.
    public init(work: Int = .max, results: Int = .max, time: Duration? = nil) {
        self.work = work
        self.results = results
        self.time = time
    }
}
