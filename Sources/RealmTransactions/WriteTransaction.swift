internal import RealmLayout
public import RealmReader
internal import RealmStorage
public import RealmWriter

/// Changes of a database that become visible together, or not at all.
///
/// ```swift
/// try await store.write { transaction in
///     guard let rex = try transaction.object("Dog", primaryKey: 1) else { return }
///     try transaction.set(rex, "name", "Max")
/// }
/// ```
///
/// `RealmStore.write` makes one for its closure; one of `RealmStore.begin` ends with `commit` or `cancel`. One thread at a time may use
/// it. When it has ended, it throws `finished`.
public final class WriteTransaction {
    /// The last commit when the transaction began.
    private(set) var origin: Snapshot
    /// The state that the changes are made to: that of the last commit, and later what was changed and looked at.
    private(set) var base: Snapshot
    private(set) var nodes: NodeOutput
    var released = FreedNodes()
    private var tables: [TablePosition: MutableTable] = [:]
    /// Those that were asked for by name.
    private var tablesByName: [String: MutableTable] = [:]
    /// The ones that were asked for last.
    private var lastNamed: (name: String, table: MutableTable)?
    private var lastFound: MutableTable?
    private var memory: ReservedMemory
    /// Nodes of an encrypted file that were found stay where they are until the transaction ends.
    private var hold: PageHold?
    private(set) var bytes = BytesArena()
    private let fileIdentifier: UInt64
    let pin: (Snapshot) -> Void
    /// Why nothing can be done any more.
    private(set) var failure: WriteError?
    /// Those that are changed element by element.
    var collections: [CollectionPlace: CollectionChanges] = [:]
    /// What is left of the work for the collections inside of a value; nil where their walk has not begun.
    var walk: WorkBudget?
    /// Whether a call that has not ended has changed something.
    private var isChanging = false
    /// The right to write, and whose it is, of a transaction by hand.
    private var turn: (turn: WriteLockGuard, store: RealmStore)?

    /// - Parameters:
    ///   - memory: for the nodes of the transaction.
    ///   - pin: is told of each snapshot that is handed out.
    init(_ base: Snapshot, in memory: ReservedMemory, pin: @escaping (Snapshot) -> Void) {
        (origin, self.base) = (base, base)
        hold = base.data.pages.map { PageHold($0) }
        self.pin = pin
        self.memory = memory
        nodes = NodeOutput(in: memory)
        fileIdentifier = base.group?.syncFileIdentifier ?? 0
    }

    /// The space with all that was written so far.
    var space: NodeSpace { base.space.with(overlay: nodes.written) }

    /// The bytes of all nodes, those included that others have replaced.
    package var size: Int { nodes.written.count }
    /// The bytes of nodes that no other has replaced, about: what a commit has to place.
    var neededSize: Int { max(0, size - released.replacedBytes) }

    // MARK: What users call

    /// Sets properties of the object with a primary key, or adds it.
    ///
    /// - Parameters:
    ///   - values: the values of its properties by name, the primary key among them. What is left out stays as it is, or
    ///     is null or empty in an object that is added.
    ///   - onlyChanged: whether a value that is there already is left alone, with the objects that live in it and the nodes that hold
    ///     it: who compares snapshots afterwards does not find what stays the same either way. An upsert without a change is none.
    /// - Returns: what links to it can be made of.
    /// - Throws: `WriteError`, as `add`; also where the class has no primary key.
    public func upsert(
        _ className: String, _ values: [String: NewValue], onlyChanged: Bool = false
    ) throws(WriteError) -> ObjectReference {
        try guarded { () throws(WriteError) in
            let table = try table(named: className)
            guard let primary = table.core.primaryKeyIndex else { throw withoutPrimaryKey(table) }
            var given = try given(values, table)
            guard let key = try find(primaryKey: given[primary] ?? .null, in: table) else {
                return ObjectReference(className, try add(to: table, &given, depth: 0))
            }
            // What scalars are wrong is told before anything changes.
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
    /// - Throws: `WriteError`, as `add`; `badObjectKey` where the object is gone.
    public func set(_ object: ObjectReference, _ property: String, _ value: NewValue) throws(WriteError) {
        try guarded { () throws(WriteError) in
            let table = try table(named: object.className)
            try set(object.key, of: table, try self.property(property, of: table), value, depth: 0)
        }
    }

    /// Removes an object. Links to it become null, or go from their lists; the objects that live inside it go with it. One that lives inside
    /// another goes out of its property in the same way.
    ///
    /// - Throws: `WriteError`, as `set`.
    public func delete(_ object: ObjectReference) throws(WriteError) {
        try guarded { () throws(WriteError) in try delete(object.key, of: try table(named: object.className)) }
    }

    /// The object with a primary key; nil when there is none.
    ///
    /// - Throws: `WriteError` where the class has no primary key, or another type of it.
    public func object(_ className: String, primaryKey value: NewValue) throws(WriteError) -> ObjectReference? {
        try guarded { () throws(WriteError) in
            let table = try table(named: className)
            return try find(primaryKey: value, in: table).map { ObjectReference(className, $0) }
        }
    }

    /// The database with all that was changed so far. It stays as it is, whatever becomes of the transaction.
    ///
    /// - Throws: `WriteError`.
    public func snapshot() throws(WriteError) -> Snapshot {
        try guarded { () throws(WriteError) in
            try settle()
            pin(base)
            return base
        }
    }

    // MARK: Parts

    @inline(__always)
    func guarded<R>(_ body: () throws(WriteError) -> R) throws(WriteError) -> R {
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
            if case .misfit = error, !isChanging { throw error }
            // Half of a change must not be committed.
            failure = error
            throw error
        }
    }

    /// Notes that the call changes something now: an error that comes later ends the transaction.
    func noteChange() { isChanging = true }

    /// What was changed or looked at of a table since changes were written last; nil for a table that nobody asked for.
    func knownTable(at position: TablePosition) -> MutableTable? { tables[position] }

    func table(at position: TablePosition) throws(WriteError) -> MutableTable {
        if let lastFound, lastFound.position == position { return lastFound }
        if let known = tables[position] {
            lastFound = known
            return known
        }
        let changes = try checked { () throws(FormatError) in try MutableTable(base, at: position) }
        tables[position] = changes
        return changes
    }

    func table(named name: String) throws(WriteError) -> MutableTable {
        if let lastNamed, lastNamed.name == name { return lastNamed.table }
        if let known = tablesByName[name] {
            lastNamed = (name, known)
            return known
        }
        let position: TablePosition
        do throws(FormatError) {
            position = try base.table(named: name).position
        } catch {
            guard error.code == .noSuchTable else { throw .source(error) }
            throw .misfit(InvalidValue(.noSuchTable, error.detail))
        }
        let found = try table(at: position)
        tablesByName[name] = found
        return found
    }

    func table(_ key: TableKey) throws(WriteError) -> MutableTable {
        guard let position = base.position(of: key) else {
            throw .source(FormatError(.badLink, "a link to the table \(key), which does not exist"))
        }
        return try table(at: position)
    }

    /// Where a collection is, of an object and a property by its name.
    func collectionPlace(
        _ object: ObjectReference, _ property: String
    ) throws(WriteError) -> (CollectionPlace, MutableTable) {
        let table = try table(named: object.className)
        let index = try self.property(property, of: table)
        return (CollectionPlace(table: table.position, object: object.key, property: index), table)
    }

    private func property(_ name: String, of table: MutableTable) throws(WriteError) -> PropertyIndex {
        guard let index = table.names.index(of: name) else {
            let error = base.table(at: table.position).noSuchProperty(name)
            throw .misfit(InvalidValue(.noSuchProperty, error.detail).at(table: error.table))
        }
        return index
    }

    func place(
        of key: ObjectKey, in table: MutableTable
    ) throws(WriteError) -> (cluster: MutableCluster, row: Int) {
        guard let found = try table.tree(of: key)?.find(key) else {
            throw .misfit(
                InvalidValue(.badObjectKey, "there is no such object").at(
                    table: table.core.schema.tableName, objectKey: key))
        }
        return found
    }

    func find(primaryKey value: NewValue, in table: MutableTable) throws(WriteError) -> ObjectKey? {
        guard let primary = table.core.primaryKeyIndex else {
            throw withoutPrimaryKey(table)
        }
        return try table.object(primaryKey: IndexKeyBytes(try scalar(value, table, primary)), in: base)
    }

    private func withoutPrimaryKey(_ table: MutableTable) -> WriteError {
        .misfit(InvalidValue(.noSuchProperty, "the class has no primary key").at(table: table.core.schema.tableName))
    }

    func newKey(in table: MutableTable) throws(WriteError) -> ObjectKey {
        try table.nextKey(fileIdentifier: fileIdentifier)
    }

    /// A key that was chosen for a new object.
    func take(_ key: ObjectKey, in table: MutableTable) throws(WriteError) -> ObjectKey {
        let misfit: InvalidValue? =
            if key.value < 0 || key.value == .max {
                InvalidValue(.badObjectKey, "\(key) is not an object key")
            } else if try table.objects.contains(key) {
                InvalidValue(.duplicateKey, "there is an object with the key \(key)")
            } else {
                nil
            }
        if let misfit { throw .misfit(misfit.at(table: table.core.schema.tableName, objectKey: key)) }
        table.noteChosen(key, fileIdentifier: fileIdentifier)
        return key
    }

    /// Writes all changes to memory, where they are what later ones are made to.
    func settle() throws(WriteError) {
        try closeCollections()
        guard let group = base.group, tables.values.contains(where: { !$0.isEmpty }) else { return }
        // In an order that is the same each time: the same transactions make the same file.
        let tables = tables.values.sorted { $0.position < $1.position }
        // Links of one table change the columns of others.
        for table in tables { try table.settleLinks(nodes, &released) }
        let slots = try checked { () throws(FormatError) in try group.tableSlots() }
        var refs = (0..<slots.refs.count).map { slots.refs[unchecked: $0] }
        for table in tables where !table.isEmpty {
            refs[table.key.slot] = Int64(try table.write(nodes, &released).offset)
        }
        let roots = try checked { () throws(FormatError) in try group.roots() }
        let list = try nodes.refs(refs)
        let space = space
        try checked { () throws(FormatError) in try released.add(roots.tables, in: space) }
        try become(names: nil, tables: list)
        try moveNeeded()
    }

    /// Bytes of nodes that others have replaced which are not worth the work of moving the rest.
    private static let fewReplaced = 8 << 20

    /// Moves the nodes that are needed to other memory where most of them have been replaced: who reads what it has changed, again and
    /// again, writes the same clusters as often. Snapshots that were handed out keep the memory that they are in.
    private func moveNeeded() throws(WriteError) {
        let (replaced, needed) = (released.replacedBytes, neededSize)
        guard replaced > Self.fewReplaced, replaced > needed, let group = base.group else { return }
        let space = space
        let roots = try checked { () throws(FormatError) in try group.roots() }
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

    /// Makes other lists of tables those that later changes are made to.
    ///
    /// - Parameter names: the names of the tables; nil where they are the same.
    func become(names: Ref?, tables list: Ref) throws(WriteError) {
        (tables, tablesByName, lastNamed, lastFound) = ([:], [:], nil, nil)
        let overlay = ByteSource(nodes.written, of: memory)
        let space = space
        base = try checked { () throws(FormatError) in
            try Snapshot(base, names: names, tables: list, in: space, keeping: overlay)
        }
    }
}

// How it ends, and how parts of it are undone.
extension WriteTransaction {
    /// A state that one can go back to: all changes up to then are settled.
    struct Mark {
        fileprivate let base: Snapshot
        fileprivate let released: FreedNodes
        /// What they were written with, and to: they may be moved later.
        fileprivate let nodes: NodeOutput
        fileprivate let memory: ReservedMemory
        fileprivate let size: Int
    }

    /// The state now, when all changes are settled.
    var mark: Mark { Mark(base: base, released: released, nodes: nodes, memory: memory, size: size) }

    /// Undoes what was changed since, whatever went wrong with it.
    func goBack(to mark: Mark) {
        forgetChanges()
        (base, released, failure) = (mark.base, mark.released, nil)
        (nodes, memory) = (mark.nodes, mark.memory)
        released.addReplaced(bytes: size - mark.size)
    }

    /// Goes on after a commit.
    func restart(from commit: Snapshot, in memory: ReservedMemory) {
        forgetChanges()
        (origin, base, released) = (commit, commit, FreedNodes())
        hold = commit.data.pages.map { PageHold($0) }
        self.memory = memory
        (nodes, bytes) = (NodeOutput(in: memory), BytesArena())
    }

    /// Makes it a transaction by hand.
    func hold(_ turn: WriteLockGuard, of store: RealmStore) { self.turn = (turn, store) }

    /// Leaves the transaction to another thread, which commits it: who began it may wait for that.
    package func handOver() { turn?.turn.handOver() }

    /// The store of a transaction by hand that has not ended.
    ///
    /// - Throws: `finished`.
    func openStore() throws(WriteError) -> RealmStore {
        if let turn { return turn.store }
        throw failure ?? .misfit(InvalidValue(.finished, "the transaction is committed when its closure returns"))
    }

    /// Ends the transaction, and lets others write.
    func giveTurnBack() {
        end()
        turn?.turn.end()
        turn = nil
    }

    /// Lets nothing more be done.
    func end() {
        var memory = memory
        let used = size
        if let nothing = Self.nothing { restart(from: nothing.snapshot, in: nothing.memory) }
        // An owner that keeps what has ended keeps none of it.
        TransactionMemory.giveBack(&memory, used: used)
        if failure == nil { failure = .misfit(InvalidValue(.finished, "the transaction has ended")) }
    }

    /// What a transaction that has ended is about.
    private static let nothing: (snapshot: Snapshot, memory: ReservedMemory)? = {
        guard
            let snapshot = try? RealmDatabase(bytes: FileHeader.bytes(selecting: (Ref(0), FormatVersion(24))))
                .snapshot(),
            let memory = try? ReservedMemory(most: 1 << 16, least: 1 << 16)
        else { return nil }
        return (snapshot, memory)
    }()

    private func forgetChanges() {
        (tables, tablesByName, lastNamed, lastFound) = ([:], [:], nil, nil)
        (collections, isChanging) = ([:], false)
    }
}
