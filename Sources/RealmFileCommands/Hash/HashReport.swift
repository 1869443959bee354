internal import RealmCore
internal import RealmExchange
internal import RealmForensics
internal import RealmLayout

/// The output of `hash`.
struct HashReport {
    let name: String
    let identity: ContentIdentity
    let schemaVersion: UInt64?
    let tables: [ContentHash.Table]
    /// Nil when only some classes were requested.
    let total: ContentDigest?

    /// One line for each table and one for the total. The hash comes first, so that lines can be compared, cut and
    /// sorted.
    ///
    /// - Parameter namesFile: whether each line ends with the name of the file.
    func text(namingFile namesFile: Bool) -> String {
        let names = tables.map(\.name.singleLine)
        let width = max(names.map(\.count).max() ?? 0, "total".count)
        var lines = zip(names, tables).map { name, table in
            "\(table.digest)  \(name.padded(to: width))  \(counted(table.objectCount, "object"))"
        }
        if let total {
            let count = tables.reduce(0) { $0 + $1.objectCount }
            lines.append("\(total)  \("total".padded(to: width))  \(counted(count, "object"))")
        }
        return lines.map { $0 + (namesFile ? "  \(name)" : "") + "\n" }.joined()
    }

    /// The members of the report.
    var members: [(String, JSONValue)] {
        [
            ("definition", 1),
            ("identity", .string(identity.rawValue)),
            ("schemaVersion", schemaVersion.map { JSONValue($0) } ?? .null),
            (
                "tables",
                .array(
                    tables.map { table in
                        .object([
                            ("name", .string(table.name)), ("table", .string(table.tableName)),
                            ("hash", .string("\(table.digest)")), ("objects", JSONValue(table.objectCount)),
                        ])
                    })
            ),
            ("total", total.map { .string("\($0)") } ?? .null),
        ]
    }
}
