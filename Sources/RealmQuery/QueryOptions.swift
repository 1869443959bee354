/// How a query is run. None of it changes what is found in an intact file.
///
/// ```swift
/// print(try people.count(matching: Query("age > 60"), options: QueryOptions(usesIndexes: false)))
/// ```
public struct QueryOptions: Sendable {
    /// Whether search indexes are asked which objects to look at.
    ///
    /// What an index leads to is looked at, once for each value in a snapshot when it was right, so that no object is given whose value says
    /// otherwise, as Realm gives it where an index is damaged; but objects that a damaged index does not have are not found through it, nor by
    /// Realm: finding them would take as long as a query without the index. `verify --deep` checks indexes.
    public var usesIndexes: Bool
    /// What it may take.
    public var budget: QueryBudget
    /// Objects that are worth a part of their own, where several tasks sort them or tell them apart.
    package var partSize = 1 << 13

    /// The usual way.
    public init(usesIndexes: Bool = true, budget: QueryBudget = QueryBudget()) {
        self.usesIndexes = usesIndexes
        self.budget = budget
    }
}

/// What a query may take, for those that come from outside: whoever can write a query can write one that takes years. Without a budget it
/// ends with its task only; how deep it is nested is limited always.
///
/// ```swift
/// let careful = QueryOptions(budget: QueryBudget(work: 10_000_000, results: 100_000, time: .seconds(2)))
/// let found = try people.objects(matching: Query("ANY dogs.name LIKE $0"), arguments: ["*e*"], options: careful)
/// print(found.count)
/// ```
///
/// A query that would take more throws `QueryError.exhausted`.
public struct QueryBudget: Equatable, Sendable {
    /// About how many values are looked at: an object for a condition is one, and so is each element of its lists and each object that
    /// its links lead to. Some ten million take a second.
    public var work: Int
    /// How many objects may be found, before DISTINCT, and before a LIMIT behind a SORT. Each takes 8 bytes, and up to 40 when it is
    /// sorted. Counting has no such limit.
    public var results: Int
    /// How long it may take.
    public var time: Duration?

    /// A budget; what is not said has no limit.
    public init(work: Int = .max, results: Int = .max, time: Duration? = nil) {
        self.work = work
        self.results = results
        self.time = time
    }
}
