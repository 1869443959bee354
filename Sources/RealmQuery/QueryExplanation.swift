internal import RealmCore

/// Describes how a query was run: the index used, the order of the conditions, and how many objects each step saw and
/// kept.
///
/// ```swift
/// print(try people.explain(try ObjectQuery("city == 'Oslo' AND age > 30 SORT(name ASC)")))
/// ```
public struct QueryExplanation: Sendable {
    /// A condition and the effect of evaluating it.
    public struct Step: Sendable {
        /// The condition as written; `AND`, `OR` or `NOT` for a step with substeps.
        public let text: String
        /// Description of the evaluation method, such as the column read.
        public let method: String
        /// Nesting depth: the number of enclosing conditions.
        public let level: Int
        /// The number of objects it was evaluated for; for conditions on linked objects, those that links can lead to.
        public let seen: Int
        /// The number of objects that matched.
        public let kept: Int
    }

    /// The number of objects of the class.
    public let objectCount: Int
    /// The index that provided the candidates, and their number; nil if all objects were searched.
    public let index: (text: String, objects: Int)?
    /// The conditions in evaluation order, each before its parts.
    public let steps: [Step]
    /// The text of SORT, DISTINCT and LIMIT.
    public let resultSteps: String
    /// The result of the query.
    public let results: QueryResults
    /// Time taken to parse the query and find the objects.
    public let searchTime: Duration
    /// Time taken by SORT, DISTINCT and LIMIT.
    public let stepsTime: Duration
}

extension QueryExplanation: CustomStringConvertible {
    /// Human-readable lines.
    public var description: String {
        var lines = ["\(results.table.name): \(objectCount) objects"]
        if let index { lines.append("  \(index.text): \(index.objects) to look at") }
        for step in steps {
            let indent = String(repeating: "  ", count: step.level + 1)
            let method = step.method.isEmpty ? "" : "  [\(step.method)]"
            lines.append("\(indent)\(step.text)\(method)  \(step.kept) of \(step.seen)")
        }
        if !resultSteps.isEmpty { lines.append("  \(resultSteps)  in \(Self.text(stepsTime))") }
        lines.append("found \(results.count) in \(Self.text(searchTime + stepsTime))")
        return lines.joined(separator: "\n")
    }

    private static func text(_ time: Duration) -> String {
        let (seconds, attoseconds) = time.components
        let microseconds = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
        guard microseconds >= 10 else { return "\(microseconds) µs" }
        let digits = String(microseconds % 1000)
        return "\(microseconds / 1000).\(String(repeating: "0", count: 3 - digits.count))\(digits) ms"
    }
}

extension QueryPlan.Step {
    /// The step and its substeps.
    func explained(_ level: Int, _ counts: QueryScan.Counts, in table: Table) -> [QueryExplanation.Step] {
        let count = counts.indices.contains(number) ? counts[number] : (asked: 0, holds: 0)
        let step = QueryExplanation.Step(
            text: text, method: method(table), level: level, seen: count.asked, kept: count.holds)
        switch node {
        case .all(let steps), .any(let steps):
            return [step] + steps.flatMap { $0.explained(level + 1, counts, in: table) }
        case .not(let inner): return [step] + inner.explained(level + 1, counts, in: table)
        case .link(_, let target, let inner, _):
            return [step] + inner.explained(level + 1, counts, in: table.snapshot.table(at: target))
        case .constant, .column, .isLinked, .each: return [step]
        }
    }

    private func method(_ table: Table) -> String {
        switch node {
        case .constant, .all, .any, .not: ""
        case .column(let index, _), .isLinked(let index, _): "column \(table.schema.properties[index].name)"
        case .link(let index, let target, _, _):
            "column \(table.schema.properties[index].name), links to \(table.snapshot.table(at: target).name)"
        case .each: "object by object"
        }
    }
}
