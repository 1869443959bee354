internal import RealmCore
internal import RealmForensics
internal import RealmLayout
internal import RealmStorage

/// The output of `info`: gathered once, then written as text or JSON.
struct InfoReport {
    /// A table and the numbers that the file stores for it.
    struct TableEntry {
        let schema: TableSchema
        /// Nil when the root of the objects is damaged.
        let count: Int?
        let tombstones: Int?
    }

    let name: String
    let size: Int
    /// The problem with the header, when the file does not begin like a Realm file.
    let headerError: FormatError?
    let header: FileHeader?
    let slots: [SlotState]
    /// The slot of the snapshot that the rest of the report describes, unless another commit was requested.
    let chosen: SlotState?
    /// The requested commit, which the header need not refer to.
    let found: Snapshot?
    let tables: [TableEntry]
    let freeBytes: Int?
    /// The encryption of the file; nil when it is not encrypted or cannot be opened.
    let encryption: EncryptionEntry?
    let damage: [FormatError]
    /// The identity of the file and the report, if it was requested.
    var evidence: EvidenceEntry?
    /// The next step.
    var next: Advice?
    /// The way to make a file that current SDKs open from one that they refuse.
    var upgrade: Advice?
    /// Cautions about the data.
    let cautions: [Caution]

    /// Reads the header, both roots and the roots of the tables, but no objects.
    init(
        name: String, size: Int, database: Result<RealmDatabase, FormatError>, selection: SnapshotSelection,
        found: Snapshot? = nil, checksPages: Bool = false
    ) {
        self.name = name
        self.size = size
        self.found = found
        switch database {
        case .failure(let error):
            headerError = error
            (header, slots, chosen, encryption) = (nil, [], nil, nil)
        case .success(let database):
            headerError = nil
            encryption = database.encryption.map {
                EncryptionEntry($0, dataSize: database.dataSize, checksPages: checksPages)
            }
            header = database.header
            slots = database.slotStates()
            chosen = slots.first { $0.isSelected == (selection == .current) }
        }
        guard let snapshot = found ?? chosen?.snapshot else {
            (tables, freeBytes, damage, cautions) = ([], nil, [], [])
            return
        }
        cautions = Caution.all(of: snapshot, values: true)
        var damage = snapshot.damage
        let unit = encryption == nil ? 8 : PageGeometry.pageSize
        if size % unit != 0 {
            damage.append(
                FormatError(
                    .truncated, at: size,
                    "the size of \(size) bytes is not a multiple of \(unit): Realm refuses to open the file"))
        }
        func noted<T>(_ body: () throws(FormatError) -> T) -> T? {
            do throws(FormatError) {
                return try body()
            } catch {
                damage.append(error)
                return nil
            }
        }
        freeBytes = noted { () throws(FormatError) in try snapshot.freeBytes() } ?? nil
        tables = snapshot.tables.map { table in
            TableEntry(
                schema: table.schema, count: noted { () throws(FormatError) in try table.count },
                tombstones: noted { () throws(FormatError) in try table.tombstoneCount })
        }
        self.damage = damage
    }

    var classes: [TableEntry] { tables.filter(\.schema.isClass) }
    var otherTables: [TableEntry] { tables.filter { !$0.schema.isClass } }

    /// The commit that the rest of the report describes.
    var snapshot: Snapshot? { found ?? chosen?.snapshot }

    /// The error that prevents the commit from being read.
    var problem: FormatError? { found == nil ? headerError ?? chosen?.error : nil }

    /// Whether the slot that was not chosen refers to a commit that can be opened; nil without slots.
    var hasOtherCommit: Bool? {
        slots.isEmpty ? nil : slots.contains { $0.slot != chosen?.slot && $0.isSelected == false && $0.snapshot != nil }
    }

    var status: ExitStatus {
        if problem != nil { return .unreadable }
        return damage.isEmpty && !(encryption?.hasFailures ?? false) ? .success : .findings
    }
}

extension TableKind {
    /// The kind, as written in reports.
    var reportName: String {
        switch self {
        case .topLevel: "topLevel"
        case .embedded: "embedded"
        case .asymmetric: "asymmetric"
        }
    }
}

extension HistoryType {
    /// The type, as written in reports.
    var reportName: String {
        switch self {
        case .none: "none"
        case .outOfRealm: "outOfRealm"
        case .inRealm: "inRealm"
        case .syncClient: "syncClient"
        case .syncServer: "syncServer"
        }
    }

    /// The type in words.
    var words: String {
        switch self {
        case .none: "none"
        case .outOfRealm: "in a log beside the file (obsolete)"
        case .inRealm: "in-Realm: for the processes that share the file"
        case .syncClient: "of a Device Sync client (changes it had not uploaded are only in this file)"
        case .syncServer: "of a sync server"
        }
    }
}
