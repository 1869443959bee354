internal import ArgumentParser
internal import RealmCore
internal import RealmExchange
internal import RealmLayout
internal import RealmStorage

/// `realmfile import`: creates a new file from documents.
struct ImportCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Writes a new Realm file from BSON, Extended JSON, JSON or CSV documents.",
        discussion: """
            Reads folders and archives of `export` and `mongodump`, and files with BSON documents or with Extended JSON \
            or plain JSON, one document a line or one array; compressed with gzip or not. The schema comes from the \
            file beside the documents or from --schema; otherwise it is inferred from the documents, and _id becomes the \
            primary key.

            What `export --profile canonical` wrote comes back as it was: schema, object keys, values, links.

              realmfile export old.realm --profile canonical --out data
              realmfile import data --out new.realm
            """)

    @Argument(
        help: ArgumentHelp("A folder with an export, or files with documents.", valueName: "dir|file"),
        completion: .file())
    var inputs: [String]

    @Option(help: ArgumentHelp("Where to write the new file.", valueName: "file"), completion: .file())
    var out: String

    @OptionGroup var documents: ImportDocumentOptions
    @OptionGroup var reporting: ReportOptions

    @Flag(help: "Replace a file that already exists, unless a process has it open.")
    var overwrite = false

    @Option(
        help: ArgumentHelp(
            "The file with the key for the new file, which is encrypted then; - for standard input. It holds the 64 "
                + "bytes, 128 hex digits, base64, or a list of numbers. Without it, the variable REALMFILE_NEW_KEY is "
                + "taken.",
            valueName: "path"), completion: .file())
    var newKeyFile: String?

    @Option(help: "What to do when something cannot be kept: report it, or write nothing and end with exit code 1.")
    var onLoss: LossPolicy = .report

    var realmFiles: [InputOptions] { [] }
    var reportedFiles: [String] { inputs.map { $0 == "-" ? "standard input" : NativePath.shown($0) } }
    private var json: Bool { reporting.json }
    private var quiet: Bool { reporting.quiet }

    func validate() throws {
        try InputOptions.requirePath(out, "--out")
        if out == "-" { throw ValidationError("--out takes a path: the header is written last") }
        if inputs.contains("") { throw ValidationError("the name of a file or folder is empty") }
        if inputs.filter({ $0 == "-" }).count > 1 { throw ValidationError("standard input can be read only once") }
    }

    func run(on console: any Console) async throws -> ExitStatus {
        for path in inputs.map(InputOptions.path(of:)) + [newKeyFile].compactMap(\.self)
        where OutputFile.isSameFile(out, path) {
            throw CommandFailure(
                "--out must not be one of the input files: \(out.shownPath)",
                status: .usage)
        }
        if !overwrite, OutputFile.exists(out) {
            throw CommandFailure(alreadyThere: out)
        }
        let key = try InputOptions.key(newKeyFile, orIn: EncryptCommand.newKeyVariable, console)?.key
        var options = documents.options
        options.allowsLosses = onLoss == .report
        var importer = Importer(inputs, options)
        let progress = CountLine(on: console, isQuiet: quiet)
        importer.progress = { step in
            switch step {
            case .rehearsed(let count): progress.show("\(count) documents looked at")
            case .written(let count): progress.show("\(count) documents imported")
            }
        }
        let report: ImportReport
        var isWritten = true
        do throws(ImportError) {
            defer { progress.clear() }
            report = try await importer.run(to: out, overwrite: overwrite, key: key)
        } catch {
            guard case .losses(let found) = error else { throw CommandFailure(importing: error, out: out) }
            report = found
            isWritten = false
        }
        let summary = ImportSummary(report, inputs: inputs, out: out)
        for line in quiet || json || !isWritten ? summary.problems : summary.lines { console.message(line) }
        if json {
            try tell(
                reportedFiles, isWritten ? .success : .findings,
                [("out", .string(out.reportedPath))] + report.members(isWritten: isWritten), on: console)
        }
        guard isWritten else {
            console.message("realmfile: \(out.shownPath) is not written: --on-loss error allows no losses")
            return .findings
        }
        return .success
    }
}

extension CommandFailure {
    /// Creates a failure from the error that ended an import.
    init(importing error: ImportError, out: String) {
        switch error {
        case .storage(let error), .write(.storage(let error)):
            self.init(error, file: out)
        case .document(let error):
            let isRequest = error.code == .noDocuments
            self.init(error.description.singleLine, status: isRequest ? .usage : .unreadable)
        case .write(.misfit(let misfit)):
            self.init("what is imported does not make a database: \(misfit.description.singleLine)")
        case .write(.source(let error)):
            self.init(error, file: out)
        case .write(.internalInconsistency(let what)):
            self.init("\(out.shownPath): the new file was not right, and nothing was kept of it: \(what.singleLine)")
        case .losses, .stream, .cancelled:
            self.init(error.description, status: .findings)
        }
    }
}
