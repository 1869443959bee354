internal import ArgumentParser
internal import RealmCore
internal import RealmExchange
internal import RealmForensics
internal import RealmLayout
internal import RealmStorage

/// `realmfile repair`: copies a complete commit of a broken file into a new file.
struct RepairCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(
        commandName: "repair",
        abstract: "Writes a new file from a complete commit; the damaged file is not modified.",
        discussion: """
            For a lost or overwritten header, or a last commit that is damaged. The new file is verified \
            before it is put in place; the report lists what could not be recovered.

            List the commits that are still there, or take the newest complete one:

              realmfile repair app.realm --find-root --dry-run
              realmfile repair app.realm --find-root --out new.realm

            Take the commit before the last:

              realmfile repair app.realm --use-slot other --out new.realm

            Take all that can be read of a damaged commit:

              realmfile repair app.realm --salvage --out new.realm

            With --salvage the new file has format 24, and everything of the last commit that can be read; the report says \
            what of each class and property was kept, defaulted, dropped. With --dry-run it says so without writing a file. \
            --use-slot, --find-root, --commit and --root choose another commit.

            Exit codes: 0 nothing that was seen is lost; 1 something is lost or damaged; 2 there is no commit.
            """)

    @OptionGroup var input: InputOptions
    @OptionGroup var reporting: ReportOptions

    @Option(help: ArgumentHelp("Where to write the new file.", valueName: "file"), completion: .file())
    var out: String?

    @Option(
        help: ArgumentHelp(
            "Take what the header's other slot leads to, mostly the previous commit.", valueName: "other"))
    var useSlot: RepairSlot?

    @OptionGroup var found: FoundCommitOptions

    @Flag(help: "Search the whole file for the newest complete commit: for a header that is lost or leads nowhere.")
    var findRoot = false

    @Flag(
        help: """
            Write everything that can be read into a new file of format 24, and rebuild the rest: for a commit that is \
            damaged.
            """)
    var salvage = false

    @Flag(
        help: """
            With --salvage: also read pages of an encrypted file that fail their authentication, or whose entries are lost. \
            What comes from them is reported as doubtful.
            """)
    var unauthenticated = false

    @Flag(help: "Write nothing; list the commits that were found, or with --salvage say what would come back.")
    var dryRun = false

    @Flag(help: "Also write a commit that is damaged, when there is no complete one.")
    var allowDamaged = false

    @Option(
        help: ArgumentHelp(
            "The file format to take when the header does not tell it, 2 to 11 or 20 to 24; otherwise the highest that "
                + "fits.", valueName: "number"))
    var format: UInt8?

    @Flag(help: "Write a plain file from an encrypted one. Without it the new file has the key of the old one.")
    var decrypt = false

    @Flag(help: "Replace a file that already exists.")
    var overwrite = false

    /// The maximum number of commits that a list describes in detail.
    private static let listed = 8

    var realmFiles: [InputOptions] { [input] }

    func arguments(of input: InputOptions, isEncrypted: Bool) -> FileArguments? {
        var arguments = FileArguments(input, isEncrypted: isEncrypted)
        arguments?.commit = CommitArguments(found.place, useSlot == nil ? .current : .other)
        arguments?.format = format
        arguments?.decrypts = decrypt
        return arguments
    }

    func validate() throws {
        let ways = [useSlot != nil, findRoot, found.place != nil].count(where: { $0 })
        guard salvage ? ways <= 1 : ways == 1 else {
            throw ValidationError(
                salvage
                    ? "--salvage takes one of --use-slot other, --find-root, --commit and --root, not several"
                    : "Choose one of --use-slot other, --find-root, --commit, --root, --salvage")
        }
        if unauthenticated, !salvage { throw ValidationError("--unauthenticated goes with --salvage") }
        guard (out != nil) != dryRun else { throw ValidationError("Choose one of --out FILE, --dry-run") }
        try InputOptions.requirePath(out, "--out")
        if out == "-" { throw ValidationError("--out takes a path: the new file is checked before it is given out") }
        if let format, !(FormatVersion(format).isClustered || FormatVersion(format).isLegacy) {
            throw ValidationError("--format \(format): there are 2 to 11 and 20 to 24")
        }
    }

    func run(on console: any Console) async throws -> ExitStatus {
        if let out { try OutputFile.check(out, isNot: input, option: "--out") }
        let key = try input.key(console)
        if salvage { return try salvage(key, console) }
        let (plan, prepared) = try input.reading { bytes in
            let repair = try self.repair(bytes, key)
            do {
                let plan = try repair.plan(method)
                return (plan, try out.flatMap { try prepare(plan, repair, try newFile($0, bytes, key)) })
            } catch {
                throw failure(error)
            }
        }
        if let prepared {
            do { try prepared.commit() } catch { throw CommandFailure(error, input: input.name) }
        }
        let report = RepairReport(
            name: input.name, out: prepared == nil ? nil : out, plan: plan, result: prepared?.report)
        let refusal = refusal(report)
        let status = refusal?.status ?? (report.isLossless ? .success : .findings)
        try tell([input.reportName], status, failure: refusal, report.members, text: report.text, on: console)
        guard let refusal else { return status }
        try console.flush()
        throw refusal.reported
    }

    private var method: RepairMethod {
        found.place.map { .found($0) } ?? (useSlot == nil ? .findRoot : .otherSlot)
    }

    /// The commit to salvage.
    private var root: Salvage.Root {
        found.place.map { .found($0) } ?? (findRoot ? .findRoot : useSlot == nil ? .current : .otherSlot)
    }

    /// The repair of the data.
    private func repair(_ bytes: ByteSource, _ key: GivenKey?) throws -> FileRepair {
        var repair =
            try isEncrypted(bytes, key) ? recovering(key) { try FileRepair(bytes, key: $0) } : FileRepair(bytes)
        if let format, let told = FileRepair.format(ofHeaderIn: bytes), told != FormatVersion(format) {
            throw CommandFailure(
                "\(input.name): the header says format \(told); --format is for files whose header does not",
                status: .usage)
        }
        repair.format = format.map { FormatVersion($0) }
        repair.minimumJudged = dryRun ? Self.listed : 0
        return repair
    }

    /// Writes everything readable into a new file.
    private func salvage(_ key: GivenKey?, _ console: any Console) throws -> ExitStatus {
        let report = try input.reading { try salvaged($0, key) }
        let status: ExitStatus = report.isLossless ? .success : .findings
        try tell([input.reportName], status, report.members, text: report.text, on: console)
        return status
    }

    private func salvaged(_ bytes: ByteSource, _ key: GivenKey?) throws -> SalvageText {
        var salvage =
            try isEncrypted(bytes, key)
            ? recovering(key) { try Salvage(bytes, key: $0, unproven: unauthenticated) } : Salvage(bytes)
        salvage.root = root
        salvage.format = format.map { FormatVersion($0) }
        do {
            guard let out else {
                return SalvageText(name: input.name, out: nil, report: try salvage.rehearse(), result: nil)
            }
            let result = try salvage.write(to: newFile(out, bytes, key))
            return SalvageText(name: input.name, out: out, report: result.report, result: result.verification)
        } catch {
            throw failure(error)
        }
    }

    /// The new file; encrypted like the old one, unless a plain file was requested.
    private func newFile(_ out: String, _ bytes: ByteSource, _ key: GivenKey?) throws -> NewFile {
        var file = NewFile(out)
        file.overwrite = overwrite
        file.key = isEncrypted(bytes, key) && !decrypt ? try key?.key : nil
        file.permissions = OutputFile.permissions(ofFileAt: input.file) ?? file.permissions
        return file
    }

    private func isEncrypted(_ bytes: ByteSource, _ key: GivenKey?) -> Bool {
        DatabaseImage.headerProblem(bytes)?.code == .encrypted || !(key?.isAmbient ?? true)
    }

    /// Calls `body` with the key of the file; `body` decrypts the file.
    private func recovering<R>(_ key: GivenKey?, _ body: (EncryptionKey) throws -> R) throws -> R {
        guard let key else {
            throw CommandFailure(FormatError(.encrypted, "the file is encrypted"), file: input.name)
        }
        do {
            return try body(key.key)
        } catch let error as FormatError where error.code == .wrongKey && !unauthenticated {
            throw CommandFailure(
                "\(input.name): \(error.line); if it is the right one, read what is encrypted with it", .format(error),
                file: input.name, [.salvage(unproven: true)])
        } catch {
            throw CommandFailure(error, file: input.name)
        }
    }

    /// Writes and checks the new file; returns nil when there is nothing to write.
    private func prepare(_ plan: RepairPlan, _ repair: FileRepair, _ file: NewFile) throws -> PreparedRepair? {
        guard plan.isComplete || allowDamaged, let prepared = try repair.prepare(plan, to: file) else { return nil }
        // Any damage in the new file must have been visible in the old one; otherwise the copy failed.
        guard prepared.report.isSound || allowDamaged, prepared.report.isReadable else {
            throw CommandFailure(
                "\(file.path.shownPath): the new file is not what was to be written; nothing was kept of it")
        }
        return prepared
    }

    /// Replaces the advice for a lost header or another commit, which in other commands is to run this command.
    private func failure(_ error: any Error) -> any Error {
        switch error {
        case let error as FormatError where error.code == .fileChanged:
            return error
        case WriteError.source(let error):
            return failure(error)
        case let error as WriteError:
            return CommandFailure(error, input: input.name)
        case let error as FormatError where [.zeroedHeader, .overwrittenHeader, .noOtherSlot].contains(error.code):
            // Salvage finds the remains of classes when no commit is left.
            let remedies: [Remedy] =
                useSlot != nil ? [.findRoot] : salvage ? [.lookForBackup] : [.salvage(unproven: false), .lookForBackup]
            return CommandFailure("\(input.name): \(error.line)", .format(error), file: input.name, remedies)
        default:
            let failure = CommandFailure(error, file: input.name, hasOtherCommit: false)
            return salvage ? failure.without([.diagnose]) : failure
        }
    }

    /// The reason why there is no new file although one was requested, or why nothing could become one.
    private func refusal(_ report: RepairReport) -> CommandFailure? {
        guard report.plan.chosen != nil else {
            let (words, remedies) = report.nothingFound
            return CommandFailure("\(input.name): \(words)", file: input.name, remedies)
        }
        guard out != nil, report.out == nil else { return nil }
        let (words, remedies) = report.notWritten
        return CommandFailure("\(input.name): \(words)", status: .findings, file: input.name, remedies)
    }
}

/// The slot of the header to use instead of the selected one.
enum RepairSlot: String, ExpressibleByArgument, CaseIterable {
    case other
}
