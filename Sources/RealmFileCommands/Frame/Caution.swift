internal import RealmCore
internal import RealmExchange
internal import RealmLayout
internal import RealmStorage

/// A caution about data that is not damaged: it may not be what it seems.
struct Caution: Sendable {
    /// The code for scripts.
    let code: String
    /// The caution and the possible remedy.
    let text: String
    /// The number of values concerned; nil where it is not known.
    var count: Int?

    /// Returns all cautions about a snapshot.
    ///
    /// - Parameter values: whether values are output, which may have another meaning for the SDK that wrote them.
    static func all(of snapshot: Snapshot, values: Bool, turnsGuids: Bool = false) -> [Caution] {
        var cautions: [Caution] = []
        if let last = snapshot.overwritingCommit {
            cautions.append(
                Caution(
                    code: "olderCommit",
                    text:
                        "there were later commits, up to \(last): single values of commit \(snapshot.commitNumber) may have been "
                        + "overwritten by theirs, which nothing tells"))
        }
        guard values else { return cautions }
        let foreign = ForeignValues(snapshot)
        if foreign.farDates > 0 {
            cautions.append(
                Caution(
                    code: "millisecondDates",
                    text:
                        "\(counted(foreign.farDates, "date is", "dates are")) beyond the year 9999: Realm JavaScript before 0.13 stored "
                        + "milliseconds where others have seconds; --js-dates reads them so", count: foreign.farDates))
        }
        if foreign.guids > 0, !turnsGuids {
            cautions.append(
                Caution(
                    code: "guidOrder",
                    text:
                        "\(foreign.guids) of \(counted(foreign.uuids, "UUID")) look like Guids of Realm .NET before 10.10, whose first "
                        + "three groups are turned around; `realmfile export --dotnet-guids` turns them",
                    count: foreign.guids))
        }
        return cautions
    }

    var json: JSONValue {
        .object(present: [
            ("code", .string(code)), ("message", .string(text)), ("count", count.map { JSONValue($0) }),
        ])
    }
}

extension [Caution] {
    /// Writes the cautions to the error output, even in quiet mode.
    func show(_ file: String, on console: any Console) {
        for caution in self { console.message("realmfile: \(file): caution: \(caution.text)") }
    }
}
