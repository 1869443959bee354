public import ArgumentParser
internal import RealmCore
internal import RealmLayout

/// The command line `realmfile`.
public struct RealmFileCommand: AsyncParsableCommand {
    /// Names, version and verbs.
    public static let configuration = CommandConfiguration(
        commandName: "realmfile",
        abstract:
            "Reads, checks, converts and writes Realm database files (.realm) without the SDK. Never modifies its input.",
        discussion: """
            FILE may be - for standard input.
            Exit codes: 0 fine; 1 the file was read but has damage, findings or losses; 2 the file cannot be read; \
            64 wrong command line; 141 nobody reads the output of an export any more.
            """,
        version: Self.version,
        subcommands: [
            InfoCommand.self, DoctorCommand.self, SchemaCommand.self, ExportCommand.self, ImportCommand.self,
            InspectCommand.self, StatsCommand.self, HistoryCommand.self, QueryCommand.self, SearchCommand.self,
            ShellCommand.self, VerifyCommand.self,
            RepairCommand.self, HashCommand.self, DiffCommand.self, CompactCommand.self, UpgradeCommand.self,
            EncryptCommand.self, DecryptCommand.self,
        ])

    /// The version of the tool.
    public static let version = "0.9.0"

    /// Creates the command; required by the parser.
    public init() {}
}

extension RealmFileCommand {
    /// Parses the arguments, runs the verb, and reports errors.
    ///
    /// - Parameters:
    ///   - arguments: the arguments after the name of the tool.
    ///   - console: the destination of all output.
    public static func run(_ arguments: [String], on console: some Console) async -> ExitStatus {
        do {
            let status = try await execute(arguments, on: console)
            try console.flush()
            return status
        } catch OutputError.closed {
            return .success
        } catch OutputError.failed(let errno) {
            console.message("realmfile: \(Self.outputFailure(errno))")
            return .unreadable
        } catch {
            // Output written before the failure must precede its message.
            try? console.flush()
            return report(error, arguments, on: console)
        }
    }

    /// The names of the verbs.
    static var verbs: [String] { configuration.subcommands.compactMap { $0.configuration.commandName } }

    private static func execute(_ arguments: [String], on console: some Console) async throws -> ExitStatus {
        if arguments.first == "help", let verb = arguments.dropFirst().first(where: { !$0.hasPrefix("-") }),
            !verbs.contains(verb), verb != "help"
        {
            throw CommandFailure(UsageHint.unknown([verb], verbs), status: .usage)
        }
        try SingleOptions.check(arguments)
        try InputOptions.checkStandardInput(arguments)
        var command = try parseAsRoot(QueryCommand.shieldingPredicate(arguments))
        if let command = command as? any ConsoleCommand { return try await command.runReporting(on: console) }
        // Help and completion scripts arrive here, as errors that are not failures.
        try command.run()
        return .success
    }

    private static func report(_ error: any Error, _ arguments: [String], on console: some Console) -> ExitStatus {
        if let failure = error as? CommandFailure {
            console.message("realmfile: \(failure)")
            return failure.status
        }
        if exitCode(for: error).isSuccess {
            do {
                try console.writeLine(fullMessage(for: error))
                try console.flush()
            } catch {
                return error as? OutputError == .closed ? .success : .unreadable
            }
            return .success
        }
        if let first = arguments.first, !first.hasPrefix("-"), first != "help", !verbs.contains(first) {
            console.message("realmfile: \(UsageHint.unknown(arguments, verbs))")
            return .usage
        }
        let verb = arguments.first { verbs.contains($0) }
        let help = (["realmfile"] + (verb.map { [$0] } ?? []) + ["--help"]).joined(separator: " ")
        let line = message(for: error).usageLine
        console.message("realmfile: \(UsageHint.forKey(line) ?? "\(line); see `\(help)`")")
        return .usage
    }
}

extension String {
    /// The parser's message on one line, without a full stop at the end.
    fileprivate var usageLine: String {
        var line = ""
        for part in split(whereSeparator: \.isNewline).map({ $0.drop { $0 == " " } }) where !part.isEmpty {
            // The items of a list, one a line.
            let isItem = part.hasPrefix("- ")
            if !line.isEmpty { line += isItem && !line.hasSuffix(":") ? ", " : " " }
            line += isItem ? part.dropFirst(2) : part
        }
        line = line.singleLine
        if line.hasSuffix(".") { line.removeLast() }
        return line
    }
}
