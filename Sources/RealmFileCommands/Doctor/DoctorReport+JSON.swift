internal import RealmExchange
internal import RealmForensics
internal import RealmLayout
internal import RealmStorage

extension DoctorReport {
    /// The members of the report for scripts.
    var members: [(String, JSONValue)] {
        var members = required
        if !remarks.isEmpty { members.append(("remarks", .array(remarks.map { VerifyReport.json($0) }))) }
        let undone = unpackFailure == nil ? layers : layers.dropLast()
        if !undone.isEmpty { members.append(("unpacked", .array(undone.map(\.json)))) }
        if let unpackFailure { members.append(("obstacle", .string(unpackFailure.words))) }
        let choice = unpackFailure?.choice ?? []
        if !choice.isEmpty { members.append(("entries", .array(choice.map(\.json)))) }
        let unread = unsearched.errors.map { CommandFailure($0, file: name).json }
        if !unread.isEmpty { members.append(("unsearched", .array(unread))) }
        return members
    }

    /// The members of every report.
    private var required: [(String, JSONValue)] {
        [
            ("fileSize", size.map { JSONValue($0) } ?? .null),
            ("kind", .string(kind)),
            ("problem", foundProblem?.json ?? .null),
            ("sound", .bool(status == .success)),
            ("prefix", prefix.map { JSONValue($0) } ?? .null),
            ("backups", .array(backups.map { .string($0.reportedPath) })),
            ("databases", folder.map { .array($0.map { .string($0.reportedPath) }) } ?? .null),
            (
                "findings",
                .array(
                    (checkup?.verification?.findings ?? []).filter { $0.severity >= .error }.map {
                        VerifyReport.json($0)
                    })
            ),
            ("ways", .array((checkup?.outcomes ?? []).map(Self.json))),
            ("best", JSONValue(checkup?.best?.way.rawValue)),
            ("next", advice?.json ?? .null),
        ]
    }

    private static func json(_ outcome: FileCheckup.Outcome) -> JSONValue {
        .object([
            ("way", .string(outcome.way.rawValue)),
            ("possible", .bool(outcome.isOpen)),
            ("commit", outcome.commit.map { JSONValue($0) } ?? .null),
            ("root", outcome.root.map { .offset($0.offset) } ?? .null),
            ("objects", JSONValue(outcome.objects)),
            ("expected", outcome.expected.map { JSONValue($0) } ?? .null),
            ("otherObjects", JSONValue(outcome.otherObjects)),
            ("errors", JSONValue(outcome.errors)),
            ("lossless", .bool(outcome.isLossless)),
            ("problem", outcome.problem?.json ?? .null),
        ])
    }
}
