internal import RealmLayout

/// Takes findings and keeps the worst of them: memory stays the same however many there are.
package final class FindingSink {
    /// How many findings are kept of each severity.
    private let limit: Int
    private var kept: [[Finding]]
    private var totals: [Int]
    private var totalsByCheck: [CheckIdentifier: Int] = [:]

    package init(limit: Int) {
        self.limit = max(0, limit)
        kept = FindingSeverity.allCases.map { _ in [] }
        totals = FindingSeverity.allCases.map { _ in 0 }
    }

    /// Notes a finding. The words are made only when the finding is kept.
    ///
    /// The two steps are functions of their own, so that the hundreds of places that report something hold two calls each.
    ///
    /// - Parameter severity: when the case is milder than the rule.
    package func report(
        _ check: CheckIdentifier, as severity: FindingSeverity? = nil, at offset: Int? = nil,
        in place: Finding.Place = Finding.Place(), _ message: @autoclosure () -> String
    ) {
        guard let severity = counted(check, severity) else { return }
        keep(check, severity, offset, place, message())
    }

    /// Counts a finding.
    ///
    /// - Returns: its severity; nil when enough of that severity are kept.
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

    /// A sink for findings that are added to these later.
    package var empty: FindingSink { FindingSink(limit: limit) }

    /// Notes all findings of another sink, as if they had been reported here one after the other.
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

    /// The findings that were kept, at most as many as the limit: the worst first, in the order of their discovery.
    package var findings: [Finding] { Array(kept.reversed().joined().prefix(limit)) }
}
