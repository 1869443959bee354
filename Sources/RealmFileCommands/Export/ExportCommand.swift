internal import ArgumentParser
internal import RealmCore
internal import RealmExchange
internal import RealmLayout
internal import RealmStorage

/// `realmfile export`: writes the objects as documents.
struct ExportCommand: CommitCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Writes the objects as BSON, Extended JSON, JSON or CSV documents.",
        discussion: """
            With BSON in the mongo profile, the folder is what `mongorestore` takes: DIR/<db>/<Class>.bson with its \
            metadata. DIR/<db>/_realm has the exact schema, the schemas of the documents, and a report of losses.

              realmfile export app.realm --out dump && mongorestore dump
              realmfile export app.realm --archive - | mongorestore --archive
              realmfile export app.realm --out - --class Person --format json | jq .
              realmfile export app.realm --out part --where 'Person: age > 30' --follow
            """)

    @OptionGroup var input: InputOptions
    @OptionGroup var commitOptions: CommitOptions
    @OptionGroup var documents: DocumentOptions
    @OptionGroup var part: PartOptions
    @OptionGroup var reporting: ReportOptions

    @Option(
        help: ArgumentHelp(
            "The folder to write to; - writes the documents of one class to standard output.", valueName: "dir"),
        completion: .directory)
    var out: String?

    @Option(
        help: ArgumentHelp("Write one archive for `mongorestore --archive`; - for standard output.", valueName: "file"),
        completion: .file())
    var archive: String?

    @Option(
        help: ArgumentHelp(
            "The database that collections belong to (default: the file's base name, with _ for what MongoDB refuses).",
            valueName: "name"))
    var db: String?

    @Flag(help: "Compress documents and metadata, or the archive, with gzip.")
    var gzip = false

    @Flag(help: "Replace an export or archive that already exists.")
    var overwrite = false

    @Option(help: "What to do when something cannot be kept: report it, or report it and end with exit code 1.")
    var onLoss: LossPolicy = .report

    @Option(
        help: """
            What to do about values that cannot be read: leave them out (skip), write null, or not export their class (error). \
            Each place is named, and the exit code is 1.
            """)
    var onDamage: ExportOptions.DamagePolicy = .skip

    @Option(help: ArgumentHelp("Threads that make documents (default: all processors).", valueName: "n"))
    var jobs: Int?

    var realmFiles: [InputOptions] { [input] }
    private var json: Bool { reporting.json }
    private var quiet: Bool { reporting.quiet }

    func validate() throws {
        guard (out == nil) != (archive == nil) else {
            throw ValidationError("Choose one of --out DIR, --archive FILE")
        }
        try InputOptions.requirePath(out, "--out")
        try InputOptions.requirePath(archive, "--archive")
        if let db, DatabaseName(db) == nil {
            throw ValidationError(
                "--db '\(db.singleLine)': a MongoDB database name has 1 to 63 bytes and none of / \\ . \" $ * < > : | ? or spaces"
            )
        }
        if json, out == "-" || archive == "-" {
            throw ValidationError("--json prints on standard output, where the documents go already")
        }
        if let jobs, !(1...1024).contains(jobs) { throw ValidationError("--jobs takes a number from 1 to 1024") }
        try documents.validate(isArchive: archive != nil)
        try part.validate(documents.classes, isStream: out == "-")
    }

    func run(on console: any Console) async throws -> ExitStatus {
        if archive == "-" {
            try console.refuseTerminal(
                "archives", "give --archive FILE, or pass the output on: … | mongorestore --archive")
        }
        if out == "-", gzip || documents.format == .bson {
            try console.refuseTerminal(
                gzip ? "compressed documents" : "BSON documents",
                gzip ? "leave out --gzip, or give --out DIR" : "give --format json, or --out DIR")
        }
        if let archive { try OutputFile.check(archive, isNot: input, option: "--archive") }
        let key = try input.key(console)
        let snapshot = try input.snapshot(commitOptions, key)
        var cautions = Caution.all(of: snapshot, values: true, turnsGuids: documents.dotnetGuids)
        if documents.isForMongoDB,
            let caution = Caution.fieldNames(snapshot, classes: part.classes(documents.classes))
        {
            cautions.append(caution)
        }
        cautions.show(input.name, on: console)
        try input.check(classes: documents.classes, in: snapshot)
        var options = documents.options
        options.jobs = jobs ?? Processors.count
        options.onDamage = onDamage
        do {
            options = try await part.options(options, of: snapshot, file: input.name)
        } catch let error as FormatError {
            throw CommandFailure(error, file: input.name)
        }
        var exporter = Exporter(snapshot, options)
        let progress = ProgressLine(on: console, isQuiet: quiet)
        exporter.inputPaths = [input.path] + [input.keyFile].compactMap(\.self)
        if let allowed = OutputFile.permissions(ofFileAt: input.file) { exporter.permissions = allowed & 0o666 | 0o600 }
        exporter.progress = { progress.show($0, of: $1) }
        let report: ExportReport
        do {
            report = try await export(exporter)
        } catch let error as StorageError where error.isClosedPipe {
            // The next process in the pipe did not receive everything.
            progress.clear()
            throw CommandFailure(
                "\(input.name): the export is not complete: nobody reads the output any more", status: .closedPipe)
        } catch let error as StorageError where error.isAlreadyThere {
            throw CommandFailure(alreadyThere: error.path, option: archive == nil ? "--out" : "--archive")
        } catch {
            progress.clear()
            let failure = CommandFailure(error, file: input.name)
            guard let error = error as? FormatError, error.code == .fileChanged else { throw failure }
            let outcome = out == "-" || archive == "-" ? "the export is not complete" : "nothing was written"
            throw failure.saying(outcome)
        }
        progress.clear()
        let next = report.damage.isEmpty ? nil : Advice([.diagnose], of: arguments(of: input, isEncrypted: key != nil))
        let summary = ExportSummary(
            report, file: input.name, target: out ?? archive ?? "-", lossesFile: lossesFile, next: next)
        // An archive is all or nothing: documents of a class that were already written cannot be removed.
        let isAbandoned = archive != nil && !report.failures.isEmpty
        for line in quiet || json || isAbandoned ? summary.problems : summary.lines { console.message(line) }
        if isAbandoned {
            console.message("realmfile: \(input.name): no complete archive; --out DIR exports what can be read")
        }
        let status = status(of: report)
        if json {
            var members: [(String, JSONValue)] = [("out", .string((out ?? archive ?? "-").reportedPath))]
            members += report.members.filter { $0.0 != "damage" }
            members.append(("damage", .array(report.damage.map { $0.json })))
            members.append(("next", next?.json ?? .null))
            try tell([input.reportName], status, cautions: cautions, members, on: console)
        }
        return status
    }

    /// The sidecar with all losses; nil for one stream or archive.
    private var lossesFile: String? {
        guard let out, out != "-" else { return nil }
        let folder = out.hasSuffix("/") ? String(out.dropLast()) : out
        return "\(folder)/\(Exporter.lossesPath(ofDatabase: databaseName))".shownPath
    }

    private var databaseName: String { db ?? DatabaseName(makingFrom: input.baseName).text }

    private func status(of report: ExportReport) -> ExitStatus {
        if !report.damage.isEmpty { return .findings }
        return onLoss == .error && !report.losses.isEmpty || report.hasOversizeDocuments ? .findings : .success
    }

    private func export(_ exporter: Exporter) async throws -> ExportReport {
        let database = databaseName
        if let archive {
            return try await exporter.exportArchive(
                to: archive == "-" ? nil : archive, database: database, compressing: gzip, replacing: overwrite,
                toolVersion: "realmfile \(RealmFileCommand.version)")
        }
        if out == "-", let name = part.onlyClass(documents.classes) {
            return try await exporter.exportToStandardOutput(className: name, compressing: gzip)
        }
        return try await exporter.export(
            toFolder: out ?? "", database: database, compressing: gzip, replacing: overwrite)
    }
}

/// The effect of losses on the exit status.
enum LossPolicy: String, ExpressibleByArgument, CaseIterable {
    case report
    case error
}

extension ExportReport {
    /// Whether MongoDB would refuse some of the documents.
    var hasOversizeDocuments: Bool { losses.contains { $0.kind == .oversizeDocument } }
}
