internal import RealmFileCommands

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

@main
struct RealmFileTool {
    static func main() async {
        let status = await RealmFileCommand.run(Array(CommandLine.arguments.dropFirst()), on: StandardConsole())
        exit(status.code)
    }
}
