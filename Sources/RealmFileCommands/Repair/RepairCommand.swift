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

            Do what doctor advises, also with a file that is in something else (ZIP, tar, gzip, base64, hexadecimal \
            digits, extra bytes before it) or that text mode changed (CR LF):

              realmfile repair app.realm --best --out new.realm
              realmfile repair app.zip --entry app.realm --best --out new.realm

            List the commits that are still there, or take the newest complete one:

              realmfile repair app.realm --find-root --dry-run
              realmfile repair app.realm --find-root --out new.realm

            Take the commit before the last:

              realmfile repair app.realm --slot other --out new.realm

            Take all that can be read of a damaged commit:

              realmfile repair app.realm --salvage --out new.realm

            With --salvage the new file has format 24, and everything of the last commit that can be read; the report says \
            what of each class and property was kept, defaulted, dropped. With --dry-run it says so without writing a file. \
            --slot, --find-root, --commit and --root choose another commit.

            Exit codes: 0 nothing that was seen is lost; 1 something is lost or damaged; 2 there is no commit.
            """)

    @OptionGroup var input: InputOptions
    @OptionGroup var reporting: ReportOptions
    @OptionGroup var packed: PackedOptions

    @Option(help: ArgumentHelp("Where to write the new file.", valueName: "file"), completion: .file())
    var out: String?

    @Flag(
        help: """
            Take the way that brings back most, as doctor advises; the new file is a copy if nothing is wrong.
            """)
    var best = false

    @Option(
        name: [.customLong("slot"), .customLong("use-slot")],
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

    @Option(
        help: ArgumentHelp(
            "With --salvage or --best: another file of the same app, for the names of classes and properties that this "
                + "one has lost. It has the same key, or none.", valueName: "file"))
    var schemaFrom: String?

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
        arguments?.entry = packed.entry
        return arguments
    }

    func validate() throws {
        let ways = [best, useSlot != nil, findRoot, found.place != nil].count(where: { $0 })
        guard salvage ? ways <= 1 && !best : ways == 1 else {
            throw ValidationError(
                salvage
                    ? "--salvage takes one of --slot other, --find-root, --commit and --root, not several"
                    : ways == 0
                        ? "Choose how: --best does what doctor advises; or one of --slot other, --find-root, --commit, --root, --salvage"
                        : "Choose one of --best, --slot other, --find-root, --commit, --root, --salvage")
        }
        if schemaFrom != nil, !salvage, !best { throw ValidationError("--schema-from goes with --salvage or --best") }
        try InputOptions.requirePath(schemaFrom, "--schema-from")
        if schemaFrom == "-", input.file == "-" { throw ValidationError("standard input can be read only once") }
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
        let line = ElapsedLine("repairing \(input.name)", on: console, isQuiet: reporting.quiet)
        let (result, prepared) = try line.reading(input) { file in
            let (unpacked, way) = try self.way(file, key)
            switch way {
            case .copy: return try copied(unpacked, key)
            case .commit(let method): return try repaired(unpacked, method, key)
            case .salvage(let root, let unproven): return (try salvaged(unpacked, root, unproven, key, line), nil)
            }
        }
        if let prepared {
            do { try prepared.commit() } catch { throw CommandFailure(error, input: input.name) }
        }
        let refusal = (result as? RepairReport).flatMap(refusal)
        let status = refusal?.status ?? (result.isLossless && result.layers.isIntact ? .success : .findings)
        try tell([input.reportName], status, failure: refusal, result.allMembers, text: result.text, on: console)
        guard let refusal else { return status }
        try console.flush()
        throw refusal.reported
    }

    /// The file without its packings, and the way to repair it.
    private func way(_ file: ByteSource, _ key: GivenKey?) throws -> (UnpackedFile, RepairWay) {
        let unpacked: UnpackedFile
        do {
            unpacked = try Unpacker(arguments: FileArguments(input, isEncrypted: key != nil), entry: packed.entry)
                .unpack(file)
        } catch {
            throw CommandFailure(
                error, of: input, FileArguments(input, isEncrypted: key != nil), verb: "repair", chosenOptions)
        }
        if salvage { return (unpacked, .salvage(root, unproven: unauthenticated)) }
        guard best else { return (unpacked, .commit(method)) }
        let examined = try ExaminedFile(unpacked, key, jobs: Processors.count)
        guard let best = examined.checkup.best else { throw nothingFound(examined.checkup) }
        let isPlainWanted = decrypt && isEncrypted(examined.file.bytes, key)
        return (examined.file, RepairWay(best.way, mustRewrite: isPlainWanted))
    }

    /// The failure for a file of which no way brings back anything.
    private func nothingFound(_ checkup: FileCheckup) -> any Error {
        guard let problem = checkup.problem else {
            return CommandFailure("\(input.name): nothing recoverable was found", file: input.name, [.lookForBackup])
        }
        return CommandFailure(problem, file: input.name, hasOtherCommit: false).withoutRescue
    }

    /// The options on the command line that choose what to do, for advice.
    private var chosenOptions: [String] {
        var options: [String] = []
        if best { options.append("--best") }
        if useSlot != nil { options += ["--slot", "other"] }
        if findRoot { options.append("--find-root") }
        if case .found(let place) = CommitArguments(found.place, .current) {
            options += CommitArguments.found(place).options
        }
        if salvage { options.append("--salvage") }
        if dryRun { options.append("--dry-run") }
        if let out { options += ["--out", FileArguments.argument(out)] }
        return options
    }

    private var method: RepairMethod {
        found.place.map { .found($0) } ?? (useSlot == nil ? .findRoot : .otherSlot)
    }

    /// The commit to salvage.
    private var root: Salvage.Root {
        found.place.map { .found($0) } ?? (findRoot ? .findRoot : useSlot == nil ? .current : .otherSlot)
    }

    /// Prepares a copy of a file without damage.
    private func copied(_ file: UnpackedFile, _ key: GivenKey?) throws -> (any RepairResult, PreparedRepair?) {
        guard let out else { return (CopyReport(name: input.name, file: file, out: nil, result: nil), nil) }
        do {
            let prepared = try PreparedRepair.copy(
                of: file.bytes, key: isEncrypted(file.bytes, key) ? key?.key : nil, to: newFile(out, file.bytes, key))
            guard prepared.report.isSound else { throw notAsWanted(out) }
            let next = key.refusal(of: file.bytes).flatMap { refusal in
                FileArguments(input, isEncrypted: key != nil)?.with(path: out).adviceToUpgrade(from: refusal.format)
            }
            return (CopyReport(name: input.name, file: file, out: out, result: prepared.report, next: next), prepared)
        } catch {
            throw failure(error)
        }
    }

    /// Prepares a file of one commit.
    private func repaired(
        _ file: UnpackedFile, _ method: RepairMethod, _ key: GivenKey?
    ) throws -> (any RepairResult, PreparedRepair?) {
        let repair = try self.repair(file.bytes, key)
        do {
            let plan = try repair.plan(method)
            let prepared = try out.flatMap { try prepare(plan, repair, try newFile($0, file.bytes, key)) }
            let report = RepairReport(
                name: input.name, out: prepared == nil ? nil : out, layers: file.layers, plan: plan,
                result: prepared?.report)
            return (report, prepared)
        } catch {
            throw failure(error)
        }
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
    private func salvaged(
        _ file: UnpackedFile, _ root: Salvage.Root, _ unproven: Bool, _ key: GivenKey?, _ line: ElapsedLine
    ) throws -> SalvageText {
        let bytes = file.bytes
        var salvage =
            try isEncrypted(bytes, key)
            ? recovering(key) { try Salvage(bytes, key: $0, unproven: unproven) } : Salvage(bytes)
        salvage.root = root
        salvage.format = format.map { FormatVersion($0) }
        salvage.known = try knownSchema(key)
        salvage.progress = { line.note($0, of: $1) }
        do {
            guard let out else {
                return SalvageText(
                    name: input.name, out: nil, layers: file.layers, report: try salvage.rehearse(), result: nil)
            }
            let result = try salvage.write(to: newFile(out, bytes, key))
            return SalvageText(
                name: input.name, out: out, layers: file.layers, report: result.report, result: result.verification)
        } catch {
            throw failure(error)
        }
    }

    /// The schema of the file for names that are lost; nil if there is none.
    private func knownSchema(_ key: GivenKey?) throws -> KnownSchema? {
        guard let schemaFrom else { return nil }
        var access = input.access
        access.skip = nil
        let other = InputOptions(file: schemaFrom, access)
        return try other.reading { bytes in
            do {
                return try KnownSchema(of: other.snapshot(.current, of: other.database(bytes, key?.asAmbient)))
            } catch {
                throw CommandFailure(error, file: other.name)
            }
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
            throw notAsWanted(file.path)
        }
        return prepared
    }

    private func notAsWanted(_ path: String) -> CommandFailure {
        CommandFailure("\(path.shownPath): the new file is not what was to be written; nothing was kept of it")
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
