internal import RealmCore
internal import RealmExchange
internal import RealmForensics
internal import RealmLayout
internal import RealmStorage

/// The output of `doctor`.
struct DoctorReport {
    let name: String
    /// The name of the file as written on a command line; nil for standard input.
    let arguments: FileArguments?
    var size: Int?
    /// The databases in a folder; nil for a file.
    var folder: [String]?
    /// The database that a lock file belongs to.
    var lockedFile: String?
    /// Backups next to the file.
    var backups: [String] = []
    var packing: Packing?
    /// The parts of a folder that were left out.
    var unsearched = FileContext.Unsearched()
    /// The format of a file that current SDKs refuse, and which SDKs refuse it.
    var refusal: (format: UInt8, by: String)?
    /// The number of foreign bytes before a good file.
    var prefix: Int?
    var checkup: FileCheckup?
    /// The reason why there is no checkup.
    var problem: FormatError?

    init(name: String, arguments: FileArguments?) {
        self.name = name
        self.arguments = arguments
    }

    /// The problem that prevents the file from being opened.
    var foundProblem: FormatError? { problem ?? checkup?.problem }

    var status: ExitStatus {
        if checkup?.isSound ?? false { return .success }
        return advice == nil || isHopeless ? .unreadable : .findings
    }

    /// The problem in one line; nil when there is none.
    var summary: String? {
        guard status != .success else { return nil }
        let damage = checkup?.verification.map { "damaged: \(VerifyReport.counts($0))" }
        let what = packing != nil ? kindInWords : foundProblem?.line ?? damage ?? kindInWords
        return what + (advice.map { "; \($0.text)" } ?? "")
    }

    /// Whether no command helps.
    private var isHopeless: Bool { advice?.commands.isEmpty ?? true }

    /// The kind of file as one word for scripts.
    var kind: String {
        if folder != nil { return "folder" }
        if lockedFile != nil { return "lockFile" }
        if prefix != nil { return "prefixed" }
        if let packing, checkup?.isSound != true { return packing.kind }
        guard let problem = foundProblem else { return "realm" }
        switch problem.code {
        case .encrypted, .wrongKey, .wrongCipherKey: return "encrypted"
        case .emptyFile, .tooShort, .zeroedFile: return "nothing"
        case .notARealm: return "other"
        default: return "realm"
        }
    }

    private var kindInWords: String {
        switch kind {
        case "folder":
            "a folder with \(counted(folder?.count ?? 0, "Realm file"))"
                + (unsearched.isEmpty ? "" : "; some of the folders in it were not searched")
        case "lockFile": "a lock file, which Realm keeps beside a database"
        case "prefixed": "a Realm file after \(counted(prefix ?? 0, "extra byte"))"
        case "zip": "a ZIP archive"
        case "gzip": "a gzip file"
        case "xz": "an xz file"
        case "base64", "hexadecimal", "lineEnds", "utf8", "replaced", "lfsPointer": packing?.form?.words ?? ""
        case "encrypted": "encrypted (or random data)"
        case "nothing": "no content"
        case "other": "not a Realm file"
        default: arguments?.isEncrypted == true && checkup != nil ? "a Realm file (a key is given)" : "a Realm file"
        }
    }

    /// The one action to take; nil when nothing is wrong, or nothing helps.
    var advice: Advice? {
        if let folder {
            guard let first = folder.first else { return nil }
            let files = folder.map { FileArguments.quoted(FileArguments.argument($0)) }.joined(separator: " ")
            return Advice(
                folder.count == 1 ? "look at \(first.shownPath)" : "look at its files", "realmfile doctor \(files)")
        }
        if let lockedFile {
            let file = FileArguments.quoted(FileArguments.argument(lockedFile))
            return Advice("look at the database", "realmfile doctor \(file)")
        }
        if let prefix {
            guard let arguments else { return nil }
            return Advice([.skip(prefix)], of: arguments)
        }
        if let packing, checkup?.isSound != true {
            guard let arguments, let command = packing.command(arguments) else { return nil }
            return Advice(packing.advice, command)
        }
        if let refusal, checkup?.isSound ?? false, let arguments, arguments.skipped == nil {
            let out = FileArguments.argument(arguments.newPath("upgraded"))
            return Advice(
                "today's SDKs refuse format \(refusal.format); make a file that they open",
                arguments.command("upgrade", ["--out", out]))
        }
        if let best = checkup?.best, let arguments { return advice(best, arguments) }
        guard let problem = foundProblem else { return nil }
        if let backup = backups.last {
            let file = FileArguments.quoted(FileArguments.argument(backup))
            return Advice("there is a backup beside it", "realmfile doctor \(file)")
        }
        let remedies = problem.remedies(hasOtherCommit: false).filter {
            $0 != .findRoot && $0 != .salvage(unproven: true)
        }
        return Advice(remedies, of: nil)
    }

    private func advice(_ best: FileCheckup.Outcome, _ arguments: FileArguments) -> Advice? {
        func repair(_ words: String, _ options: [String], _ suffix: String) -> Advice {
            let out = FileArguments.argument(arguments.newPath(suffix))
            return Advice(words, arguments.command("repair", options + ["--out", out]))
        }
        switch best.way {
        case .asItIs:
            // The file is intact, but no app can open it in this place.
            guard arguments.skipped != nil else { return nil }
            return repair("cut out the file", ["--find-root"], "cut-out")
        case .otherSlot: return repair("take the commit before", ["--use-slot", "other"], "repaired")
        case .findRoot:
            let words = best.isLossless ? "nothing is seen to be lost" : "take the newest commit that is whole"
            return repair(words, ["--find-root"], "repaired")
        case .salvage: return repair("bring back what can be read", ["--salvage"], "salvaged")
        case .salvageUnproven:
            return repair("bring back what can be read", ["--salvage", "--unauthenticated"], "salvaged")
        }
    }

    /// The report as text; ends with a line break.
    var text: String {
        var lines = TextLines()
        lines.add("file", name + (size.map { ", \(InfoReport.bytes($0))" } ?? ""))
        lines.add("content", kindInWords)
        for file in folder ?? [] { lines.addIndented(file.shownPath) }
        for error in unsearched.errors.prefix(Self.mostErrors) { lines.add("not searched", "\(error)".singleLine) }
        if unsearched.errors.count > Self.mostErrors {
            lines.addIndented("and \(unsearched.errors.count - Self.mostErrors) more")
        }
        // For an encrypted file without a key, its kind is the whole report.
        if packing == nil, let problem = foundProblem, problem.code != .encrypted,
            kind == "realm" || kind == "encrypted" || kind == "nothing" || kind == "other"
        {
            lines.add("problem", problem.line)
        }
        for backup in backups { lines.add("backup", backup.shownPath) }
        if let checkup, packing == nil || checkup.isSound { describe(checkup, &lines) }
        for remark in remarks { lines.add("remark", VerifyReport.words(remark)) }
        if checkup?.isSound ?? false { lines.add("result", soundness) }
        if let refusal { lines.add("refused by", refusal.by) }
        if let advice {
            lines.add("next", advice.text)
        } else if !(checkup?.isSound ?? false) {
            lines.add("next", kind == "folder" ? "nothing to look at" : "nothing recoverable was found")
        }
        return lines.text
    }

    /// The maximum number of unreadable folders to name.
    private static let mostErrors = 5

    /// Remarks on a file without damage: that its other slot cannot be used to go back.
    private var remarks: [Finding] {
        guard let checkup, checkup.isSound else { return [] }
        return (checkup.verification?.findings ?? []).filter { $0.check == .otherSlot && $0.severity == .warning }
    }

    /// The result of a check without findings. Plain files have no checksums.
    private var soundness: String {
        arguments?.isEncrypted == true && checkup != nil
            ? "no damage can be seen; pages of encrypted files are authenticated"
            : "no damage can be seen; plain files have no checksums, single values may differ from what was written"
    }

    private func describe(_ checkup: FileCheckup, _ lines: inout TextLines) {
        if let report = checkup.verification, report.isReadable, !report.isSound {
            lines.add("damage", VerifyReport.counts(report))
            let findings = report.findings.filter { $0.severity >= .error }
            for finding in findings.prefix(5) {
                lines.addIndented("\(finding.check.rawValue) \(VerifyReport.words(finding))")
            }
            if findings.count > 5 {
                lines.addIndented("and more; `realmfile verify` lists them".replacing("`", with: ""))
            }
        }
        let reasons = Set(checkup.outcomes.map { $0.problem?.detail ?? "" })
        if checkup.outcomes.count > 1, let reason = reasons.first, reasons.count == 1, !reason.isEmpty {
            lines.add("recovery", "none: \(reason.singleLine)")
            return
        }
        for outcome in checkup.outcomes {
            lines.add(outcome.way.words, Self.words(outcome) + (outcome.way == checkup.best?.way ? "  <- best" : ""))
        }
    }

    private static func words(_ outcome: FileCheckup.Outcome) -> String {
        if let problem = outcome.problem { return "not possible: \(problem.detail.singleLine)" }
        var words = outcome.commit.map { "commit \($0), " } ?? ""
        let objects = outcome.objects - outcome.otherObjects
        words +=
            outcome.expected.map { "\(objects) of \(counted($0 - (outcome.otherExpected ?? 0), "object"))" }
            ?? counted(objects, "object")
        if outcome.otherObjects > 0 { words += ", and \(outcome.otherObjects) in tables that are no classes" }
        if outcome.isLossless { return words + ", no damage seen" }
        return outcome.errors > 0 ? "\(words), \(counted(outcome.errors, "place")) with damage" : words
    }
}

extension FileCheckup.Way {
    /// The title of the option in texts.
    fileprivate var words: String {
        switch self {
        case .asItIs: "as it is"
        case .otherSlot: "other slot"
        case .findRoot: "find-root"
        case .salvage: "salvage"
        case .salvageUnproven: "unauthenticated"
        }
    }
}

extension FileArguments {
    /// The path of a file next to this one that does not exist yet: `app-repaired.realm`.
    func newPath(_ suffix: String) -> String {
        let stem = path.hasSuffix(".realm") ? String(path.dropLast(6)) : path
        var number = 1
        while true {
            let name = "\(stem)-\(suffix)\(number == 1 ? "" : "-\(number)").realm"
            if number > 99 || !OutputFile.exists(name) { return name }
            number += 1
        }
    }
}

extension DoctorReport {
    /// The members of the report for scripts.
    var members: [(String, JSONValue)] {
        var members = required
        if !remarks.isEmpty { members.append(("remarks", .array(remarks.map { VerifyReport.json($0) }))) }
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
            ("sound", .bool(checkup?.isSound ?? false)),
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
