internal import RealmCore
internal import RealmExchange
internal import RealmForensics
internal import RealmLayout

/// The output of `verify`, as text or JSON.
struct VerifyReport {
    let name: String
    let report: VerificationReport
    /// Whether the report covers one requested commit instead of those in the header.
    var isOfChosenCommit = false
    /// Advice about the damage.
    var next: Advice?
}

extension VerifyReport {
    /// The members of the report for scripts.
    var members: [(String, JSONValue)] {
        let totals = FindingSeverity.allCases.reversed().map { severity in
            (severity.name, JSONValue(report.total(severity)))
        }
        let totalsByCheck = CheckIdentifier.allCases.compactMap { check -> (String, JSONValue)? in
            report.totalsByCheck[check].map { (check.rawValue, JSONValue($0)) }
        }
        // Separate statements: a single expression takes the type checker seconds.
        var members: [(String, JSONValue)] = [
            ("fileSize", JSONValue(report.fileSize)),
            ("level", .string("\(report.level)")),
            ("readable", .bool(report.isReadable)),
            ("sound", .bool(report.isSound)),
            ("logicalSize", report.logicalSize.map { JSONValue($0) } ?? .null),
            ("usedBytes", report.usedBytes.map { JSONValue($0) } ?? .null),
            ("slots", .array(report.slots.map(Self.json))),
            ("rollback", report.rollback.map(Self.json) ?? .null),
            ("tables", .array(report.tables.map(Self.json))),
            ("totals", .object(totals)),
            ("totalsByCheck", .object(totalsByCheck)),
            ("findings", .array(report.findings.map { Self.json($0) })),
        ]
        if let next { members.append(("next", next.json)) }
        return members
    }

    private static func json(_ slot: VerificationReport.Slot) -> JSONValue {
        var errors: Int?
        if case .damaged(let count) = slot.state { errors = count }
        return .object([
            ("slot", JSONValue(slot.number)),
            ("selected", .bool(slot.isSelected)),
            ("topRef", .offset(slot.topRef)),
            ("format", JSONValue(slot.format.number)),
            ("commit", slot.commit.map { JSONValue($0) } ?? .null),
            ("state", .string(slot.state.word)),
            ("errors", errors.map { JSONValue($0) } ?? .null),
            ("relation", .string(slot.relation.rawValue)),
            ("nodes", slot.nodes.map { JSONValue($0) } ?? .null),
        ])
    }

    private static func json(_ rollback: VerificationReport.Rollback) -> JSONValue {
        .object([
            ("possible", .bool(rollback.isPossible)),
            (
                "changes",
                rollback.changes.map { changes in
                    .array(
                        changes.map { change in
                            .object([
                                ("table", .string(change.name)), ("added", JSONValue(change.added)),
                                ("changed", JSONValue(change.changed)), ("deleted", JSONValue(change.deleted)),
                            ])
                        })
                } ?? .null
            ),
        ])
    }

    private static func json(_ table: VerificationReport.TableSummary) -> JSONValue {
        .object([
            ("name", .string(table.name)),
            ("objects", table.objects.map { JSONValue($0) } ?? .null),
            ("readable", JSONValue(table.readable)),
            ("affected", JSONValue(table.affected)),
        ])
    }

    /// A finding; the slot can be left out.
    static func json(_ finding: Finding, hasSlot: Bool = true) -> JSONValue {
        .object(present: [
            ("check", .string(finding.check.rawValue)),
            ("name", .string("\(finding.check)")),
            ("severity", .string(finding.severity.name)),
            ("offset", finding.offset.map { .offset($0) }),
            ("slot", hasSlot ? finding.place.slot.map { JSONValue($0) } : nil),
            ("table", finding.place.table.map { .string($0) }),
            ("property", finding.place.property.map { .string($0) }),
            ("objectKey", finding.place.objectKey.map { .int($0.value) }),
            ("message", .string(finding.message)),
            ("consequence", .string(finding.consequence)),
        ])
    }
}

extension VerificationReport.SlotState {
    /// The state, as written in reports.
    var word: String {
        switch self {
        case .complete: "complete"
        case .damaged: "damaged"
        case .unreadable: "unreadable"
        case .empty: "empty"
        case .streamingMark: "streamingMark"
        }
    }
}
