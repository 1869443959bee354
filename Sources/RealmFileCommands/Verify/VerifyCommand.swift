internal import ArgumentParser
internal import RealmCore
internal import RealmExchange
internal import RealmForensics
internal import RealmLayout
internal import RealmStorage

/// `realmfile verify`: checks whether a file is intact and reports where it is damaged.
struct VerifyCommand: FilesCommand, CommitCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Checks a file: both commits, every node, every value, who owns each byte.",
        discussion: """
            Without an option all nodes of both commits and all values, links and primary keys of the current one are \
            checked. Each finding names its rule (Spec/150-integrity.md), where it is, and what it means for the data.
            With --slot other, --commit or --root that commit alone is checked.
            Exit codes: 0 nothing is wrong; 1 there are findings of the severity error or worse; 2 the file or its \
            current commit cannot be read.
            """)

    @OptionGroup var input: FilesOptions
    @OptionGroup var commitOptions: CommitOptions
    @OptionGroup var reporting: ReportOptions

    @Flag(help: "Check header, roots, schema and free list only: milliseconds for every size.")
    var quick = false

    @Flag(help: "Also check search indexes, the history, and the values of the other commit.")
    var deep = false

    @Flag(help: "Exit with 1 for warnings too.")
    var strict = false

    @Option(
        help: ArgumentHelp("Show at most this many findings, the worst first; all are counted.", valueName: "count"))
    var maxFindings = 100

    @Option(help: ArgumentHelp("Threads that check (default: all processors).", valueName: "n"))
    var jobs: Int?

    func validate() throws {
        if let jobs, !(1...1024).contains(jobs) { throw ValidationError("--jobs takes a number from 1 to 1024") }
        if quick, deep { throw ValidationError("--quick and --deep exclude each other") }
        if maxFindings < 0 { throw ValidationError("--max-findings is below 0") }
    }

    func run(_ input: InputOptions, _ key: GivenKey?, on console: any Console) throws -> ExitStatus {
        let verification = Verification(
            level: quick ? .quick : deep ? .deep : .standard, maximumFindings: maxFindings,
            path: input.file == "-" ? nil : input.file, jobs: jobs ?? Processors.count)
        let isChosen = commitOptions.slot == .other || commitOptions.found.place != nil
        let line = ElapsedLine("checking \(input.name)", on: console, isQuiet: reporting.quiet)
        let (report, failure, cautions) = try line.reading(input) {
            bytes -> (VerificationReport, CommandFailure?, [Caution]) in
            // A file that is no Realm file, or an encrypted file without its key, is not damaged. With a key, the
            // verifier reports more.
            if let problem = DatabaseImage.headerProblem(bytes),
                key == nil, problem.code == .notARealm || problem.code == .encrypted
            {
                throw problem
            }
            let report = try self.report(verification, input, bytes, key)
            let snapshot = isChosen ? (try? input.snapshot(commitOptions, of: bytes, key)) : nil
            return (
                report, report.isReadable ? nil : self.failure(input, bytes, key, report),
                snapshot.map { Caution.all(of: $0, values: false) } ?? []
            )
        }
        let shown = VerifyReport(
            name: input.name, report: report, isOfChosenCommit: isChosen, next: next(report, input, key))
        if reporting.quiet, !reporting.json, failure == nil, !report.isSound || strict && report.total(.warning) > 0 {
            console.message("realmfile: \(input.name): \(shown.summary)")
        }
        let isFine = report.isSound && (!strict || report.total(.warning) == 0)
        let status = failure?.status ?? (isFine ? .success : .findings)
        try tell(
            [input.reportName], status, failure: failure, cautions: cautions, shown.members, text: shown.text,
            on: console)
        cautions.show(input.name, on: console)
        if let failure {
            try console.flush()
            throw failure.reported
        }
        return status
    }

    /// Advice about damage in a commit that can be opened.
    private func next(_ report: VerificationReport, _ input: InputOptions, _ key: GivenKey?) -> Advice? {
        guard report.isReadable, !report.isSound else { return nil }
        return Advice([.diagnose], of: arguments(of: input, isEncrypted: key != nil))
    }

    private func report(
        _ verification: Verification, _ input: InputOptions, _ bytes: ByteSource, _ key: GivenKey?
    ) throws -> VerificationReport {
        do {
            if let place = try place(input, bytes, key) {
                return try input.commits(in: bytes, key).verification(of: place, with: verification)
            }
            return try key.using { key in
                try key.map { try verification.run(on: bytes, key: $0) } ?? verification.run(on: bytes)
            }
        } catch let error as FormatError where error.code != .fileChanged {
            throw CommandFailure(error, file: input.name)
        }
    }

    /// The commit to check instead of the two that the header refers to; nil to check those two.
    private func place(_ input: InputOptions, _ bytes: ByteSource, _ key: GivenKey?) throws -> CommitLocation? {
        guard commitOptions.slot == .other else { return commitOptions.found.place }
        return try input.snapshot(.other, of: input.database(bytes, key)).topRef.map { .root($0) }
    }

    /// The reason why the current commit cannot be read, in the same words as in other commands.
    private func failure(
        _ input: InputOptions, _ bytes: ByteSource, _ key: GivenKey?, _ report: VerificationReport
    ) -> CommandFailure {
        let hasOther = report.rollback?.isPossible ?? false
        do {
            _ = try RealmDatabase.open(bytes, key).snapshot(toleratingDamage: true)
        } catch {
            return CommandFailure(error, file: input.name, hasOtherCommit: hasOther)
        }
        return CommandFailure("\(input.name): the current commit cannot be read")
    }
}
