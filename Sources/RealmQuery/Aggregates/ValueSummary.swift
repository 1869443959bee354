public import RealmCore

/// Count, sum, average, minimum and maximum of some values.
///
/// ```swift
/// let ages = try people.summary(of: "age")
/// print(ages.count, ages.min, ages.max)
/// ```
///
/// As in Realm, null and non-numbers are ignored. Sums of integers are integers, which wrap beyond 64 bits; sums of floats are
/// doubles, and those of Mixed values decimals.
public struct ValueSummary: Sendable {
    /// The number of values that count.
    public let count: Int
    /// 0 without values; null for points in time, which have no sum.
    public let sum: Value
    /// Null without values, and for points in time.
    public let average: Value
    /// Null without values.
    public let min: Value
    /// Null without values.
    public let max: Value
    /// Whether a sum of integers exceeded 64 bits, so that `sum` is wrong.
    package var hasWrapped = false
    /// Whether an integer that was calculated from the values exceeded 64 bits, so that nothing is right.
    package var hasMiscalculated = false
}

/// The objects of a result that have equal values in some properties.
///
/// ```swift
/// for group in try people.objects(matching: "TRUEPREDICATE").grouped(by: ["age"]) { print(group.values, group.count) }
/// ```
public struct QueryGroup: Sendable {
    /// The common values, one for each path that the result was grouped by.
    public let values: [Value]
    /// The number of objects.
    public let count: Int
    /// One for each summarized path.
    public let summaries: [ValueSummary]
}
