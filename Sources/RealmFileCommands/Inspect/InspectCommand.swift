internal import ArgumentParser
internal import RealmReader

/// `realmfile inspect`: one node of the file.
struct InspectCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(commandName: "inspect", abstract: "Shows one node of the file.")

    @OptionGroup var input: InputOptions
    @OptionGroup var slotOptions: SlotOptions

    func run(on console: any Console) async throws -> ExitStatus { .success }
}
