internal import RealmCore
internal import RealmLayout
internal import RealmStorage
internal import RealmStore
internal import Synchronization

/// A database as seen by one thread, queue or actor: one version at a time, which all its live objects show.
final class RealmInstance {
    let database: SharedDatabase
    let configuration: Realm.Configuration
    let confinement: Isolation
    private let thread: UInt64
    let isFrozen: Bool
    /// Caches for the version shown.
    let caches = VersionCaches()
    private(set) var models: [ModelClass]
    /// The version shown. In a write transaction, the last version that its changes were written to.
    private(set) var snapshot: Snapshot
    /// Increases whenever data already read may have changed: by a new version, or a change in a transaction.
    private(set) var stamp: UInt64 = 1
    /// The transaction that is open here, or waits for the disk.
    private var current: RealmTransaction?
    private var lastTransaction: UInt64 = 0
    /// The versions before and after the last transaction here; nil if it changed nothing.
    private var lastChange: (from: UInt64, to: UInt64)?
    /// Whether the transaction has changed anything since `snapshot`.
    private(set) var hasChanges = false
    /// Objects bound up to this stamp are invalid.
    private(set) var invalidatedUntil: UInt64 = 0
    var autorefresh = true
    private var bindings: [ObjectIdentifier: ClassBinding] = [:]
    private var dynamicBindings: [String: ClassBinding] = [:]
    /// Held while threads that share a frozen realm access `dynamicBindings`.
    private let sharing = Mutex<Void>(())
    private var retired: [ClassBinding] = []
    private var lastBinding: (type: ObjectIdentifier, binding: ClassBinding)?
    let observers: RealmObservers
    /// Refers to this realm without retaining it.
    let anchor = RealmAnchor()
    private(set) var knownAsyncWrites: AsyncWrites?
    /// The last frozen realm, while it is alive: all objects of a version share one frozen realm.
    var lastFrozen: RealmAnchor?
    /// The context of `create`, while it changes an existing object.
    var creating: _WriteContext?
    /// Whether collections that are written keep their content; see `_WriteContext.keepsWhatIsThere`.
    var keepsWhatIsThere: Bool { creating?.keepsWhatIsThere ?? false }
    /// The context that last added objects; see `adding`.
    var lastAdding: _WriteContext?
    /// Whether objects in mixed values have the classes of the file, as in a migration.
    var isDynamic = false
    /// Classes whose objects received other primary keys in a migration.
    var classesWithoutPrimaryKey: Set<String> = []
    /// Collections inside mixed values, whose places change with the collections around them.
    let nested = NestedCollections()

    var asyncWrites: AsyncWrites {
        if let knownAsyncWrites { return knownAsyncWrites }
        let new = AsyncWrites(self)
        knownAsyncWrites = new
        return new
    }

    init(
        _ database: SharedDatabase, _ configuration: Realm.Configuration, _ confinement: Isolation,
        _ models: [ModelClass],
        _ snapshot: Snapshot
    ) {
        (self.database, self.configuration, self.confinement, self.models) = (
            database, configuration, confinement, models
        )
        self.snapshot = snapshot
        observers = RealmObservers(confinement)
        isFrozen = if case .everywhere = confinement { true } else { false }
        thread = confinement.thread
        anchor.set(self)
        Logger.log(.trace, "DB: Start read of version \(snapshot.commitNumber)")
        guard isFrozen else { return }
        // Threads share a frozen realm, so everything that they read most has to be set now.
        // An older version may lack some tables.
        for model in models { _ = foundBinding(of: model.type) }
    }

    deinit { anchor.clear() }

    @inline(__always)
    func checkConfinement() {
        guard thread != CurrentThread.number else { return }
        confinement.check()
    }

    func isSame(as other: RealmInstance) -> Bool {
        self === other || isFrozen && other.isFrozen && snapshot === other.snapshot
    }

    /// Checks that the objects in a query's arguments are of the queried database: in another one their keys belong to
    /// other objects.
    func checkOrigin(of databases: Set<String>) {
        if databases.contains(where: { $0 != database.identity }) {
            Failure.stop("Object must be from the Realm being queried")
        }
    }

    /// Whether no object has been requested yet.
    var isUnread: Bool { !isFrozen && bindings.isEmpty && dynamicBindings.isEmpty }

    // MARK: Classes

    /// Adds further classes of the program, which the database contains. A confinement has one realm, whatever classes
    /// it is opened with.
    func learn(_ classes: [ModelClass]) {
        let new = classes.filter { model in !models.contains { $0 === model } }
        guard !new.isEmpty else { return }
        models = (models + new).sorted { $0.className < $1.className }
        // The version shown may lack the tables.
        if transaction == nil, refresh() { scheduleAdvance() }
    }

    /// Returns the binding of a class of the program.
    func binding(of type: ObjectBase.Type) -> ClassBinding {
        if let known = knownBinding(of: type) { return known }
        let name = ModelClass.of(type).className
        Failure.stop(
            "Object type '\(name)' is not managed by the Realm. If using a custom `objectClasses` / `objectTypes` array in your configuration, add `\(name)` to the list of `objectClasses` / `objectTypes`."
        )
    }

    /// Returns the binding of a class of the program; nil for a class that the realm does not have.
    private func knownBinding(of type: ObjectBase.Type) -> ClassBinding? {
        let identifier = ObjectIdentifier(type)
        if let lastBinding, lastBinding.type == identifier { return lastBinding.binding }
        guard let binding = bindings[identifier] ?? foundBinding(of: type) else { return nil }
        if !isFrozen { lastBinding = (identifier, binding) }
        return binding
    }

    private func foundBinding(of type: ObjectBase.Type) -> ClassBinding? {
        let model = ModelClass.of(type)
        guard models.contains(where: { $0 === model }) else { return nil }
        let known = try? snapshot.table(named: model.className)
        guard let table = known ?? missingTable(model) else { return nil }
        let binding = ClassBinding(self, model, table, isMissing: known == nil)
        bindings[ObjectIdentifier(type)] = binding
        return binding
    }

    /// Returns an empty table in place of one that a read-only file lacks.
    private func missingTable(_ model: ModelClass) -> Table? {
        guard database.store == nil else { return nil }
        let schema = SchemaDefinition(models.map(\.definition))
        return try? RealmStore(inMemory: schema).snapshot().table(named: model.className)
    }

    /// Returns the binding of a class given by its name in the file; nil if there is none.
    func dynamicBinding(_ className: String) -> ClassBinding? {
        guard isFrozen else { return foundDynamicBinding(className) }
        return sharing.withLock { _ in SendableBox(foundDynamicBinding(className)) }.value
    }

    private func foundDynamicBinding(_ className: String) -> ClassBinding? {
        if let known = dynamicBindings[className] { return known }
        guard let table = try? snapshot.table(named: className) else { return nil }
        let model = models.first { $0.className == className }
        let binding = ClassBinding(self, ModelClass(dynamic: table.schema, named: model), table)
        dynamicBindings[className] = binding
        return binding
    }

    /// Returns a view of an object, of a class of the program or of the file.
    func object<T: ObjectBase>(_ type: T.Type, _ position: TablePosition, _ key: ObjectKey, _ stored: StoredObject?)
        -> T?
    {
        if type == DynamicObject.self { return dynamicBinding(at: position)?.object(key, stored) as? T }
        if type == ObjectBase.self || type == Object.self { return object(at: position, key, stored) as? T }
        if let binding = knownBinding(of: type), binding.position == position {
            let object = T.init()
            object.show(binding, key, stored)
            return object
        }
        // The object may be of a subclass of the requested class, for example when the class comes from a variable.
        if let object = object(at: position, key, stored) as? T { return object }
        // Terminates the program for a class that the realm does not have.
        _ = binding(of: type)
        return nil
    }

    /// Returns a view of an object whose class is known only from the file: of the program's class if there is one.
    private func object(at position: TablePosition, _ key: ObjectKey, _ stored: StoredObject?) -> ObjectBase? {
        let name = snapshot.cores[position].schema.name
        guard !isDynamic, let model = models.first(where: { $0.className == name }) else {
            return dynamicBinding(at: position)?.object(key, stored)
        }
        return binding(of: model.type).object(key, stored)
    }

    private func dynamicBinding(at position: TablePosition) -> ClassBinding? {
        dynamicBinding(snapshot.cores[position].schema.name)
    }

    /// Forgets the bindings of classes, whose properties may have changed. Bound objects keep theirs.
    func forgetClasses() {
        settle()
        retired += bindings.values
        retired += dynamicBindings.values
        (bindings, dynamicBindings, lastBinding) = ([:], [:], nil)
    }

    /// All classes of the file.
    var dynamicSchema: Schema {
        settle()
        return Schema(snapshot.classes.compactMap { dynamicBinding($0.name)?.model })
    }

    // MARK: Versions

    /// Brings all changes of the transaction into `snapshot`, for callers that read many objects.
    func settle() {
        checkConfinement()
        guard hasChanges, let transaction else { return }
        show(Failure.unlessStopped { () throws(WriteError) in try transaction.snapshot() })
    }

    /// Shows another version.
    func show(_ snapshot: Snapshot) {
        let before = self.snapshot
        self.snapshot = snapshot
        hasChanges = false
        stamp += 1
        caches.letGo()
        for binding in bindings.values { binding.letGo() }
        for binding in dynamicBindings.values { binding.letGo() }
        for binding in retired { binding.letGo() }
        // Usually it is the same array.
        guard before.schema.tables != snapshot.schema.tables else { return }
        for binding in bindings.values { binding.follow(from: before, to: snapshot) }
        for binding in dynamicBindings.values { binding.follow(from: before, to: snapshot) }
        for binding in retired { binding.follow(from: before, to: snapshot) }
    }

    /// Shows the latest version.
    ///
    /// - Returns: whether the version changed.
    func refresh() -> Bool {
        checkConfinement()
        guard !isFrozen, showsCommit() else { return false }
        let newest = database.snapshot()
        guard newest !== snapshot else { return false }
        show(newest)
        return true
    }

    func invalidate() {
        checkConfinement()
        // Threads share frozen realms, and an observer that is being notified continues to use the realm.
        guard !isFrozen, !observers.areBeingTold else { return }
        knownAsyncWrites?.dropWaiting()
        if transaction != nil { cancelWrite() }
        knownAsyncWrites?.finishCommits()
        invalidatedUntil = stamp
        stamp += 1
        _ = refresh()
    }

    // MARK: Transactions

    /// The open transaction, which makes the changes; nil if none is open.
    var transaction: WriteTransaction? { current?.open }

    /// Number of the transaction, counted from 1; 0 outside a transaction.
    var transactionNumber: UInt64 { current?.number ?? 0 }

    /// The transaction whose changes are shown although they may still be undone; nil if it has changed nothing.
    @inline(__always)
    var changingTransaction: RealmTransaction? {
        guard let current, stamp > current.begunAt else { return nil }
        return current
    }

    /// Whether the version shown is a commit, and no transaction is open. A pending commit that has ended is shown from
    /// now on.
    func showsCommit() -> Bool {
        guard let current else { return true }
        guard let commit = current.commit, let result = commit.result else { return false }
        conclude(current, committed: try? result.get(), undone: snapshot)
        return true
    }

    /// Waits for a pending commit, if there is one, and shows it.
    func waitForCommit() {
        guard let commit = current?.commit else { return }
        commit.wait()
        _ = showsCommit()
    }

    /// The latest committed version; inside a transaction, the version before it.
    var versionToFreeze: Snapshot { current?.base ?? snapshot }

    func begin(_ transaction: WriteTransaction) {
        // The write lock is obtained after that commit.
        waitForCommit()
        let base = Failure.unlessStopped { () throws(WriteError) in try transaction.snapshot() }
        let isAnother = base.commitNumber != snapshot.commitNumber
        if base !== snapshot { show(base) }
        lastTransaction += 1
        current = RealmTransaction(lastTransaction, transaction, base, self)
        Logger.log(.trace, "DB: Start write on version \(base.commitNumber)")
        // Observers are notified of earlier changes first.
        if isAnother { observers.tellOfChange(.didChange, self) }
        observers.tell(self)
    }

    /// The outcome of the transaction, once it is known; nil outside a transaction.
    var fate: TransactionOutcome? { current?.fate }

    /// Commits the open transaction.
    ///
    /// - Throws: `Realm.Error`; nothing has changed then.
    func commit(_ transaction: WriteTransaction, withoutNotifying tokens: [NotificationToken]) throws {
        let committed: Snapshot
        var undone: Snapshot?
        do {
            committed = try translatingErrors(configuration.path) { try transaction.commit { undone = $0 } }
        } catch {
            end(committed: nil, undone: undone)
            throw error
        }
        Logger.log(.debug, "DB: Commit of version \(committed.commitNumber)")
        end(committed: committed, withoutNotifying: tokens)
    }

    /// Cancels the open transaction.
    func cancel(_ transaction: WriteTransaction) {
        let undone = isKnownUniquelyReferenced(&current) ? nil : try? transaction.snapshot()
        transaction.cancel()
        end(committed: nil, undone: undone)
    }

    /// Ends the open transaction, and shows its commit or the version before it.
    private func end(committed: Snapshot?, undone: Snapshot? = nil, withoutNotifying tokens: [NotificationToken] = []) {
        // This may be the last reference.
        let kept = self
        if let current { conclude(current, committed: committed, undone: undone) }
        if committed != nil {
            observers.pass(self, tokens)
            observers.tellOfChange(.didChange, self, except: tokens)
            announce()
        } else {
            // Reports changes that had to wait for the end.
            scheduleTelling()
        }
        kept.knownAsyncWrites?.startNext()
    }

    /// Records the outcome of the transaction, and shows it.
    ///
    /// - Parameters:
    ///   - committed: the committed version; nil if nothing was committed.
    ///   - undone: the state with the changes that were not committed.
    private func conclude(_ ended: RealmTransaction, committed: Snapshot?, undone: Snapshot?) {
        let base = ended.base ?? snapshot
        current = nil
        if let committed {
            ended.noteCommitted()
            lastChange = (base.commitNumber, committed.commitNumber)
        } else {
            ended.noteUndone(undone)
            nested.restore(ended.number)
            lastChange = nil
        }
        // Not the latest version: later commits made elsewhere still have to be reported to observers.
        show(committed ?? base)
    }

    /// Hands the changes of the transaction to a commit on another thread, and shows them meanwhile.
    func leave(to commit: CommitElsewhere) {
        settle()
        current?.noteCommitting(commit)
    }

    /// Leaves the transaction to the code that began it.
    func leave() {
        settle()
        current?.noteCommitted()
        current = nil
    }

    /// Whether all changes between a version and the one shown were made by a transaction of this realm.
    func hasChangedItself(since version: Snapshot) -> Bool {
        lastChange.map { $0 == (version.commitNumber, snapshot.commitNumber) } ?? false
    }

    /// Makes a change in the open transaction.
    func modify<R>(_ body: (WriteTransaction) throws(WriteError) -> R) -> R {
        checkConfinement()
        guard let transaction else { Failure.stop(outsideOfWrite) }
        do throws(WriteError) {
            let result = try body(transaction)
            noteChange()
            return result
        } catch {
            if case .misfit(let misfit) = error, misfit.code == .badObjectKey { Failure.stop(Failure.deleted) }
            Failure.stop("\(error)")
        }
    }

    /// Error message for a change that is not allowed now.
    var outsideOfWrite: String { isFrozen ? Failure.frozenObject : Failure.outsideOfWrite }

    func noteChange() {
        hasChanges = true
        stamp += 1
    }
}
