internal import RealmCore
internal import RealmExchange
internal import RealmForensics
internal import RealmLayout

/// The outcome of a search in one file, after its matches.
struct SearchReport {
    let file: String
    let matches: Int
    let isLimited: Bool
    /// The number of values for which a regular expression took too many steps.
    let givenUp: Int
    let outcome: SearchOutcome
    let next: Advice?

    /// The maximum number of places to list: a file can be damaged everywhere. The report contains more.
    private static let mostPlaces = 20

    var status: ExitStatus { outcome.damage.isEmpty && givenUp == 0 ? .success : .findings }

    /// The tables and values that could not be searched.
    var problems: [String] {
        var lines = outcome.omissions.map { "not searched: \($0.line)" }
        let places = outcome.unreadable.sorted
        lines += places.prefix(Self.mostPlaces).map { place in
            "cannot be read: \(place.error.line)" + (place.count > 1 ? " (\(place.count) values)" : "")
        }
        if places.count > Self.mostPlaces {
            lines.append(
                "\(outcome.unreadable.count) values in \(places.count) places cannot be read "
                    + "(\(places.count - Self.mostPlaces) more not shown)")
        }
        if givenUp > 0 {
            lines.append("the expression takes too many steps for \(counted(givenUp, "value")), not searched")
        }
        return lines + (next.map { [$0.text] } ?? [])
    }

    /// Remarks about a search without problems.
    func notes(hasSeveralFiles: Bool) -> [String] {
        if isLimited { return ["stopped after \(counted(matches, "match", "matches")); there are more (--limit)"] }
        return matches == 0 && !hasSeveralFiles ? ["no match"] : []
    }

    /// The members of the report.
    var members: [(String, JSONValue)] {
        [
            ("matches", JSONValue(matches)), ("limited", .bool(isLimited)),
            ("freeBytes", outcome.freeBytes.map { JSONValue($0) } ?? .null), ("givenUp", JSONValue(givenUp)),
            ("unreadableCount", JSONValue(outcome.unreadable.count)),
            ("damage", .array(outcome.damage.map { $0.json })), ("next", next?.json ?? .null),
        ]
    }
}
