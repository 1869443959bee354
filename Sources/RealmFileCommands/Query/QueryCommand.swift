internal import ArgumentParser
internal import RealmCore
internal import RealmExchange
internal import RealmLayout
internal import RealmQuery

/// `realmfile query`: finds the objects of a class that match a predicate.
struct QueryCommand: CommitCommand {
    static let configuration = CommandConfiguration(
        commandName: "query",
        abstract: "Prints the objects of a class that match a Realm Query Language predicate.",
        discussion: """
            The predicate is what apps give to filter(), followed by SORT, DISTINCT and LIMIT. Without one, all \
            objects are printed: as a table that fits the terminal, whole when it goes to a file or a pipe, or as the \
            documents that `realmfile export` makes of these objects.

              realmfile query app.realm Person "age > 30 AND ANY dogs.name BEGINSWITH[c] 're' SORT(name ASC)"
              realmfile query app.realm Person 'age > $0' --args 30 --select name,address.city,dogs.@count
              realmfile query app.realm Dog "owner == null" --format json | jq .
              realmfile query app.realm Person --group-by address.city --avg age
            """)

    @OptionGroup var input: InputOptions
    @OptionGroup var commitOptions: CommitOptions
    @OptionGroup var reporting: ReportOptions

    @Argument(help: ArgumentHelp("The class, as in `realmfile schema`.", valueName: "class"))
    var className: String

    @Argument(help: ArgumentHelp("What must hold, in Realm Query Language.", valueName: "predicate"))
    var predicate: String = ""

    @Option(
        help: ArgumentHelp(
            """
            table: a line an object, for people; json, ejson, bson, csv, tsv: documents as export writes them; keys: the key \
            of each object on a line of its own.
            """))
    var format: QueryFormat = .table

    @Option(
        help: ArgumentHelp(
            "Print only these, with commas between: properties, paths as a.b and items.@count, expressions, * for all; may be repeated.",
            valueName: "paths"))
    var select: [String] = []

    @OptionGroup var grouping: GroupOptions

    @Option(help: ArgumentHelp("Stop after this many objects, or groups.", valueName: "number"))
    var limit: Int?

    @Option(
        help: ArgumentHelp(
            "Sort by these paths, each followed by ASC or DESC: the same as SORT(…) in the query; may be repeated, the first counts most.",
            valueName: "paths"))
    var sort: [String] = []

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            """
            The values of $0, $1 and so on in the query: JSON values with commas between, or Extended JSON for other types; \
            may be repeated. An array is a list.
            """, valueName: "values"))
    var args: [String] = []

    @Flag(help: "Print only how many objects there are.")
    var count = false

    @Flag(
        help:
            "Print how the query is run instead of objects: which index or column is asked, and what each step saw and kept."
    )
    var explain = false

    @Flag(help: "Print no line with the names of the properties.")
    var noHeader = false

    @Option(
        help: ArgumentHelp(
            "Threads that look for objects, sort and group them, and make documents (default: all processors).",
            valueName: "n"))
    var jobs: Int?

    @OptionGroup var budget: BudgetOptions

    var realmFiles: [InputOptions] { [input] }

    func validate() throws {
        if let limit, limit < 0 { throw ValidationError("--limit needs a number of 0 or more") }
        if let jobs, !(1...1024).contains(jobs) { throw ValidationError("--jobs takes a number from 1 to 1024") }
        if count, format != .table || !select.isEmpty || noHeader {
            throw ValidationError("--count prints one number: leave out --format, --select and --no-header")
        }
        if explain, count || format != .table || !select.isEmpty || noHeader || !grouping.groupBy.isEmpty {
            throw ValidationError(
                "--explain prints how a query is run: leave out --count, --format, --select and --group-by")
        }
        if !grouping.groupBy.isEmpty, count || !select.isEmpty || format == .keys || reporting.json {
            throw ValidationError("--group-by prints groups: leave out --count, --select, --json and --format keys")
        }
        if noHeader, !format.hasHeader { throw ValidationError("--no-header goes with --format table, csv or tsv") }
        if !select.isEmpty, format == .keys { throw ValidationError("--select goes with every --format but keys") }
        if reporting.json, format != .table || !select.isEmpty {
            throw ValidationError(
                "--json writes a report with the keys of the objects: leave out --format and --select")
        }
    }

    func run(on console: any Console) async throws -> ExitStatus {
        let key = try input.key(console)
        let snapshot = try input.snapshot(commitOptions, key)
        let cautions = Caution.all(of: snapshot, values: true)
        cautions.show(input.name, on: console)
        do {
            let table = try snapshot.table(forQuery: className, file: input.name)
            let arguments = try [QueryArgument](json: args)
            let query = try parsed()
            let status = try await answer(query, arguments, on: table, hasKey: key != nil, cautions, console)
            try snapshot.checkUnchanged()
            return status
        } catch let error as FormatError {
            throw CommandFailure(error, file: input.name)
        }
    }

    private func answer(
        _ query: ObjectQuery, _ arguments: [QueryArgument], on table: Table, hasKey: Bool, _ cautions: [Caution],
        _ console: any Console
    ) async throws -> ExitStatus {
        if count {
            let count = try await Self.asking { () async throws(QueryError) in
                try await table.count(
                    matching: query, arguments: arguments, options: budget.options, jobs: jobs ?? Processors.count)
            }
            if reporting.json {
                try tell(
                    [input.reportName], .success, cautions: cautions, members(query, table, count, nil), on: console)
            } else {
                try console.writeLine(String(count))
            }
            return .success
        }
        if explain {
            let explanation = try Self.asking { () throws(QueryError) in
                try table.explain(query, arguments: arguments, options: budget.options)
            }
            let members = members(query, table, explanation.results.count, explanation.results.keys)
            try tell(
                [input.reportName], .success, isData: true, cautions: cautions,
                members + [("explain", explanation.json)],
                text: "\(explanation)".lines, on: console)
            return .success
        }
        if !reporting.json, format == .bson {
            try console.refuseTerminal("BSON documents", "give --format json, or pass the output on")
        }
        var output = QueryOutput()
        output.format = format
        output.select = select.isEmpty ? nil : select.joined(separator: ",")
        output.hasHeader = !noHeader
        output.jobs = jobs ?? Processors.count
        output.arguments = arguments
        let columns = try output.columns(of: table)
        let results = try await found(query, arguments, in: table)
        if reporting.json {
            try tell(
                [input.reportName], .success, cautions: cautions, members(query, table, results.count, results.keys),
                on: console)
            return .success
        }
        if !grouping.groupBy.isEmpty {
            let path = grouping.groupBy.joined(separator: ",")
            let problems = try await output.writeGroups(of: results, by: path, grouping, limit: limit, on: console)
            for line in problems.lines { console.message(line) }
            return .success
        }
        let next = Advice([.diagnose], of: self.arguments(of: input, isEncrypted: hasKey))
        let problems = try await output.write(results, columns, file: input.name, next: next, on: console)
        // Messages follow the output that they refer to.
        try console.flush()
        for line in problems.lines { console.message(line) }
        return problems.isDamage ? .findings : .success
    }

    private func members(
        _ query: ObjectQuery, _ table: Table, _ count: Int, _ keys: [ObjectKey]?
    ) -> [(String, JSONValue)] {
        [
            ("class", .string(table.name)), ("query", .string(query.description)), ("count", .int(Int64(count))),
            ("keys", keys.map { .array($0.map { .int($0.value) }) } ?? .null),
        ]
    }

    private func parsed() throws(CommandFailure) -> ObjectQuery {
        var query = try ObjectQuery(entered: predicate)
        do throws(QuerySyntaxError) {
            if !sort.isEmpty { query.steps.append(.sort(try [SortKey](sorting: sort.joined(separator: ",")))) }
        } catch {
            throw CommandFailure("--sort: \(error)", status: .usage)
        }
        if let limit, grouping.groupBy.isEmpty { query.steps.append(.limit(limit)) }
        return query
    }

    /// Returns the matching objects; several tasks share the work when the whole class must be searched.
    private func found(_ query: ObjectQuery, _ arguments: [QueryArgument], in table: Table) async throws -> QueryResults
    {
        try await Self.asking { () async throws(QueryError) in
            try await table.objects(
                matching: query, arguments: arguments, options: budget.options, jobs: jobs ?? Processors.count)
        }
    }

    /// Runs an asynchronous query; turns its errors into failures of the command.
    static func asking<Answer: Sendable>(
        _ ask: () async throws(QueryError) -> Answer
    ) async throws -> Answer {
        let result: Result<Answer, QueryError>
        do throws(QueryError) {
            result = .success(try await ask())
        } catch {
            result = .failure(error)
        }
        return try asking { () throws(QueryError) in try result.get() }
    }

    /// Runs a query; turns its errors into failures of the command.
    static func asking<Answer>(_ ask: () throws(QueryError) -> Answer) throws -> Answer {
        do throws(QueryError) {
            return try ask()
        } catch {
            switch error {
            case .damage(let error): throw error
            case .exhausted: throw CommandFailure("\(error)", status: .findings)
            default: throw CommandFailure("\(error)", status: .usage)
            }
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

extension ObjectQuery {
    /// Parses the input of a user: a predicate, or nothing for all objects, optionally followed by SORT, DISTINCT and
    /// LIMIT clauses, which can also stand alone.
    init(entered text: String) throws(CommandFailure) {
        let isAll = text.allSatisfy(\.isWhitespace)
        let steps = ["SORT(", "DISTINCT(", "LIMIT("]
        let start = text.drop(while: \.isWhitespace).uppercased()
        do throws(QuerySyntaxError) {
            try self.init(isAll || steps.contains { start.hasPrefix($0) } ? "TRUEPREDICATE \(text)" : text)
        } catch {
            throw CommandFailure("\(error)", status: .usage)
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
