internal import RealmReader

/// How a query was run: which index or column was asked in which order, and how many objects each step saw and kept.
///
/// ```swift
/// print(try people.explain(try ObjectQuery("city == 'Oslo' AND age > 30 SORT(name ASC)")))
/// ```
public struct QueryExplanation: Sendable {
    /// A condition, and what asking it did.
    public struct Step: Sendable {
        /// As it was written; `AND`, `OR` or `NOT` for what has steps below.
        public let text: String
        /// What was looked at.
        public let method: String
        /// Conditions above it.
        public let level: Int
        /// The objects it was asked of; of conditions on linked objects those that links can lead to.
        public let seen: Int
        /// The objects for which it holds.
        public let kept: Int
    }

    /// The number of objects of the class.
    public let objectCount: Int
    /// The index that said where to look, and how many objects it led to; nil when all were looked at.
    public let index: (text: String, objects: Int)?
    /// The conditions, each before those that it consists of, in the order in which they were asked.
    public let steps: [Step]
    /// The text of SORT, DISTINCT and LIMIT.
    public let resultSteps: String
    /// What was found.
    public let results: QueryResults
    /// How long it took to find the objects, with reading the query.
    public let searchTime: Duration
    /// How long it took to sort them, to leave out what comes twice, and to limit them.
    public let stepsTime: Duration
}

extension QueryExplanation: CustomStringConvertible {
    /// Lines for people.
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
    /// The step and those below it.
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
