internal import RealmCore
internal import RealmForensics
internal import RealmLayout

extension HistoryReport {
    /// The objects of a class that are named unless all are requested.
    private static let shownObjects = 10

    /// Writes the report as text.
    func write(to console: any Console, showsAll: Bool) throws {
        var words = history.type?.words ?? "of an unknown type"
        if history.type != HistoryType.none { words += ", layout \(history.schemaVersion)" }
        var lines = TextLines()
        lines.add("history", words)
        lines.add("commit", "\(commit)")
        if let firstCommit {
            lines.add("entries", "\(total), of commit \(firstCommit)\(total > 1 ? " to \(commit)" : "")")
        }
        try console.write(lines.text)
        for entry in entries { try write(entry, to: console, most: showsAll ? .max : Self.shownObjects) }
    }

    private func write(_ entry: CommitHistory.Entry, to console: any Console, most: Int) throws {
        let size = entry.byteCount.map { ", \(counted($0, "byte"))" } ?? ""
        let undecoded = !isDecoded && entry.byteCount != nil ? " (changesets of formats 2 to 9 are not decoded)" : ""
        try console.writeLine("\ncommit \(entry.commit)\(size)\(undecoded)")
        if let exchange = entry.exchange { try console.writeLine("  " + Self.line(exchange)) }
        guard let changes = entry.changes else { return }
        for table in changes.tables {
            for line in lines(table, most: most) { try console.writeLine("  " + line.singleLine) }
        }
        if let problem = changes.problem {
            try console.writeLine("  the rest cannot be read: \(problem)")
        } else if changes.tables.isEmpty {
            try console.writeLine("  no changes")
        }
    }

    private static func line(_ exchange: CommitHistory.Exchange) -> String {
        let origin =
            switch exchange.originFile {
            case nil: "made in an unknown file"
            case 0?: "made in this file"
            case let file?: "made in file \(file)"
            }
        let size = exchange.byteCount.map {
            $0 == 0 ? "nothing for the server" : "\(counted($0, "byte")) for the server"
        }
        let parts = [
            origin, time(exchange), exchange.serverVersion.map { "server version \($0)" }, size,
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }

    private func lines(_ table: CommitChanges.ChangedTable, most: Int) -> [String] {
        let name = name(of: table.key) ?? "table with key \(table.key)\(table.isRemoved ? "" : ", which is gone")"
        var lines: [String] = []
        if table.isAdded { lines.append("class added") }
        if table.isRenamed { lines.append("class renamed") }
        for (columns, words) in [
            (table.addedColumns, "added"), (table.removedColumns, "removed"), (table.renamedColumns, "renamed"),
        ] where !columns.isEmpty {
            let names = columns.map { shown($0, in: table.key) }.joined(separator: ", ")
            lines.append("\(counted(columns.count, "property", "properties")) \(words): \(names)")
        }
        if table.isCleared { lines.append("all objects deleted") }
        if !table.added.isEmpty { lines.append(Self.line(table.added, "added", most)) }
        if !table.changed.isEmpty {
            let shown = table.changed.prefix(most).map { object in
                "\(object.key) (\(object.columns.map { self.shown($0, in: table.key) }.joined(separator: ", ")))"
            }
            lines.append(
                "\(counted(table.changed.count, "object")) changed: "
                    + Self.joined(shown, hides: table.changed.count > most))
        }
        if !table.removed.isEmpty { lines.append(Self.line(table.removed, "deleted", most)) }
        if table.isRemoved { lines.append("class deleted") }
        return lines.map { "\(name): \($0)" }
    }

    /// Describes objects by the ranges of their keys.
    private static func line(_ keys: [ObjectKey], _ words: String, _ most: Int) -> String {
        var ranges: [(first: Int64, last: Int64)] = []
        for key in keys.map(\.value) {
            if let last = ranges.last?.last, last < .max, key == last + 1 {
                ranges[ranges.count - 1].last = key
            } else {
                ranges.append((key, key))
            }
        }
        let shown = ranges.prefix(most).map { range in
            switch range.last &- range.first {
            case 0: "\(range.first)"
            case 1: "\(range.first), \(range.last)"
            default: "\(range.first) to \(range.last)"
            }
        }
        return "\(counted(keys.count, "object")) \(words): \(joined(shown, hides: ranges.count > most))"
    }

    private static func joined(_ texts: [String], hides: Bool) -> String {
        texts.joined(separator: ", ") + (hides ? ", … (--all)" : "")
    }
}
