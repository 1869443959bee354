internal import RealmCore
internal import RealmExchange
internal import RealmLayout
internal import RealmQuery

/// The groups of a result, as rows of values.
struct GroupTable {
    /// A column of the table.
    struct Column {
        let name: String
        let source: Source
        /// The column of the common values; nil for numbers of objects and aggregates.
        let common: ResultColumns.Column?

        enum Source {
            case common(Int)
            case count
            case aggregate(QueryGrouping.Aggregate)
        }
    }

    /// The columns from left to right; those that only serve the order come last and are not shown.
    private let columns: [Column]
    private let shownCount: Int
    private let order: [(column: Int, ascending: Bool)]
    private let conditions: [(column: Int, condition: GroupCondition)]
    private let grouping: QueryGrouping

    /// - Throws: `CommandFailure` for columns that do not exist.
    init(_ options: GroupOptions, order: GroupOrder, of table: Table, arguments: [QueryArgument]) throws {
        func grouping(_ aggregates: [(function: QueryAggregate, columns: String)]) throws -> QueryGrouping {
            try QueryCommand.asking { () throws(QueryError) in
                try QueryGrouping(
                    by: options.groupBy.joined(separator: ","), aggregates, of: table, arguments: arguments)
            }
        }
        let conditions = try options.having.map { text in
            try QueryCommand.asking { () throws(QueryError) in
                try GroupCondition(text, of: table, arguments: arguments)
            }
        }
        let requested = try grouping(options.aggregates)
        let missing = (order.keys.map(\.column) + conditions.map(\.column))
            .filter { name in !Self.columns(requested).contains { $0.isNamed(name) } }
            .compactMap { GroupOrder.aggregate($0) }
        let complete = missing.isEmpty ? requested : try grouping(options.aggregates + missing)
        self.grouping = complete
        let columns = Self.columns(complete)
        self.columns = columns
        shownCount = columns.count - (complete.aggregates.count - requested.aggregates.count)
        self.order = try order.keys.map { (try Self.place(of: $0.column, "--sort", columns), $0.ascending) }
        self.conditions = try conditions.map { (try Self.place(of: $0.column, "--having", columns), $0) }
    }

    private static func place(
        of name: String, _ option: String, _ columns: [Column]
    ) throws(CommandFailure) -> Int {
        if let place = columns.firstIndex(where: { $0.isNamed(name) }) { return place }
        let names = columns.map(\.name.singleLine).joined(separator: ", ")
        throw CommandFailure(
            "\(option): '\(name.singleLine)' is no column of the groups; there are \(names)", status: .usage)
    }

    private static func columns(_ grouping: QueryGrouping) -> [Column] {
        grouping.columns.columns.enumerated().map { Column(name: $1.name, source: .common($0), common: $1) }
            + [Column(name: "count", source: .count, common: nil)]
            + grouping.aggregates.map { Column(name: $0.name, source: .aggregate($0), common: nil) }
    }

    /// The columns that are shown.
    var shown: [Column] { Array(columns.prefix(shownCount)) }

    /// Whether a sort key names one of the columns.
    func hasColumn(_ text: String) -> Bool { columns.contains { $0.isNamed(text) } }

    /// The rows in order, with the values of the columns that are shown.
    ///
    /// - Parameter unreadable: receives what cannot be read.
    /// - Throws: `QueryError`; `CommandFailure` for a number beyond 64 bits.
    func rows(
        of results: QueryResults, _ options: QueryOptions, jobs: Int, limit: Int?, _ unreadable: UnreadableResults
    ) async throws -> [[Value]] {
        let groups: [QueryGroup]
        do throws(QueryError) {
            groups = try await grouping.groups(of: results, options: options, jobs: jobs) { unreadable.note($0) }
        } catch {
            throw QueryCommand.failure(error)
        }
        var rows = try groups.map { group in try columns.map { try $0.value(in: group) } }
        rows.removeAll { row in !conditions.allSatisfy { $1.holds(row[$0]) } }
        if !order.isEmpty {
            let places = rows.indices.sorted { left, right in
                for (column, ascending) in order {
                    let comparison = QueryOrder.compare(rows[left][column], rows[right][column])
                    if comparison != 0 { return ascending ? comparison < 0 : comparison > 0 }
                }
                return left < right
            }
            rows = places.map { rows[$0] }
        }
        return rows.prefix(limit ?? rows.count).map { Array($0.prefix(shownCount)) }
    }
}

extension GroupTable.Column {
    /// The column whose values are shown or aggregated; nil for numbers of objects.
    var values: ResultColumns.Column? {
        if case .aggregate(let aggregate) = source { aggregate.column } else { common }
    }

    /// Whether a sort key names the column.
    fileprivate func isNamed(_ text: String) -> Bool {
        if text == name { return true }
        switch source {
        case .common: return GroupOrder.areSame(text, common?.text ?? name)
        case .count: return text.lowercased() == "count" || GroupOrder.areSame(text, "count(*)")
        case .aggregate(let aggregate): return GroupOrder.areSame(text, aggregate.text)
        }
    }

    fileprivate func value(in group: QueryGroup) throws(CommandFailure) -> Value {
        switch source {
        case .common(let place): return group.values[place]
        case .count: return .int(Int64(group.count))
        case .aggregate(let aggregate):
            guard !aggregate.isBeyond(in: group) else {
                throw CommandFailure(
                    "\(aggregate.text.singleLine): integer overflow: a number is beyond 64 bits", status: .findings)
            }
            return aggregate.value(in: group)
        }
    }
}
