internal import ArgumentParser
internal import RealmCore
internal import RealmExchange
internal import RealmLayout
internal import RealmQuery
internal import RealmStorage

/// `realmfile query`: finds the objects of a class that match a predicate.
struct QueryCommand: CommitCommand {
    static let configuration = CommandConfiguration(
        commandName: "query",
        abstract: "Prints the objects of a class that match a Realm Query Language predicate.",
        discussion: """
            The predicate is what apps give to filter(), followed by SORT, DISTINCT and LIMIT. Without one, all \
            objects are printed: as a table that fits the terminal, whole when it goes to a file or a pipe, or as the \
            documents that `realmfile export` makes of these objects. Dates, UUIDs, ObjectIds and the primary keys of linked \
            objects are also taken as they are printed.

              realmfile query app.realm Person "age > 30 AND ANY dogs.name BEGINSWITH[c] 're' SORT(name ASC)"
              realmfile query app.realm Person 'born > 1990-01-01 AND age < $0' --args 30 --select name,address.city,dogs.@count
              realmfile query app.realm Dog "owner == null" --format json | jq .
              realmfile query app.realm Person --group-by address.city --avg age --sort 'avg(age) DESC' --limit 10
            """)

    @OptionGroup var input: InputOptions
    @OptionGroup var commitOptions: CommitOptions
    @OptionGroup var reporting: ReportOptions

    @Argument(help: ArgumentHelp("The class, as in `realmfile schema`.", valueName: "class"))
    var className: String?

    @Argument(help: ArgumentHelp("What must hold, in Realm Query Language.", valueName: "predicate"))
    var predicate: String = ""

    @OptionGroup var options: ResultOptions

    @Option(
        help: ArgumentHelp(
            "Threads that look for objects, sort and group them, and make documents (default: all processors).",
            valueName: "n"))
    var jobs: Int?

    @OptionGroup var budget: BudgetOptions

    var realmFiles: [InputOptions] { [input] }

    func validate() throws {
        if let jobs, !(1...1024).contains(jobs) { throw ValidationError("--jobs takes a number from 1 to 1024") }
        if reporting.json, options.grouping.isGiven {
            throw ValidationError("\(options.grouping.firstOption) prints groups: leave out --json")
        }
        if reporting.json, options.format != nil || !options.select.isEmpty || options.out != nil {
            throw ValidationError(
                "--json writes a report with the keys of the objects: leave out --format, --select and --out")
        }
    }

    func run(on console: any Console) async throws -> ExitStatus {
        let key = try input.key(console)
        let snapshot = try input.snapshot(commitOptions, key)
        let cautions = Caution.all(of: snapshot, values: true)
        cautions.show(input.name, on: console)
        do {
            let table = try snapshot.table(forQuery: try namedClass(snapshot), file: input.name)
            let next = Advice([.diagnose], of: arguments(of: input, isEncrypted: key != nil))
            let answer = try QueryAnswer(
                predicate, of: table, file: input.name, options, at: .commandLine, budget: budget.options,
                jobs: jobs ?? Processors.count, next: next)
            guard let out = options.out else { return try await print(answer, snapshot, cautions, console) }
            try OutputFile.check(out, isNot: input, option: "--out")
            let file = try FileConsole(
                path: out, replacing: options.overwrite, permissions: OutputFile.permissions(ofFileAt: input.file),
                messages: console)
            let status = try await print(answer, snapshot, cautions, file)
            try file.commit()
            return status
        } catch let error as FormatError {
            throw CommandFailure(error, file: input.name)
        }
    }

    /// The name of the class.
    ///
    /// - Throws: `CommandFailure` with all classes if none was given, and for a query in SQL.
    private func namedClass(_ snapshot: Snapshot) throws(CommandFailure) -> String {
        guard let className else {
            let names = snapshot.schema.classes.map(\.name.singleLine)
            throw CommandFailure(
                names.isEmpty
                    ? "\(input.name) has no classes"
                    : "name a class after the file: \(names.joined(separator: ", "))", status: .usage)
        }
        if className.uppercased().hasPrefix("SELECT "), let spelling = SQLSpelling("\(className) \(predicate)") {
            throw CommandFailure(spelling.advice, status: .usage)
        }
        return className
    }

    private func print(
        _ answer: QueryAnswer, _ snapshot: Snapshot, _ cautions: [Caution], _ console: any Console
    ) async throws -> ExitStatus {
        let status = try await report(answer, cautions, console)
        try snapshot.checkUnchanged()
        return status
    }

    private func report(
        _ answer: QueryAnswer, _ cautions: [Caution], _ console: any Console
    ) async throws -> ExitStatus {
        if options.count {
            guard reporting.json else { return try await answer.writeCount(on: console) }
            let unreadable = UnreadableResults(answer.table)
            let count = try await answer.count(unreadable)
            return try tellFound(count, nil, unreadable, answer, cautions, console)
        }
        if options.explain {
            let explanation = try answer.explanation()
            try tell(
                [input.reportName], .success, isData: true, cautions: cautions,
                members(answer, explanation.results.count, explanation.results.keys) + [("explain", explanation.json)],
                text: "\(explanation)".lines, on: console)
            return .success
        }
        guard reporting.json else { return try await answer.write(on: console) }
        let unreadable = UnreadableResults(answer.table)
        let results = try await answer.results(unreadable)
        return try tellFound(results.count, results.keys, unreadable, answer, cautions, console)
    }

    private func tellFound(
        _ count: Int, _ keys: [ObjectKey]?, _ unreadable: UnreadableResults, _ answer: QueryAnswer,
        _ cautions: [Caution], _ console: any Console
    ) throws -> ExitStatus {
        let omitted = unreadable.omittedObjects(input.name)
        let status: ExitStatus = omitted.isEmpty ? .success : .findings
        try tell([input.reportName], status, cautions: cautions, members(answer, count, keys), on: console)
        for line in omitted { console.message(line) }
        return status
    }

    private func members(_ answer: QueryAnswer, _ count: Int, _ keys: [ObjectKey]?) -> [(String, JSONValue)] {
        [
            ("class", .string(answer.table.name)), ("query", .string(answer.query.description)),
            ("count", .int(Int64(count))), ("keys", keys.map { .array($0.map { .int($0.value) }) } ?? .null),
        ]
    }

    /// Runs an asynchronous query; turns its errors into failures of the command.
    static func asking<Answer: Sendable>(
        _ ask: () async throws(QueryError) -> Answer
    ) async throws -> Answer {
        do throws(QueryError) {
            return try await ask()
        } catch {
            throw failure(error)
        }
    }

    /// Runs a query; turns its errors into failures of the command.
    static func asking<Answer>(_ ask: () throws(QueryError) -> Answer) throws -> Answer {
        do throws(QueryError) {
            return try ask()
        } catch {
            throw failure(error)
        }
    }

    /// The failure of the command for an error of a query.
    static func failure(_ error: QueryError) -> any Error {
        switch error {
        case .damage(let error): error
        case .exhausted: CommandFailure("\(error)", status: .findings)
        default: CommandFailure("\(error)", status: .usage)
        }
    }

    /// Returns the arguments with a space before a predicate that begins with a minus, so that it is not parsed as an
    /// option.
    static func shieldingPredicate(_ arguments: [String]) -> [String] {
        guard arguments.first == configuration.commandName else { return arguments }
        return arguments.map { word in
            let isPredicate = word.hasPrefix("-") && !word.hasPrefix("--") && word.contains { " <>=!".contains($0) }
            return isPredicate ? " " + word : word
        }
    }
}

extension Snapshot {
    /// Returns the class, or other table, to query.
    ///
    /// - Throws: a `CommandFailure` that names the existing ones.
    func table(forQuery name: String, file: String) throws -> Table {
        do throws(FormatError) {
            return try table(named: name)
        } catch {
            guard error.code == .noSuchTable else { throw error }
            throw CommandFailure("\(file): \(schema.wordsForMissingClass(name))", status: .usage)
        }
    }
}

extension QueryExplanation {
    /// The explanation, as written in reports.
    fileprivate var json: JSONValue {
        .object([
            ("objects", JSONValue(objectCount)),
            (
                "index",
                index.map { .object([("text", .string($0.text)), ("objects", JSONValue($0.objects))]) } ?? .null
            ),
            (
                "steps",
                .array(
                    steps.map { step in
                        .object([
                            ("text", .string(step.text)), ("method", .string(step.method)),
                            ("level", JSONValue(step.level)), ("seen", JSONValue(step.seen)),
                            ("kept", JSONValue(step.kept)),
                        ])
                    })
            ),
            ("microseconds", JSONValue((searchTime + stepsTime).microseconds)),
        ])
    }
}

extension Duration {
    fileprivate var microseconds: Int64 { components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000 }
}

extension String {
    /// The lines, each safe for a terminal and with a line break.
    fileprivate var lines: String { split(separator: "\n").map { "\(String($0).singleLine)\n" }.joined() }
}
