internal import ArgumentParser
internal import RealmCore
internal import RealmStorage

/// `realmfile shell`: answers queries interactively.
struct ShellCommand: CommitCommand {
    static let configuration = CommandConfiguration(
        commandName: "shell",
        abstract: "Interactive query shell.",
        discussion: """
            A line is a class and a predicate in Realm Query Language, as in: Person age > 30 SORT(name ASC). \
            Person.count age > 30 gives the number alone. Options of `realmfile query` may follow: Person age > 30 --group-by \
            city --avg age. Lines that begin with # or -- are comments; .help lists all commands. On a terminal the tab key completes names, \
            lines are kept in ~/.realmfile_history (set REALMFILE_HISTORY to another file, or to nothing for no history), Ctrl-C ends a query and \
            Ctrl-D the shell. Elsewhere lines are read from the standard input:

              echo "Person.count age > 30" | realmfile shell app.realm
            """)

    @OptionGroup var input: InputOptions
    @OptionGroup var commitOptions: CommitOptions
    @OptionGroup(visibility: .hidden) var reporting: ReportOptions

    @Option(help: "How objects are printed; .mode changes it.")
    var mode: QueryFormat = .table

    @OptionGroup var budget: BudgetOptions

    var realmFiles: [InputOptions] { [input] }

    func validate() throws {
        if reporting.json {
            throw ValidationError("the shell writes no report: `realmfile query` does; --mode json prints documents")
        }
        if input.file == "-" { throw ValidationError("the shell reads lines from standard input: name a file") }
    }

    func run(on console: any Console) async throws -> ExitStatus {
        let key = try input.key(console)
        let snapshot = try input.snapshot(commitOptions, key)
        Caution.all(of: snapshot, values: true).show(input.name, on: console)
        let next = Advice([.diagnose], of: arguments(of: input, isEncrypted: key != nil))
        let session = ShellSession(
            snapshot, file: input.name, permissions: OutputFile.permissions(ofFileAt: input.file), mode: mode,
            options: budget.options, next: next, on: console,
            reopen: { slot throws(CommandFailure) in
                do {
                    return try input.reading { try input.snapshot(slot, of: input.database($0, key)) }
                } catch {
                    throw CommandFailure(error, file: input.name)
                }
            })
        let lines = console.lineInput { session.completions(of: $1, after: $0) }
        let status = try await converse(session, lines, console)
        try session.endOutput()
        return status
    }

    private func converse(
        _ session: ShellSession, _ lines: any LineInput, _ console: any Console
    ) async throws -> ExitStatus {
        let isInteractive = lines.isInteractive
        if isInteractive {
            Interruption.listen()
            if !reporting.quiet { console.message(session.greeting) }
        }
        var status = ExitStatus.success
        while !session.isAtEnd {
            switch lines.next(prompt: isInteractive ? "realm> " : "") {
            case .end: return status
            case .interrupted: continue
            case .line(let entered):
                let line = entered.trimmingEnds
                guard !line.isEmpty else { continue }
                lines.remember(line)
                let answer =
                    isInteractive
                    ? try await Interruption.cancelling { try await session.answer(line) }
                    : try await session.answer(line)
                try console.flush()
                // A person has seen the errors; a script gets the worst exit status at the end.
                if !isInteractive, answer.code > status.code { status = answer }
            }
        }
        return status
    }
}
