internal import RealmCore
internal import RealmExchange
internal import RealmLayout
internal import RealmQuery

/// A query of one class, and how its answer is printed.
struct QueryAnswer {
    let table: Table
    /// The name of the file in messages.
    let file: String
    /// The predicate, as entered.
    let predicate: String
    var options: ResultOptions
    let place: QueryPlace
    let budget: QueryOptions
    let jobs: Int
    /// Advice about damage.
    let next: Advice?
    let arguments: [QueryArgument]
    /// The query as entered, with the options that belong to it.
    let query: ObjectQuery
    /// The query with texts read as values.
    private let asked: ObjectQuery
    private let order: GroupOrder

    /// - Throws: `CommandFailure` for a predicate, options and arguments that do not fit.
    init(
        _ predicate: String, of table: Table, file: String, _ options: ResultOptions, at place: QueryPlace,
        budget: QueryOptions, jobs: Int, next: Advice?
    ) throws {
        (self.table, self.file, self.predicate, self.options, self.place) = (table, file, predicate, options, place)
        (self.budget, self.jobs, self.next) = (budget, jobs, next)
        let arguments = try [QueryArgument](json: options.args)
        self.arguments = arguments
        let order = GroupOrder(options.sort)
        let sortsGroups = try options.grouping.isGiven && Self.sortsGroups(order, options, table, arguments)
        self.order = sortsGroups ? order : GroupOrder([])
        var query = try ObjectQuery(entered: predicate, at: place)
        if !options.sort.isEmpty, !sortsGroups { query.steps.append(.sort(try Self.sortKeys(options.sort))) }
        if let limit = options.limit, !options.grouping.isGiven { query.steps.append(.limit(limit)) }
        self.query = query
        let entered = query
        asked = try QueryCommand.asking { () throws(QueryError) in
            try entered.reading(textsFor: table, arguments: arguments)
        }
    }

    /// Whether sort keys are columns of groups. If none is, the objects are sorted, and groups come in the order of
    /// their first objects.
    private static func sortsGroups(
        _ order: GroupOrder, _ options: ResultOptions, _ table: Table, _ arguments: [QueryArgument]
    ) throws -> Bool {
        guard !order.keys.isEmpty else { return false }
        let groups = try GroupTable(options.grouping, order: GroupOrder([]), of: table, arguments: arguments)
        return order.keys.contains { groups.hasColumn($0.column) || GroupOrder.aggregate($0.column) != nil }
    }

    private static func sortKeys(_ texts: [String]) throws(CommandFailure) -> [SortKey] {
        do throws(QuerySyntaxError) {
            return try [SortKey](sorting: texts.joined(separator: ","))
        } catch {
            throw CommandFailure("--sort: \(error)", status: .usage)
        }
    }

    // MARK: Answers

    /// The number of matching objects, of a damaged class of those that can be judged.
    ///
    /// - Parameter unreadable: receives what cannot be read.
    func count(_ unreadable: UnreadableResults) async throws -> Int {
        do throws(QueryError) {
            return try await table.count(matching: asked, arguments: arguments, options: budget, jobs: jobs)
        } catch {
            guard case .damage = error else { throw QueryCommand.failure(error) }
        }
        return try readableResults(unreadable).count
    }

    func explanation() throws -> QueryExplanation {
        try QueryCommand.asking { () throws(QueryError) in
            try table.explain(asked, arguments: arguments, options: budget)
        }
    }

    /// The matching objects, of a damaged class those that can be judged; several tasks share the work when the whole
    /// class must be searched.
    ///
    /// - Parameter unreadable: receives what cannot be read.
    func results(_ unreadable: UnreadableResults) async throws -> QueryResults {
        do throws(QueryError) {
            return try await table.objects(matching: asked, arguments: arguments, options: budget, jobs: jobs)
        } catch {
            guard case .damage = error else { throw QueryCommand.failure(error) }
        }
        return try readableResults(unreadable)
    }

    private func readableResults(_ unreadable: UnreadableResults) throws -> QueryResults {
        try QueryCommand.asking { () throws(QueryError) in
            try table.readableObjects(matching: asked, arguments: arguments, options: budget) { unreadable.note($0) }
        }
    }

    /// Prints the number of objects.
    ///
    /// - Returns: the exit status, for damage.
    func writeCount(on console: any Console) async throws -> ExitStatus {
        let unreadable = UnreadableResults(table)
        let count = try await count(unreadable)
        try console.writeLine(String(count))
        try console.flush()
        let omitted = unreadable.omittedObjects(file)
        for line in omitted { console.message(line) }
        if count == 0 { hint(on: console) }
        return omitted.isEmpty ? .success : .findings
    }

    /// Prints the objects or groups.
    ///
    /// - Returns: the exit status, for damage.
    func write(on console: any Console) async throws -> ExitStatus {
        var output = QueryOutput()
        output.format = options.format ?? .table
        if output.format == .bson {
            try console.refuseTerminal("BSON documents", "give --format json or --out FILE, or pass the output on")
        }
        output.select = output.format == .keys ? nil : options.columns
        output.place = place
        output.hasHeader = !options.noHeader
        output.hasMark = options.bom
        output.jobs = jobs
        output.arguments = arguments
        let unreadable = UnreadableResults(table)
        var problems: QueryOutput.Problems
        var isEmpty = false
        if options.grouping.isGiven {
            let groups = try GroupTable(options.grouping, order: order, of: table, arguments: arguments)
            let results = try await results(unreadable)
            isEmpty = results.count == 0
            let rows = try await groups.rows(of: results, budget, jobs: jobs, limit: options.limit, unreadable)
            problems = try output.write(rows, of: groups, on: console)
        } else {
            let columns = try output.columns(of: table)
            let results = try await results(unreadable)
            isEmpty = results.count == 0
            problems = try await output.write(results, columns, file: file, next: next, on: console)
        }
        let omitted = unreadable.omittedObjects(file)
        if !omitted.isEmpty, !problems.isDamage, let next { problems.lines.append("realmfile: \(file): \(next.text)") }
        // Messages follow the output that they refer to.
        try console.flush()
        for line in omitted + problems.lines { console.message(line) }
        if isEmpty { hint(on: console) }
        return problems.isDamage || !omitted.isEmpty ? .findings : .success
    }

    /// Explains why nothing was found, if the pattern is one of SQL.
    func hint(on console: any Console) {
        guard let pattern = query.predicate.patternOfSQL, let spelling = SQLSpelling(predicate) else { return }
        console.message(
            "nothing matches '\(pattern.singleLine)': in LIKE, * stands for any text and ? for a character: \(spelling.query.singleLine)"
        )
    }
}

extension ObjectQuery {
    /// Parses the input of a user.
    ///
    /// - Throws: `CommandFailure`, with the query in Realm's spelling if it was entered in SQL's.
    init(entered text: String, at place: QueryPlace) throws(CommandFailure) {
        do throws(QuerySyntaxError) {
            try self.init(entered: text)
        } catch {
            guard let spelling = SQLSpelling(text) else { throw CommandFailure("\(error)", status: .usage) }
            throw CommandFailure(spelling.advice, status: .usage)
        }
    }
}

extension SQLSpelling {
    /// The query in Realm's spelling, in words.
    var advice: String {
        let options = [groups.map { " --group-by '\($0)'" }, columns.map { " --select '\($0)'" }].compactMap { $0 }
        let words = [className, query.isEmpty ? nil : query].compactMap { $0 }.joined(separator: " ")
        return "write this as: \((words + options.joined()).singleLine)"
    }
}
