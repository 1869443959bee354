internal import RealmFileCommands
internal import RealmSystem

@main
struct RealmFileTool {
    static func main() async {
        let status = await RealmFileCommand.run(StandardConsole.arguments, on: StandardConsole())
        exit(status.code)
    }
}
