public import RealmLayout
package import RealmStorage

/// Selects one of the two commits in the file's header.
///
/// ```swift
/// print(try database.snapshot(.otherSlot).commitNumber)
/// ```
public enum SnapshotSelection: Equatable, Sendable {
    /// The commit that the header selects: the last one.
    case current
    /// The other commit, usually the previous one. Its nodes may already have been overwritten.
    case otherSlot
}

/// The state of a database after one commit. Immutable; all threads may read concurrently.
///
/// ```swift
/// let snapshot = try database.snapshot()
/// print(snapshot.commitNumber, snapshot.classes.map(\.name))
/// ```
public final class Snapshot: Sendable {
    /// The file format of the snapshot.
    public let version: FormatVersion
    /// The header slot that leads to the snapshot: 0 or 1; 0 also when none does.
    package let slot: Int
    /// The ref of the group's top node; nil for an empty database.
    package let topRef: Ref?
    /// The number of the commit; 1 when the file does not store it.
    public let commitNumber: UInt64
    /// The number of bytes of the file that belong to the database.
    public let logicalSize: Int
    /// The kind and size of the commit history in the file.
    public let history: History
    /// The classes and other tables.
    public let schema: StoredSchema
    /// The reasons why tables could not be read; they are missing in `tables`. Empty unless damage was tolerated when
    /// the snapshot was opened.
    public let damage: [FormatError]

    package let cores: ByTable<TableDescription>
    package let space: NodeSpace
    package let group: Group?
    package let data: DatabaseImage
    package let provenIndexes = ProvenIndexes()
    package let provenValues = ProvenValues()
    private let mark: CommitMark?
    /// The overlays that present an older format.
    private let overlays: [ByteSource]

    /// - Parameter isTolerant: whether rows of a column of formats 2 to 9 may be missing, in which case their clusters
    ///   have no leaf for it. Otherwise a column that is not fully readable is omitted.
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

    /// Makes the state of a transaction.
    ///
    /// - Parameters:
    ///   - base: the commit that it changes.
    ///   - names: its list of table names; nil when it is that of `base`.
    ///   - list: its list of tables.
    ///   - space: the nodes of the file and of the transaction.
    ///   - overlay: the owner of the transaction's nodes.
    /// - Throws: the reason why a table cannot be read.
    package convenience init(
        _ base: Snapshot, names: Ref? = nil, tables list: Ref, in space: NodeSpace, keeping overlay: ByteSource
    ) throws(FormatError) {
        guard let group = base.group else { throw FormatError.emptyDatabase }
        try self.init(
            following: base, base.data, Group(group, names: names, tables: list, in: space), slot: base.slot,
            keeping: [overlay])
    }

    /// Opens the commit that follows a known one, in a database without other writers.
    ///
    /// - Parameters:
    ///   - base: the previous commit, whose nodes all still exist.
    ///   - data: the bytes with the new commit.
    /// - Throws: the reason why the root or a table cannot be read.
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

    /// Returns this snapshot.
    ///
    /// - Throws: the reason why the first missing table cannot be read, unless damage is tolerated.
    package func checked(_ toleratingDamage: Bool) throws(FormatError) -> Snapshot {
        if !toleratingDamage, let error = damage.first { throw error }
        return self
    }

    /// The number of the newest commit, if it is at least two commits newer than this one; nil otherwise. Some values
    /// may then have been overwritten by later commits, which is undetectable (Spec 160).
    package var overwritingCommit: UInt64? {
        data.newestCommit.flatMap { $0 > commitNumber && $0 - commitNumber > 1 ? $0 : nil }
    }

    /// Whether both are of the same commit of the same opened file.
    package func isSameCommit(as other: Snapshot) -> Bool {
        if self === other { return true }
        guard !isTransaction, !other.isTransaction else { return false }
        return data.source === other.data.source && topRef == other.topRef && slot == other.slot
    }

    /// Whether both are of the same opened file, or of the same database changed in place. A ref that occurs in both
    /// leads to the same node.
    package func isSameDatabase(as other: Snapshot) -> Bool {
        data.source === other.data.source
            || data.source.device != nil && data.source.device === other.data.source.device
    }

    /// Whether both are of the same database, which may have been rewritten elsewhere in between. Equal keys then
    /// identify the same objects.
    package func hasHistory(of other: Snapshot) -> Bool {
        if isSameDatabase(as: other) { return true }
        guard let device = data.source.device, let former = other.data.source.device else { return false }
        return device.hasHistory(of: former)
    }

    /// Calls `body`, which may access nodes of an encrypted file until it returns.
    @inline(__always)
    package func reading<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R { try data.reading(body) }

    /// Whether it has changes that are not in the file.
    private var isTransaction: Bool { group?.isChanged ?? false }

    /// Whether nodes may only be accessed inside `reading`.
    package var isEncrypted: Bool { data.pages != nil }

    /// Retains nodes of an encrypted file that are opened from now on, as long as the result lives; nil when no
    /// retention is needed.
    package func hold() -> PageHold? { data.pages.map { PageHold($0) } }

    /// All readable tables, in file order.
    public var tables: [Table] { cores.indices.map { table(at: $0) } }

    /// The table at a position in `cores`.
    package func table(at position: TablePosition) -> Table { Table(snapshot: self, position: position) }

    /// The classes, in file order.
    public var classes: [Table] { tables.filter(\.schema.isClass) }

    /// The number of objects in all readable tables.
    package var countOfObjects: Int { tables.reduce(0) { $0 + ((try? $1.count) ?? 0) } }

    /// Returns the class with that name, or the table with that full name.
    ///
    /// - Throws: `noSuchTable`, or the error that made the table unreadable, possibly one about tables whose names are
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
        // Usually a table's position is its slot; deleted tables move later ones forward, in order.
        let usual = TablePosition(key.slot)
        if cores.indices.contains(usual), cores[usual].schema.key == key { return usual }
        let position = cores.partitioningIndex { $0.schema.key.slot >= key.slot }
        return position < cores.endIndex && cores[position].schema.key == key ? position : nil
    }

    /// Verifies that everything read so far belongs to one commit, while another process may be writing the file.
    ///
    /// Not suitable for the snapshot of the other slot: its nodes may be overwritten before the next commit ends.
    ///
    /// - Throws: `fileChanged` when a commit ended, or the file was replaced in place or truncated, since it was
    ///   opened.
    public func checkUnchanged() throws(FormatError) { try mark?.check(data.source) }

    /// Total bytes in the list of free chunks; nil when the file has no such list.
    ///
    /// - Throws: `FormatError` when the list is damaged.
    public func freeBytes() throws(FormatError) -> Int? {
        try reading { () throws(FormatError) in try group?.freeBytes() }
    }
}

/// The commit history stored in a database (Spec 70, 80).
///
/// ```swift
/// print(snapshot.history.schemaVersion, snapshot.history.entryCount ?? 0)
/// ```
public struct History: Equatable, Sendable {
    /// The kind of history; nil for an unknown number.
    public let type: HistoryType?
    /// The version of the history's own layout.
    public let schemaVersion: UInt64
    /// The number of changesets; nil when there are none or the history is damaged.
    public let entryCount: Int?
}
