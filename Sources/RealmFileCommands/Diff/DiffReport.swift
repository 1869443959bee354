internal import RealmCore
internal import RealmExchange
internal import RealmForensics
internal import RealmLayout

/// The output of `diff`.
struct DiffReport {
    let first: String
    let second: String
    /// The two commits that are compared.
    let commits: (first: ComparedCommit, second: ComparedCommit)
    let difference: ContentDifference
    /// The values of listed objects that only one file has; nil where they were not read.
    let values: ListedValues?

    /// Differences in the schema, then those of each class; empty when nothing differs.
    var text: String {
        guard !difference.isEmpty else { return "" }
        var lines = ["--- \(first)  \(commits.first.words)", "+++ \(second)  \(commits.second.words)"]
        if let versions = difference.schemaVersions {
            lines.append("~ schema version \(Self.version(versions.first)) → \(Self.version(versions.second))")
        }
        for table in difference.removedTables { lines.append("- \(Self.line(table))") }
        for table in difference.addedTables { lines.append("+ \(Self.line(table))") }
        for table in difference.tables where !table.isEmpty { lines += self.lines(table) }
        return lines.map { $0.singleLine + "\n" }.joined()
    }

    private static func version(_ version: UInt64?) -> String { version.map { String($0) } ?? "none" }

    private static func line(_ table: ContentDifference.LoneTable) -> String {
        "class \(table.name): \(counted(table.objectCount, "object"))"
    }

    private func lines(_ table: TableDifference) -> [String] {
        var counts = [
            "\(table.added) added", "\(table.removed) removed", "\(table.changed) changed", "\(table.equal) equal",
        ]
        if table.tombstones > 0 { counts.append(counted(table.tombstones, "tombstone differs", "tombstones differ")) }
        var lines = ["~ class \(table.name): \(counts.joined(separator: ", "))"]
        lines += table.schema.map { "    \(Self.line($0))" }
        for (index, object) in table.objects.enumerated() {
            lines += Self.lines(object) + (values?[table, index]?.lines.map { "        \($0)" } ?? [])
        }
        let hidden = table.added + table.removed + table.changed - table.objects.count
        if hidden > 0 { lines.append("    … \(counted(hidden, "more object")) (--max-differences)") }
        return lines
    }

    private static func line(_ schema: SchemaDifference) -> String {
        guard let property = schema.property else {
            return "~ \(schema.part): \(schema.first ?? "none") → \(schema.second ?? "none")"
        }
        switch (schema.part, schema.first, schema.second) {
        case ("property", let first?, nil): return "- property \(property): \(first)"
        case ("property", nil, let second?): return "+ property \(property): \(second)"
        default:
            return "~ property \(property): \(schema.part) \(schema.first ?? "none") → \(schema.second ?? "none")"
        }
    }

    private static func lines(_ object: ObjectDifference) -> [String] {
        let key = (object.firstKey ?? object.secondKey).map { "\($0)" } ?? "?"
        let name = object.primaryKey.map { "\($0) (object \(key))" } ?? "object \(key)"
        switch object.kind {
        case .added: return ["    + \(name)"]
        case .removed: return ["    - \(name)"]
        case .changed:
            return ["    ~ \(name)"] + object.changes.map { "        \($0.path): \($0.first) → \($0.second)" }
        }
    }
}

/// A compared commit.
struct ComparedCommit {
    let number: UInt64
    /// Nil in an empty database.
    let root: Ref?

    init(_ snapshot: Snapshot) {
        number = snapshot.commitNumber
        root = snapshot.topRef
    }

    var words: String { "commit \(number)" + (root.map { " at \($0)" } ?? "") }

    var json: JSONValue {
        .object([("commit", JSONValue(number)), ("root", root.map { .offset($0.offset) } ?? .null)])
    }
}

extension ContentDifference {
    /// A class whose objects seem to have other object keys in the second file, as after an import or in the file of
    /// another user. Only primary keys can match them.
    var misfit: String? {
        guard identity == .objectKey else { return nil }
        return tables.first { table in
            guard table.objects.contains(where: { $0.primaryKey != nil }) else { return false }
            return table.objects.contains(where: \.hasOtherPrimaryKey) || table.added > 0 && table.removed > 0
        }?.name
    }
}
