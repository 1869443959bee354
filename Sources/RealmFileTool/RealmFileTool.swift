internal import RealmFileCommands
internal import RealmSystem

@main
struct RealmFileTool {
    static func main() async {
        let status = await RealmFileCommand.run(Array(CommandLine.arguments.dropFirst()), on: StandardConsole())
        exit(status.code)
    }
}
