internal import ArgumentParser
internal import RealmCore

/// `realmfile compact`: writes the same content without free space and history.
struct CompactCommand: CommitCommand {
    static let configuration = CommandConfiguration(
        commandName: "compact",
        abstract: "Writes a copy without free space, history and the commit before, in the same format.",
        discussion: """
            Every node stays as it is, and objects keep their keys. An encrypted file stays encrypted with its key. A \
            synchronised file becomes a local file.

              realmfile compact app.realm --out small.realm
            """)

    @OptionGroup var input: InputOptions
    @OptionGroup var commitOptions: CommitOptions
    @OptionGroup var output: NewFileOptions
    @OptionGroup var reporting: ReportOptions

    var realmFiles: [InputOptions] { [input] }

    func run(on console: any Console) async throws -> ExitStatus {
        try output.write(input, commitOptions, for: self, on: console) { snapshot, file throws(WriteError) in
            try Compaction(snapshot).write(to: file)
            return []
        }
    }
}
