public import RealmReader

/// How many values there are, their sum, average, and the lowest and highest of them.
///
/// ```swift
/// let ages = try people.summary(of: "age")
/// print(ages.count, ages.min, ages.max)
/// ```
///
/// As in Realm, null and what is no number do not count; sums of integers are integers, which wrap beyond 64 bits, those of
/// floats are doubles, and those of Mixed values decimals.
public struct ValueSummary: Sendable {
    /// How many values count.
    public let count: Int
    /// Of no values 0; null for points in time, which have no sum.
    public let sum: Value
    /// Null for no values, and for points in time.
    public let average: Value
    /// Null for no values.
    public let min: Value
    /// Null for no values.
    public let max: Value
    /// Whether the sum is of integers and beyond 64 bits, so that `sum` is another number.
    package var hasWrapped = false
}

/// The objects of a result that have equal values in some properties.
///
/// ```swift
/// for group in try people.objects(matching: "TRUEPREDICATE").grouped(by: ["age"]) { print(group.values, group.count) }
/// ```
public struct QueryGroup: Sendable {
    /// The values that they have in common, one for each path that the result was grouped by.
    public let values: [Value]
    /// How many objects there are.
    public let count: Int
    /// One for each path that was to be summarized.
    public let summaries: [ValueSummary]
}
