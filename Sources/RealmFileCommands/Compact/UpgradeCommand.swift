internal import ArgumentParser
internal import RealmReader
internal import RealmWriter

/// `realmfile upgrade`: the content of a file of any format in one of today's.
struct UpgradeCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(
        commandName: "upgrade",
        abstract: "Writes the content of a file of any format into a new one of format 24, which today's SDKs open.",
        discussion: """
            Every object is written anew, with its key, its links and the indexes. An encrypted file stays encrypted with \
            its key.

              realmfile upgrade old.realm --out new.realm
            """)

    @OptionGroup var input: InputOptions
    @OptionGroup var slots: SlotOptions
    @OptionGroup var output: NewFileOptions

    func run(on console: any Console) async throws -> ExitStatus {
        try output.write(input, slots.slot, on: console) { snapshot, file throws(WriteError) in
            try Rebuild(snapshot).write(to: file)
        }
    }
}
