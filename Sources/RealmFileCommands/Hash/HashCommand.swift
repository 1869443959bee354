internal import ArgumentParser
internal import RealmCore
internal import RealmExchange
internal import RealmForensics
internal import RealmLayout

/// `realmfile hash`: prints a hash of the content of a file.
struct HashCommand: FilesCommand, CommitCommand {
    static let configuration = CommandConfiguration(
        commandName: "hash",
        abstract: "Prints a hash of the content, of each class and in total: equal where the content is.",
        discussion: """
            Schema, objects, values and links count; the file's format, form, history, encryption and free space do not \
            (Spec/170-content-hash.md). A file, its compacted copy and what comes back from a canonical export have equal \
            hashes.
            """)

    @OptionGroup var input: FilesOptions
    @OptionGroup var commitOptions: CommitOptions
    @OptionGroup var content: ContentOptions
    @OptionGroup var reporting: ReportOptions

    var separatesReports: Bool { false }

    func run(_ input: InputOptions, _ key: GivenKey?, on console: any Console) throws -> ExitStatus {
        var uncounted: [String] = []
        var cautions: [Caution] = []
        let found = try input.reading { bytes -> HashReport in
            let snapshot = try input.snapshot(commitOptions, of: bytes, key)
            cautions = Caution.all(of: snapshot, values: false)
            do {
                uncounted = content.uncounted(in: snapshot)
                return try report(of: snapshot, input)
            } catch let error as FormatError where error.code != .fileChanged {
                throw CommandFailure(error, file: input.name)
            }
        }
        try tell(
            [input.reportName], .success, isData: true, cautions: cautions,
            found.members + [("skippedTables", .array(uncounted.map { .string($0) }))],
            text: found.text(namingFile: hasSeveralReports), on: console)
        cautions.show(input.name, on: console)
        if !reporting.quiet { ContentOptions.note(uncounted, file: input.name, on: console) }
        return .success
    }

    private func report(of snapshot: Snapshot, _ input: InputOptions) throws -> HashReport {
        guard !content.classes.isEmpty else {
            let hash = try snapshot.contentHash(
                by: content.identity, includesSystemTables: content.includeSystem)
            return HashReport(
                name: input.name, identity: hash.identity, schemaVersion: hash.schemaVersion, tables: hash.tables,
                total: hash.total)
        }
        let selection = SchemaSelection(classes: content.classes, includesSystem: true)
        let tables = try selection.tables(of: snapshot).map { schema in
            try snapshot.table(named: schema.tableName).contentHash(by: content.identity)
        }
        return HashReport(
            name: input.name, identity: content.identity, schemaVersion: snapshot.schema.version, tables: tables,
            total: nil)
    }
}

/// The selection of the content to hash.
struct ContentOptions: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            "Tell objects apart by their primary key, and leave out the object keys of those that have one and of "
                + "embedded objects: for content that went through documents or another app."))
    var byPrimaryKey = false

    @Option(name: .customLong("class"), help: ArgumentHelp("Only this class; may be repeated.", valueName: "name"))
    var classes: [String] = []

    @Flag(help: "Include the tables that are not classes, such as metadata.")
    var includeSystem = false

    /// The table options, as written on a command line.
    var options: [String] {
        classes.flatMap { ["--class", $0] } + (includeSystem ? ["--include-system"] : [])
    }

    var identity: ContentIdentity { byPrimaryKey ? .primaryKey : .objectKey }

    /// The excluded tables, except those that every SDK creates for itself.
    func uncounted(in snapshot: Snapshot) -> [String] {
        guard classes.isEmpty, !includeSystem else { return [] }
        return snapshot.schema.tables.filter { !$0.isClass && !["metadata", "pk"].contains($0.name) }.map(\.name)
    }

    /// Reports which tables are excluded, so that nobody mistakes the hash for that of the whole file.
    static func note(_ uncounted: [String], file: String, on console: any Console) {
        guard let first = uncounted.first else { return }
        let more = uncounted.count > 1 ? " and \(uncounted.count - 1) more" : ""
        console.message(
            "realmfile: \(file): \(counted(uncounted.count, "table that is not a class was", "tables that are not classes were")) "
                + "skipped (\(first.singleLine)\(more)); --include-system includes them")
    }
}
