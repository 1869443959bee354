internal import ArgumentParser
internal import RealmExchange
internal import RealmLayout
internal import RealmQuery
internal import RealmReader
internal import Synchronization

/// How found objects are printed.
enum QueryFormat: String, ExpressibleByArgument, CaseIterable {
    case table
    case json
    case ejson
    case bson
    case csv
    case tsv
    case keys

    /// The format of documents; nil where no documents are printed.
    var documents: ExportOptions.Format? { ExportOptions.Format(rawValue: rawValue) }
    /// Whether there can be a line with names.
    var hasHeader: Bool { self == .table || self == .csv || self == .tsv }
}

/// Prints what a query found.
struct QueryOutput {
    var format = QueryFormat.table
    /// What is printed of each object; nil for all properties.
    var select: String?
    /// What the user chose that with.
    var selectName = "--select"
    var hasHeader = true
    /// Threads that make documents.
    var jobs = 1
    var arguments: [QueryArgument] = []

    /// Objects after which a user who wants no more of them is heard.
    private static let checkedRows = 256

    /// What could not be printed.
    struct Problems {
        /// In words.
        var lines: [String] = []
        /// Whether something of the file cannot be read.
        var isDamage = false
    }

    /// Looks for what is to be printed of each object, before it is known which ones these are.
    ///
    /// - Throws: a `CommandFailure` for names that are not there.
    func columns(of table: Table) throws -> ResultColumns {
        guard let select else { return ResultColumns(of: table) }
        do throws(QueryError) {
            return try ResultColumns(select, of: table, arguments: arguments)
        } catch {
            throw CommandFailure("\(selectName): \(error)", status: .usage)
        }
    }

    /// Prints the objects of a result.
    ///
    /// - Parameters:
    ///   - file: how messages name the file.
    ///   - next: what to do about damage.
    func write(
        _ results: QueryResults, _ columns: ResultColumns, file: String, next: Advice?, on console: any Console
    ) async throws -> Problems {
        guard format != .keys else {
            for (index, key) in results.keys.enumerated() {
                if index % Self.checkedRows == 0 { try Task.checkCancellation() }
                try console.writeLine(String(key.value))
            }
            return Problems()
        }
        guard let documents = format.documents else { return try writeTable(results, columns, file, next, console) }
        // Embedded objects are no documents of their own in an export.
        if select == nil, results.table.schema.kind != .embedded {
            return try await writeDocuments(results, documents, file, next, console)
        }
        return try writeValues(results, columns, documents, file, next, console)
    }

    // MARK: Lines for people

    private func writeTable(
        _ results: QueryResults, _ columns: ResultColumns, _ file: String, _ next: Advice?, _ console: any Console
    ) throws -> Problems {
        let unreadable = UnreadableResults(results.table)
        let width = console.outputWidth
        var table = TextTable(
            columns.columns.map { TextTable.Column(name: $0.name.singleLine, isNumber: $0.isNumber) },
            hasHeader: hasHeader, width: width)
        for index in results.keys.indices {
            if index % Self.checkedRows == 0 { try Task.checkCancellation() }
            guard let object = unreadable.reading({ () throws(FormatError) in try results.object(at: index) }) else {
                continue
            }
            var beyond: Int?
            let cells = columns.columns.indices.map { column in
                unreadable.reading { () throws(FormatError) in
                    var isBeyond = false
                    defer { if isBeyond { beyond = column } }
                    return try CellText.of(
                        columns.value(column, of: object, &isBeyond), isText: columns.columns[column].isText,
                        namesClasses: columns.columns[column].property?.type != .link, most: width)
                } ?? "(unreadable)"
            }
            try checkOverflow(beyond, columns, object.key)
            try table.add(cells, console)
        }
        try table.finish(console)
        var problems = unreadable.problems(file, next)
        if table.hiddenColumns > 0 {
            problems.lines.append(
                "realmfile: \(counted(table.hiddenColumns, "column")) not shown; pick columns with --select or use --format json"
            )
        }
        return problems
    }

    /// Says that an integer is beyond 64 bits, where one is: no other number is shown instead.
    ///
    /// - Parameter column: where it would be.
    private func checkOverflow(_ column: Int?, _ columns: ResultColumns, _ key: ObjectKey) throws(CommandFailure) {
        guard let column else { return }
        let name = columns.columns[column].name.singleLine
        throw CommandFailure(
            "\(selectName) \(name): integer overflow: of object \(key) it is beyond 64 bits", status: .findings)
    }

    // MARK: Documents

    private func writeDocuments(
        _ results: QueryResults, _ format: ExportOptions.Format, _ file: String, _ next: Advice?,
        _ console: any Console
    ) async throws -> Problems {
        var options = ExportOptions()
        options.format = format
        options.classNames = [results.table.name]
        options.chosenObjects = [results.table.name: results.keys]
        options.jobs = jobs
        options.includesSystemTables = true
        let skipsHeader = Atomic<Bool>(self.format.hasHeader && !hasHeader)
        let exporter = Exporter(results.table.snapshot, options)
        let report = try await exporter.exportDocuments(ofClass: results.table.name) { bytes in
            // The line with the names comes first, and by itself.
            if !skipsHeader.exchange(false, ordering: .relaxed) { try console.write(bytes) }
        }
        let summary = ExportSummary(report, file: file, target: "-", next: report.damage.isEmpty ? nil : next)
        return Problems(lines: summary.problems, isDamage: !report.damage.isEmpty)
    }

    private func writeValues(
        _ results: QueryResults, _ columns: ResultColumns, _ format: ExportOptions.Format, _ file: String,
        _ next: Advice?, _ console: any Console
    ) throws -> Problems {
        let unreadable = UnreadableResults(results.table)
        var options = ExportOptions()
        options.format = format
        let writer = ValueDocuments(
            columns.columns.map { ($0.name, $0.property.map { $0.type == .mixed } ?? false) }, options)
        if hasHeader { try console.write(ValueDocuments.header(columns.columns.map(\.name), format)) }
        for index in results.keys.indices {
            if index % Self.checkedRows == 0 { try Task.checkCancellation() }
            var beyond: Int?
            _ = unreadable.reading { () throws(FormatError) in
                let object = try results.object(at: index)
                let values = columns.columns.indices.map { column in
                    unreadable.reading { () throws(FormatError) in
                        var isBeyond = false
                        defer { if isBeyond { beyond = column } }
                        return try columns.value(column, of: object, &isBeyond)
                    }
                }
                try writer.add(values)
            }
            try checkOverflow(beyond, columns, results.keys[index])
            let bytes = writer.take()
            if !bytes.isEmpty { try console.write(bytes) }
        }
        var problems = unreadable.problems(file, next)
        problems.lines += writer.losses.map { loss in
            "  lost: \(columns.columns[loss.column].name.singleLine): \(loss.kind.text) (\(loss.count))"
        }
        return problems
    }
}

/// What of a result cannot be read.
private final class UnreadableResults {
    private let table: Table
    /// Properties that nothing shows, because the schema is damaged.
    private let omissions: [FormatError]
    /// Damaged places in the order in which they were met, each with its first object, and how many values it cost.
    private var places: [(error: FormatError, count: Int)] = []
    private var count = 0
    private static let mostNamed = 20

    init(_ table: Table) {
        self.table = table
        omissions = table.snapshot.damage.filter { $0.table == table.schema.tableName }
    }

    /// What `body` reads; nil when it is damaged, which is noted.
    func reading<Result>(_ body: () throws(FormatError) -> Result) -> Result? {
        do throws(FormatError) {
            return try body()
        } catch {
            count += 1
            note(error.at(table: table.schema.tableName))
            return nil
        }
    }

    private func note(_ error: FormatError) {
        let place = places.firstIndex {
            ($0.error.code, $0.error.offset, $0.error.table, $0.error.property)
                == (error.code, error.offset, error.table, error.property)
        }
        if let place {
            places[place].count += 1
        } else if places.count < Self.mostNamed {
            places.append((error, 1))
        }
    }

    func problems(_ file: String, _ next: Advice?) -> QueryOutput.Problems {
        guard count > 0 || !omissions.isEmpty else { return QueryOutput.Problems() }
        var lines = omissions.map { "realmfile: \(file): left out: \($0.line)" }
        lines += places.map { place in
            let values = place.count > 1 ? " (\(place.count) values)" : ""
            return "realmfile: \(file): cannot be read: \(place.error.line)\(values)"
        }
        let more = count - places.reduce(0) { $0 + $1.count }
        if more > 0 { lines.append("realmfile: \(file): \(count) values cannot be read (\(more) more not shown)") }
        if let next { lines.append("realmfile: \(file): \(next.text)") }
        return QueryOutput.Problems(lines: lines, isDamage: true)
    }
}
