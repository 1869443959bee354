internal import ArgumentParser
internal import RealmCore
internal import RealmExchange
internal import RealmLayout
internal import RealmQuery
internal import Synchronization

/// The output format for objects.
enum QueryFormat: String, ExpressibleByArgument, CaseIterable {
    case table
    case json
    case ejson
    case bson
    case csv
    case tsv
    case keys

    /// The format of documents; nil for formats that are not documents.
    var documents: ExportOptions.Format? { ExportOptions.Format(rawValue: rawValue) }
    /// Whether there can be a header line.
    var hasHeader: Bool { self == .table || self == .csv || self == .tsv }
}

/// Prints the results of a query.
struct QueryOutput {
    var format = QueryFormat.table
    /// The columns to print for each object; nil for all properties.
    var select: String?
    /// The name of the option or command that set `select`.
    var selectName = "--select"
    var hasHeader = true
    /// The number of threads that make documents.
    var jobs = 1
    var arguments: [QueryArgument] = []

    /// The number of objects between two checks for cancellation.
    private static let checkedRows = 256

    /// Problems while printing.
    struct Problems {
        /// The problems in words.
        var lines: [String] = []
        /// Whether part of the file cannot be read.
        var isDamage = false
    }

    /// Resolves the columns to print, before the query runs.
    ///
    /// - Throws: a `CommandFailure` for names that do not exist.
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
    ///   - file: the name of the file in messages.
    ///   - next: advice about damage.
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
        // Embedded objects are not separate documents in an export.
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

    /// Throws when an integer exceeds 64 bits; no other number is shown instead.
    ///
    /// - Parameter column: the column of the integer.
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
            // The header line comes first, in a separate call.
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

/// The unreadable parts of a result.
private final class UnreadableResults {
    private let table: Table
    /// Properties that cannot be shown because the schema is damaged.
    private let omissions: [FormatError]
    /// Damaged places in the order of their discovery, each with its first object and the number of values lost.
    private var places: [(error: FormatError, count: Int)] = []
    private var count = 0
    private static let mostNamed = 20

    init(_ table: Table) {
        self.table = table
        omissions = table.snapshot.damage.filter { $0.table == table.schema.tableName }
    }

    /// Returns the result of `body`; records damage and returns nil if it fails.
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
