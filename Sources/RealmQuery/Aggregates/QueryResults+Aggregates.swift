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
    /// - Parameter path: a property of numbers or points in time, also behind links: `owner.age`.
    /// - Throws: `QueryError`: there is no such property, its values are of another type, or one is damaged.
    public func summary(of path: String) throws(QueryError) -> ValueSummary {
        let aggregate = try AggregatePath(path, table)
        var accumulator = Accumulator(aggregate.type)
        do throws(FormatError) {
            try aggregate.forEach(keys, table) { _, add in add(&accumulator) }
        } catch {
            throw .damage(error)
        }
        return accumulator.summary
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
    ///   - paths: what must be equal; objects without a value, and those whose links lead nowhere, belong to null.
    ///   - summarized: properties whose values are added up for each group.
    /// - Throws: `QueryError`: there is no such property, it has several values, or one is damaged.
    public func grouped(
        by paths: [String], summarizing summarized: [String] = []
    ) throws(QueryError) -> [QueryGroup] {
        guard !paths.isEmpty else { throw .binding("groups need a property that objects have in common") }
        let binder = QueryBinder(table, arguments: [])
        var bound: [BoundPath] = []
        for path in paths { bound.append(try binder.singlePath(path, for: "a group")) }
        var aggregates: [AggregatePath] = []
        for path in summarized { aggregates.append(try AggregatePath(path, table)) }
        do throws(FormatError) {
            return try grouped(bound, aggregates)
        } catch {
            throw .damage(error)
        }
    }

    private func grouped(
        _ paths: [BoundPath], _ aggregates: [AggregatePath]
    ) throws(FormatError) -> [QueryGroup] {
        let reader = RankReader(table.snapshot)
        var columns: [RankColumn] = []
        for path in paths { columns.append(try reader.column(path, of: keys, in: table).withoutMissing) }
        let groups = RankGroups(columns)
        withExtendedLifetime(reader) {}
        var counts = [Int](repeating: 0, count: groups.firsts.count)
        for number in groups.numbers { counts[Int(number)] += 1 }
        var summaries = [[ValueSummary]](repeating: [], count: counts.count)
        for aggregate in aggregates {
            var accumulators = [Accumulator](repeating: Accumulator(aggregate.type), count: counts.count)
            try aggregate.forEach(keys, table) { place, add in add(&accumulators[Int(groups.numbers[place])]) }
            for (number, accumulator) in accumulators.enumerated() { summaries[number].append(accumulator.summary) }
        }
        let firsts = groups.firsts.map { keys[Int($0)] }
        let evaluator = QueryEvaluator(snapshot: table.snapshot)
        var values = [[Value]](repeating: [], count: counts.count)
        for path in paths {
            for (number, value) in try evaluator.values(of: path, for: firsts, in: table).enumerated() {
                values[number].append(value ?? .null)
            }
        }
        return counts.indices.map {
            QueryGroup(values: values[$0], count: counts[$0], summaries: summaries[$0])
        }
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

extension RankColumn {
    /// Links that lead nowhere are null.
    fileprivate var withoutMissing: RankColumn {
        var column = self
        for row in 0..<count where kinds[row] == .missing { column.setNull(row) }
        return column
    }
}
