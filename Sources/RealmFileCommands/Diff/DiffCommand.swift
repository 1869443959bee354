internal import ArgumentParser
internal import RealmCore
internal import RealmExchange
internal import RealmForensics
internal import RealmLayout
internal import RealmStorage

/// `realmfile diff`: shows where the content of two files differs.
struct DiffCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Compares the content of two files: schema and objects.",
        discussion: """
            What counts is what `realmfile hash` counts (Spec/170-content-hash.md). Objects are told apart by object key, \
            or with --by-primary-key by primary key. `diff FILE --slot other` shows what the last commit changed.

              realmfile diff old.realm new.realm --by-primary-key
              realmfile diff app.realm --slot other
              realmfile diff old.realm new.realm --json-patch > changes.json

            Exit codes: 0 the content is the same; 1 it differs; 2 a file cannot be read; 64 wrong command line.
            """)

    @OptionGroup var input: InputOptions
    @OptionGroup var other: OtherInputOptions
    @OptionGroup var commitOptions: CommitOptions
    @OptionGroup var content: ContentOptions
    @OptionGroup var reporting: ReportOptions

    var realmFiles: [InputOptions] { [input, other.input(besides: input)] }

    @Option(
        help: ArgumentHelp(
            "Show at most this many objects of each class; all are counted (default: 10).", valueName: "count"))
    var maxDifferences: Int?

    @Flag(
        help: """
            Print all differences as JSON Patch (RFC 6902) to a document with a member for each class, and in it one for each \
            object, by primary key or else by object key. Embedded objects are in the values of their owners.
            """)
    var jsonPatch = false

    func validate() throws {
        if let maxDifferences, maxDifferences < 0 { throw ValidationError("--max-differences is below 0") }
        if input.file == "-", other.otherFile ?? "-" == "-" {
            throw ValidationError("only one file can be standard input")
        }
        if other.otherFile == nil, commitOptions.arguments == .current, other.commit == .current {
            throw ValidationError("diff needs a second file, or --slot other to compare a file with its commit before")
        }
        if jsonPatch, reporting.json { throw ValidationError("Choose one of --json, --json-patch") }
        if jsonPatch, maxDifferences != nil {
            throw ValidationError("--json-patch has all differences: leave out --max-differences")
        }
    }

    private var identity: ContentIdentity { jsonPatch ? .primaryKey : content.identity }

    func run(on console: any Console) async throws -> ExitStatus {
        let given = try input.key(console)
        let second = other.input(besides: input)
        // If only one of the files is encrypted, a key given for both is ignored for the other.
        let isForBoth = other.otherKeyFile == nil
        let (key, otherKey) = isForBoth ? (given?.asAmbient, given?.asAmbient) : (given, try second.key(console))
        var (uncounted, otherUncounted): ([String], [String]) = ([], [])
        var (cautions, otherCautions): ([Caution], [Caution]) = ([], [])
        var patch: [UInt8] = []
        let (difference, commits, values) = try input.reading { bytes in
            let first = try input.snapshot(commitOptions, of: bytes, key)
            uncounted = content.uncounted(in: first)
            cautions = Caution.all(of: first, values: false)
            return try second.reading { bytes in
                let snapshot = try other.snapshot(second, of: bytes, otherKey)
                otherUncounted = content.uncounted(in: snapshot)
                otherCautions = Caution.all(of: snapshot, values: false)
                let difference = try compare(first, snapshot, second)
                // Kept until all is read: reading starts again if the file changes.
                if jsonPatch {
                    patch = try DiffPatch(difference: difference, first: first, second: snapshot).bytes()
                }
                let values = jsonPatch ? nil : try ListedValues(difference, first, snapshot)
                return (difference, (ComparedCommit(first), ComparedCommit(snapshot)), values)
            }
        }
        let report = DiffReport(
            first: input.name, second: second.name, commits: commits, difference: difference, values: values)
        let status: ExitStatus = difference.isEmpty ? .success : .findings
        if jsonPatch {
            try console.write(patch)
        } else {
            try tell(
                reportedFiles, status, cautions: cautions + otherCautions, report.members, text: report.text,
                on: console)
        }
        cautions.show(input.name, on: console)
        otherCautions.show(second.name, on: console)
        if !reporting.quiet {
            ContentOptions.note(uncounted, file: input.name, on: console)
            ContentOptions.note(otherUncounted, file: second.name, on: console)
        }
        if let misfit = difference.misfit, !jsonPatch, !reporting.quiet, let command = commandByPrimaryKey {
            let advice = Advice("compare by primary key", command)
            console.message("realmfile: \(misfit.singleLine) objects have different object keys; \(advice.text)")
        }
        return status
    }

    /// The same comparison with objects matched by primary key; nil where a file cannot be read again.
    private var commandByPrimaryKey: String? {
        guard other.otherFile != "-", input.file != "-", let first = FileArguments(input, isEncrypted: false) else {
            return nil
        }
        return first.command(
            "diff",
            (other.otherFile.map { [FileArguments.argument($0)] } ?? []) + commitOptions.arguments.options
                + (other.otherKeyFile.map { ["--other-key-file", $0] } ?? [])
                + (other.otherSkip.map { ["--other-skip", String($0.value)] } ?? []) + other.commit.otherOptions
                + content.options + ["--by-primary-key"])
    }

    func arguments(of input: InputOptions, isEncrypted: Bool) -> FileArguments? {
        // When a file is compared with itself, its name does not identify the commit.
        let isSecond = input.file == other.otherFile ?? self.input.file && input.file != self.input.file
        var named = input
        if isSecond { named.access.keyFile = other.otherKeyFile ?? self.input.keyFile }
        var arguments = FileArguments(named, isEncrypted: isEncrypted)
        arguments?.commit = isSecond ? other.commit : commitOptions.arguments
        return arguments
    }

    private func compare(
        _ first: Snapshot, _ second: Snapshot, _ other: InputOptions
    ) throws -> ContentDifference {
        do {
            return try first.contentDifference(
                to: second, by: identity, classNames: content.classes.isEmpty ? nil : content.classes,
                includesSystemTables: content.includeSystem, maximumObjects: jsonPatch ? .max : maxDifferences ?? 10)
        } catch let failure as ContentComparisonError {
            // The caller that opened the file reads it again if it changed.
            guard failure.error.code != .fileChanged else { throw failure.error }
            throw CommandFailure(failure.error, file: failure.isOfSecond ? other.name : input.name)
        }
    }
}

/// The second file that a command reads.
struct OtherInputOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The Realm file to compare with (default: another commit of the first, which the options name); - for standard "
                + "input.", valueName: "other-file"), completion: .file())
    var otherFile: String?

    @Option(
        help: ArgumentHelp(
            "The file with the key of the second Realm file (default: the key of the first).", valueName: "path"),
        completion: .file())
    var otherKeyFile: String?

    @Option(
        help: ArgumentHelp(
            "Skip this many bytes before the second Realm file; --skip is for the first one only.",
            valueName: "bytes"))
    var otherSkip: ByteCount?

    @Option(help: ArgumentHelp("Which commit of the second file to read.", valueName: "current|other"))
    var otherSlot: SlotOption = .current

    @Option(help: ArgumentHelp("Take the commit of this number of the second file.", valueName: "number"))
    var otherCommit: UInt64?

    @Option(
        help: ArgumentHelp("Take the commit of the second file whose root is at this offset.", valueName: "0x…"),
        transform: FileOffset.parsed)
    var otherRoot: FileOffset?

    func validate() throws {
        if [otherSlot != .current, otherCommit != nil, otherRoot != nil].count(where: { $0 }) > 1 {
            throw ValidationError("Choose one of --other-slot other, --other-commit, --other-root")
        }
    }

    /// The commit as named on a command line.
    var commit: CommitArguments { CommitArguments(place, otherSlot) }

    private var place: CommitLocation? { CommitLocation(number: otherCommit, root: otherRoot) }

    /// Opens the commit of the second file.
    func snapshot(_ input: InputOptions, of bytes: ByteSource, _ key: GivenKey?) throws(CommandFailure) -> Snapshot {
        if let place { return try input.snapshot(at: place, of: bytes, key) }
        return try input.snapshot(otherSlot, of: input.database(bytes, key))
    }

    /// Returns the options of the second file in the form of those of the first.
    func input(besides first: InputOptions) -> InputOptions {
        var options = InputOptions()
        options.file = otherFile ?? first.file
        options.access = first.access
        options.access.keyFile = otherKeyFile
        options.access.skip = otherSkip ?? (otherFile == nil ? first.access.skip : nil)
        return options
    }
}
