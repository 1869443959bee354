internal import RealmCore
internal import RealmExchange
internal import RealmLayout

/// The summary of an export.
struct ExportSummary {
    private let report: ExportReport
    private let file: String
    private let target: String
    /// Advice about damage; nil where there is none.
    private let next: Advice?
    /// The sidecar with the losses; nil where there is none.
    private let lossesFile: String?

    init(_ report: ExportReport, file: String, target: String, lossesFile: String? = nil, next: Advice?) {
        self.lossesFile = lossesFile
        self.report = report
        self.file = file
        self.target = target
        self.next = next
    }

    /// One line for each collection, the total, and the problems.
    var lines: [String] {
        var rows = report.collections.map { collection in
            let name = collection.name.singleLine + (collection.areOrphans ? " (without owner)" : "")
            return (name: name, objects: collection.objects, bytes: collection.bytes)
        }
        rows.append(("total", report.objects, report.bytes))
        let width = rows.map(\.name.count).max() ?? 0
        let digits = rows.map { String($0.objects).count }.max() ?? 0
        let table = rows.map { row in
            let noun = (row.objects == 1 ? "object" : "objects").padded(to: 7)
            return "  \(row.name.padded(to: width))  \(String(row.objects).leftPadded(to: digits)) \(noun)  "
                + roundedSize(row.bytes)
        }
        return ["exported \(file) to \(target == "-" ? "standard output" : target.shownPath)"] + table + problems
    }

    /// Losses and unreadable values.
    var problems: [String] {
        func place(_ loss: ExportReport.Loss) -> String {
            [loss.className, loss.property].compactMap { $0?.singleLine }.joined(separator: ".")
        }
        let losses = LossLines.grouped(report.losses, by: \.kind) { loss in
            "\(Self.word(loss.kind)): \(place(loss)): \(loss.kind.text) (\(loss.count))"
        } _: { kind, losses in
            "\(Self.word(kind)): \(kind.text) (\(losses.reduce(0) { $0 + $1.count }) in \(losses.count) properties: "
                + "\(losses.prefix(3).map(place).joined(separator: ", ")), …; \(details))"
        }
        let omissions = report.omissions.map { "realmfile: \(file): left out: \($0.line)" }
        let unreadable = report.unreadable.prefix(Self.mostPlaces).map { place in
            let count = place.count > 1 ? " (\(place.count) \(place.error.property == nil ? "objects" : "values"))" : ""
            return "realmfile: \(file): cannot be read: \(place.error.line)\(count)"
        }
        let failures = report.failures.map { failure in
            "realmfile: \(file): \(failure.className.singleLine) is not exported: \(failure.error.line)"
        }
        let others = report.otherTables.map { table in
            "  not exported: \(table.name.singleLine), which is not a class (\(table.objects)); --include-system exports it"
        }
        let advice = next.map { ["realmfile: \(file): \($0.text)"] } ?? []
        return losses + others + omissions + unreadable + unreadableTotal + failures + advice
    }

    /// Names and keys that were changed are all there.
    private static func word(_ kind: LossKind) -> String {
        switch kind {
        case .escapedKey, .renamedProperty, .escapedProperty: "changed"
        default: "lost"
        }
    }

    /// The place where all losses are listed.
    private var details: String { lossesFile.map { "\($0) lists all" } ?? "--json lists all" }

    /// The maximum number of places to list: a file can be damaged everywhere. The report contains more.
    private static let mostPlaces = 20

    /// The number of unreadable values, when the listed places are not all of them.
    private var unreadableTotal: [String] {
        guard report.unreadable.count > 1 || report.unreadableCount > 1 else { return [] }
        let places = report.unreadable.count
        let more = places > Self.mostPlaces ? " (\(places - Self.mostPlaces) more not shown)" : ""
        return [
            "realmfile: \(file): \(report.unreadableCount) values or objects in \(counted(places, "place"))\(more) cannot be read"
        ]
    }
}
