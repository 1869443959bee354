internal import RealmExchange
internal import RealmLayout
internal import RealmReader
internal import RealmStorage

/// What somebody has to know of data that is given out and is not damaged: that it may not be what it looks like.
struct Caution: Sendable {
    /// A word for scripts.
    let code: String
    /// What it is, and what can be done.
    let text: String
    /// How many values it is about; nil where that is not known.
    var count: Int?

    /// What is to be said of a snapshot.
    ///
    /// - Parameter values: whether values are given out, which may mean something else to the SDK that wrote them.
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
    /// Says it on the error output, also where nothing else is said.
    func show(_ file: String, on console: any Console) {
        for caution in self { console.message("realmfile: \(file): caution: \(caution.text)") }
    }
}
