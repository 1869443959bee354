internal import RealmForensics

// Findings of one rule stand together, with its meaning said once.
extension VerifyReport {
    /// The maximum number of findings of one rule to describe.
    private static let mostOfOneRule = 3

    /// The findings of one rule and severity in one class.
    private struct Group {
        let first: Finding
        var others: [Finding] = []
        /// The number of findings of the rule beyond the maximum of the report, of which only the number is known.
        var unlisted = 0
        /// Whether all of those are in this class.
        var isOnly = true

        var count: Int { others.count + 1 }

        func contains(_ finding: Finding) -> Bool {
            first.check == finding.check && first.severity == finding.severity
                && first.place.table == finding.place.table && first.place.slot == finding.place.slot
        }

        /// Their number in words.
        var countInWords: String {
            unlisted == 0 ? "\(count) times" : isOnly ? "\(count + unlisted) times" : "\(count) times or more"
        }
    }

    /// Adds the findings, the worst first.
    func describeFindings(_ lines: inout TextLines) {
        for group in groups { describe(group, &lines) }
    }

    private var groups: [Group] {
        var groups: [Group] = []
        for finding in report.findings {
            if let index = groups.firstIndex(where: { $0.contains(finding) }) {
                groups[index].others.append(finding)
            } else {
                groups.append(Group(first: finding))
            }
        }
        guard report.findings.count < report.total else { return groups }
        for (check, total) in report.totalsByCheck {
            let same = groups.indices.filter { groups[$0].first.check == check }
            let unlisted = total - same.reduce(0) { $0 + groups[$1].count }
            for index in same { (groups[index].unlisted, groups[index].isOnly) = (unlisted, same.count == 1) }
        }
        return groups
    }

    private func describe(_ group: Group, _ lines: inout TextLines) {
        let isLong = group.count + group.unlisted > Self.mostOfOneRule
        let words = words(group.first)
        lines.add(
            "\(group.first.severity.name) \(group.first.check.rawValue)",
            isLong ? "\(group.countInWords), first: \(words)" : words)
        for finding in isLong ? [] : group.others { lines.add("", self.words(finding)) }
        if group.first.severity > .info { lines.add("", group.first.consequence) }
    }

    /// The remark that the text leaves findings out; empty if it does not.
    var hiddenFindings: String {
        guard report.findings.count == report.total else {
            let shown = report.findings.count
            return shown == 0 ? " (0 shown)" : " (the first \(shown) are shown; --max-findings shows more)"
        }
        return groups.contains { $0.count > Self.mostOfOneRule } ? " (--json lists all)" : ""
    }

    /// A finding as text, with the slot if it is not that of the current commit.
    private func words(_ finding: Finding) -> String {
        let slot = finding.place.slot
        let isOther = report.slots.contains { $0.number == slot && !$0.isSelected }
        return Self.words(finding, slot: isOther ? slot : nil)
    }
}
