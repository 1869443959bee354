internal import ArgumentParser
internal import RealmExchange
internal import RealmLayout
internal import RealmReader
internal import RealmStorage

/// `realmfile info`: what a file is, without reading objects.
struct InfoCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Describes a file: format, commits, size, history, classes with object counts.",
        discussion: "Reads no objects, so that it takes the same time for every size.")

    @OptionGroup var input: InputOptions
    @OptionGroup var slotOptions: SlotOptions

    @Flag(help: "Check the authentication of every page of an encrypted file: reads all of it.")
    var checkPages = false

    @Flag(help: "Write one JSON object instead of text.")
    var json = false

    func run(on console: any Console) async throws -> ExitStatus {
        let key = try input.key(console)
        let report = try input.reading { bytes in
            let database: Result<RealmDatabase, FormatError>
            do {
                database = .success(try RealmDatabase.open(bytes, key))
            } catch let error as FormatError {
                database = .failure(error)
            } catch {
                throw CommandFailure(error, file: input.name)
            }
            return InfoReport(
                name: input.name, size: bytes.count, database: database, selection: slotOptions.slot.selection,
                checksPages: checkPages)
        }
        try console.write(json ? report.json.pretty + "\n" : report.text)
        guard let problem = report.problem else { return report.status }
        try console.flush()
        throw CommandFailure(problem, file: input.name, hasOtherCommit: report.hasOtherCommit)
    }
}
