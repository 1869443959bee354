internal import RealmCore
internal import RealmExchange
internal import RealmForensics
internal import RealmLayout

/// The output of `repair`, as text or JSON.
struct RepairReport: RepairResult {
    let name: String
    /// The new file; nil when none was written.
    let out: String?
    let layers: [UnpackedFile.Layer]
    let plan: RepairPlan
    /// The verifier's report on the new file.
    let result: VerificationReport?

    /// Whether the chosen commit contains everything that was found, and is sound.
    var isLossless: Bool { plan.isLossless && result.map(\.isSound) ?? true }

    /// The number of byte ranges that belong to nothing in the chosen commit.
    var unownedRanges: Int { plan.chosen?.report?.unownedRanges ?? 0 }

    /// The reason why there is no commit, and the possible remedies.
    var nothingFound: (words: String, remedies: [Remedy]) {
        switch plan.method {
        case .otherSlot:
            return ("the other slot leads to no commit that can be read", [.findRoot])
        case .found(let place):
            return ("\(place.words) cannot be read", [.findRoot, .salvage(unproven: false)])
        case .findRoot:
            guard plan.headerProblem == nil, plan.losses.lostTopRef == nil, plan.candidates.isEmpty else {
                return ("no commit was found that can be read", [.salvage(unproven: false)])
            }
            return (FormatError.emptyDatabase.detail, [])
        }
    }

    /// The reason why nothing was written although there is a commit, and the possible remedies.
    var notWritten: (words: String, remedies: [Remedy]) {
        let commit = plan.chosen.map { "commit \($0.commit)" } ?? "a commit"
        return (
            "no file was written: \(commit) is the best there is, and it is not complete; --allow-damaged writes it nevertheless",
            (plan.method == .findRoot ? [] : [.findRoot]) + [.salvage(unproven: false)]
        )
    }
}

extension RepairReport {
    /// The members of the report for scripts.
    var members: [(String, JSONValue)] {
        [
            ("fileSize", JSONValue(plan.fileSize)),
            ("method", .string(plan.method.word)),
            ("headerProblem", JSONValue(plan.headerProblem?.code.rawValue)),
            ("lostPages", JSONValue(plan.lostPages)),
            ("padding", JSONValue(plan.padding)),
            ("out", JSONValue(out?.reportedPath)),
            ("lossless", .bool(plan.chosen != nil && isLossless)),
            ("certain", .bool(plan.isCertain)),
            ("chosen", plan.best.map { JSONValue($0) } ?? .null),
            ("otherSlot", plan.kept.map { JSONValue($0) } ?? .null),
            ("unselected", plan.unselected.map { JSONValue($0) } ?? .null),
            ("losses", lossesJSON),
            ("candidateTotal", JSONValue(plan.candidateTotal)),
            ("candidates", .array(plan.candidates.map(Self.json))),
            ("result", result.map { .object(VerifyReport(name: out ?? "", report: $0).members) } ?? .null),
        ]
    }

    private var lossesJSON: JSONValue {
        .object([
            ("newest", plan.losses.newest.map { JSONValue($0) } ?? .null),
            ("lostTopRef", plan.losses.lostTopRef.map { .offset($0) } ?? .null),
            ("salvage", plan.losses.salvage.map(Self.json) ?? .null),
            (
                "tables",
                .array(
                    plan.losses.tables.map { table in
                        .object([
                            ("name", .string(table.name)),
                            ("newest", table.newest.map { JSONValue($0) } ?? .null),
                            ("chosen", table.chosen.map { JSONValue($0) } ?? .null),
                            ("lost", table.lost.map { JSONValue($0) } ?? .null),
                            ("older", table.older.map { JSONValue($0) } ?? .null),
                            ("back", table.back.map { JSONValue($0) } ?? .null),
                        ])
                    })
            ),
        ])
    }

    private static func json(_ yield: SalvageYield) -> JSONValue {
        .object([
            ("commit", JSONValue(yield.commit)),
            ("objects", JSONValue(yield.objects)),
            ("expected", yield.expected.map { JSONValue($0) } ?? .null),
            (
                "tables",
                .array(
                    yield.tables.map { table in
                        .object([
                            ("name", .string(table.name)), ("objects", JSONValue(table.objects)),
                            ("expected", table.expected.map { JSONValue($0) } ?? .null),
                        ])
                    })
            ),
        ])
    }

    private static func json(_ candidate: RootCandidate) -> JSONValue {
        .object(present: [
            ("ref", .offset(candidate.ref.offset)),
            ("origin", .string(candidate.origin.rawValue)),
            ("commit", JSONValue(candidate.commit)),
            ("logicalSize", JSONValue(candidate.logicalSize)),
            ("state", .string(candidate.state.word)),
            ("count", candidate.state.count.map { JSONValue($0) }),
            ("format", candidate.format.map { JSONValue($0.number) }),
            ("formatGuessed", candidate.format.map { _ in .bool(candidate.isFormatGuessed) }),
            ("objects", candidate.tables.isEmpty ? nil : JSONValue(candidate.objectCount)),
        ])
    }
}

extension RootCandidate.State {
    /// The state, as written in reports.
    var word: String {
        switch self {
        case .complete: "complete"
        case .doubtful: "doubtful"
        case .damaged: "damaged"
        case .unreadable: "unreadable"
        case .cutOff: "cutOff"
        case .notChecked: "notChecked"
        }
    }

    /// The number of leaks, errors, or missing bytes.
    var count: Int? {
        switch self {
        case .doubtful(let count), .damaged(let count), .cutOff(let count): count
        case .complete, .unreadable, .notChecked: nil
        }
    }
}

extension RepairMethod {
    /// The method, as written in reports.
    fileprivate var word: String {
        switch self {
        case .otherSlot: "otherSlot"
        case .findRoot: "findRoot"
        case .found(.number): "commit"
        case .found(.root): "root"
        }
    }
}

extension CommitLocation {
    /// The commit in words.
    fileprivate var words: String {
        switch self {
        case .number(let number): "commit \(number)"
        case .root(let root): "the commit at \(hexadecimal(root.offset))"
        }
    }
}
