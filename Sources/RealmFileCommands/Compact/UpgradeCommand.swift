internal import ArgumentParser
internal import RealmCore
internal import RealmLayout

/// `realmfile upgrade`: writes the content of a file of any format into a file of the current format.
struct UpgradeCommand: CommitCommand {
    static let configuration = CommandConfiguration(
        commandName: "upgrade",
        abstract: "Writes the content of a file of any format into a new one of format 24, which today's SDKs open.",
        discussion: """
            Every object is written again, with its key, its links and the indexes. An encrypted file stays encrypted with \
            its key.

              realmfile upgrade old.realm --out new.realm
            """)

    @OptionGroup var input: InputOptions
    @OptionGroup var commitOptions: CommitOptions
    @OptionGroup var output: NewFileOptions
    @OptionGroup var reporting: ReportOptions

    var realmFiles: [InputOptions] { [input] }

    @Option(
        name: .customLong("class"),
        help: ArgumentHelp(
            "Only this class, with what is embedded in it; may be repeated. Classes that it links to stay in the schema "
                + "without objects; links to them are counted and left out.", valueName: "name"))
    var classes: [String] = []

    func run(on console: any Console) async throws -> ExitStatus {
        try output.write(input, commitOptions, for: self, on: console) { snapshot, file throws(WriteError) in
            guard !classes.isEmpty else { return try Rebuild(snapshot).write(to: file) }
            let rebuild: Rebuild
            do throws(FormatError) {
                // Its error message names the existing classes.
                let chosen = try SchemaSelection(classes: classes, includesSystem: true).tables(of: snapshot)
                rebuild = try Rebuild(snapshot, classes: chosen.map(\.tableName))
            } catch {
                throw .source(error)
            }
            return try rebuild.write(to: file)
        }
    }
}
