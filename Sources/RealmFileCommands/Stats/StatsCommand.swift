internal import ArgumentParser
internal import RealmCore
internal import RealmExchange
internal import RealmForensics
internal import RealmLayout
internal import RealmStorage

/// `realmfile stats`: shows what the bytes of a file are for.
struct StatsCommand: FilesCommand, CommitCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: "Shows what takes the space of a file: bytes by class and property, indexes, history, free space.",
        discussion: """
            The parts add up to the size of the file. The reasons for a large file come last, with the command that \
            makes it smaller. With --values also counts, nulls, distinct values, minimum, maximum and longest of each \
            property, for which all objects are read.

              realmfile stats app.realm
              realmfile stats --values --class Person app.realm
            """)

    @OptionGroup var input: FilesOptions
    @OptionGroup var commitOptions: CommitOptions
    @OptionGroup var reporting: ReportOptions

    @Option(
        name: .customLong("class"),
        help: ArgumentHelp(
            "Show only this class; may be repeated. The parts are those of the whole file.", valueName: "name"))
    var classes: [String] = []

    @Flag(help: "Read the values: nulls, distinct values, minimum, maximum and longest of each property.")
    var values = false

    func run(_ input: InputOptions, _ key: GivenKey?, on console: any Console) throws -> ExitStatus {
        var isEncrypted = false
        var cautions: [Caution] = []
        var report = try input.reading { bytes in
            let snapshot = try input.snapshot(commitOptions, of: bytes, key)
            isEncrypted = snapshot.isEncrypted
            cautions = Caution.all(of: snapshot, values: values)
            do throws(FormatError) {
                return try self.report(on: snapshot, others: otherCommits(bytes, key), input)
            } catch {
                guard error.code != .fileChanged else { throw error }
                throw CommandFailure(error, file: input.name)
            }
        }
        let named = arguments(of: input, isEncrypted: isEncrypted)
        report.compaction = compaction(report, named)
        if report.damageCount > 0 { report.next = Advice([.verify], of: named) }
        if reporting.json || reporting.quiet {
            try tell([input.reportName], report.status, cautions: cautions, report.members, on: console)
        } else {
            try report.write(to: console)
        }
        cautions.show(input.name, on: console)
        return report.status
    }

    private func report(
        on snapshot: Snapshot, others: [Snapshot], _ input: InputOptions
    ) throws(FormatError) -> StatsReport {
        let chosen = try SchemaSelection(classes: classes, includesSystem: true).tables(of: snapshot)
        let survey = SpaceSurvey(of: snapshot, others: others)
        var report = StatsReport(name: input.name, snapshot: snapshot, survey: survey)
        let names = Set(chosen.map { ExactName($0.tableName) })
        report.tables = survey.tables.filter { classes.isEmpty || names.contains(ExactName($0.name)) }
        if values {
            for table in report.tables {
                guard let position = table.position else { continue }
                report.add(TableStatistics(of: snapshot.table(at: position)), of: position)
            }
        }
        return report
    }

    /// The commits of the header's slots, as far as they can be read.
    private func otherCommits(_ bytes: ByteSource, _ key: GivenKey?) -> [Snapshot] {
        ((try? RealmDatabase.open(bytes, key))?.slotStates() ?? []).compactMap(\.snapshot)
    }

    /// The advice to compact the file, if that saves a tenth of it.
    private func compaction(_ report: StatsReport, _ file: FileArguments?) -> Advice? {
        let saved = report.survey.fileSize - report.compactedSize
        guard let file, saved > report.survey.fileSize / 10, report.damageCount == 0 else { return nil }
        let out = FileArguments.argument(file.newPath("compacted"))
        let sync = report.isSynchronised ? ", and is no longer synchronised" : ""
        return Advice(
            "a compacted copy has about \(roundedSize(report.compactedSize)), \(StatsReport.percent(saved, of: report.survey.fileSize)) % less\(sync)",
            file.command("compact", file.commit.options + ["--out", out]))
    }
}
