public import RealmLayout
package import RealmStorage

/// Which of the two commits in the file's header to read.
///
/// ```swift
/// print(try database.snapshot(.otherSlot).commitNumber)
/// ```
public enum SnapshotSelection: Equatable, Sendable {
    /// The one that the header selects: the last commit.
    case current
    /// The other one: mostly the commit before. Its nodes may already have been overwritten.
    case otherSlot
}

/// The state of a database after one commit. Immutable; all threads may read at once.
///
/// ```swift
/// let snapshot = try database.snapshot()
/// print(snapshot.commitNumber, snapshot.classes.map(\.name))
/// ```
public final class Snapshot: Sendable {
    /// The file format of the snapshot.
    public let version: FormatVersion
    /// The header slot that leads to the snapshot: 0 or 1; 0 also where none does.
    package let slot: Int
    /// The ref of the group's top node; nil for an empty database.
    package let topRef: Ref?
    /// The number of the commit; 1 where the file does not say.
    public let commitNumber: UInt64
    /// The bytes of the file that belong to the database.
    public let logicalSize: Int
    /// Who reads the history of commits in the file, and how large it is.
    public let history: History
    /// The classes and other tables.
    public let schema: StoredSchema
    /// What kept tables from being read; such tables are missing in `tables`. Empty unless damage was tolerated when the
    /// snapshot was opened.
    public let damage: [FormatError]

    package let cores: ByTable<TableDescription>
    package let space: NodeSpace
    package let group: Group?
    package let data: DatabaseImage
    package let provenIndexes = ProvenIndexes()
    package let provenValues = ProvenValues()
    private let mark: CommitMark?
    /// What presents an older format.
    private let overlays: [ByteSource]

    /// - Parameter isTolerant: whether rows of a column of formats 2 to 9 may be missing: clusters have no leaf of it then.
    ///   Otherwise a column that cannot be read as a whole is left out.
    package init(
        data: DatabaseImage, mark: CommitMark?, version: FormatVersion, slot: Int, topRef: Ref?,
        isTolerant: Bool = false
    ) throws(FormatError) {
        self.data = data
        self.mark = mark
        self.version = version
        self.slot = slot
        self.topRef = topRef
        guard let topRef else {
            space = data.space(data.view)
            (group, overlays, cores, damage) = (nil, [], [], data.emptySlotDamage(slot).map { [$0] } ?? [])
            (commitNumber, logicalSize) = (1, 0)
            history = History(type: HistoryType.none, schemaVersion: 0, entryCount: nil)
            schema = StoredSchema(tables: [], version: nil)
            return
        }
        let group = try data.reading { () throws(FormatError) in try Group(at: topRef, in: data, version: version) }
        self.group = group
        commitNumber = group.commitNumber
        logicalSize = group.space.bytes.count
        history = group.history
        if version.isLegacy {
            let tables = data.reading {
                group.readLegacyTables(
                    isTolerant: isTolerant, hasMillisecondDates: data.hasMillisecondDates && version.number <= 4)
            }
            (space, overlays) = (tables.space, tables.overlays)
            (cores, damage) = (tables.cores, tables.damage)
        } else {
            let tables = data.reading { group.readTables() }
            (space, overlays) = (group.space, [])
            (cores, damage) = (tables.cores, tables.damage)
        }
        let (tables, spaceOfTables) = (cores, space)
        let schemaVersion = data.reading { group.schemaVersion(in: tables, spaceOfTables) }
        schema = StoredSchema(tables: tables.map(\.schema), version: schemaVersion)
    }

    /// The state of a transaction.
    ///
    /// - Parameters:
    ///   - base: the commit that it changes.
    ///   - names: its list of names of tables; nil where it is that of `base`.
    ///   - list: its list of tables.
    ///   - space: the nodes of the file, and those of the transaction.
    ///   - overlay: who keeps those of the transaction.
    /// - Throws: what keeps a table from being read.
    package convenience init(
        _ base: Snapshot, names: Ref? = nil, tables list: Ref, in space: NodeSpace, keeping overlay: ByteSource
    ) throws(FormatError) {
        guard let group = base.group else { throw FormatError.emptyDatabase }
        try self.init(
            following: base, base.data, Group(group, names: names, tables: list, in: space), slot: base.slot,
            keeping: [overlay])
    }

    /// The commit after one that is known, in a database that nobody else writes.
    ///
    /// - Parameters:
    ///   - base: the commit before, whose nodes are all still there.
    ///   - data: the bytes with the new commit.
    /// - Throws: what keeps the root or a table from being read.
    package convenience init(
        following base: Snapshot, in data: DatabaseImage, slot: Int, topRef: Ref
    ) throws(FormatError) {
        let group = try data.reading { () throws(FormatError) in
            try Group(at: topRef, in: data, version: base.version)
        }
        try self.init(following: base, data, group, slot: slot, keeping: [])
    }

    private init(
        following base: Snapshot, _ data: DatabaseImage, _ group: Group, slot: Int, keeping overlays: [ByteSource]
    ) throws(FormatError) {
        (self.data, self.group, self.slot, self.overlays) = (data, group, slot, overlays)
        (mark, version, topRef, space) = (nil, base.version, group.topRef, group.space)
        (commitNumber, logicalSize, history) = (group.commitNumber, group.space.bytes.count, group.history)
        damage = []
        (cores, schema) = try data.reading { () throws(FormatError) in
            if let known = base.group, let cores = try group.tables(following: known, base.cores) {
                let isSame = zip(cores, base.cores).allSatisfy { new, old in
                    new.topRef == old.topRef || new.schema.tableName != TableSchema.metadataName
                }
                guard !isSame else { return (cores, base.schema) }
                let version = group.schemaVersion(in: cores, group.space)
                return (cores, StoredSchema(tables: base.schema.tables, version: version))
            }
            let tables = group.readTables()
            if let error = tables.damage.first { throw error }
            let version = group.schemaVersion(in: tables.cores, group.space)
            return (tables.cores, StoredSchema(tables: tables.cores.map(\.schema), version: version))
        }
    }

    /// This snapshot.
    ///
    /// - Throws: what keeps the first table that is missing from being read, unless damage is tolerated.
    package func checked(_ toleratingDamage: Bool) throws(FormatError) -> Snapshot {
        if !toleratingDamage, let error = damage.first { throw error }
        return self
    }

    /// The number of the last commit, when this one is older than the one before it: then single values may have been overwritten by
    /// those of later ones, which nothing tells (Spec 160). Nil otherwise.
    package var overwritingCommit: UInt64? {
        data.newestCommit.flatMap { $0 > commitNumber && $0 - commitNumber > 1 ? $0 : nil }
    }

    /// Whether both are of one commit of one opened file.
    package func isSameCommit(as other: Snapshot) -> Bool {
        if self === other { return true }
        guard !isTransaction, !other.isTransaction else { return false }
        return data.source === other.data.source && topRef == other.topRef && slot == other.slot
    }

    /// Whether both are of one opened file, or of one database that is changed in place: a ref that both have leads to the same then.
    package func isSameDatabase(as other: Snapshot) -> Bool {
        data.source === other.data.source
            || data.source.device != nil && data.source.device === other.data.source.device
    }

    /// Whether both are of one database, which may have been written into a new place in between: what has the same keys is the same
    /// then.
    package func hasHistory(of other: Snapshot) -> Bool {
        if isSameDatabase(as: other) { return true }
        guard let device = data.source.device, let former = other.data.source.device else { return false }
        return device.hasHistory(of: former)
    }

    /// Calls `body`, which may look at nodes of an encrypted file as long as it runs.
    @inline(__always)
    package func reading<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R { try data.reading(body) }

    /// Whether it has changes that are not in the file.
    private var isTransaction: Bool { group?.isChanged ?? false }

    /// Whether nodes may only be looked at while `reading` runs.
    package var isEncrypted: Bool { data.pages != nil }

    /// Keeps nodes of an encrypted file that are opened from now on, for as long as the result lives; nil where nothing
    /// has to be kept.
    package func hold() -> PageHold? { data.pages.map { PageHold($0) } }

    /// All tables that could be read, in the order of the file.
    public var tables: [Table] { cores.indices.map { table(at: $0) } }

    /// The table at a position in `cores`.
    package func table(at position: TablePosition) -> Table { Table(snapshot: self, position: position) }

    /// The classes, in the order of the file.
    public var classes: [Table] { tables.filter(\.schema.isClass) }

    /// The class of that name, or the table of that full name.
    ///
    /// - Throws: `noSuchTable`, or the error that kept the table from being read, which may be one about tables whose names are
    ///   lost.
    public func table(named name: String) throws(FormatError) -> Table {
        let fullName = TableName.classPrefix + name
        if let position = cores.firstIndex(named: fullName, { $0.schema.tableName })
            ?? cores.firstIndex(named: name, { $0.schema.tableName })
        {
            return Table(snapshot: self, position: position)
        }
        let errors = damage.filter { $0.table == nil || $0.table == fullName || $0.table == name }
        if let error = errors.first(where: { $0.table != nil }) ?? errors.first { throw error }
        let suggestion = classes.lazy.map(\.name).suggestion(for: name)
        throw FormatError(.noSuchTable, "there is no class or table called \(name)\(suggestion)")
    }

    /// The position in `cores` of the table with that key.
    package func position(of key: TableKey) -> TablePosition? {
        // Mostly the table is at its slot; tables that were deleted move the later ones forward, in their order.
        let usual = TablePosition(key.slot)
        if cores.indices.contains(usual), cores[usual].schema.key == key { return usual }
        let position = cores.partitioningIndex { $0.schema.key.slot >= key.slot }
        return position < cores.endIndex && cores[position].schema.key == key ? position : nil
    }

    /// Proves that what has been read so far is of one commit, while another process may be writing the file.
    ///
    /// Not for the snapshot of the other slot: its nodes may be overwritten before the next commit ends.
    ///
    /// - Throws: `fileChanged` when a commit ended, or the file was replaced in place or cut off, since it was opened.
    public func checkUnchanged() throws(FormatError) { try mark?.check(data.source) }

    /// Total bytes in the list of free chunks; nil when the file has no such list.
    ///
    /// - Throws: `FormatError` when the list is damaged.
    public func freeBytes() throws(FormatError) -> Int? {
        try reading { () throws(FormatError) in try group?.freeBytes() }
    }
}

/// The history of commits that a database carries (Spec 70, 80).
///
/// ```swift
/// print(snapshot.history.schemaVersion, snapshot.history.entryCount ?? 0)
/// ```
public struct History: Equatable, Sendable {
    /// Who reads it; nil for a number without a meaning.
    public let type: HistoryType?
    /// The version of the history's own layout.
    public let schemaVersion: UInt64
    /// The number of changesets; nil when there are none or the history is damaged.
    public let entryCount: Int?
}
