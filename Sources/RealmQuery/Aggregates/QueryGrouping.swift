package import RealmCore
package import RealmLayout

/// The columns of a table of groups: common values, and aggregates of the objects of each group.
package struct QueryGrouping: Sendable {
    /// The common values; none for totals over all objects.
    package let columns: ResultColumns
    /// The aggregates in the order in which they were requested.
    package let aggregates: [Aggregate]
    private let table: Table
    private let values: ValueGroups
    /// The same groups by columns of single values, which are read as numbers; nil if this is not possible.
    private let ranked: ResultGroups?

    /// An aggregate of a column.
    package struct Aggregate: Sendable {
        package let function: QueryAggregate
        /// The column whose values are aggregated.
        package let column: ResultColumns.Column
        /// The place among the different columns.
        fileprivate let place: Int

        /// The function and its argument: `sum(total)`.
        package var text: String { "\(function.rawValue.dropFirst())(\(column.text))" }
        /// The name above the column.
        package var name: String { column.alias ?? text }
        /// The result for a group.
        package func value(in group: QueryGroup) -> Value {
            let summary = group.summaries[place]
            return switch function {
            case .sum: summary.sum
            case .average: summary.average
            case .minimum: summary.min
            case .maximum: summary.max
            }
        }
        /// Whether the result for a group is wrong because an integer exceeded 64 bits.
        package func isBeyond(in group: QueryGroup) -> Bool {
            let summary = group.summaries[place]
            return summary.hasMiscalculated || function == .sum && summary.hasWrapped
        }
    }

    /// - Parameters:
    ///   - text: comma-separated columns, as in `ResultColumns`; empty for totals.
    ///   - aggregates: functions, each with comma-separated columns.
    /// - Throws: `QueryError` for names and types that do not fit.
    package init(
        by text: String, _ aggregates: [(function: QueryAggregate, columns: String)], of table: Table,
        arguments: [QueryArgument] = []
    ) throws(QueryError) {
        columns =
            text.isEmpty
            ? ResultColumns(noneOf: table) : try ResultColumns(text, of: table, arguments: arguments)
        var summarized: [ResultColumns.Column] = []
        var found: [Aggregate] = []
        for (function, text) in aggregates {
            for column in try ResultColumns(text, of: table, arguments: arguments).columns {
                let place = summarized.firstIndex { $0.text == column.text } ?? summarized.count
                if place == summarized.count { summarized.append(column) }
                found.append(Aggregate(function: function, column: column, place: place))
            }
        }
        self.aggregates = found
        self.table = table
        let binder = QueryBinder(table, arguments: arguments)
        values = try ValueGroups(columns.columns, summarized, binder, table)
        for aggregate in found {
            try Self.check(aggregate, values.types[aggregate.place])
        }
        ranked = values.ranked(in: table)
    }

    private static func check(_ aggregate: Aggregate, _ type: ValueType) throws(QueryError) {
        let isSum = aggregate.function == .sum || aggregate.function == .average
        guard type.isLink || type == .typeName || isSum && !type.isNumber else { return }
        let missing = type.isLink || type == .typeName ? "sum, average, minimum or maximum" : "sum and no average"
        throw .binding("'\(aggregate.column.text)' is \(type.words): it has no \(missing)")
    }

    /// Groups the objects of a result, in the order of the first objects. Without columns, all objects are one group.
    ///
    /// - Parameters:
    ///   - jobs: maximum number of tasks.
    ///   - report: receives what cannot be read of objects, which then belong to no group.
    /// - Throws: `QueryError`: the file changed, the task was cancelled, or the query exceeds its budget.
    package func groups(
        of results: QueryResults, options: QueryOptions = QueryOptions(), jobs: Int, _ report: (FormatError) -> Void
    ) async throws(QueryError) -> [QueryGroup] {
        if let ranked {
            do throws(QueryError) {
                return try await groups(of: results, ranked, QueryTasks(jobs, partSize: options.partSize))
            } catch {
                guard case .damage = error else { throw error }
            }
        }
        return try values.groups(of: results.keys, WorkMeter(options.budget), report)
    }

    private func groups(
        of results: QueryResults, _ ranked: ResultGroups, _ tasks: QueryTasks
    ) async throws(QueryError) -> [QueryGroup] {
        guard columns.columns.isEmpty else { return try await ranked.groups(of: results.keys, tasks) }
        return [QueryGroup(values: [], count: results.count, summaries: try ranked.totals(of: results.keys))]
    }
}
