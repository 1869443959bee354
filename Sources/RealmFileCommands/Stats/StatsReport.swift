internal import RealmCore
internal import RealmForensics
internal import RealmLayout
internal import RealmStorage

/// The output of `stats`.
struct StatsReport {
    let name: String
    let survey: SpaceSurvey
    let format: FormatVersion
    let commit: UInt64
    let isSynchronised: Bool
    /// The number of objects of each table; nil where it cannot be read.
    let objects: ByTable<Int?>
    let schemas: ByTable<TableSchema>
    /// The tables to show.
    var tables: [TableSpace] = []
    /// The values of tables, if they were read.
    private(set) var statistics: [TablePosition: TableStatistics] = [:]
    /// The first errors, and their number.
    private(set) var damage: [FormatError]
    private(set) var damageCount: Int
    /// The advice to compact the file.
    var compaction: Advice?
    /// The next step.
    var next: Advice?

    init(name: String, snapshot: Snapshot, survey: SpaceSurvey) {
        self.name = name
        self.survey = survey
        format = snapshot.version
        commit = snapshot.commitNumber
        isSynchronised = snapshot.history.type == .syncClient
        let tables = snapshot.tables
        objects = ByTable(tables.map { try? $0.count })
        schemas = ByTable(tables.map(\.schema))
        damage = snapshot.damage + survey.damage.first
        damageCount = snapshot.damage.count + survey.damage.count
        isEncrypted = snapshot.isEncrypted
    }

    private let isEncrypted: Bool

    mutating func add(_ found: TableStatistics, of table: TablePosition) {
        statistics[table] = found
        damage += found.damage
        damageCount += found.damageCount
    }

    var status: ExitStatus { damageCount == 0 ? .success : .findings }

    /// The approximate size of a compacted copy.
    var compactedSize: Int {
        let size = survey.compactedSize
        if isEncrypted { return PageGeometry.newFileSize(forData: size) }
        // New files end with a whole page.
        return (size + PageGeometry.pageSize - 1) / PageGeometry.pageSize * PageGeometry.pageSize
    }

    /// A share in percent, with one decimal.
    static func percent(_ part: Int, of whole: Int) -> String {
        guard whole > 0 else { return "0.0" }
        let tenths = Int((Double(part) / Double(whole) * 1000).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}

extension StatsReport {
    /// A part of the file.
    struct Part {
        /// The name for scripts.
        let code: String
        let words: String
        let bytes: Int
    }

    /// The parts of the file, which add up to its size.
    var parts: [Part] {
        let (classes, others) = (survey.tables.filter(\.isClass), survey.tables.filter { !$0.isClass })
        let commits = survey.otherCommits.map { "\($0.number)" }.joined(separator: ", ")
        let pinned = survey.free.pinnedBy.map { range in
            range.count == 1 ? "commit \(range.lowerBound)" : "the commits \(range.lowerBound) to \(range.upperBound)"
        }
        return [
            Part(code: "header", words: "header", bytes: survey.header),
            Part(code: "group", words: "root and list of tables", bytes: survey.group.bytes),
            Part(code: "classes", words: "classes", bytes: classes.reduce(0) { $0 + $1.bytes }),
            Part(code: "otherTables", words: "other tables", bytes: others.reduce(0) { $0 + $1.bytes }),
            Part(code: "history", words: "history", bytes: survey.history.bytes),
            Part(code: "freeList", words: "list of free chunks", bytes: survey.freeList.bytes),
            Part(code: "unknown", words: "nodes of unknown purpose", bytes: survey.unknown.bytes),
            Part(
                code: "otherCommits", words: "used by commit \(commits) only",
                bytes: survey.otherCommits.reduce(0) { $0 + $1.bytes }),
            Part(code: "reusable", words: "free", bytes: survey.free.reusable),
            Part(code: "freedLast", words: "freed by this commit", bytes: survey.free.freedLast),
            Part(
                code: "pinned", words: "freed by \(pinned ?? "older commits") and kept for a reader",
                bytes: survey.free.pinned),
            Part(code: "lost", words: "lost: neither used nor free", bytes: survey.lost),
            Part(code: "afterDatabase", words: "after the database", bytes: survey.tail),
            Part(code: "footer", words: "footer", bytes: survey.footer),
            Part(code: "encryption", words: "encryption: codes of pages", bytes: survey.encryption),
        ]
    }
}

extension TableSpace {
    var isClass: Bool { TableName.isClass(name) }
    /// The name of the class; the full name for other tables.
    var shownName: String { TableName.className(of: name) }
}
