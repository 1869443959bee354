internal import RealmCore
internal import RealmExchange
internal import RealmForensics
internal import RealmLayout

/// The output of `history`.
struct HistoryReport {
    let name: String
    let history: History
    /// The current commit.
    let commit: UInt64
    let firstCommit: UInt64?
    /// The number of entries in the file.
    let total: Int
    /// The entries to show, the oldest first.
    private(set) var entries: [CommitHistory.Entry] = []
    let damage: [FormatError]
    let damageCount: Int
    let isDecoded: Bool
    private let names: TableNames

    /// Names of tables and columns in the snapshot.
    private struct TableNames {
        let tables: [TableKey: String]
        let columns: [TableKey: [ColumnKey: String]]

        init(_ snapshot: Snapshot) {
            let schemas = snapshot.schema.tables
            tables = Dictionary(schemas.map { ($0.key, $0.name) }) { first, _ in first }
            columns = Dictionary(
                schemas.map { schema in
                    (
                        schema.key,
                        Dictionary(schema.properties.map { ($0.columnKey, $0.name) }) { first, _ in first }
                    )
                }
            ) { first, _ in first }
        }
    }

    init(name: String, _ snapshot: Snapshot, limit: Int) {
        self.name = name
        history = snapshot.history
        commit = snapshot.commitNumber
        isDecoded = snapshot.version.isClustered
        names = TableNames(snapshot)
        var found = CommitHistory(snapshot)
        total = found.total
        firstCommit = found.firstCommit
        var entries: [CommitHistory.Entry] = []
        found.forEach(last: limit) { entries.append($0) }
        self.entries = entries
        (damage, damageCount) = (found.damage, found.damageCount)
    }

    var status: ExitStatus { damageCount == 0 ? .success : .findings }

    /// The name of the class; nil for a table that no longer exists.
    func name(of table: TableKey) -> String? { names.tables[table] }

    /// The name of the property; nil for a column that no longer exists, or of backlinks.
    func name(of column: ColumnKey, in table: TableKey) -> String? { names.columns[table]?[column] }

    /// The time of a change; nil when it is outside of the range of times.
    static func time(_ exchange: CommitHistory.Exchange) -> String? {
        guard let milliseconds = exchange.milliseconds,
            case let (sum, overflows) = milliseconds.addingReportingOverflow(millisecondsTo2015), !overflows
        else { return nil }
        let (seconds, rest) = sum.quotientAndRemainder(dividingBy: 1000)
        return Timestamp(seconds: seconds, nanoseconds: Int64(rest * 1_000_000))?.text
    }

    private static let millisecondsTo2015: Int64 = 1_420_070_400_000
}

extension HistoryReport {
    /// The members of the report for scripts.
    var members: [(String, JSONValue)] {
        [
            ("commit", JSONValue(commit)),
            ("history", .string(history.type?.reportName ?? "unknown")),
            ("layout", JSONValue(history.schemaVersion)),
            ("total", JSONValue(total)),
            ("firstCommit", firstCommit.map { JSONValue($0) } ?? .null),
            ("decoded", .bool(isDecoded)),
            ("commits", .array(entries.map { json($0) })),
            ("damage", .array(damage.map(\.json))),
            ("damageCount", JSONValue(damageCount)),
        ]
    }

    /// An entry for scripts.
    func json(_ entry: CommitHistory.Entry) -> JSONValue {
        .object(present: [
            ("commit", JSONValue(entry.commit)),
            ("bytes", entry.byteCount.map { JSONValue($0) } ?? .null),
            ("tables", entry.changes.map { .array($0.tables.map { json($0) }) } ?? .null),
            ("problem", JSONValue(entry.changes?.problem)),
            ("exchange", entry.exchange.map { Self.json($0) }),
        ])
    }

    private static func json(_ exchange: CommitHistory.Exchange) -> JSONValue {
        func json(_ number: Int64?) -> JSONValue { number.map { .int($0) } ?? .null }
        return .object([
            ("bytes", exchange.byteCount.map { JSONValue($0) } ?? .null),
            ("serverVersion", json(exchange.serverVersion)),
            ("originFile", json(exchange.originFile)),
            ("time", JSONValue(time(exchange))),
        ])
    }

    private func json(_ table: CommitChanges.ChangedTable) -> JSONValue {
        func keys(_ keys: [ObjectKey]) -> JSONValue { .array(keys.map { .int($0.value) }) }
        func columns(_ columns: [ColumnKey]) -> JSONValue {
            .array(columns.map { .string(shown($0, in: table.key)) })
        }
        return .object([
            ("table", JSONValue(name(of: table.key))),
            ("tableKey", JSONValue(table.key.value)),
            ("isAdded", .bool(table.isAdded)),
            ("isRemoved", .bool(table.isRemoved)),
            ("isRenamed", .bool(table.isRenamed)),
            ("isCleared", .bool(table.isCleared)),
            ("addedProperties", columns(table.addedColumns)),
            ("removedProperties", columns(table.removedColumns)),
            ("renamedProperties", columns(table.renamedColumns)),
            ("added", keys(table.added)),
            (
                "changed",
                .array(
                    table.changed.map {
                        .object([("objectKey", .int($0.key.value)), ("properties", columns($0.columns))])
                    })
            ),
            ("removed", keys(table.removed)),
        ])
    }

    /// The name of a column for people: of one that no longer exists, its key.
    func shown(_ column: ColumnKey, in table: TableKey) -> String {
        name(of: column, in: table) ?? "column \(column)"
    }
}
