internal import RealmCore
internal import RealmExchange
internal import RealmLayout
internal import RealmQuery
internal import RealmStorage
internal import Synchronization

/// A session on one file: its settings, and the answers to lines.
final class ShellSession: Sendable {
    /// The settings that commands change.
    struct Settings: Sendable {
        var snapshot: Snapshot
        var slot: SlotOption?
        var mode: QueryFormat
        var select: String?
        var limit: Int?
        var explains = false
        var isAtEnd = false
    }

    let file: String
    let console: any Console
    private let settings: Mutex<Settings>
    /// Advice about damage.
    private let next: Advice?
    /// The limits for each query.
    private let options: QueryOptions
    private let reopen: @Sendable (SlotOption) throws(CommandFailure) -> Snapshot

    /// - Parameter reopen: opens the commit of a slot.
    init(
        _ snapshot: Snapshot, file: String, mode: QueryFormat, options: QueryOptions, next: Advice?,
        on console: any Console,
        reopen: @escaping @Sendable (SlotOption) throws(CommandFailure) -> Snapshot
    ) {
        settings = Mutex(Settings(snapshot: snapshot, mode: mode))
        self.file = file
        self.options = options
        self.next = next
        self.console = console
        self.reopen = reopen
    }

    var snapshot: Snapshot { settings.withLock(\.snapshot) }
    var isAtEnd: Bool { settings.withLock(\.isAtEnd) }

    /// The text that a person sees first.
    var greeting: String {
        let count = snapshot.schema.classes.count
        return """
            \(file): commit \(snapshot.commitNumber), \(counted(count, "class", "classes"))
            Enter a class and a predicate, such as: Person age > 30. Type .help for help, Ctrl-D to quit.
            """
    }

    /// Answers a line, or reports the error in it.
    ///
    /// - Throws: `OutputError`.
    func answer(_ line: String) async throws -> ExitStatus {
        do {
            let status =
                line.hasPrefix(".")
                ? try await command(line) : try await query(line, isCount: false, settings.withLock { $0 })
            try snapshot.checkUnchanged()
            return status
        } catch let error as OutputError {
            throw error
        } catch is CancellationError {
            return failed("cancelled", .findings)
        } catch let error as FormatError {
            return failed(CommandFailure(error, file: file))
        } catch let error as CommandFailure {
            return failed(error)
        } catch {
            return failed("\(error)", .unreadable)
        }
    }

    private func failed(_ failure: CommandFailure) -> ExitStatus {
        let advised = failure.advised { _ in nil }
        return failed(advised.description, failure.status)
    }

    private func failed(_ words: String, _ status: ExitStatus) -> ExitStatus {
        // Earlier output must precede the message.
        try? console.flush()
        console.message("error: \(words)")
        return status
    }

    // MARK: Commands

    private func command(_ line: String) async throws -> ExitStatus {
        let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
        let argument = parts.count > 1 ? String(parts[1].drop { $0 == " " }) : ""
        guard let command = ShellWord(rawValue: parts[0]) else {
            throw CommandFailure(
                "there is no command \(parts[0].singleLine); .help lists those that there are", status: .usage)
        }
        switch command {
        case .help: try console.write(ShellWord.overview)
        case .classes: try console.write(classes())
        case .schema: try console.write(try schema(argument))
        case .count: return try await query(argument, isCount: true, settings.withLock { $0 })
        case .quit, .exit: settings.withLock { $0.isAtEnd = true }
        case .mode:
            guard !argument.isEmpty else {
                try console.writeLine(settings.withLock(\.mode.rawValue))
                break
            }
            guard let mode = QueryFormat(rawValue: argument) else {
                let modes = QueryFormat.allCases.map(\.rawValue).joined(separator: ", ")
                throw CommandFailure(".mode takes one of \(modes)", status: .usage)
            }
            settings.withLock { $0.mode = mode }
        case .select: settings.withLock { $0.select = argument.isEmpty ? nil : argument }
        case .limit:
            guard argument.isEmpty || Int(unsigned: argument) != nil else {
                throw CommandFailure(".limit takes a number, or nothing for no limit", status: .usage)
            }
            settings.withLock { $0.limit = Int(unsigned: argument) }
        case .explain:
            guard ["on", "off"].contains(argument) else {
                throw CommandFailure(".explain takes on or off", status: .usage)
            }
            settings.withLock { $0.explains = argument == "on" }
        case .slot:
            guard let slot = SlotOption(rawValue: argument) else {
                throw CommandFailure(".slot takes current or other", status: .usage)
            }
            let snapshot = try reopen(slot)
            settings.withLock { $0.snapshot = snapshot }
            console.message("commit \(snapshot.commitNumber)")
            Caution.all(of: snapshot, values: true).show(file, on: console)
        }
        return .success
    }

    private func classes() -> String {
        let tables = snapshot.classes
        let width = tables.map(\.name.singleLine.displayWidth).max() ?? 0
        let counts = tables.map { table in (try? table.count).map { counted($0, "object") } ?? "unreadable" }
        return zip(tables, counts).map { table, count in
            let kind = table.schema.kind == .topLevel ? "" : "  \(table.schema.kind)"
            return "\(table.name.singleLine.filled(to: width, atStart: false))  \(count)\(kind)\n"
        }.joined()
    }

    private func schema(_ name: String) throws -> String {
        let snapshot = snapshot
        let tables =
            name.isEmpty ? snapshot.schema.classes : [try snapshot.table(forQuery: name, file: file).schema]
        return SchemaText.text(
            of: tables, version: snapshot.version, schemaVersion: snapshot.schema.version, details: false)
    }

    // MARK: Queries

    /// Answers `Class PREDICATE` or `Class.count PREDICATE`.
    private func query(_ line: String, isCount: Bool, _ settings: Settings) async throws -> ExitStatus {
        let named = try target(of: line, in: settings.snapshot)
        var query = try ObjectQuery(entered: named.rest)
        if isCount || named.isCount {
            let count = try await Self.asking { () async throws(QueryError) in
                try await named.table.count(matching: query, options: options, jobs: Processors.count)
            }
            try console.writeLine(String(count))
            return .success
        }
        if let limit = settings.limit { query.steps.append(.limit(limit)) }
        var output = QueryOutput()
        output.format = settings.mode
        output.select = settings.mode == .keys ? nil : settings.select
        output.selectName = ShellWord.select.rawValue
        output.jobs = Processors.count
        let columns = try output.columns(of: named.table)
        let results: QueryResults
        if settings.explains {
            let explanation = try await Self.asking { () async throws(QueryError) in
                try named.table.explain(query, options: options)
            }
            for line in "\(explanation)".split(separator: "\n") { console.message(String(line).singleLine) }
            results = explanation.results
        } else {
            results = try await Self.asking { () async throws(QueryError) in
                try await named.table.objects(matching: query, options: options, jobs: Processors.count)
            }
        }
        let problems = try await output.write(results, columns, file: file, next: next, on: console)
        try console.flush()
        for line in problems.lines { console.message(line) }
        return problems.isDamage ? .findings : .success
    }

    private static func asking<Answer: Sendable>(
        _ ask: () async throws(QueryError) -> Answer
    ) async throws -> Answer {
        do {
            return try await QueryCommand.asking(ask)
        } catch {
            if Task.isCancelled { throw CancellationError() }
            throw error
        }
    }

    /// Returns the class at the beginning of a line, whatever characters its name contains: the longest that matches.
    private func target(
        of line: String, in snapshot: Snapshot
    ) throws -> (table: Table, isCount: Bool, rest: String) {
        let names = snapshot.tables.map(\.name).inOrder { $0.utf8.count > $1.utf8.count }
        for name in names where line.hasPrefix(name) {
            let rest = line.dropFirst(name.count)
            if rest.isEmpty || rest.first == " " {
                return (try snapshot.table(named: name), false, String(rest.drop { $0 == " " }))
            }
            let end = rest.dropFirst(Self.countSuffix.count)
            if rest.hasPrefix(Self.countSuffix), end.isEmpty || end.first == " " {
                return (try snapshot.table(named: name), true, String(end.drop { $0 == " " }))
            }
        }
        let word = line.split(separator: " ", maxSplits: 1).first.map(String.init) ?? ""
        let wanted = word.hasSuffix(Self.countSuffix) ? String(word.dropLast(Self.countSuffix.count)) : word
        guard !wanted.isEmpty else { throw CommandFailure("which class? .classes lists them", status: .usage) }
        return (try snapshot.table(forQuery: wanted, file: file), false, "")
    }

    private static let countSuffix = ".count"
}

/// The commands, which begin with a dot.
enum ShellWord: String, CaseIterable {
    case classes = ".classes"
    case count = ".count"
    case exit = ".exit"
    case explain = ".explain"
    case help = ".help"
    case limit = ".limit"
    case mode = ".mode"
    case quit = ".quit"
    case schema = ".schema"
    case select = ".select"
    case slot = ".slot"

    /// The argument of the command, and its effect.
    private var words: (argument: String, meaning: String) {
        switch self {
        case .classes: ("", "the classes, and how many objects each has")
        case .count: ("CLASS [PREDICATE]", "how many objects there are; the same as CLASS.count PREDICATE")
        case .explain:
            ("on|off", "also print how queries are run: which index or column is asked, what each step saw and kept")
        case .exit, .quit: ("", "quit (Ctrl-D)")
        case .help: ("", "this text")
        case .limit: ("[N]", "print at most N objects; without a number, all")
        case .mode: ("table|json|…", "how objects are printed: table, json, ejson, bson, csv, tsv or keys")
        case .schema: ("[CLASS]", "the properties of a class, or of all")
        case .select: ("[PATHS]", "print only these, as name, address.city, dogs.@count; without paths all properties")
        case .slot: ("current|other", "read the current commit, or that of the header's other slot")
        }
    }

    /// The output of `.help`.
    static var overview: String {
        let queries = [
            ("CLASS [PREDICATE]", "the objects for which it holds: Person age > 30 SORT(name ASC) LIMIT(5)"),
            ("CLASS.count [PREDICATE]", "how many there are"),
        ]
        let commands = allCases.map { word in
            (word.rawValue + (word.words.argument.isEmpty ? "" : " \(word.words.argument)"), word.words.meaning)
        }
        let width = (queries + commands).map(\.0.count).max() ?? 0
        return (queries + commands).map { "\($0.0.padded(to: width))  \($0.1)\n" }.joined()
    }
}
