internal import RealmCore
internal import RealmExchange
internal import RealmForensics
internal import RealmLayout
internal import RealmStorage

/// The output of commands that write the content of a file into a new one.
struct NewFileSummary {
    let name: String
    let out: String
    let oldSize: Int
    let newSize: Int
    let oldFormat: FormatVersion
    let newFormat: FormatVersion
    let freeBytes: Int?
    let changesets: Int?
    let objects: Int
    let isEncrypted: Bool
    let leftOut: [OmittedLinks]
    /// The findings of the check of the new file, i.e. damage that was copied: the worst first, limited in number.
    let errors: [Finding]
    let errorTotal: Int
    let cautions: [Caution]

    /// Describes the new file.
    init(
        _ name: String, _ bytes: ByteSource, _ snapshot: Snapshot, _ file: NewFile, _ leftOut: [OmittedLinks]
    ) throws {
        self.name = name
        out = file.path
        oldSize = bytes.count
        let written = try ByteSource(path: file.path)
        newSize = written.count
        let copy = try RealmDatabase.open(written, file.key.map { GivenKey(key: $0, isAmbient: false) })
        oldFormat = snapshot.version
        newFormat = copy.header.slots[copy.header.selectedSlot].format
        freeBytes = try snapshot.freeBytes()
        changesets = snapshot.history.entryCount
        var objects = 0
        for table in try copy.snapshot(toleratingDamage: true).classes { objects += try table.count }
        self.objects = objects
        self.leftOut = leftOut
        isEncrypted = file.key != nil
        cautions = Caution.all(of: snapshot, values: true)
        let verification = Verification(level: .standard, maximumFindings: 20, jobs: Processors.count)
        let report = try file.key.map { try verification.run(on: written, key: $0) } ?? verification.run(on: written)
        errors = report.findings.filter { $0.severity >= .error }
        errorTotal = report.total(.error) + report.total(.fatal)
    }

    /// Returns a warning about damage; nil when none was found.
    func warning(_ advice: Advice?) -> String? {
        errors.first.map { first in
            "realmfile: \(out.shownPath): \(counted(errorTotal, "error")), copied from a damaged file; first: "
                + "\(first.check.rawValue) \(first.message.singleLine); keep that file, which alone has other commits"
                + (advice.map { "; \($0.text)" } ?? "")
        }
    }

    /// The report as text.
    var text: String {
        var lines = TextLines()
        lines.add("file", "\(name), \(InfoReport.bytes(oldSize)), format \(oldFormat)")
        lines.add("objects", "\(objects)")
        var dropped: [String] = []
        if let freeBytes, freeBytes > 0 { dropped.append("\(InfoReport.bytes(freeBytes)) of free space") }
        if let changesets, changesets > 0 { dropped.append("the history (\(counted(changesets, "changeset")))") }
        if !dropped.isEmpty { lines.add("left out", dropped.joined(separator: ", ")) }
        for links in leftOut {
            let (table, target) = (TableName.className(of: links.table), TableName.className(of: links.target))
            lines.add(
                "left out",
                "\(counted(links.count, "link")) of \(table.singleLine).\(links.property.singleLine) to \(target.singleLine)"
            )
        }
        let encrypted = isEncrypted ? ", encrypted with the same key" : ""
        lines.add("written", "\(out.shownPath), \(InfoReport.bytes(newSize)), format \(newFormat)\(encrypted)")
        return lines.text
    }

    /// The members of the report for scripts.
    var members: [(String, JSONValue)] {
        [
            ("fileSize", JSONValue(oldSize)),
            ("fileFormat", JSONValue(oldFormat.number)),
            ("objects", JSONValue(objects)),
            ("freeBytes", freeBytes.map { JSONValue($0) } ?? .null),
            ("changesets", changesets.map { JSONValue($0) } ?? .null),
            (
                "leftOutLinks",
                .array(
                    leftOut.map { links in
                        .object([
                            ("table", .string(links.table)), ("property", .string(links.property)),
                            ("target", .string(links.target)), ("count", JSONValue(links.count)),
                        ])
                    })
            ),
            ("out", .string(out.reportedPath)),
            ("outSize", JSONValue(newSize)),
            ("outFormat", JSONValue(newFormat.number)),
            ("encrypted", .bool(isEncrypted)),
            ("errors", JSONValue(errorTotal)),
        ]
    }
}
