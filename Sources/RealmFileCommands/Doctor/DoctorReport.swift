internal import RealmCore
internal import RealmExchange
internal import RealmForensics
internal import RealmLayout
internal import RealmStorage

/// The output of `doctor`.
struct DoctorReport {
    let name: String
    /// The name of the file as written on a command line; nil for standard input.
    var arguments: FileArguments?
    var size: Int?
    /// The databases in a folder; nil for a file.
    var folder: [String]?
    /// The database that a lock file belongs to.
    var lockedFile: String?
    /// Backups next to the file.
    var backups: [String] = []
    /// The packings around the file, the outermost first.
    var layers: [UnpackedFile.Layer] = []
    /// The reason why the last of them was not undone.
    var unpackFailure: UnpackFailure?
    /// The kind of a file that is no Realm file, if it is known.
    var foreign: ForeignFile?
    /// The parts of a folder that were left out.
    var unsearched = FileContext.Unsearched()
    /// The format of a file that current SDKs refuse, and which SDKs refuse it.
    var refusal: (format: UInt8, by: String)?
    var checkup: FileCheckup?
    /// The reason why there is no checkup.
    var problem: FormatError?

    init(name: String, arguments: FileArguments?) {
        self.name = name
        self.arguments = arguments
    }

    /// The problem that prevents the file from being opened.
    var foundProblem: FormatError? { problem ?? checkup?.problem }

    /// The number of foreign bytes before the file; nil if it is packed in another way.
    var prefix: Int? { if case .prefix(let count)? = layers.first?.packing { count } else { nil } }

    var status: ExitStatus {
        if checkup?.isSound ?? false, layers.isEmpty { return .success }
        if checkup?.best != nil { return .findings }
        return isHopeless ? .unreadable : .findings
    }

    /// The problem in one line; nil when there is none.
    var summary: String? {
        guard status != .success else { return nil }
        let damage = checkup?.verification.map { "damaged: \(VerifyReport.counts($0))" }
        let what =
            unpackFailure?.words ?? foundProblem?.line
            ?? (checkup?.isSound ?? true ? kindInWords : damage ?? kindInWords)
        return what + (advice.map { "; \($0.text)" } ?? "")
    }

    /// Whether no command helps.
    private var isHopeless: Bool { advice?.commands.isEmpty ?? true }

    /// The kind of file as one word for scripts.
    var kind: String {
        if folder != nil { return "folder" }
        if lockedFile != nil { return "lockFile" }
        if let layer = layers.first { return layer.packing.kind }
        guard let problem = foundProblem else { return "realm" }
        switch problem.code {
        case .encrypted, .wrongKey, .wrongCipherKey: return "encrypted"
        case .emptyFile, .tooShort, .zeroedFile: return "nothing"
        case .notARealm: return foreign?.rawValue ?? "other"
        default: return "realm"
        }
    }

    private var kindInWords: String {
        if let unpackFailure { return unpackFailure.words }
        if !layers.isEmpty { return layers.words }
        if let foreign { return foreign.kindInWords }
        return switch kind {
        case "folder":
            "a folder with \(counted(folder?.count ?? 0, "Realm file"))"
                + (unsearched.isEmpty ? "" : "; some of the folders in it were not searched")
        case "lockFile": "a lock file, which Realm keeps beside a database"
        case "encrypted": "encrypted (or random data)"
        case "nothing": "no content"
        case "other": "not a Realm file"
        default: arguments?.isEncrypted == true && checkup != nil ? "a Realm file (a key is given)" : "a Realm file"
        }
    }

    /// The report as text; ends with a line break.
    var text: String {
        var lines = TextLines()
        lines.add("file", name + (size.map { ", \(InfoReport.bytes($0))" } ?? ""))
        lines.add("content", kindInWords)
        for file in folder ?? [] { lines.addIndented(file.shownPath) }
        let choice = unpackFailure?.choice ?? []
        for (index, entry) in choice.prefix(Self.mostEntries).enumerated() {
            lines.addIndented("\(index + 1)  \(entry.name.shownPath), \(InfoReport.bytes(entry.size))")
        }
        if choice.count > Self.mostEntries { lines.addIndented("and \(choice.count - Self.mostEntries) more") }
        for error in unsearched.errors.prefix(Self.mostErrors) { lines.add("not searched", "\(error)".singleLine) }
        if unsearched.errors.count > Self.mostErrors {
            lines.addIndented("and \(unsearched.errors.count - Self.mostErrors) more")
        }
        // For an encrypted file without a key, its kind is the whole report.
        if let problem = foundProblem, problem.code != .encrypted || !layers.isEmpty, foreign == nil {
            lines.add("problem", problem.line)
        }
        for backup in backups { lines.add("backup", backup.shownPath) }
        if let checkup { describe(checkup, &lines) }
        for remark in remarks { lines.add("remark", VerifyReport.words(remark)) }
        if checkup?.isSound ?? false { lines.add("result", soundness) }
        if let refusal { lines.add("refused by", refusal.by) }
        if let advice {
            lines.add("next", advice.text)
        } else if status != .success {
            let isEmpty = kind == "folder" ? "nothing to look at" : "nothing recoverable was found"
            lines.add("next", checkup?.best == nil ? isEmpty : "repair --best brings back what can be read")
        }
        return lines.text
    }

    /// The maximum number of unreadable folders to name.
    private static let mostErrors = 5
    /// The maximum number of files of an archive to name.
    private static let mostEntries = 20

    /// Remarks on a file without damage: that its other slot cannot be used to go back.
    var remarks: [Finding] {
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
                lines.addIndented("and more; realmfile verify lists them")
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
