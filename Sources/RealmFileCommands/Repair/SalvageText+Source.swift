internal import RealmCore
internal import RealmExchange
internal import RealmForensics
internal import RealmLayout

extension SalvageText {
    /// The maximum number of findings about the damaged file in the text.
    private static let mostFindings = 5

    /// Adds the verifier's findings about the damaged file, if there are any.
    func describeSource(_ lines: inout TextLines) {
        if report.isOutdated { lines.add("caution", "there are signs of a later commit, of which nothing is salvaged") }
        guard let source = report.source else {
            lines.add("source", "not verified: no commit was found")
            return
        }
        lines.addCaution(unownedRanges: report.unownedRanges)
        guard !source.isSound else { return }
        lines.add("source", VerifyReport.counts(source))
        let findings = source.findings.filter { $0.severity >= .error }
        for finding in findings.prefix(Self.mostFindings) {
            lines.addIndented("\(finding.severity.name) \(finding.check.rawValue) \(VerifyReport.words(finding))")
        }
        let rest = source.total(.error) + source.total(.fatal) - min(findings.count, Self.mostFindings)
        if rest > 0 { lines.addIndented("and \(rest) more") }
        let errors = report.sourceErrors
        guard errors > 0 || !source.isReadable else {
            lines.addIndented("none of which is about the content")
            return
        }
        lines.add(
            "caution",
            "the source has \(counted(errors, "error")): values may be wrong or missing that nothing else shows")
    }

    /// The verifier's report on the damaged file, for scripts; null without a root.
    var sourceJSON: JSONValue {
        guard let source = report.source else { return .null }
        return .object([
            ("readable", .bool(source.isReadable)),
            ("outdated", .bool(report.isOutdated)),
            ("errors", JSONValue(report.sourceErrors)), ("unowned", JSONValue(report.unownedRanges)),
            ("totals", .object(FindingSeverity.allCases.reversed().map { ($0.name, JSONValue(source.total($0))) })),
            ("findings", .array(source.findings.map { VerifyReport.json($0, hasSlot: false) })),
        ])
    }
}
