internal import ArgumentParser
internal import RealmCore
internal import RealmExchange
internal import RealmForensics
internal import RealmLayout
internal import RealmStorage

/// `realmfile search`: finds text in all values of files.
struct SearchCommand: FilesCommand, CommitCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Finds text in all values: class, primary key, path, value and offset of each match.",
        discussion: """
            All properties of all classes are searched, with the elements of collections, the keys of dictionaries and \
            embedded objects. Values match as they are printed: numbers as digits, dates as in tables and in documents, \
            UUIDs and ObjectIds in upper or lower case, binary as UTF-8 and, with 0x or at least six digits, as \
            hexadecimal digits. Links are not searched: the object that they lead to is.
            Offsets are those that `realmfile inspect FILE --find OFFSET` takes. With --json each match is an object on \
            a line of its own, and the report is the last line.

              realmfile search "Anna" app.realm
              realmfile search --regex '^\\+49 ?30' app.realm backup.realm
              realmfile search --ignore-case --names --free anna *.realm
              realmfile search 2024-12-24 app.realm --class Order --json | jq -r .path
            """)

    @Argument(
        help: ArgumentHelp(
            "The text, part of a value; with --regex an expression. After -- if it begins with -.", valueName: "text"))
    var text: String

    @OptionGroup var input: FilesOptions
    @OptionGroup var commitOptions: CommitOptions
    @OptionGroup var reporting: ReportOptions

    @Flag(name: .shortAndLong, help: "Take letters as equal in upper and lower case.")
    var ignoreCase = false

    @Flag(
        help: "Take the text as a regular expression of Perl; ^ and $ are the beginning and the end of a value.")
    var regex = false

    @Flag(help: "Search the names of classes and properties too.")
    var names = false

    @Flag(
        help:
            "Search free space too: bytes of objects that were changed or deleted, where they are not yet overwritten.")
    var free = false

    @Option(
        name: .customLong("class"),
        help: ArgumentHelp("Only this class, with the embedded objects in it; may be repeated.", valueName: "name"))
    var classes: [String] = []

    @Flag(help: "Include the tables that are not classes, such as metadata.")
    var includeSystem = false

    @Option(help: ArgumentHelp("Stop after this many matches in a file.", valueName: "number"))
    var limit: Int?

    var hasSeveralReports: Bool { reporting.json || input.files.count > 1 }
    var separatesReports: Bool { false }

    func validate() throws {
        if text.isEmpty { throw ValidationError("the text to search for is empty") }
        if let limit, limit < 1 { throw ValidationError("--limit needs a number of 1 or more") }
    }

    /// An expression that cannot be compiled is not reported for each file.
    func prepare() throws { _ = try matcher() }

    func run(_ input: InputOptions, _ key: GivenKey?, on console: any Console) throws -> ExitStatus {
        let matcher = try matcher()
        let snapshot = try input.snapshot(commitOptions, key)
        let cautions = Caution.all(of: snapshot, values: true)
        cautions.show(input.name, on: console)
        let output = SearchOutput(
            on: console, file: input, namesFile: self.input.files.count > 1, isJSON: reporting.json, limit: limit)
        let found: SearchOutcome
        do throws(FormatError) {
            let search = ContentSearch(pattern(matcher), in: snapshot, try scope(in: snapshot), output)
            found = try search.run()
            try snapshot.checkUnchanged()
        } catch {
            try output.finish()
            throw CommandFailure(error, file: input.name)
        }
        try output.finish()
        let next = found.damage.isEmpty ? nil : Advice([.diagnose], of: arguments(of: input, isEncrypted: key != nil))
        let report = SearchReport(
            file: input.name, matches: output.count, isLimited: output.isLimited, givenUp: matcher?.givenUp ?? 0,
            outcome: found, next: next)
        if reporting.json {
            try tell([input.reportName], report.status, cautions: cautions, report.members, on: console)
        } else {
            try console.flush()
            for line in report.problems + (reporting.quiet ? [] : report.notes(hasSeveralFiles: hasSeveralReports)) {
                console.message("realmfile: \(input.name): \(line)")
            }
        }
        return report.status
    }

    private func matcher() throws(CommandFailure) -> RegularExpression? {
        guard regex || ignoreCase else { return nil }
        return try RegularExpression(text, ignoresCase: ignoreCase, isLiteral: !regex)
    }

    private func pattern(_ matcher: RegularExpression?) -> SearchPattern {
        guard regex, let matcher else { return SearchPattern(text: text, regardlessOfCase: matcher) }
        return SearchPattern(matcher, binaryDigits: text.hasPrefix("0x") || text.hasPrefix("^0x"))
    }

    private func scope(in snapshot: Snapshot) throws(FormatError) -> SearchScope {
        var scope = SearchScope()
        scope.includesNames = names
        scope.includesFreeSpace = free
        scope.includesSystemTables = includeSystem
        scope.mostBytes = reporting.json ? SearchOutput.mostBytesInReports : SearchOutput.mostBytes
        if !classes.isEmpty {
            let tables = try SchemaSelection(classes: classes, includesSystem: true).tables(of: snapshot)
            scope.tables = tables.compactMap { snapshot.position(of: $0.key) }
        }
        return scope
    }
}
