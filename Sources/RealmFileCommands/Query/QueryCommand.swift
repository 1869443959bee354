internal import ArgumentParser
internal import RealmExchange
internal import RealmLayout
internal import RealmQuery
internal import RealmReader

/// `realmfile query`: the objects of a class for which something holds.
struct QueryCommand: CommitCommand {
    static let configuration = CommandConfiguration(
        commandName: "query",
        abstract: "Prints the objects of a class for which a predicate in Realm Query Language holds.",
        discussion: """
            The predicate is what apps give to filter(), with SORT, DISTINCT and LIMIT behind it. Without one, all \
            objects are printed.

            Example:
              realmfile query app.realm Person "age > 30 AND ANY dogs.name BEGINSWITH[c] 're' SORT(name ASC)"
            """)

    @OptionGroup var input: InputOptions
    @OptionGroup var commitOptions: CommitOptions
    @OptionGroup var reporting: ReportOptions

    @Argument(help: ArgumentHelp("The class, as in `realmfile schema`.", valueName: "class"))
    var className: String

    @Argument(help: ArgumentHelp("What must hold, in Realm Query Language.", valueName: "predicate"))
    var predicate: String = "TRUEPREDICATE"

    @Option(
        help: ArgumentHelp(
            "table: a line an object, for people; keys: the key of each object on a line of its own.",
            valueName: "table|keys"))
    var format: QueryFormat = .table

    @Option(help: ArgumentHelp("Print only these properties, separated by commas.", valueName: "names"))
    var select: String?

    @Option(help: ArgumentHelp("Stop after this many objects.", valueName: "number"))
    var limit: Int?

    @Flag(help: "Print only how many objects there are.")
    var count = false

    @Flag(help: "Print no line with the names of the properties.")
    var noHeader = false

    var realmFiles: [InputOptions] { [input] }

    func validate() throws {
        if let limit, limit < 0 { throw ValidationError("--limit needs a number of 0 or more") }
    }

    func run(on console: any Console) async throws -> ExitStatus {
        let snapshot = try input.snapshot(commitOptions, input.key(console))
        let query = try parsed()
        do {
            let table = try snapshot.table(named: className)
            let results = try found(query, in: table)
            if reporting.json {
                try tell([input.name], .success, members(query, results), on: console)
            } else if count {
                try console.writeLine(String(results.count))
            } else {
                try write(results, on: console)
            }
            try snapshot.checkUnchanged()
        } catch let error as FormatError where error.code == .noSuchTable {
            let names = snapshot.schema.classes.map(\.name).joined(separator: ", ")
            throw CommandFailure(
                "\(input.name): there is no class '\(className.singleLine)'; classes: \(names.singleLine)",
                status: .usage)
        } catch let error as FormatError {
            throw CommandFailure(error, file: input.name)
        }
        return .success
    }

    private func members(_ query: Query, _ results: QueryResults) -> [(String, JSONValue)] {
        [
            ("class", .string(results.table.name)), ("query", .string(query.description)),
            ("count", .int(Int64(results.count))),
            ("keys", count ? .null : .array(results.keys.map { .int($0.value) })),
        ]
    }

    private func parsed() throws -> Query {
        do {
            var query = try Query(predicate)
            if let limit { query.steps.append(.limit(limit)) }
            return query
        } catch {
            throw CommandFailure("\(error)", status: .usage)
        }
    }

    private func found(_ query: Query, in table: Table) throws -> QueryResults {
        do throws(QueryError) {
            return try table.objects(matching: query)
        } catch {
            if case .damage(let error) = error { throw error }
            throw CommandFailure("\(error)", status: .usage)
        }
    }

    private func write(_ results: QueryResults, on console: any Console) throws {
        if format == .keys {
            for key in results.keys { try console.writeLine(String(key.value)) }
            return
        }
        var writer = try QueryTable(results.table, properties: try properties(of: results.table), hasHeader: !noHeader)
        for index in results.keys.indices { try writer.add(try results.object(at: index), console) }
        try writer.finish(console)
    }

    private func properties(of table: Table) throws -> [Int] {
        guard let select else { return Array(table.schema.properties.indices) }
        return try select.split(separator: ",").map { part in
            let name = part.drop { $0 == " " }
            guard let index = table.schema.properties.firstIndex(where: { $0.name == name }) else {
                let names = table.schema.properties.map(\.name).joined(separator: ", ")
                throw CommandFailure(
                    "'\(table.name.singleLine)' has no property '\(String(name).singleLine)'; properties: \(names.singleLine)",
                    status: .usage)
            }
            return index
        }
    }
}

/// How found objects are printed.
enum QueryFormat: String, ExpressibleByArgument, CaseIterable {
    case table
    case keys
}
