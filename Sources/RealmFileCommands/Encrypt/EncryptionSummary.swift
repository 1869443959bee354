internal import RealmCore
internal import RealmExchange
internal import RealmForensics
internal import RealmLayout
internal import RealmStorage

extension NewFileOptions {
    /// Writes a new file with the same data under another key, or none, and reports on it.
    ///
    /// - Parameters:
    ///   - open: opens the old file.
    ///   - newKey: the key of the new file; nil for a plain one.
    /// - Throws: `CommandFailure`, `OutputError`.
    func writeSameData(
        of input: InputOptions, newKey: EncryptionKey?, for command: some ConsoleCommand, on console: any Console,
        _ open: (ByteSource) throws -> EncryptionChange
    ) throws -> ExitStatus {
        try check(against: input)
        let report: EncryptionReport
        do {
            // An app may have the file open. The copy is verified to be of one commit before it gets its name.
            let prepared = try input.reading { bytes in
                try open(bytes).prepare(
                    path: out, key: newKey, replacing: overwrite,
                    permissions: OutputFile.permissions(ofFileAt: input.file) ?? 0o666)
            }
            try prepared.commit()
            report = prepared.report
        } catch {
            throw CommandFailure(error, file: input.name, hasOtherCommit: false)
        }
        let shown = EncryptionSummary(name: input.name, out: out, report: report)
        let status: ExitStatus = report.isComplete ? .success : .findings
        try command.tell([input.reportName], status, shown.members, text: shown.text, on: console)
        return status
    }
}

/// The output of `encrypt` and `decrypt`.
struct EncryptionSummary {
    let name: String
    let out: String
    let report: EncryptionReport

    /// The report as text.
    var text: String {
        var lines = TextLines()
        lines.add("file", "\(name), \(InfoReport.bytes(report.oldSize)), \(Self.word(report.wasEncrypted))")
        lines.add("data", "\(InfoReport.bytes(report.dataSize)), as they are")
        let free = report.emptyPages - report.lostPages.count - report.doubtfulPages.count
        if free > 0 { lines.add("never written", "\(counted(free, "page")) of free space, zeros in the new file") }
        if !report.lostPages.isEmpty {
            lines.add(
                "lost",
                "\(counted(report.lostPages.count, "page")) without data that the database needs, zeros in the new file: "
                    + Self.list(report.lostPages))
        }
        if !report.doubtfulPages.isEmpty {
            lines.add(
                "maybe lost",
                "\(counted(report.doubtfulPages.count, "page")) without data, zeros in the new file; what would say "
                    + "whether they are needed is lost: " + Self.list(report.doubtfulPages))
        }
        if report.isCutOff {
            lines.add("cut off", "the database reaches beyond the end of the file: what was there is lost")
        }
        if report.strayBytes > 0 {
            lines.add("stray bytes", "\(report.strayBytes) after the last whole page are lost: they belong to no page")
        }
        lines.add("written", "\(out.shownPath), \(InfoReport.bytes(report.newSize)), \(Self.word(report.isEncrypted))")
        return lines.text
    }

    /// The maximum number of page numbers in the text.
    private static let mostNumbers = 10
    /// The maximum number of page numbers in the JSON.
    private static let mostNumbersForScripts = 1000

    private static func list(_ pages: [Int]) -> String {
        pages.prefix(mostNumbers).map { String($0) }.joined(separator: ", ") + (pages.count > mostNumbers ? ", …" : "")
    }

    private static func json(_ pages: [Int]) -> JSONValue {
        .object([
            ("count", JSONValue(pages.count)),
            ("pages", .array(pages.prefix(mostNumbersForScripts).map { JSONValue($0) })),
        ])
    }

    private static func word(_ isEncrypted: Bool) -> String { isEncrypted ? "encrypted" : "plain" }

    /// The members of the report for scripts.
    var members: [(String, JSONValue)] {
        [
            ("fileSize", JSONValue(report.oldSize)),
            ("fileEncrypted", .bool(report.wasEncrypted)),
            ("dataSize", JSONValue(report.dataSize)),
            ("neverWritten", JSONValue(report.emptyPages)),
            ("lost", Self.json(report.lostPages)),
            ("maybeLost", Self.json(report.doubtfulPages)),
            ("cutOff", .bool(report.isCutOff)),
            ("strayBytes", JSONValue(report.strayBytes)),
            ("out", .string(out.reportedPath)),
            ("outSize", JSONValue(report.newSize)),
            ("outEncrypted", .bool(report.isEncrypted)),
        ]
    }
}
