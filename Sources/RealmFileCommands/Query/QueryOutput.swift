internal import ArgumentParser
internal import RealmCore
internal import RealmExchange
internal import RealmLayout
internal import RealmQuery
internal import Synchronization

/// The output format for objects.
enum QueryFormat: String, ExpressibleByArgument, CaseIterable {
    case table
    case vertical
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

    /// Creates a format from its name, or from that of sqlite3.
    init?(argument: String) {
        self.init(rawValue: ["line": "vertical", "tabs": "tsv"][argument] ?? argument)
    }
}

/// The place where a query was entered, which decides how messages spell what to enter next.
enum QueryPlace {
    case commandLine
    case shell

    /// The name of the option or command for columns.
    var select: String { self == .commandLine ? "--select" : ShellWord.select.rawValue }
    /// The name of the option or command for formats.
    var format: String { self == .commandLine ? "--format" : ShellWord.mode.rawValue }
}

/// Prints the results of a query.
struct QueryOutput {
    var format = QueryFormat.table
    /// The columns to print for each object; nil for all properties.
    var select: String?
    /// Where the query was entered.
    var place = QueryPlace.commandLine
    var hasHeader = true
    /// Whether CSV and TSV begin with a byte order mark.
    var hasMark = false
    /// The number of threads that make documents.
    var jobs = 1
    var arguments: [QueryArgument] = []

    /// The number of objects between two checks for cancellation.
    private static let checkedRows = 256
    /// U+FEFF in UTF-8.
    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

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
            throw CommandFailure("\(place.select): \(error)", status: .usage)
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
        guard let documents = format.documents else { return try writeText(results, columns, file, next, console) }
        if hasMark { try console.write(Self.mark) }
        // Embedded objects are not separate documents in an export.
        if select == nil, results.table.schema.kind != .embedded {
            return try await writeDocuments(results, documents, file, next, console)
        }
        return try writeValues(results, columns, documents, file, next, console)
    }

    // MARK: Lines for people

    private func writeText(
        _ results: QueryResults, _ columns: ResultColumns, _ file: String, _ next: Advice?, _ console: any Console
    ) throws -> Problems {
        let unreadable = UnreadableResults(results.table)
        var rows = TextRows(
            columns.columns.map { TextRows.Column($0) }, isVertical: format == .vertical, hasHeader: hasHeader,
            width: console.outputWidth)
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
                    return try rows.cell(columns.value(column, of: object, &isBeyond), column)
                } ?? "(unreadable)"
            }
            try checkOverflow(beyond, columns, object.key)
            try rows.add(cells, console)
        }
        try rows.finish(console)
        var problems = unreadable.problems(file, next)
        problems.lines += hiddenColumns(rows)
        return problems
    }

    /// The message about columns that did not fit.
    private func hiddenColumns(_ rows: TextRows) -> [String] {
        guard rows.hiddenColumns > 0 else { return [] }
        return [
            "realmfile: \(counted(rows.hiddenColumns, "column")) not shown; pick columns with \(place.select), or see all with \(place.format) vertical"
        ]
    }

    // MARK: Groups

    /// Prints rows of groups.
    func write(_ rows: [[Value]], of groups: GroupTable, on console: any Console) throws -> Problems {
        let shown = groups.shown
        guard let format = format.documents else {
            var text = TextRows(
                shown.map { TextRows.Column($0) }, isVertical: format == .vertical, hasHeader: hasHeader,
                width: console.outputWidth)
            for row in rows {
                try text.add(row.enumerated().map { try text.cell($1, $0) }, console)
            }
            try text.finish(console)
            return Problems(lines: hiddenColumns(text))
        }
        if hasMark { try console.write(Self.mark) }
        var options = ExportOptions()
        options.format = format
        let writer = ValueDocuments(
            shown.map { ($0.name, $0.common?.property.map { $0.type == .mixed } ?? false) }, options)
        if hasHeader { try console.write(ValueDocuments.header(shown.map(\.name), format)) }
        for row in rows {
            try writer.add(row)
            try console.write(writer.take())
        }
        return Problems(
            lines: writer.losses.map { "  lost: \(shown[$0.column].name.singleLine): \($0.kind.text) (\($0.count))" })
    }

    /// Throws when an integer exceeds 64 bits; no other number is shown instead.
    ///
    /// - Parameter column: the column of the integer.
    private func checkOverflow(_ column: Int?, _ columns: ResultColumns, _ key: ObjectKey) throws(CommandFailure) {
        guard let column else { return }
        let name = columns.columns[column].name.singleLine
        throw CommandFailure(
            "\(place.select) \(name): integer overflow: of object \(key) it is beyond 64 bits", status: .findings)
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

extension TextRows.Column {
    fileprivate init(_ column: ResultColumns.Column) {
        self.init(
            name: column.name, isNumber: column.isNumber, isText: column.isText,
            namesClasses: column.property?.type != .link)
    }

    fileprivate init(_ column: GroupTable.Column) {
        let isText = column.values?.isText ?? false
        self.init(
            name: column.name, isNumber: column.common?.isNumber ?? !isText, isText: isText,
            namesClasses: column.common?.property?.type != .link)
    }
}
