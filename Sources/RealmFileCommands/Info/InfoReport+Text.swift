internal import RealmCore
internal import RealmForensics
internal import RealmLayout

extension InfoReport {
    /// The report as text; ends with a line break.
    var text: String {
        var lines = TextLines()
        lines.add("file", "\(name), \(Self.bytes(size))")
        evidence?.describe(&lines)
        if let headerError {
            lines.add("content", Self.content(headerError))
            guard found != nil else { return lines.text }
            lines.add("header", headerError.line)
        }
        encryption?.describe(&lines)
        describeOrigin(&lines)
        for state in slots {
            lines.add("slot \(state.slot)", Self.slot(state, isChosen: found == nil && state.slot == chosen?.slot))
        }
        if let snapshot { describe(snapshot, &lines) }
        return lines.text
    }

    private func describeOrigin(_ lines: inout TextLines) {
        guard let format = found?.version ?? chosen?.header.format else { return }
        if format.number == 0, snapshot != nil {
            lines.add("format", "not decided yet: a new, empty Realm file")
        } else if let origin = format.origin {
            let swift = origin.swift.map { " (Realm Swift \($0))" } ?? ""
            lines.add("format", "\(format), written by Realm Core \(origin.core)\(swift)")
            if !origin.others.isEmpty {
                let others = origin.others.map { "\($0.sdk.rawValue) \($0.releases)" }
                lines.add("other SDKs", others.joined(separator: "; "))
            }
            lines.add("opened by", origin.openedBy)
            if let refusedBy = origin.refusedBy {
                lines.add("refused by", refusedBy)
                if let upgrade { lines.add("", upgrade.text) }
            }
            if !origin.upgradeSteps.isEmpty {
                lines.add("upgraded by", origin.upgradeSteps.joined(separator: ", then ") + ", then any later one")
            }
        } else {
            lines.add("format", "\(format): unknown")
        }
        guard let header else { return }
        lines.add(
            "form",
            header.isStreaming
                ? "streaming: a copy or a compacted file that was not written to since" : "updated in place")
    }

    private func describe(_ snapshot: Snapshot, _ lines: inout TextLines) {
        if let found, let root = found.topRef {
            lines.add("showing", "commit \(found.commitNumber), whose root is at \(root)")
        } else if let chosen, !chosen.isSelected {
            lines.add("showing", "slot \(chosen.slot), not the current one")
        }
        lines.add("commit", String(snapshot.commitNumber))
        lines.add("logical size", snapshot.topRef == nil ? "none: empty database" : Self.bytes(snapshot.logicalSize))
        lines.add("free space", freeBytes.map { Self.bytes($0) } ?? "not recorded")
        let history = snapshot.history
        var words = history.type?.words ?? "of an unknown type"
        if let count = history.entryCount { words += ", \(counted(count, "changeset"))" }
        if history.type != HistoryType.none { words += ", layout \(history.schemaVersion)" }
        lines.add("history", words)
        lines.add("schema version", snapshot.schema.version.map { String($0) } ?? "none")
        list("classes", classes, &lines)
        list("other tables", otherTables, &lines)
        for caution in cautions { lines.add("caution", caution.text.singleLine) }
        describeDamage(&lines)
    }

    private func describeDamage(_ lines: inout TextLines) {
        let failing = encryption?.failures ?? 0
        guard failing + damage.count > 0 else {
            lines.add("damage", "none seen (values not checked)\(next.map { "; \($0.text)" } ?? "")")
            return
        }
        var words = damage.isEmpty ? [] : [counted(damage.count, "finding")]
        if failing > 0 { words.append(counted(failing, "page fails", "pages fail")) }
        lines.add("damage", words.joined(separator: ", "))
        for error in damage { lines.addIndented(error.line) }
        if let next { lines.add("next", next.text) }
    }

    private func list(_ title: String, _ tables: [TableEntry], _ lines: inout TextLines) {
        lines.add(title, String(tables.count))
        let nameWidth = tables.map { $0.schema.name.singleLine.count }.max() ?? 0
        let counts = tables.map { $0.count.map { String($0) } ?? "?" }
        let countWidth = counts.map(\.count).max() ?? 0
        for (table, count) in zip(tables, counts) {
            var notes: [String] = []
            if table.schema.kind != .topLevel { notes.append(table.schema.kind.reportName) }
            if let key = table.schema.primaryKeyName { notes.append("primary key \(key.singleLine)") }
            if let tombstones = table.tombstones, tombstones > 0 { notes.append(counted(tombstones, "tombstone")) }
            let unit = table.count == 1 ? "object" : "objects"
            let row = table.schema.name.singleLine.padded(to: nameWidth) + "  " + count.leftPadded(to: countWidth)
            // Notes form a column after the longer of the two words.
            let tail = notes.isEmpty ? unit : unit.padded(to: 7) + "  " + notes.joined(separator: ", ")
            lines.addIndented("\(row) \(tail)")
        }
    }

    private static func slot(_ state: SlotState, isChosen: Bool) -> String {
        let role = state.isSelected ? "current" : "other"
        switch state.result {
        case .success(let snapshot):
            let place = state.hasStreamingMarker ? " from the footer" : ""
            let ref = snapshot.topRef.map { "\($0)\(place)" } ?? "0 (empty)"
            return "\(role), top ref \(ref), format \(state.header.format), commit \(snapshot.commitNumber), readable"
        case .failure(let error) where error.code == .noOtherSlot:
            return "\(role), \(state.hasStreamingMarker ? "mark of the streaming form" : "empty")"
        case .failure(let error):
            let ref = state.hasStreamingMarker ? "in the footer" : hexadecimal(state.header.topRef)
            // The error of the displayed slot is a message of its own.
            let reason = isChosen ? "" : ": \(error.line)"
            return "\(role), top ref \(ref), format \(state.header.format), not readable\(reason)"
        }
    }

    /// A short description of the file; the error itself is a separate message.
    private static func content(_ error: FormatError) -> String {
        switch error.code {
        case .encrypted, .wrongKey, .wrongCipherKey: "an encrypted Realm file"
        case .emptyFile, .zeroedFile: "none"
        case .notARealm, .tooShort: "not a Realm file"
        case .zeroedHeader, .overwrittenHeader: "a Realm file without its header"
        case .bytesInFront: "a Realm file after other bytes"
        case .notEncrypted: "a Realm file that is not encrypted"
        default: "cannot be read"
        }
    }

    /// A size in bytes, with a rounded form for large ones.
    static func bytes(_ size: Int) -> String {
        let count = counted(size, "byte")
        return size < 1_000_000 ? count : "\(count) (\(roundedSize(size)))"
    }
}

/// Lines of titles and values, in two columns.
struct TextLines {
    private(set) var text = ""
    private static let titleWidth = 16

    mutating func add(_ title: String, _ value: String) {
        text += title.padded(to: Self.titleWidth) + value + "\n"
    }

    mutating func addIndented(_ line: String) { text += "  " + line + "\n" }
}
