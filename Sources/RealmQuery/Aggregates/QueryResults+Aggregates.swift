internal import RealmLayout
public import RealmReader

extension QueryResults {
    /// What the values of a property of the objects come to: count, sum, average, lowest and highest, in one pass.
    ///
    /// ```swift
    /// let summary = try people.objects(matching: "age > 30").summary(of: "age")
    /// print(summary.average, summary.max)
    /// ```
    ///
    /// - Parameter path: a property of numbers or points in time, also behind links: `owner.age`, or the number of elements of a
    ///   collection: `dogs.@count`.
    /// - Throws: `QueryError`: there is no such property, its values are of another type, or one is damaged.
    public func summary(of path: String) throws(QueryError) -> ValueSummary {
        try AggregatePath(path, table).summary(keys, table)
    }

    /// The objects of the result by the values that they have in common, in the order in which each value comes first.
    ///
    /// ```swift
    /// for group in try people.objects(matching: "age > 18").grouped(by: ["city"], summarizing: ["age"]) {
    ///     print(group.values[0], group.count, group.summaries[0].average)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - paths: what must be equal, which may be the `.@count` of a collection; objects without a value, and those whose links lead nowhere,
    ///     belong to null.
    ///   - summarized: properties whose values, or collections whose numbers of elements (`dogs.@count`), are added up for each group.
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

    /// What `grouped(by:summarizing:)` gives, read and put together by several tasks at once.
    ///
    /// ```swift
    /// let all = try people.objects(matching: "TRUEPREDICATE")
    /// for group in try await all.grouped(by: ["dogs.@count"], jobs: 4) { print(group.values[0], group.count) }
    /// ```
    ///
    /// - Parameters:
    ///   - paths: as for `grouped(by:summarizing:)`.
    ///   - summarized: as for `grouped(by:summarizing:)`.
    ///   - jobs: how many tasks there are at most.
    /// - Throws: as `grouped(by:summarizing:)` does.
    public func grouped(
        by paths: [String], summarizing summarized: [String] = [], jobs: Int
    ) async throws(QueryError) -> [QueryGroup] {
        try await grouped(
            by: paths, summarizing: summarized, QueryTasks(jobs, partSize: QueryOptions().partSize))
    }

    /// - Parameter partSize: objects that are worth a part of their own.
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

    /// The sum of the values of a property: see `summary(of:)`.
    ///
    /// - Throws: as `summary(of:)` does; `binding` also for points in time.
    public func sum(_ path: String) throws(QueryError) -> Value { try summary(of: path).number(\.sum, path, table) }

    /// The average of the values of a property, null for none: see `summary(of:)`.
    ///
    /// - Throws: as `sum(_:)` does.
    public func average(_ path: String) throws(QueryError) -> Value {
        try summary(of: path).number(\.average, path, table)
    }

    /// The lowest value of a property, null for none: see `summary(of:)`.
    ///
    /// - Throws: as `summary(of:)` does.
    public func min(_ path: String) throws(QueryError) -> Value { try summary(of: path).min }

    /// The highest value of a property, null for none: see `summary(of:)`.
    ///
    /// - Throws: as `summary(of:)` does.
    public func max(_ path: String) throws(QueryError) -> Value { try summary(of: path).max }
}

extension ValueSummary {
    /// A result that points in time do not have.
    func number(_ result: KeyPath<ValueSummary, Value>, _ path: String, _ table: Table) throws(QueryError) -> Value {
        guard try AggregatePath(path, table).type != .timestamp else {
            throw .binding("'\(path)' is a timestamp: it has a minimum and a maximum, but no sum and no average")
        }
        return self[keyPath: result]
    }
}
