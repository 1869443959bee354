internal import ArgumentParser
internal import RealmCore
internal import RealmExchange
internal import RealmLayout
internal import RealmQuery

/// Options for grouping and aggregating results.
struct GroupOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Print one line for each distinct value with the number of objects, in order of first appearance; may be repeated.",
            valueName: "paths"))
    var groupBy: [String] = []

    @Option(
        help: ArgumentHelp(
            "With --group-by: the sums of these properties; may be repeated, as the next three.", valueName: "paths"))
    var sum: [String] = []

    @Option(help: ArgumentHelp("With --group-by: the averages.", valueName: "paths"))
    var avg: [String] = []

    @Option(help: ArgumentHelp("With --group-by: the lowest values.", valueName: "paths"))
    var min: [String] = []

    @Option(help: ArgumentHelp("With --group-by: the highest values.", valueName: "paths"))
    var max: [String] = []

    func validate() throws {
        if groupBy.isEmpty, !aggregates.isEmpty {
            throw ValidationError("--sum, --avg, --min and --max go with --group-by")
        }
    }

    /// The aggregates and their properties, in the order of the columns.
    fileprivate var aggregates: [(name: String, path: String, result: KeyPath<ValueSummary, Value>)] {
        let options: [(String, [String], KeyPath<ValueSummary, Value>)] = [
            ("sum", sum, \.sum), ("avg", avg, \.average), ("min", min, \.min), ("max", max, \.max),
        ]
        return options.flatMap { name, paths, result in
            paths.flatMap(\.separatedByCommas).map { (name, $0, result) }
        }
    }
}

extension QueryOutput {
    /// Prints the groups of a result.
    ///
    /// - Parameter limit: the maximum number of groups.
    func writeGroups(
        of results: QueryResults, by path: String, _ options: GroupOptions, limit: Int?, on console: any Console
    ) async throws -> Problems {
        var paths: [String] = []
        for aggregate in options.aggregates where !paths.contains(aggregate.path) { paths.append(aggregate.path) }
        let summarized = paths
        let groups = try await QueryCommand.asking { () async throws(QueryError) in
            try await results.grouped(by: path.separatedByCommas, summarizing: summarized, jobs: jobs)
        }
        let common = try QueryCommand.asking { () throws(QueryError) in
            try ResultColumns(path, of: results.table).columns
        }
        let shown = groups.prefix(limit ?? groups.count)
        let rows = try shown.map { group in
            group.values + [.int(Int64(group.count))]
                + (try options.aggregates.map { aggregate in
                    let summary = group.summaries[paths.firstIndex(of: aggregate.path) ?? 0]
                    let value = summary[keyPath: aggregate.result]
                    if aggregate.name == "sum", case .null = value {
                        throw CommandFailure(
                            "--sum \(aggregate.path.singleLine): points in time have no sum", status: .usage)
                    }
                    if aggregate.name == "sum", summary.hasWrapped {
                        throw CommandFailure(
                            "--sum \(aggregate.path.singleLine): integer overflow: a sum is beyond 64 bits",
                            status: .findings)
                    }
                    return value
                })
        }
        let names = common.map(\.name) + ["count"] + options.aggregates.map { "\($0.name)(\($0.path))" }
        guard let format = format.documents else {
            let width = console.outputWidth
            let isNumber = common.map(\.isNumber) + [Bool](repeating: true, count: names.count - common.count)
            var table = TextTable(
                zip(names, isNumber).map { TextTable.Column(name: $0.singleLine, isNumber: $1) },
                hasHeader: hasHeader, width: width)
            for row in rows {
                let cells = try row.enumerated().map { column, value in
                    let isCommon = common.indices.contains(column)
                    return try CellText.of(
                        value, isText: isCommon && common[column].isText,
                        namesClasses: isCommon && common[column].property?.type != .link, most: width)
                }
                try table.add(cells, console)
            }
            try table.finish(console)
            return Problems()
        }
        var options = ExportOptions()
        options.format = format
        let isMixed = common.map { $0.property?.type == .mixed }
        let writer = ValueDocuments(
            names.enumerated().map { ($1, $0 < common.count && isMixed[$0]) }, options)
        if hasHeader { try console.write(ValueDocuments.header(names, format)) }
        for row in rows {
            try writer.add(row)
            try console.write(writer.take())
        }
        return Problems(
            lines: writer.losses.map { "  lost: \(names[$0.column].singleLine): \($0.kind.text) (\($0.count))" })
    }
}

extension String {
    /// The parts of a list, without the spaces around them.
    fileprivate var separatedByCommas: [String] {
        split(separator: ",").map { part in
            var part = part.drop { $0 == " " }
            while part.last == " " { part.removeLast() }
            return String(part)
        }
    }
}
