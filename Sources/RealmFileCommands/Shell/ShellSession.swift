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
        var sort: String?
        var limit: Int?
        var explains = false
        var isTimed = false
        /// The file that answers are written to.
        var output: FileConsole?
        var isAtEnd = false
    }

    let file: String
    let console: any Console
    let settings: Mutex<Settings>
    /// Advice about damage.
    let next: Advice?
    /// The limits for each query.
    let options: QueryOptions
    private let permissions: UInt32?
    private let reopen: @Sendable (SlotOption) throws(CommandFailure) -> Snapshot

    /// - Parameters:
    ///   - permissions: those of the file that is read, which files with answers do not exceed.
    ///   - reopen: opens the commit of a slot.
    init(
        _ snapshot: Snapshot, file: String, permissions: UInt32?, mode: QueryFormat, options: QueryOptions,
        next: Advice?, on console: any Console,
        reopen: @escaping @Sendable (SlotOption) throws(CommandFailure) -> Snapshot
    ) {
        settings = Mutex(Settings(snapshot: snapshot, mode: mode))
        self.file = file
        self.permissions = permissions
        self.options = options
        self.next = next
        self.console = console
        self.reopen = reopen
    }

    var snapshot: Snapshot { settings.withLock(\.snapshot) }
    var isAtEnd: Bool { settings.withLock(\.isAtEnd) }
    /// Where answers are written.
    var output: any Console { settings.withLock { $0.output } ?? console }
    /// The number of files that `.read` is within.
    private let depth = Atomic<Int>(0)
    private static let deepest = 8

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
            if line.isComment { return .success }
            let status = try await status(of: line)
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
            return failed(CommandFailure(error, file: file))
        }
    }

    private func status(of line: String) async throws -> ExitStatus {
        if line.hasPrefix(".") { return try await command(line) }
        if let word = ShellWord(plain: line), !snapshot.tables.contains(where: { $0.name == line }) {
            return try await command(word.rawValue)
        }
        return try await query(line, isCount: false)
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
                "there is no command \(parts[0].singleLine); \(ShellWord.advice(for: parts[0]))", status: .usage)
        }
        switch command {
        case .help: try console.write(ShellWord.overview)
        case .classes: try output.write(classes())
        case .schema: try output.write(try schema(argument))
        case .count: return try await query(argument, isCount: true)
        case .output: try write(to: argument)
        case .read: return try await read(argument)
        case .sort: settings.withLock { $0.sort = argument.isEmpty ? nil : argument }
        case .timer:
            let isOn = try isOn(argument, command)
            settings.withLock { $0.isTimed = isOn }
        case .quit, .exit: settings.withLock { $0.isAtEnd = true }
        case .mode:
            guard !argument.isEmpty else {
                try console.writeLine(settings.withLock(\.mode.rawValue))
                break
            }
            guard let mode = QueryFormat(argument: argument) else {
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
            let isOn = try isOn(argument, command)
            settings.withLock { $0.explains = isOn }
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

    private func isOn(_ argument: String, _ command: ShellWord) throws(CommandFailure) -> Bool {
        guard ["on", "off"].contains(argument) else {
            throw CommandFailure("\(command.rawValue) takes on or off", status: .usage)
        }
        return argument == "on"
    }

    /// Writes answers to a new file, or to the terminal.
    private func write(to path: String) throws {
        try endOutput()
        guard !path.isEmpty else { return }
        let file = try newFile(path)
        settings.withLock { $0.output = file }
    }

    /// A file for answers. The shell replaces none.
    ///
    /// - Throws: `CommandFailure`, `StorageError`.
    func newFile(_ path: String) throws -> FileConsole {
        guard !OutputFile.exists(path) else {
            throw CommandFailure("\(path.shownPath) already exists; name another file")
        }
        return try FileConsole(path: path, replacing: false, permissions: permissions, messages: console)
    }

    /// Completes the file that answers are written to.
    ///
    /// - Throws: `StorageError`.
    func endOutput() throws {
        let file = settings.withLock { settings in
            defer { settings.output = nil }
            return settings.output
        }
        try file?.commit()
    }

    /// Answers the lines of a file; the worst status counts.
    private func read(_ path: String) async throws -> ExitStatus {
        guard !path.isEmpty else { throw CommandFailure(".read takes the path of a file", status: .usage) }
        guard depth.load(ordering: .relaxed) < Self.deepest else {
            throw CommandFailure(".read: files read each other more than \(Self.deepest) times", status: .usage)
        }
        depth.add(1, ordering: .relaxed)
        defer { depth.subtract(1, ordering: .relaxed) }
        let source = try ByteSource(path: path)
        let lines = String(decoding: source.view.bytes, as: UTF8.self).split { $0.isNewline }
        var worst = ExitStatus.success
        for line in lines where !isAtEnd {
            let line = String(line).trimmingEnds
            guard !line.isEmpty else { continue }
            let status = try await answer(line)
            if status.code > worst.code { worst = status }
        }
        return worst
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
}

extension String {
    /// Whether a line is a comment.
    fileprivate var isComment: Bool { hasPrefix("#") || hasPrefix("--") }

    /// The text without surrounding white space, and without the trailing semicolon that other shells require.
    var trimmingEnds: String {
        var rest = drop { $0.isWhitespace }
        while let last = rest.last, last.isWhitespace || last == ";" { rest.removeLast() }
        return String(rest)
    }
}
