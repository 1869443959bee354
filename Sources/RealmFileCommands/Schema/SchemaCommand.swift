internal import ArgumentParser
internal import RealmReader

/// `realmfile schema`: the classes and their properties.
struct SchemaCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(commandName: "schema", abstract: "Prints the schema.")

    @OptionGroup var input: InputOptions
    @OptionGroup var slotOptions: SlotOptions

    func run(on console: any Console) async throws -> ExitStatus { .success }
}
