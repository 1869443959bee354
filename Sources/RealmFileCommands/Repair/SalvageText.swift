internal import RealmCore
internal import RealmExchange
internal import RealmForensics
internal import RealmLayout

/// The output of `repair --salvage`, as text or JSON.
struct SalvageText: RepairResult {
    let name: String
    /// The new file; nil when none was written.
    let out: String?
    let layers: [UnpackedFile.Layer]
    let report: SalvageReport
    /// The verifier's report on the new file.
    let result: VerificationReport?

    /// Whether everything was recovered, as far as the damaged file shows.
    var isLossless: Bool { report.isLossless && result?.isSound ?? true }

    /// The maximum number of incidents in the text.
    private static let mostIncidents = 40
    /// The maximum number of byte ranges in a sentence about a class.
    private static let mostPlaces = 3

    /// The report as text; ends with a line break.
    var text: String {
        var lines = TextLines()
        lines.addFile(name, size: nil, layers)
        if let problem = report.headerProblem { lines.add("header", problem.detail.singleLine) }
        lines.add(
            "salvaged",
            report.root.map {
                "commit \(report.commit) at \(hexadecimal($0.offset)), \(report.origin.words), format \(report.format)"
            } ?? "no commit found; rebuilt from single tables, format \(report.format)")
        if report.lostPages > 0 {
            lines.add(
                "lost",
                "\(counted(report.lostPages, "encrypted page")) without proof, zeros are in their place; --unauthenticated reads "
                    + "what they hold")
        }
        if report.unprovenPages > 0 {
            lines.add(
                "unproven",
                "\(counted(report.unprovenPages, "encrypted page")), which may be damaged: what lies there is doubtful")
        }
        for range in report.zeroed.prefix(Self.mostIncidents) {
            lines.add(
                "zeros", "\(InfoReport.bytes(range.count)) at \(hexadecimal(range.lowerBound)), where nodes should be")
        }
        lines.add("objects", report.isLossless ? "nothing lost" : "by class:")
        for table in report.tables { describe(table, &lines) }
        if report.incidentTotal > 0 { lines.add("damage", counted(report.incidentTotal, "place")) }
        for incident in report.incidents.prefix(Self.mostIncidents) { lines.addIndented(Self.words(incident)) }
        if report.incidentTotal > Self.mostIncidents {
            lines.addIndented("and \(report.incidentTotal - Self.mostIncidents) more; --json lists them")
        }
        describeSource(&lines)
        guard let out, let result else { return lines.text }
        lines.add("written", "\(out.shownPath), \(InfoReport.bytes(result.fileSize)), format 24")
        lines.add("checked", result.isSound ? "ok" : "damaged: \(counted(result.total(.error), "error"))")
        return lines.text
    }

    private func describe(_ table: SalvageReport.Table, _ lines: inout TextLines) {
        lines.addIndented(sentence(table))
        let name = Self.className(table.name)
        for property in table.properties where !property.counts.isEmpty {
            lines.addIndented(
                "  \(name).\(property.name.singleLine): \(counted(property.kept, "value")) kept; \(Self.words(property.counts))"
            )
        }
    }

    /// The fate of the objects of a class, in one sentence, and the damaged places in the file.
    private func sentence(_ table: SalvageReport.Table) -> String {
        let isMoved = table.name != table.source && table.counts[.moved] != nil
        let count = counted(table.objects, "object")
        let objects =
            isMoved
            ? count
            : table.expected.map { "\(table.objects) of \(counted($0, "object"))" } ?? "\(count) of an unknown number"
        var words = "\(Self.className(table.name)): \(objects) kept"
        let incidents = report.incidents.filter { $0.table == table.name }
        if table.isIntact, incidents.isEmpty {
            return words + (report.isLossless ? ", every value intact" : "; no damage was seen")
        }
        for fate in SalvageReport.Fate.allCases {
            let places = incidents.filter { $0.fate == fate }
            let count = table.properties.reduce(table.counts[fate] ?? 0) { $0 + ($1.counts[fate] ?? 0) }
            guard count > 0 || !places.isEmpty else { continue }
            let number = count == 0 ? "" : (fate.thing.map { counted(count, $0) } ?? "\(count)") + " "
            words += "; \(number)\(fate.words)"
            let bytes = Self.words(places.compactMap(\.bytes))
            if !bytes.isEmpty { words += " (\(bytes))" }
        }
        return words
    }

    /// The first few byte ranges in order, with adjacent ones merged.
    private static func words(_ places: [Range<Int>]) -> String {
        var merged: [Range<Int>] = []
        for place in places.inOrder(by: { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }) {
            if let last = merged.last, place.lowerBound <= last.upperBound {
                merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, place.upperBound)
            } else {
                merged.append(place)
            }
        }
        let words = merged.prefix(mostPlaces).map {
            "bytes \(hexadecimal($0.lowerBound)) to \(hexadecimal($0.upperBound))"
        }
        let rest = merged.count - words.count
        return words.joined(separator: ", ") + (rest > 0 ? ", and \(rest) more" : "")
    }

    private static func className(_ name: String) -> String {
        TableName.className(of: name).singleLine
    }

    private static func words(_ counts: [SalvageReport.Fate: Int]) -> String {
        SalvageReport.Fate.allCases.compactMap { fate in
            counts[fate].map { $0 > 0 ? "\($0) \(fate.words)" : fate.words }
        }.joined(separator: ", ")
    }

    private static func words(_ incident: SalvageReport.Incident) -> String {
        var place = incident.table.map(className) ?? "file"
        if let property = incident.property { place += ".\(property.singleLine)" }
        var words = "\(place): "
        if let count = incident.count { words += "\(count) " }
        words += incident.fate.words
        if let objects = incident.objects {
            words +=
                objects.lowerBound == objects.upperBound
                ? ", object \(objects.lowerBound)" : ", objects \(objects.lowerBound) to \(objects.upperBound)"
        }
        if let bytes = incident.bytes {
            words += ", bytes \(hexadecimal(bytes.lowerBound)) to \(hexadecimal(bytes.upperBound))"
        }
        return "\(words): \(incident.reason.singleLine)"
    }
}

extension SalvageReport.Fate {
    /// The kind of thing that meets the fate; nil for several kinds.
    fileprivate var thing: String? {
        switch self {
        case .lost, .newKey, .newPrimaryKey, .moved: "object"
        case .defaulted: "value"
        case .dropped: "element"
        case .unlinked: "link"
        case .doubtful, .schema: nil
        }
    }

    /// The fate in words.
    fileprivate var words: String {
        switch self {
        case .lost: "lost"
        case .defaulted: "defaulted"
        case .dropped: "dropped"
        case .unlinked: "set to null or removed"
        case .doubtful: "doubtful"
        case .newKey: "with new object keys"
        case .newPrimaryKey: "with made-up primary keys"
        case .moved: "without a place"
        case .schema: "changed in the schema"
        }
    }
}

extension SalvageText {
    /// The members of the report for scripts.
    var members: [(String, JSONValue)] {
        [
            ("method", "salvage"),
            ("out", JSONValue(out?.reportedPath)),
            ("lossless", .bool(isLossless)),
            ("headerProblem", JSONValue(report.headerProblem?.code.rawValue)),
            ("root", report.root.map { .offset($0.offset) } ?? .null),
            ("origin", .string(report.origin.rawValue)),
            ("commit", JSONValue(report.commit)),
            ("format", JSONValue(report.format.number)),
            ("lostPages", JSONValue(report.lostPages)),
            ("unprovenPages", JSONValue(report.unprovenPages)),
            ("zeroed", .array(report.zeroed.map { .bytes($0) })),
            ("tables", .array(report.tables.map(Self.json))),
            ("incidentTotal", JSONValue(report.incidentTotal)),
            ("incidents", .array(report.incidents.map(Self.json))),
            ("source", sourceJSON),
            ("result", result.map { .object(VerifyReport(name: out ?? "", report: $0).members) } ?? .null),
        ]
    }

    private static func json(_ counts: [SalvageReport.Fate: Int]) -> JSONValue {
        .object(
            SalvageReport.Fate.allCases.compactMap { fate in counts[fate].map { (fate.rawValue, JSONValue($0)) } })
    }

    private static func json(_ table: SalvageReport.Table) -> JSONValue {
        .object([
            ("name", .string(table.name)),
            ("source", .string(table.source)),
            ("expected", table.expected.map { JSONValue($0) } ?? .null),
            ("objects", JSONValue(table.objects)),
            ("counts", json(table.counts)),
            (
                "properties",
                .array(
                    table.properties.map { property in
                        .object([
                            ("name", .string(property.name)), ("kept", JSONValue(property.kept)),
                            ("counts", json(property.counts)),
                        ])
                    })
            ),
        ])
    }

    private static func json(_ incident: SalvageReport.Incident) -> JSONValue {
        .object([
            ("fate", .string(incident.fate.rawValue)),
            ("table", JSONValue(incident.table)),
            ("property", JSONValue(incident.property)),
            ("count", incident.count.map { JSONValue($0) } ?? .null),
            (
                "objects",
                incident.objects.map { .array([JSONValue($0.lowerBound.value), JSONValue($0.upperBound.value)]) }
                    ?? .null
            ),
            ("bytes", incident.bytes.map { .bytes($0) } ?? .null),
            ("reason", .string(incident.reason)),
        ])
    }
}
