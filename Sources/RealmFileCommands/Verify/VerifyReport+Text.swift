internal import RealmCore
internal import RealmForensics
internal import RealmLayout

extension VerifyReport {
    /// The report as text; ends with a line break.
    var text: String {
        var lines = TextLines()
        lines.add("file", "\(name), \(InfoReport.bytes(report.fileSize))")
        for slot in report.slots {
            lines.add(
                isOfChosenCommit ? "root" : "slot \(slot.number)",
                isOfChosenCommit
                    ? Self.words(forChosen: slot) : Self.words(for: slot, hasCurrent: report.isReadable))
        }
        if let rollback = report.rollback { describe(rollback, &lines) }
        if let used = report.usedBytes, let size = report.logicalSize {
            lines.add("space", "\(InfoReport.bytes(used)) of \(InfoReport.bytes(size)) used")
        }
        describeTables(&lines)
        describeFindings(&lines)
        lines.add("result", result)
        if let next { lines.add("next", next.text) }
        return lines.text
    }

    /// The damage in one line.
    var summary: String {
        let first = report.findings.first.map { "; first: \($0.check.rawValue) \(Self.words($0))" } ?? ""
        return (report.isSound ? "" : "damaged: ") + Self.counts(report) + first
    }

    private var result: String {
        let counts = Self.counts(report)
        let list = counts.isEmpty ? "" : ": " + counts + hiddenFindings
        guard report.isReadable else { return "cannot be read" + list }
        return (report.isSound ? "ok" : "damaged") + list
    }

    /// The number of findings of each severity, the worst first; empty without findings.
    static func counts(_ report: VerificationReport) -> String {
        FindingSeverity.allCases.reversed().filter { report.total($0) > 0 }.map { severity in
            counted(report.total(severity), severity.singular, severity.plural)
        }.joined(separator: ", ")
    }

    private static func words(forChosen slot: VerificationReport.Slot) -> String {
        var words = [hexadecimal(slot.topRef)]
        if let commit = slot.commit { words.append("commit \(commit)") }
        return (words + states(of: slot)).joined(separator: ", ")
    }

    /// The format, the number of nodes, and their state.
    private static func states(of slot: VerificationReport.Slot) -> [String] {
        let nodes = slot.nodes.map { [counted($0, "node")] } ?? []
        let state =
            switch slot.state {
            case .damaged(let errors): "damaged: \(counted(errors, "error"))"
            case .unreadable: "cannot be read"
            default: "complete"
            }
        return ["format \(slot.format)"] + nodes + [state]
    }

    /// - Parameter hasCurrent: whether the current commit can be opened.
    private static func words(for slot: VerificationReport.Slot, hasCurrent: Bool) -> String {
        let role = slot.isSelected ? "current" : "other"
        switch slot.state {
        case .empty: return "\(role), empty"
        case .streamingMark: return "\(role), mark of the streaming form"
        case .complete, .damaged, .unreadable: break
        }
        var words = [role]
        if let commit = slot.commit { words.append("commit \(commit)") }
        switch slot.relation {
        case .previous: words.append("the one before")
        case .interrupted: words.append("the one after, written but not selected")
        case .unrelated:
            words.append(hasCurrent ? "not next to the current commit" : "the current commit cannot be read")
        case .current, .none: break
        }
        return (words + states(of: slot)).joined(separator: ", ")
    }

    private func describe(_ rollback: VerificationReport.Rollback, _ lines: inout TextLines) {
        guard rollback.isPossible else {
            lines.add("rollback", "to the previous commit: not possible")
            return
        }
        guard let changes = rollback.changes else {
            lines.add("rollback", "to the previous commit: possible; what it would undo is not known")
            return
        }
        lines.add(
            "rollback",
            "to the previous commit: "
                + (changes.isEmpty ? "possible; no object would change" : "possible; it would undo"))
        for change in changes {
            let parts = [("added", change.added), ("changed", change.changed), ("deleted", change.deleted)]
                .filter { $0.1 > 0 }.map { "\(counted($0.1, "object")) \($0.0)" }
            lines.addIndented("\(Self.className(change.name)): \(parts.joined(separator: ", "))")
        }
    }

    private func describeTables(_ lines: inout TextLines) {
        guard !report.tables.isEmpty else { return }
        let damaged = report.tables.filter { $0.affected > 0 || $0.objects != $0.readable }
        let classes = report.tables.filter { TableName.isClass($0.name) }
        let others = report.tables.reduce(0) { $0 + $1.readable } - classes.reduce(0) { $0 + $1.readable }
        lines.add(
            "objects",
            "\(counted(classes.reduce(0) { $0 + $1.readable }, "object")) in \(counted(classes.count, "class", "classes"))"
                + (others > 0 ? ", \(others) in other tables" : "")
                + (!damaged.isEmpty ? "" : report.isSound ? ", all readable" : "; see errors below"))
        for table in damaged {
            let stored = table.objects.map { "\($0)" } ?? "an unknown number"
            lines.addIndented(
                "\(Self.className(table.name)): \(table.readable) of \(stored) readable"
                    + (table.affected > 0 ? ", \(table.affected) of them affected" : "")
            )
        }
    }

    /// A finding as text: place, problem and offset.
    ///
    /// - Parameter slot: the slot to mention; nil to mention none.
    static func words(_ finding: Finding, slot: Int? = nil) -> String {
        var place = finding.place
        place.table = place.table.map(className)
        var head = place.description
        if let slot { head = head.isEmpty ? "slot \(slot)" : "slot \(slot), \(head)" }
        let offset = finding.offset.map { " (at offset \(hexadecimal($0)))" } ?? ""
        return ((head.isEmpty ? "" : head + ": ") + finding.message + offset).singleLine
    }

    private static func className(_ name: String) -> String {
        TableName.className(of: name).singleLine
    }
}

extension FindingSeverity {
    /// The name for one finding of this severity.
    fileprivate var singular: String {
        switch self {
        case .info: "remark"
        case .warning: "warning"
        case .error: "error"
        case .fatal: "fatal error"
        }
    }

    /// The name for several findings of this severity.
    fileprivate var plural: String {
        switch self {
        case .info: "remarks"
        case .warning: "warnings"
        case .error: "errors"
        case .fatal: "fatal errors"
        }
    }
}
