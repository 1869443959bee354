internal import RealmCore
internal import RealmLayout

/// Groups by the values of any expressions, evaluated object by object.
///
/// If a column leads through a list, as `items.product.name` does, the elements of that list are grouped, and
/// aggregates of the same list (`items.quantity`) take the element's own values. Values of other lists are all taken.
struct ValueGroups: Sendable {
    private let table: Table
    private var columns: [Column]
    private var summarized: [Column]
    /// The way to the elements; empty if objects are grouped.
    private let hops: [BoundPath.Hop]
    /// The types of the aggregated values.
    var types: [ValueType] { summarized.map(\.type) }

    fileprivate struct Column {
        /// The expression of an object.
        let whole: BoundExpression
        /// The same, of an element within its object.
        var expression: BoundExpression
        let type: ValueType
        let part: DatePart?
        let text: String

        init(_ column: ResultColumns.Column, _ whole: BoundExpression, _ binder: QueryBinder) {
            (self.whole, expression, part, text) = (whole, whole, column.part, column.text)
            let type: ValueType = if case .path(let path) = whole { path.type } else { binder.type(of: whole) }
            self.type = part.map { .property($0 == .date ? .string : .int) } ?? type
        }
    }

    /// - Throws: `binding` for columns that cannot be grouped by.
    init(
        _ columns: [ResultColumns.Column], _ summarized: [ResultColumns.Column], _ binder: QueryBinder, _ table: Table
    ) throws(QueryError) {
        func bound(_ columns: [ResultColumns.Column]) throws(QueryError) -> [Column] {
            var bound: [Column] = []
            for column in columns { bound.append(Column(column, try column.expression(binder), binder)) }
            return bound
        }
        self.table = table
        self.columns = try bound(columns)
        self.summarized = try bound(summarized)
        for column in self.columns { try Self.refuseEmbedded(column, binder) }
        hops = try Self.unwound(self.columns)
        if !hops.isEmpty {
            for place in self.columns.indices { try self.columns[place].enter(hops) }
            for place in self.summarized.indices { try self.summarized[place].enter(hops) }
        }
        try refuseLists(binder)
    }

    /// Groups are made of the elements of one list.
    private func refuseLists(_ binder: QueryBinder) throws(QueryError) {
        func isElsewhere(_ column: Column) -> Bool {
            if case .path(let path) = column.expression { path.level > 0 } else { false }
        }
        let lists = columns.filter { Self.isList($0.expression, binder) }
        let unwound = hops.isEmpty ? nil : columns.first { !isElsewhere($0) }
        guard let first = lists.first else { return }
        guard let other = lists.count > 1 ? lists[1] : isElsewhere(first) ? unwound : nil else { return }
        throw Self.severalLists(first, other)
    }

    private static func severalLists(_ first: Column, _ second: Column) -> QueryError {
        .binding(
            "'\(first.text)' and '\(second.text)' are elements of two lists; groups are made of the elements of one")
    }

    private static func isList(_ expression: BoundExpression, _ binder: QueryBinder) -> Bool {
        guard case .path(let path) = expression else { return binder.isMany(expression) }
        return binder.isMany(expression) && !expression.isOneAtMost && path.property?.type != .mixed
            || path.property?.collection != nil && !expression.isOneAtMost
    }

    /// Embedded objects differ from one another even if their values are equal.
    private static func refuseEmbedded(_ column: Column, _ binder: QueryBinder) throws(QueryError) {
        guard case .path(let path) = column.whole, case .object = path.end, path.suffix == nil,
            let schema = binder.tableSchema(at: path), schema.kind == .embedded
        else { return }
        let paths = schema.properties.prefix(3).map { "\(column.text).\($0.name)" }.joined(separator: ",")
        throw .binding(
            "'\(column.text)' holds embedded objects, which are never the same; group by their values, as in --group-by \(paths)"
        )
    }

    /// The way to the list whose elements are grouped.
    private static func unwound(_ columns: [Column]) throws(QueryError) -> [BoundPath.Hop] {
        var found: (hops: [BoundPath.Hop], column: Column)?
        for column in columns {
            guard case .path(let path) = column.whole, !path.isCount,
                let last = path.hops.lastIndex(where: { !$0.isOneAtMost })
            else { continue }
            let hops = Array(path.hops[...last])
            if let found, found.hops != hops { throw severalLists(found.column, column) }
            found = (hops, column)
        }
        return found?.hops ?? []
    }

    /// The same groups by numbers of columns; nil unless all columns have one value for each object.
    func ranked(in table: Table) -> ResultGroups? {
        var paths: [BoundPath] = []
        for column in columns {
            guard case .path(let path) = column.whole, column.part == nil, path.isCount || path.hasOneValue else {
                return nil
            }
            paths.append(path)
        }
        var aggregates: [AggregatePath] = []
        for column in summarized {
            guard case .path(let path) = column.whole, column.part == nil, path.isCount || path.hasOneValue,
                let aggregate = AggregatePath(path)
            else { return nil }
            aggregates.append(aggregate)
        }
        return ResultGroups(paths, aggregates, in: table)
    }

    // MARK: Grouping

    private struct Group {
        let values: [Value]
        var count = 0
        var accumulators: [ValueAccumulator]

        mutating func add(_ row: Row) {
            count += 1
            for (place, values) in row.added.enumerated() {
                for value in values { accumulators[place].add(value) }
            }
        }
    }

    /// The common values of an element, and its values to aggregate.
    private struct Row {
        let common: [Value]
        let added: [[Value]]
    }

    /// - Parameter report: receives what cannot be read of objects, which then belong to no group.
    /// - Throws: `QueryError`.
    func groups(
        of keys: [ObjectKey], _ meter: WorkMeter, _ report: (FormatError) -> Void
    ) throws(QueryError) -> [QueryGroup] {
        let overflow = OverflowNote()
        var evaluator = QueryEvaluator(snapshot: table.snapshot, meter: meter)
        evaluator.overflow = overflow
        var numbers: [GroupKey: Int] = [:]
        let empty = summarized.map { ValueAccumulator($0.type) }
        var groups = columns.isEmpty ? [Group(values: [], accumulators: empty)] : []
        if columns.isEmpty { numbers[GroupKey([])] = 0 }
        for key in keys {
            let rows: [Row]
            do throws(FormatError) {
                try meter.charge(1)
                guard let object = try table.object(key) else { continue }
                rows = try self.rows(of: object, evaluator)
            } catch {
                let error = error.at(table: table.schema.tableName, objectKey: key)
                guard case .damage = meter.failure(error), error.isSurvivable else { throw meter.failure(error) }
                report(error)
                continue
            }
            for row in rows {
                let key = GroupKey(row.common)
                let number = numbers[key] ?? groups.count
                if number == groups.count {
                    numbers[key] = number
                    groups.append(Group(values: row.common, accumulators: empty))
                }
                groups[number].add(row)
            }
        }
        return groups.map { group in
            QueryGroup(
                values: group.values, count: group.count,
                summaries: group.accumulators.map { accumulator in
                    var summary = accumulator.summary
                    summary.hasMiscalculated = overflow.isNoted
                    return summary
                })
        }
    }

    /// The rows of an object: one for each element, or for the object itself.
    private func rows(of object: StoredObject, _ evaluator: QueryEvaluator) throws(FormatError) -> [Row] {
        let elements = hops.isEmpty ? [object] : try evaluator.objects(at: hops[...], from: object)
        let evaluator = hops.isEmpty ? evaluator : evaluator.within(object)
        var rows: [Row] = []
        for element in elements {
            var common: [[Value]] = [[]]
            for column in columns {
                let values = try column.values(of: element, evaluator, all: false)
                common = common.flatMap { row in values.map { row + [$0] } }
            }
            var added: [[Value]] = []
            for column in summarized { added.append(try column.values(of: element, evaluator, all: true)) }
            rows += common.map { Row(common: $0, added: added) }
        }
        return rows
    }
}

extension ValueGroups.Column {
    /// The values for an element.
    ///
    /// - Parameter all: whether a missing value is left out rather than null.
    fileprivate func values(
        of element: StoredObject, _ evaluator: QueryEvaluator, all: Bool
    ) throws(FormatError) -> [Value] {
        let operand = try evaluator.operand(expression, for: element)
        let isList = operand.isList && !expression.isOneAtMost
        let values = isList || all ? operand.values : [operand.values.first ?? .null]
        return part.map { part in values.map { part.value(of: $0) } } ?? values
    }

    /// Makes the expression one of an element, which paths along `hops` then start from.
    fileprivate mutating func enter(_ hops: [BoundPath.Hop]) throws(QueryError) {
        expression = try Self.entered(whole, hops, text)
    }

    private static func entered(
        _ expression: BoundExpression, _ hops: [BoundPath.Hop], _ text: String
    ) throws(QueryError) -> BoundExpression {
        switch expression {
        case .constants: return expression
        case .path(var path):
            let isCount = path.suffix == .size && path.hops.count == hops.count
            if path.level == 0, path.hops.starts(with: hops), !isCount {
                path.hops.removeFirst(hops.count)
            } else {
                path.level += 1
            }
            return .path(path)
        case .aggregate(var path, let aggregate, let type, let byObject):
            path.level += 1
            return .aggregate(path, aggregate, of: type, byObject: byObject)
        case .subquery:
            throw .binding("'\(text)': a subquery cannot be aggregated for groups of elements of a list")
        case .arithmetic(let left, let operation, let right):
            return .arithmetic(try entered(left, hops, text), operation, try entered(right, hops, text))
        }
    }
}
