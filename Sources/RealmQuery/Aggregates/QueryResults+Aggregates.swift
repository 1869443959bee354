public import RealmCore
internal import RealmLayout

extension QueryResults {
    /// Aggregates the values of a property of the objects: count, sum, average, lowest and highest, in one pass.
    ///
    /// ```swift
    /// let summary = try people.objects(matching: "age > 30").summary(of: "age")
    /// print(summary.average, summary.max)
    /// ```
    ///
    /// - Parameter path: a property of numbers or points in time, possibly reached through links: `owner.age`, or the
    ///   number of elements of a collection: `dogs.@count`.
    /// - Throws: `QueryError`: there is no such property, its values are of another type, or one is damaged.
    public func summary(of path: String) throws(QueryError) -> ValueSummary {
        try AggregatePath(path, table).summary(keys, table)
    }

    /// Groups the objects by equal values of some properties. Groups come in the order of their first objects.
    ///
    /// ```swift
    /// for group in try people.objects(matching: "age > 18").grouped(by: ["city"], summarizing: ["age"]) {
    ///     print(group.values[0], group.count, group.summaries[0].average)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - paths: the values that must be equal, which may be the `.@count` of a collection. Objects without a value,
    ///     and those whose links lead nowhere, belong to the group of null.
    ///   - summarized: properties, or numbers of elements of collections (`dogs.@count`), to aggregate for each group.
    /// - Throws: `QueryError`: there is no such property, it has several values, or one is damaged.
    public func grouped(
        by paths: [String], summarizing summarized: [String] = []
    ) throws(QueryError) -> [QueryGroup] {
        let groups = try ResultGroups(by: paths, summarizing: summarized, in: table)
        do throws(FormatError) {
            return try groups.groups(of: keys)
        } catch {
            throw .damage(error)
        }
    }

    /// Same result as `grouped(by:summarizing:)`, computed by several tasks.
    ///
    /// ```swift
    /// let all = try people.objects(matching: "TRUEPREDICATE")
    /// for group in try await all.grouped(by: ["dogs.@count"], jobs: 4) { print(group.values[0], group.count) }
    /// ```
    ///
    /// - Parameters:
    ///   - paths: as for `grouped(by:summarizing:)`.
    ///   - summarized: as for `grouped(by:summarizing:)`.
    ///   - jobs: maximum number of tasks.
    /// - Throws: as `grouped(by:summarizing:)` does.
    public func grouped(
        by paths: [String], summarizing summarized: [String] = [], jobs: Int
    ) async throws(QueryError) -> [QueryGroup] {
        try await grouped(
            by: paths, summarizing: summarized, QueryTasks(jobs, partSize: QueryOptions().partSize))
    }

    /// - Parameter partSize: minimum number of objects per part.
    package func grouped(
        by paths: [String], summarizing summarized: [String], jobs: Int, partSize: Int
    ) async throws(QueryError) -> [QueryGroup] {
        try await grouped(by: paths, summarizing: summarized, QueryTasks(jobs, partSize: partSize))
    }

    private func grouped(
        by paths: [String], summarizing summarized: [String], _ tasks: QueryTasks
    ) async throws(QueryError) -> [QueryGroup] {
        try await ResultGroups(by: paths, summarizing: summarized, in: table).groups(of: keys, tasks)
    }

    /// The sum of the values of a property; see `summary(of:)`.
    ///
    /// - Throws: as `summary(of:)` does; also `binding` for points in time.
    public func sum(_ path: String) throws(QueryError) -> Value { try summary(of: path).number(\.sum, path, table) }

    /// The average of the values of a property; null without values. See `summary(of:)`.
    ///
    /// - Throws: as `sum(_:)` does.
    public func average(_ path: String) throws(QueryError) -> Value {
        try summary(of: path).number(\.average, path, table)
    }

    /// The lowest value of a property; null without values. See `summary(of:)`.
    ///
    /// - Throws: as `summary(of:)` does.
    public func min(_ path: String) throws(QueryError) -> Value { try summary(of: path).min }

    /// The highest value of a property; null without values. See `summary(of:)`.
    ///
    /// - Throws: as `summary(of:)` does.
    public func max(_ path: String) throws(QueryError) -> Value { try summary(of: path).max }
}

extension ValueSummary {
    /// A result that points in time do not have: sum or average.
    func number(_ result: KeyPath<ValueSummary, Value>, _ path: String, _ table: Table) throws(QueryError) -> Value {
        guard try AggregatePath(path, table).type != .timestamp else {
            throw .binding("'\(path)' is a timestamp: it has a minimum and a maximum, but no sum and no average")
        }
        return self[keyPath: result]
    }
}
