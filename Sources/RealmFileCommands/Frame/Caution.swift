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

    /// A caution about names of properties that MongoDB treats as paths or operators; nil if there are none.
    ///
    /// - Parameter classes: the exported classes; nil for all.
    static func fieldNames(_ snapshot: Snapshot, classes: [String]?) -> Caution? {
        let wanted = classes.map { Set($0) }
        let names = snapshot.schema.classes.filter { wanted?.contains($0.name) ?? true }.flatMap { table in
            table.properties.map(\.name).filter { $0.contains(".") || $0.hasPrefix("$") }.map { "\(table.name).\($0)" }
        }
        guard !names.isEmpty else { return nil }
        let list = names.prefix(3).map(\.singleLine).joined(separator: ", ") + (names.count > 3 ? ", …" : "")
        return Caution(
            code: "fieldNames",
            text:
                "\(counted(names.count, "property has", "properties have")) a dot or a leading $ in the name (\(list)): "
                + "MongoDB reads them only with $getField, and servers before 5.0 refuse some of them",
            count: names.count)
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
