internal import ArgumentParser
internal import RealmCore
internal import RealmExchange
internal import RealmLayout
internal import RealmStorage

/// `realmfile info`: describes a file without reading objects.
struct InfoCommand: FilesCommand, CommitCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Describes a file: format, commits, size, history, classes with object counts.",
        discussion: """
            Reads no objects, so that it takes the same time for every size; but of files with UUIDs, or dates of the \
            formats 2 to 4, the first 65536 of them.
            """)

    @OptionGroup var input: FilesOptions
    @OptionGroup var commitOptions: CommitOptions
    @OptionGroup var reporting: ReportOptions

    @Flag(help: "Check the authentication of every page of an encrypted file: reads all of it.")
    var checkPages = false

    @Flag(
        help: ArgumentHelp(
            "Begin with what identifies the file and the report: SHA-256 and times of the file, version of the tool, "
                + "command line, host and time. Reads all of the file. See also --no-atime."))
    var evidence = false

    func run(_ input: InputOptions, _ key: GivenKey?, on console: any Console) throws -> ExitStatus {
        // Reading can change the time of the last access.
        let facts = evidence && input.file != "-" ? try? FileFacts(path: input.file) : nil
        var identity: EvidenceEntry?
        var report = try input.reading { bytes in
            if evidence { identity = try EvidenceEntry(input, bytes, facts: facts, on: console) }
            let database: Result<RealmDatabase, FormatError>
            do {
                let opened = try RealmDatabase.open(bytes, key)
                database = .success(input.access.jsDates ? opened.withMillisecondDates : opened)
            } catch let error as FormatError {
                database = .failure(error)
            } catch {
                throw CommandFailure(error, file: input.name)
            }
            let found = try commitOptions.found.place.map { try input.snapshot(at: $0, of: bytes, key) }
            return InfoReport(
                name: input.name, size: bytes.count, database: database, selection: commitOptions.slot.selection,
                found: found, checksPages: checkPages)
        }
        report.evidence = identity
        let remedy: Remedy = report.status == .success ? .verify : .diagnose
        report.next = Advice([remedy], of: arguments(of: input, isEncrypted: report.encryption != nil))
        let named = arguments(of: input, isEncrypted: report.encryption != nil)
        if let version = report.snapshot?.version, version.isLegacy, let named {
            let out = FileArguments.argument(named.newPath("upgraded"))
            report.upgrade = Advice(
                "today's SDKs refuse format \(version); make a file that they open",
                named.command("upgrade", named.commit.options + ["--out", out]))
        }
        let failure = report.problem.map {
            CommandFailure($0, file: input.name, hasOtherCommit: report.hasOtherCommit)
        }
        try tell(
            [input.reportName], report.status, failure: failure, cautions: report.cautions, report.members,
            text: report.text, on: console)
        if reporting.json || reporting.quiet { report.cautions.show(input.name, on: console) }
        guard let failure else { return report.status }
        try console.flush()
        throw failure.reported
    }
}
