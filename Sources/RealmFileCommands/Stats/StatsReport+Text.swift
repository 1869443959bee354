internal import RealmCore
internal import RealmForensics
internal import RealmLayout

extension StatsReport {
    /// Writes the report as text: the parts, the tables with their columns, the values, and the reasons.
    func write(to console: any Console) throws {
        var lines = TextLines()
        lines.add("file", "\(name), \(InfoReport.bytes(survey.fileSize))")
        lines.add("commit", "\(commit), format \(format)")
        if survey.free.chunks > 0 {
            lines.add(
                "free chunks",
                "\(survey.free.chunks), the largest \(InfoReport.bytes(survey.free.largestChunk))")
        }
        try console.write(lines.text + "\n")
        try writeParts(to: console)
        try writeTables(to: console)
        if !statistics.isEmpty { try writeValues(to: console) }
        try console.write(conclusion)
    }

    private func writeParts(to console: any Console) throws {
        var table = TextTable(
            [.init("part"), .init("bytes", isNumber: true), .init("%", isNumber: true)], hasHeader: true, width: nil)
        for part in parts where part.bytes > 0 {
            try table.add([part.words, "\(part.bytes)", Self.percent(part.bytes, of: survey.fileSize)], console)
        }
        try table.add(["sum", "\(survey.fileSize)", "100.0"], console)
        try table.finish(console)
    }

    private func writeTables(to console: any Console) throws {
        guard !tables.isEmpty else { return }
        try console.writeLine("")
        let names = ["bytes", "%", "values", "index", "texts", "objects"]
        var text = TextTable(
            [.init("table")] + names.map { .init($0, isNumber: true) }, hasHeader: true, width: nil)
        for table in tables.sorted(by: { $0.bytes > $1.bytes }) {
            let count = table.position.map { objects[$0].map { "\($0)" } ?? "?" } ?? "?"
            try text.add(row(table.shownName, table.bytes) + ["", "", "", count], console)
            for column in table.columns.sorted(by: { $0.bytes > $1.bytes }) {
                let parts = [column.values, column.index, column.distinct].map { $0.bytes == 0 ? "" : "\($0.bytes)" }
                try text.add(row("  " + title(of: column, table), column.bytes) + parts + [""], console)
            }
            for (name, part) in [
                ("(object keys)", table.objects), ("(tombstones)", table.tombstones), ("(schema)", table.schema),
                ("(unknown columns)", table.unknown),
            ] where part.bytes > 0 {
                try text.add(row("  " + name, part.bytes) + ["", "", "", ""], console)
            }
        }
        try text.finish(console)
    }

    private func row(_ name: String, _ bytes: Int) -> [String] {
        [name.singleLine, "\(bytes)", Self.percent(bytes, of: survey.fileSize)]
    }

    private func title(of column: ColumnSpace, _ table: TableSpace) -> String {
        if column.isBacklink { return "(links from \(column.name))" }
        return type(of: column, table).map { "\(column.name): \($0)" } ?? column.name
    }

    /// The type of the property; nil when it cannot be read.
    func type(of column: ColumnSpace, _ table: TableSpace) -> String? {
        guard let position = table.position, let property = column.property else { return nil }
        return schemas[position].properties[property].typeText
    }

    private func writeValues(to console: any Console) throws {
        try console.writeLine("")
        var text = TextTable(
            [.init("property")] + ["count", "null", "distinct"].map { .init($0, isNumber: true) }
                + ["min", "max", "longest"].map { .init($0) },
            hasHeader: true, width: nil)
        for table in tables {
            guard let position = table.position, let found = statistics[position] else { continue }
            for index in found.properties.indices {
                let property = schemas[position].properties[index]
                let name = "\(table.shownName).\(property.name)".singleLine
                try text.add([name] + Self.cells(found.properties[index]), console)
            }
        }
        try text.finish(console)
    }

    private static func cells(_ property: PropertyStatistics) -> [String] {
        let count =
            property.unreadable == 0 ? "\(property.count)" : "\(property.count) + \(property.unreadable) unreadable"
        let distinct = property.distinct.map { "\($0.number)\(error($0))" } ?? ""
        let longest = property.longest.map { counted($0.size, "byte") }
        let largest = property.largestCollection.map { counted($0.size, "element") }
        return [
            count, "\(property.nulls)", distinct, property.minimum.map { text($0) } ?? "",
            property.maximum.map { text($0) } ?? "", [largest, longest].compactMap(\.self).joined(separator: ", "),
        ]
    }

    /// The error of an estimate.
    private static func error(_ distinct: DistinctCount) -> String {
        distinct.error.map { " ±\(($0 * 1000).rounded(.up) / 10) %" } ?? ""
    }

    /// The characters of a value that are shown.
    private static let shownCharacters = 24

    /// The text of a minimum or maximum.
    static func text(_ value: Value) -> String {
        let text = try? CellText.of(value, isText: true, namesClasses: false, most: shownCharacters)
        return (text ?? "").cut(to: shownCharacters)
    }

    /// The reasons, the advice and the damage.
    private var conclusion: String {
        var lines = TextLines()
        for (index, reason) in reasons.enumerated() {
            lines.add(index == 0 ? "large because" : "", reason.words)
        }
        if let compaction { lines.add("smaller", compaction.text) }
        if damageCount > 0 {
            lines.add("damage", counted(damageCount, "finding"))
            for error in damage { lines.addIndented(error.line) }
            if let next { lines.add("next", next.text) }
        }
        return lines.text.isEmpty ? "" : "\n" + lines.text
    }
}

extension TextTable.Column {
    fileprivate init(_ name: String, isNumber: Bool = false) { self.init(name: name, isNumber: isNumber) }
}
