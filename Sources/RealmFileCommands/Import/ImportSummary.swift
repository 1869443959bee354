internal import RealmCore
internal import RealmExchange
internal import RealmLayout

/// The summary of an import.
struct ImportSummary {
    private let report: ImportReport
    private let inputs: [String]
    private let out: String

    init(_ report: ImportReport, inputs: [String], out: String) {
        self.report = report
        self.inputs = inputs
        self.out = out
    }

    /// One line for each class, the total, and the problems.
    var lines: [String] {
        var rows = report.tables.map { table in
            (name: table.name.singleLine, objects: table.objects, note: table.isEmbedded ? "  embedded" : "")
        }
        rows.append(("total", report.objects, ""))
        let width = rows.map(\.name.count).max() ?? 0
        let digits = rows.map { String($0.objects).count }.max() ?? 0
        let table = rows.map { row in
            let noun = row.objects == 1 ? "object" : "objects"
            let text = "  \(row.name.padded(to: width))  \(String(row.objects).leftPadded(to: digits)) "
            return row.note.isEmpty ? text + noun : text + noun.padded(to: 7) + row.note
        }
        let names = inputs.map { $0 == "-" ? "standard input" : $0.shownPath }
        let notes = report.notes.map { "  not imported: \($0.path.singleLine): \($0.reason.singleLine)" }
        return ["imported \(names.joined(separator: ", ")) to \(out.shownPath)", origin] + table + keys + notes
            + problems
    }

    /// The origin of the schema.
    private var origin: String {
        switch report.schemaOrigin {
        case .given: "  schema: as given"
        case .file(let path): "  schema: \(path.singleLine)"
        case .inferred: "  schema: inferred from the documents"
        }
    }

    /// Classes without a primary key that might have one.
    private var keys: [String] {
        report.missingPrimaryKeys.map { missing in
            "  no primary key: \(missing.className.singleLine).\(missing.field.singleLine): \(missing.reason.singleLine)"
        }
    }

    /// The losses, each with its first place.
    var problems: [String] {
        let skipped = report.skipped.map { "  left out: \($0.singleLine): not of a class in the schema" }
        let renamed = report.renamed.map { renaming in
            let place = [renaming.className, renaming.property].compactMap { $0?.singleLine }.joined(separator: ".")
            return "  renamed: \(place): it is \(renaming.nameInDocuments.singleLine) in the documents"
        }
        return skipped + renamed
            + LossLines.grouped(report.losses, by: \.kind, line) { kind, losses in
                "\(Self.word(kind)): \(kind.text) (\(losses.reduce(0) { $0 + $1.count }) in \(losses.count) properties: "
                    + "\(losses.prefix(3).map(place).joined(separator: ", ")), …; --json lists all)"
            }
    }

    private func place(_ loss: ImportReport.Loss) -> String {
        [loss.className, loss.property].compactMap { $0.map { $0.isEmpty ? "\"\"" : $0.singleLine } }.joined(
            separator: ".")
    }

    private func line(_ loss: ImportReport.Loss) -> String {
        let start = "\(Self.word(loss.kind)): \(place(loss)): \(loss.kind.text)"
        switch loss.kind {
        case .missingDocument: return "\(start) (\(loss.count), by \(loss.file.singleLine))"
        case .indexKind, .indexOptions: return "\(start) (of \(loss.file.singleLine))"
        default: break
        }
        let row = loss.line.map { "line \($0)" } ?? "document \(loss.document), byte \(loss.offset)"
        return "\(start) (\(loss.count), first in \(loss.file.singleLine), \(row)"
            + (loss.value.map { ": \($0.singleLine)" } ?? "") + ")"
    }

    /// Escaped keys are all there, in the spelling that the SDKs require.
    private static func word(_ kind: ImportLossKind) -> String { kind == .escapedKey ? "changed" : "lost" }
}
