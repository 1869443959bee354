internal import RealmCore
internal import RealmLayout

/// A plan for evaluating a predicate on a table: its conditions in evaluation order, the cheapest first.
struct QueryPlan: Sendable {
    let root: Step
    /// The number of steps, including those on linked objects.
    let stepCount: Int

    /// The cost of finding words in a string.
    static let wordsCost = 500

    /// A condition, with its number within the plan.
    struct Step: Sendable {
        let number: Int
        let node: Node
        /// The condition as written.
        let text: String
        /// Approximate cost per object, relative to a comparison of integers.
        let cost: Int
    }

    indirect enum Node: Sendable {
        case constant(Bool)
        case all([Step])
        case any([Step])
        case not(Step)
        /// A column of the table, tested in place.
        case column(PropertyIndex, ColumnTest)
        /// A condition on the objects that a column links to; `null` is the result without a link.
        case link(PropertyIndex, target: TablePosition, Step, null: Bool)
        /// Whether a column of links is null.
        case isLinked(PropertyIndex, Bool)
        /// A predicate that must be evaluated object by object.
        case each(BoundPredicate)
    }

    init(_ predicate: BoundPredicate, for table: Table) {
        var planner = Planner(table)
        root = planner.step(predicate)
        stepCount = planner.stepCount
    }
}

/// Builds the steps of a plan.
private struct Planner {
    private var table: Table
    private(set) var stepCount = 0

    init(_ table: Table) { self.table = table }

    /// Costs of conditions per object.
    private enum Cost {
        static let integer = 1
        static let fixed = 4
        static let text = 10
        static let decimal = 100
        static let words = QueryPlan.wordsCost
        static let link = 5
        static let each = 1000
        static let subquery = 10000
    }

    /// Maximum number of consecutive links that are followed for all objects at once.
    private static let mostHops = 8

    mutating func step(_ predicate: BoundPredicate) -> QueryPlan.Step {
        switch predicate {
        case .constant(let value): return step(.constant(value), 0, value ? "TRUEPREDICATE" : "FALSEPREDICATE")
        case .and(let parts):
            let steps = steps(parts)
            return step(.all(steps), steps.reduce(0) { $0 + $1.cost }, "AND")
        case .or(let parts):
            let steps = steps(parts)
            return step(.any(steps), steps.reduce(0) { $0 + $1.cost }, "OR")
        case .not(let part):
            let inner = step(part)
            return step(.not(inner), inner.cost, "NOT")
        case .comparison(let comparison): return step(comparison)
        case .words(let path, let words, let text):
            guard path.hops.isEmpty, path.level == 0, case .property(let index) = path.end,
                table.schema.properties[index].collection == nil
            else { return step(.each(predicate), Cost.each, text) }
            return step(.column(index, ColumnTest(words)), Cost.words, text)
        case .within(let test):
            return step(.each(predicate), Cost.each + test.region.cost * Cost.fixed, test.text)
        }
    }

    private mutating func step(_ node: QueryPlan.Node, _ cost: Int, _ text: String) -> QueryPlan.Step {
        stepCount += 1
        return QueryPlan.Step(number: stepCount - 1, node: node, text: text, cost: min(cost, 1 << 30))
    }

    /// The cheapest first; steps of equal cost in the order of the query.
    private mutating func steps(_ parts: [BoundPredicate]) -> [QueryPlan.Step] {
        var steps: [QueryPlan.Step] = []
        for part in parts { steps.append(step(part)) }
        return steps.enumerated().inOrder { ($0.element.cost, $0.offset) < ($1.element.cost, $1.offset) }.map(\.element)
    }

    private mutating func step(_ comparison: BoundComparison) -> QueryPlan.Step {
        if let found = columnStep(comparison) { return found }
        let isSubquery = comparison.left.isSubquery || comparison.right.isSubquery
        return step(.each(.comparison(comparison)), isSubquery ? Cost.subquery : Cost.each, comparison.text)
    }

    /// A step on columns; nil for comparisons that need objects.
    private mutating func columnStep(_ comparison: BoundComparison) -> QueryPlan.Step? {
        guard let path = comparison.path, path.steps.isEmpty, path.suffix == nil, path.level == 0,
            path.hops.count <= Self.mostHops
        else {
            return nil
        }
        guard let hop = path.hops.first else {
            guard case .property(let index) = path.end,
                let test = ColumnTest(comparison, on: table.schema.properties[index])
            else { return nil }
            return step(.column(index, test), Self.cost(of: test), comparison.text)
        }
        guard case .link(let index) = hop else { return nil }
        if case .object = path.end {
            guard path.hops.count == 1, comparison.isWithNull, let test = BoundTest(comparison),
                let link = linkSample(index)
            else { return nil }
            let answers = (null: test.holds(.null), linked: test.holds(link))
            if answers.null == answers.linked { return step(.constant(answers.null), 0, comparison.text) }
            return step(.isLinked(index, answers.linked), Cost.integer, comparison.text)
        }
        guard let target = table.columns[index].target, let test = BoundTest(comparison),
            let rest = comparison.droppingHop
        else { return nil }
        let here = table
        defer { table = here }
        table = table.snapshot.table(at: target)
        guard let inner = columnStep(rest) else { return nil }
        let node = QueryPlan.Node.link(index, target: target, inner, null: test.holds(.null))
        return step(node, inner.cost + Cost.link, comparison.text)
    }

    /// A sample link of a column, to an object that need not exist.
    private func linkSample(_ index: PropertyIndex) -> Value? {
        guard let target = table.columns[index].target else { return nil }
        return .link(Link(table: table.snapshot.table(at: target), objectKey: ObjectKey(0)))
    }

    private static func cost(of test: ColumnTest) -> Int {
        switch test.kind {
        case .anyValue, .integers: Cost.integer
        case .floating, .times, .ids: Cost.fixed
        case .text: Cost.text
        case .decimals: Cost.decimal
        case .words: Cost.words
        }
    }
}

extension BoundExpression {
    fileprivate var isSubquery: Bool { if case .subquery = self { true } else { false } }

    fileprivate var path: BoundPath? { if case .path(let path) = self { path } else { nil } }

    fileprivate var isNull: Bool {
        guard case .constants(let values, false, _) = self, values.count == 1, case .null = values[0] else {
            return false
        }
        return true
    }
}

extension BoundComparison {
    /// The path that is compared with constants; nil if there is none, or if both operands are paths.
    fileprivate var path: BoundPath? {
        switch (left, right) {
        case (.path(let path), .constants), (.constants, .path(let path)): path
        default: nil
        }
    }

    fileprivate var isWithNull: Bool { left.isNull || right.isNull }

    /// The same comparison, relative to the object that the first link of the path leads to.
    fileprivate var droppingHop: BoundComparison? {
        guard var path else { return nil }
        path.hops.removeFirst()
        let isLeft = left.path != nil
        return BoundComparison(
            left: isLeft ? .path(path) : left, operation: operation, right: isLeft ? right : .path(path),
            folding: folding, column: column, isOfTypes: isOfTypes, text: text)
    }
}
