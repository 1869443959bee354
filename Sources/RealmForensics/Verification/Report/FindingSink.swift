internal import RealmLayout

/// Collects findings and keeps the worst of them, in bounded memory.
package final class FindingSink {
    /// Maximum number of findings to keep per severity.
    private let limit: Int
    private var kept: [[Finding]]
    private var totals: [Int]
    private var totalsByCheck: [CheckIdentifier: Int] = [:]

    package init(limit: Int) {
        self.limit = max(0, limit)
        kept = FindingSeverity.allCases.map { _ in [] }
        totals = FindingSeverity.allCases.map { _ in 0 }
    }

    /// Records a finding. The message is evaluated only if the finding is kept.
    ///
    /// The two steps are separate functions, so that each of the hundreds of reporting places contains just two calls.
    ///
    /// - Parameter severity: overrides that of the rule, for milder cases.
    package func report(
        _ check: CheckIdentifier, as severity: FindingSeverity? = nil, at offset: Int? = nil,
        in place: Finding.Place = Finding.Place(), _ message: @autoclosure () -> String
    ) {
        guard let severity = counted(check, severity) else { return }
        keep(check, severity, offset, place, message())
    }

    /// Counts a finding.
    ///
    /// - Returns: its severity; nil when enough findings of that severity are kept.
    @inline(never)
    private func counted(_ check: CheckIdentifier, _ severity: FindingSeverity?) -> FindingSeverity? {
        let severity = severity ?? check.severity
        totals[severity.rawValue] += 1
        totalsByCheck[check, default: 0] += 1
        return kept[severity.rawValue].count < limit ? severity : nil
    }

    @inline(never)
    private func keep(
        _ check: CheckIdentifier, _ severity: FindingSeverity, _ offset: Int?, _ place: Finding.Place, _ message: String
    ) {
        kept[severity.rawValue].append(
            Finding(check: check, severity: severity, offset: offset, place: place, message: message))
    }

    /// An empty sink, whose findings may be added to this one later.
    package var empty: FindingSink { FindingSink(limit: limit) }

    /// Adds all findings of another sink, as if they were reported here in order.
    package func add(_ other: FindingSink) {
        guard !other.totalsByCheck.isEmpty else { return }
        for severity in totals.indices {
            totals[severity] += other.totals[severity]
            kept[severity] += other.kept[severity].prefix(limit - kept[severity].count)
        }
        totalsByCheck.merge(other.totalsByCheck, uniquingKeysWith: +)
    }

    /// The number of findings of a severity, kept or not.
    package func total(_ severity: FindingSeverity) -> Int { totals[severity.rawValue] }

    /// The number of findings that are errors or worse.
    var errorTotal: Int { total(.error) + total(.fatal) }

    /// The number of findings of each check.
    package var countsByCheck: [CheckIdentifier: Int] { totalsByCheck }

    /// The kept findings, at most as many as the limit: the worst first, in order of discovery.
    package var findings: [Finding] { Array(kept.reversed().joined().prefix(limit)) }
}
