public import RealmCore
internal import RealmLayout
internal import RealmStorage

/// Changes of a database that become visible together, or not at all.
///
/// ```swift
/// try await store.write { transaction in
///     guard let rex = try transaction.object("Dog", primaryKey: 1) else { return }
///     try transaction.set(rex, "name", "Max")
/// }
/// ```
///
/// `RealmStore.write` creates one for its closure; one from `RealmStore.begin` ends with `commit` or `cancel`. It may
/// be used by one thread at a time. After its end, all functions throw `finished`.
public final class WriteTransaction {
    /// The last commit when the transaction began.
    private(set) var origin: Snapshot
    /// The current base of changes: first the last commit, later the state after changes were settled.
    private(set) var base: Snapshot
    private(set) var nodes: NodeOutput
    var released = FreedNodes()
    /// The tables that have been accessed since changes were last settled.
    private var tables: ByTable<MutableTable?>
    /// The same tables by the names they were accessed with. They are few: comparing names costs less than hashing one.
    private var namedTables: [(name: String, table: MutableTable)] = []
    private var memory: ReservedMemory
    /// Keeps decrypted pages of an encrypted file in memory until the transaction ends.
    private var hold: PageHold?
    private(set) var bytes = BytesArena()
    private let fileIdentifier: UInt64
    let pin: (Snapshot) -> Void
    /// The reason why the transaction can no longer be used.
    private(set) var failure: WriteError?
    /// The open collections, which are changed element by element.
    var collections: [CollectionPlace: CollectionChanges] = [:]
    /// The remaining budget for the collections inside a value; nil before their traversal begins.
    var walk: WorkBudget?
    /// Whether the current call has already changed something.
    private var isChanging = false
    /// The write lock of a manual transaction, and its store.
    private var turn: (turn: WriteLockGuard, store: RealmStore)?

    /// - Parameters:
    ///   - memory: the memory for the nodes of the transaction.
    ///   - pin: called with each snapshot that is handed out.
    init(_ base: Snapshot, in memory: ReservedMemory, pin: @escaping (Snapshot) -> Void) {
        (origin, self.base) = (base, base)
        tables = ByTable(repeating: nil, count: base.cores.count)
        hold = base.data.pages.map { PageHold($0) }
        self.pin = pin
        self.memory = memory
        nodes = NodeOutput(in: memory)
        fileIdentifier = base.group?.syncFileIdentifier ?? 0
    }

    /// The space including all nodes written so far.
    var space: NodeSpace { base.space.with(overlay: nodes.written) }

    /// The number of bytes in all nodes, including replaced ones.
    package var size: Int { nodes.written.count }
    /// The approximate number of bytes in nodes that were not replaced: those that a commit has to place.
    var neededSize: Int { max(0, size - released.replacedBytes) }

    // MARK: Public interface

    /// Sets properties of the object with a primary key, or adds it.
    ///
    /// - Parameters:
    ///   - values: the values of its properties by name, including the primary key. Omitted properties stay unchanged;
    ///     in a new object they are null or empty.
    ///   - onlyChanged: whether equal values are left alone, with their embedded objects and nodes; comparing snapshots
    ///     does not report them either way. An upsert without differences then changes nothing.
    /// - Returns: a reference for links to it.
    /// - Throws: `WriteError`, as `add`; also if the class has no primary key.
    public func upsert(
        _ className: String, _ values: [String: NewValue], onlyChanged: Bool = false
    ) throws(WriteError) -> ObjectReference {
        try guarded {
            let table = try table(named: className)
            guard let primary = table.core.primaryKeyIndex else { throw withoutPrimaryKey(table) }
            var given = try given(values, table)
            guard let key = try find(primaryKey: given[primary] ?? .null, in: table) else {
                return ObjectReference(className, try add(to: table, &given, depth: 0))
            }
            // Invalid scalars are reported before anything changes.
            for index in table.scalarProperties {
                if let value = given[index] { _ = try scalar(value, table, index) }
            }
            var different = given
            if onlyChanged {
                for (index, value) in given.indexed where index != primary {
                    if let value, try isThere(value, in: key, table, index) { different[index] = nil }
                }
            }
            noteChange()
            for (index, value) in different.indexed where index != primary {
                if let value { try set(key, of: table, index, value, depth: 0) }
            }
            return ObjectReference(className, key)
        }
    }

    /// Sets a property of an object.
    ///
    /// - Throws: `WriteError`, as `add`; `badObjectKey` if the object has been deleted.
    public func set(_ object: ObjectReference, _ property: String, _ value: NewValue) throws(WriteError) {
        try guarded {
            let table = try table(named: object.className)
            try set(object.key, of: table, try self.property(property, of: table), value, depth: 0)
        }
    }

    /// Deletes an object, with the objects embedded in it. Links to it become null, or are removed from their lists. An
    /// embedded object is removed from its property in the same way.
    ///
    /// - Throws: `WriteError`, as `set`.
    public func delete(_ object: ObjectReference) throws(WriteError) {
        try guarded { try delete(object.key, of: try table(named: object.className)) }
    }

    /// Returns the object with a primary key; nil if there is none.
    ///
    /// - Throws: `WriteError` if the class has no primary key, or one of another type.
    public func object(_ className: String, primaryKey value: NewValue) throws(WriteError) -> ObjectReference? {
        try guarded {
            let table = try table(named: className)
            return try find(primaryKey: value, in: table).map { ObjectReference(className, $0) }
        }
    }

    /// Returns the database with all changes so far. The snapshot does not change, whatever happens to the transaction.
    ///
    /// - Throws: `WriteError`.
    public func snapshot() throws(WriteError) -> Snapshot {
        try guarded {
            try settle()
            pin(base)
            return base
        }
    }

    // MARK: Helpers

    @inline(__always)
    func guarded<R>(_ body: () throws -> R) throws(WriteError) -> R {
        if let failure { throw failure }
        isChanging = false
        do {
            if collections.count > Self.openCollections {
                isChanging = true
                try closeCollections()
                isChanging = false
            }
            return try body()
        } catch {
            let error = WriteError(error)
            if case .misfit = error, !isChanging { throw error }
            // A partial change must not be committed.
            failure = error
            throw error
        }
    }

    /// Records that the current call changes something: a later error ends the transaction.
    func noteChange() { isChanging = true }

    /// Returns a table that has been accessed since changes were last settled; nil for others.
    func knownTable(at position: TablePosition) -> MutableTable? { tables[position] }

    func table(at position: TablePosition) throws -> MutableTable {
        guard tables.indices.contains(position) else {
            throw InvalidValue(.noSuchTable, "the class no longer exists")
        }
        if let known = tables[position] { return known }
        let changes = try MutableTable(base, at: position)
        tables[position] = changes
        return changes
    }

    func table(named name: String) throws -> MutableTable {
        if let known = namedTables.first(where: { $0.name == name }) { return known.table }
        let found = try table(at: position(named: name))
        namedTables.append((name, found))
        return found
    }

    /// Returns the position of a class, or of the table with a full name.
    func position(named name: String) throws -> TablePosition {
        do throws(FormatError) { return try base.table(named: name).position } catch {
            guard error.code == .noSuchTable else { throw error }
            throw InvalidValue(.noSuchTable, error.detail)
        }
    }

    func table(_ key: TableKey) throws -> MutableTable {
        guard let position = base.position(of: key) else {
            throw FormatError(.badLink, "a link to the table \(key), which does not exist")
        }
        return try table(at: position)
    }

    func property(_ name: String, of table: MutableTable) throws(InvalidValue) -> PropertyIndex {
        guard let index = table.core.schema.properties.propertyIndex(named: name) else {
            let error = base.table(at: table.position).noSuchProperty(name)
            throw InvalidValue(.noSuchProperty, error.detail).at(table: error.table)
        }
        return index
    }

    func place(
        of key: ObjectKey, in table: MutableTable
    ) throws -> (cluster: MutableCluster, row: Int) {
        guard let found = try table.tree(of: key)?.find(key) else {
            throw InvalidValue(.badObjectKey, "there is no such object").at(
                table: table.core.schema.tableName, objectKey: key)
        }
        return found
    }

    func find(primaryKey value: NewValue, in table: MutableTable) throws -> ObjectKey? {
        guard let primary = table.core.primaryKeyIndex else {
            throw withoutPrimaryKey(table)
        }
        return try table.object(primaryKey: IndexKeyBytes(try scalar(value, table, primary)), in: base)
    }

    private func withoutPrimaryKey(_ table: MutableTable) -> WriteError {
        .misfit(InvalidValue(.noSuchProperty, "the class has no primary key").at(table: table.core.schema.tableName))
    }

    func newKey(in table: MutableTable) throws(FormatError) -> ObjectKey {
        try table.nextKey(fileIdentifier: fileIdentifier)
    }

    /// Checks and returns a key chosen for a new object.
    func take(_ key: ObjectKey, in table: MutableTable) throws -> ObjectKey {
        let misfit: InvalidValue? =
            if key.value < 0 || key.value == .max {
                InvalidValue(.badObjectKey, "\(key) is not an object key")
            } else if try table.objects.contains(key) {
                InvalidValue(.duplicateKey, "there is an object with the key \(key)")
            } else {
                nil
            }
        if let misfit { throw misfit.at(table: table.core.schema.tableName, objectKey: key) }
        table.noteChosen(key, fileIdentifier: fileIdentifier)
        return key
    }

    /// Writes all changes to memory, where they become the base of later ones.
    func settle() throws {
        try closeCollections()
        guard let group = base.group, tables.contains(where: { !($0?.isEmpty ?? true) }) else { return }
        let tables = tables.compactMap(\.self)
        // Links of one table change columns of others.
        for table in tables { try table.settleLinks(nodes, &released) }
        let slots = try group.tableSlots()
        var refs = (0..<slots.refs.count).map { slots.refs[unchecked: $0] }
        for table in tables where !table.isEmpty {
            refs[table.key.slot] = Int64(try table.write(nodes, &released).offset)
        }
        let roots = try group.roots()
        let list = try nodes.refs(refs)
        let space = space
        try released.add(roots.tables, in: space)
        try become(names: nil, tables: list)
        try moveNeeded()
    }

    /// The number of bytes in replaced nodes up to which moving the rest is not worthwhile.
    private static let fewReplaced = 8 << 20

    /// Moves the needed nodes to other memory if most nodes have been replaced: code that alternates between changing
    /// and reading rewrites the same clusters each time. Existing snapshots keep their memory.
    private func moveNeeded() throws {
        let (replaced, needed) = (released.replacedBytes, neededSize)
        guard replaced > Self.fewReplaced, replaced > needed, let group = base.group else { return }
        let space = space
        let roots = try group.roots()
        let newMemory = try TransactionMemory.take()
        let newNodes = NodeOutput(in: newMemory)
        let names = try newNodes.place(roots.names, of: space)
        let tables = try newNodes.place(roots.tables, of: space)
        var oldMemory = memory
        let used = size
        (memory, nodes) = (newMemory, newNodes)
        try become(names: names == roots.names ? nil : names, tables: tables)
        released.forgetReplaced()
        TransactionMemory.giveBack(&oldMemory, used: used)
    }

    /// Makes new lists of tables the base of later changes.
    ///
    /// - Parameter names: the names of the tables; nil if they have not changed.
    func become(names: Ref?, tables list: Ref) throws(FormatError) {
        let overlay = ByteSource(nodes.written, of: memory)
        let space = space
        begin(on: try Snapshot(base, names: names, tables: list, in: space, keeping: overlay))
    }

    /// Makes a state the base of later changes.
    private func begin(on base: Snapshot) {
        self.base = base
        tables = ByTable(repeating: nil, count: base.cores.count)
        namedTables = []
    }
}

// Ending a transaction, and undoing parts of it.
extension WriteTransaction {
    /// A state that can be restored. All changes before it are settled.
    struct Mark {
        fileprivate let base: Snapshot
        fileprivate let released: FreedNodes
        /// The output and memory of the changes, which may be moved later.
        fileprivate let nodes: NodeOutput
        fileprivate let memory: ReservedMemory
        fileprivate let size: Int
    }

    /// The current state. All changes must be settled.
    var mark: Mark { Mark(base: base, released: released, nodes: nodes, memory: memory, size: size) }

    /// Undoes all changes after a mark, and clears a failure.
    func goBack(to mark: Mark) {
        forgetChanges(since: mark.base)
        (released, failure) = (mark.released, nil)
        (nodes, memory) = (mark.nodes, mark.memory)
        released.addReplaced(bytes: size - mark.size)
    }

    /// Continues after a commit.
    func restart(from commit: Snapshot, in memory: ReservedMemory) {
        forgetChanges(since: commit)
        (origin, released) = (commit, FreedNodes())
        hold = commit.data.pages.map { PageHold($0) }
        self.memory = memory
        (nodes, bytes) = (NodeOutput(in: memory), BytesArena())
    }

    /// Makes this a manual transaction.
    func hold(_ turn: WriteLockGuard, of store: RealmStore) { self.turn = (turn, store) }

    /// Passes the transaction to another thread, which commits it. The code that began it may wait for that.
    package func handOver() { turn?.turn.handOver() }

    /// Returns the store of a manual transaction that has not ended.
    ///
    /// - Throws: `finished`.
    func openStore() throws(WriteError) -> RealmStore {
        if let turn { return turn.store }
        throw failure ?? .misfit(InvalidValue(.finished, "the transaction is committed when its closure returns"))
    }

    /// Ends the transaction, and releases the write lock.
    func giveTurnBack() {
        end()
        turn?.turn.end()
        turn = nil
    }

    /// Makes the transaction unusable.
    func end() {
        var memory = memory
        let used = size
        if let nothing = Self.nothing { restart(from: nothing.snapshot, in: nothing.memory) }
        // An ended transaction that is still referenced keeps no memory.
        TransactionMemory.giveBack(&memory, used: used)
        if failure == nil { failure = .misfit(InvalidValue(.finished, "the transaction has ended")) }
    }

    /// An empty database for transactions that have ended.
    private static let nothing: (snapshot: Snapshot, memory: ReservedMemory)? = {
        guard
            let snapshot = try? RealmDatabase(bytes: FileHeader.bytes(selecting: (Ref(0), FormatVersion(24))))
                .snapshot(),
            let memory = try? ReservedMemory(most: 1 << 16, least: 1 << 16)
        else { return nil }
        return (snapshot, memory)
    }()

    private func forgetChanges(since base: Snapshot) {
        begin(on: base)
        (collections, isChanging) = ([:], false)
    }
}
