internal import ArgumentParser
internal import RealmCore
internal import RealmExchange
internal import RealmForensics
internal import RealmLayout

/// `realmfile history`: lists what the commits changed that the history still has.
struct HistoryCommand: CommitCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Lists the commits of the history: which objects each of them added, changed and deleted.",
        discussion: """
            The oldest commit comes first. A history has object keys and properties, but no values; how many commits it has \
            depends on the app, mostly one or two. Histories of formats 2 to 9 are not decoded. Of a synchronised file also \
            the exchange with the server is listed: version, file and time of each change.

              realmfile history app.realm
              realmfile history app.realm --format jsonl
            """)

    /// The form of the output.
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text
        case jsonl
    }

    @OptionGroup var input: InputOptions
    @OptionGroup var commitOptions: CommitOptions
    @OptionGroup var reporting: ReportOptions

    @Option(help: "text, or jsonl: one JSON object for each commit on a line of its own.")
    var format = Format.text

    @Option(help: ArgumentHelp("Only this many commits, the newest.", valueName: "number"))
    var limit: Int?

    @Flag(help: "Name all objects; otherwise the first ones of each class.")
    var all = false

    var realmFiles: [InputOptions] { [input] }

    func validate() throws {
        if let limit, limit < 0 { throw ValidationError("--limit is below 0") }
        if format != .text, reporting.json { throw ValidationError("Choose one of --json, --format jsonl") }
    }

    func run(on console: any Console) async throws -> ExitStatus {
        let key = try input.key(console)
        var cautions: [Caution] = []
        var isEncrypted = false
        let report = try input.reading { bytes in
            let snapshot = try input.snapshot(commitOptions, of: bytes, key)
            isEncrypted = snapshot.isEncrypted
            cautions = Caution.all(of: snapshot, values: false)
            return HistoryReport(name: input.name, snapshot, limit: limit ?? .max)
        }
        let advice =
            report.damageCount > 0 ? Advice([.verify], of: arguments(of: input, isEncrypted: isEncrypted)) : nil
        if reporting.json {
            try tell(
                [input.reportName], report.status, cautions: cautions,
                report.members + [("next", advice?.json ?? .null)], on: console)
        } else if format == .jsonl {
            for entry in report.entries { try console.writeLine(report.json(entry).compact) }
        } else {
            try report.write(to: console, showsAll: all)
        }
        cautions.show(input.name, on: console)
        guard let first = report.damage.first else { return .success }
        try console.flush()
        let more = report.damageCount > 1 ? " and \(report.damageCount - 1) more" : ""
        console.message(
            "realmfile: \(input.name): \(first.line)\(more)\(advice.map { "; \($0.text)" } ?? "")")
        return report.status
    }
}
