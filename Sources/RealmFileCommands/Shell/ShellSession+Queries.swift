internal import ArgumentParser
internal import RealmCore
internal import RealmExchange
internal import RealmLayout
internal import RealmQuery
internal import RealmStorage
internal import Synchronization

extension ShellSession {
    /// Answers `Class PREDICATE` or `Class.count PREDICATE`, which options of `query` may follow.
    func query(_ line: String, isCount: Bool) async throws -> ExitStatus {
        let settings = settings.withLock { $0 }
        let parts = ShellLine(line)
        if parts.query.uppercased().hasPrefix("SELECT "), let spelling = SQLSpelling(parts.query) {
            throw CommandFailure(spelling.advice, status: .usage)
        }
        let named = try target(of: parts.query, in: settings.snapshot)
        var options = try parts.options()
        if isCount || named.isCount { try options.limitToCount() }
        options.add(settings)
        let answer = try QueryAnswer(
            named.rest, of: named.table, file: file, options, at: .shell, budget: self.options,
            jobs: Processors.count, next: next)
        let clock = ContinuousClock()
        let start = clock.now
        let status = try await print(answer, settings)
        if settings.isTimed { console.message("\((clock.now - start).seconds) s") }
        return status
    }

    private func print(_ answer: QueryAnswer, _ settings: Settings) async throws -> ExitStatus {
        if settings.explains || answer.options.explain {
            let explanation = "\(try answer.explanation())"
            for line in explanation.split(separator: "\n") { console.message(String(line).singleLine) }
            if answer.options.explain { return .success }
        }
        guard let out = answer.options.out else { return try await print(answer, on: output) }
        let file = try newFile(out)
        let status = try await print(answer, on: file)
        try file.commit()
        return status
    }

    private func print(_ answer: QueryAnswer, on console: any Console) async throws -> ExitStatus {
        do {
            return answer.options.count
                ? try await answer.writeCount(on: console) : try await answer.write(on: console)
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

extension ResultOptions {
    /// Adds the settings of the shell that a line does not change.
    fileprivate mutating func add(_ settings: ShellSession.Settings) {
        if format == nil { format = settings.mode }
        guard !count else { return }
        if limit == nil { limit = settings.limit }
        guard !grouping.isGiven else { return }
        if select.isEmpty, let columns = settings.select { select = [columns] }
        if sort.isEmpty, let paths = settings.sort { sort = [paths] }
    }

    /// Makes the answer a number.
    fileprivate mutating func limitToCount() throws(CommandFailure) {
        guard !grouping.isGiven else {
            throw CommandFailure("Class.count is one number: leave out .count for groups", status: .usage)
        }
        (count, select, sort) = (true, [], [])
    }
}

extension Duration {
    /// Seconds with three decimals.
    fileprivate var seconds: String {
        let (whole, parts) = components
        let thousandths = parts / 1_000_000_000_000_000
        return "\(whole).\(String(repeating: "0", count: 3 - String(thousandths).count))\(thousandths)"
    }
}
