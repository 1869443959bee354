internal import RealmLayout
internal import RealmReader
internal import RealmStorage
internal import RealmTransactions
internal import RealmWriter
internal import Synchronization

/// A database as one thread, queue or actor sees it: one version at a time, which all live objects there show.
final class RealmInstance {
    let database: SharedDatabase
    let configuration: Realm.Configuration
    let confinement: Isolation
    private let thread: UInt64
    let isFrozen: Bool
    /// What was found in the version that is shown.
    let caches = VersionCaches()
    private(set) var models: [ModelClass]
    /// The version that is shown. Inside of a write transaction the last one that its changes were written to.
    private(set) var snapshot: Snapshot
    /// Changes whenever something that was read may be another: by a new version, and by each change of a transaction.
    private(set) var stamp: UInt64 = 1
    /// The transaction that is open here, or waits for the disk.
    private var current: RealmTransaction?
    private var lastTransaction: UInt64 = 0
    /// The versions that the last transaction here led from and to; nil where it changed nothing.
    private var lastChange: (from: UInt64, to: UInt64)?
    /// Whether the transaction has changed something since `snapshot`.
    private(set) var hasChanges = false
    /// Objects that were bound until then are invalid.
    private(set) var invalidatedUntil: UInt64 = 0
    var autorefresh = true
    private var bindings: [ObjectIdentifier: ClassBinding] = [:]
    private var dynamicBindings: [String: ClassBinding] = [:]
    /// Held while threads that share a frozen realm look into `dynamicBindings`.
    private let sharing = Mutex<Void>(())
    private var retired: [ClassBinding] = []
    private var lastBinding: (type: ObjectIdentifier, binding: ClassBinding)?
    let observers: RealmObservers
    /// Leads here without keeping the realm.
    let anchor = RealmAnchor()
    private(set) var knownAsyncWrites: AsyncWrites?
    /// Where what was frozen last is found, as long as somebody has it: all objects of a version share one frozen realm.
    var lastFrozen: RealmAnchor?
    /// What `create` makes, while it changes an object that is there.
    var creating: _WriteContext?
    /// Whether collections that are written keep what is there; see `_WriteContext.keepsWhatIsThere`.
    var keepsWhatIsThere: Bool { creating?.keepsWhatIsThere ?? false }
    /// What added objects last; see `adding`.
    var lastAdding: _WriteContext?
    /// Whether objects in mixed values are those of the file, as they are in a migration.
    var isDynamic = false
    /// Classes whose objects got other primary keys in a migration.
    var classesWithoutPrimaryKey: Set<String> = []
    /// Collections inside of mixed values, whose places change with the collections around them.
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
        // Threads share a frozen realm: there must be nothing left to be set for what they read most.
        // Of an older version some tables may be missing.
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

    /// Checks that the objects that a query is asked with are of the database that is asked: in another one their keys are those of others.
    func checkOrigin(of databases: Set<String>) {
        if databases.contains(where: { $0 != database.identity }) {
            Failure.stop("Object must be from the Realm being queried")
        }
    }

    /// Whether nobody has asked for an object yet.
    var isUnread: Bool { !isFrozen && bindings.isEmpty && dynamicBindings.isEmpty }

    // MARK: Classes

    /// Goes on with more classes of the program, which the database has: one place has one realm, whatever it is opened with.
    func learn(_ classes: [ModelClass]) {
        let new = classes.filter { model in !models.contains { $0 === model } }
        guard !new.isEmpty else { return }
        models = (models + new).sorted { $0.className < $1.className }
        // The version at hand may be one without the tables.
        if transaction == nil, refresh() { scheduleAdvance() }
    }

    /// The binding of a class of the program.
    func binding(of type: ObjectBase.Type) -> ClassBinding {
        if let known = knownBinding(of: type) { return known }
        let name = ModelClass.of(type).className
        Failure.stop(
            "Object type '\(name)' is not managed by the Realm. If using a custom `objectClasses` / `objectTypes` array in your configuration, add `\(name)` to the list of `objectClasses` / `objectTypes`."
        )
    }

    /// The same; nil for a class that the realm does not have.
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

    /// What stands for the table of a class that a file does not have which is only read: it has no objects.
    private func missingTable(_ model: ModelClass) -> Table? {
        guard database.store == nil else { return nil }
        let schema = SchemaDefinition(models.map(\.definition))
        return try? RealmStore(inMemory: schema).snapshot().table(named: model.className)
    }

    /// The binding of a class of the file by its name; nil where there is none.
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

    /// A view of an object of a class of the program, or of the file.
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
        // It may be of a class below the one that is asked for, as where that is the value of a variable.
        if let object = object(at: position, key, stored) as? T { return object }
        // A class that the realm does not have ends the program.
        _ = binding(of: type)
        return nil
    }

    /// A view of an object whose class only the file tells: one of the program where it has that class.
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

    /// Looks classes up anew, whose properties may be others. Objects that were bound keep theirs.
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

    /// Lets `snapshot` have all changes of the transaction, for what reads many objects.
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
        // Mostly it is the same array.
        guard before.schema.tables != snapshot.schema.tables else { return }
        for binding in bindings.values { binding.follow(from: before, to: snapshot) }
        for binding in dynamicBindings.values { binding.follow(from: before, to: snapshot) }
        for binding in retired { binding.follow(from: before, to: snapshot) }
    }

    /// Shows the last version.
    ///
    /// - Returns: whether it is another one.
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
        // Threads share what is frozen, and who is being told of something goes on with it.
        guard !isFrozen, !observers.areBeingTold else { return }
        knownAsyncWrites?.dropWaiting()
        if transaction != nil { cancelWrite() }
        knownAsyncWrites?.finishCommits()
        invalidatedUntil = stamp
        stamp += 1
        _ = refresh()
    }

    // MARK: Transactions

    /// What makes the changes of the transaction that is open; nil where none is.
    var transaction: WriteTransaction? { current?.open }

    /// The number of the transaction, counted from 1; 0 outside of one.
    var transactionNumber: UInt64 { current?.number ?? 0 }

    /// The transaction whose changes are shown, before it is known whether they come to be; nil where it has changed nothing.
    @inline(__always)
    var changingTransaction: RealmTransaction? {
        guard let current, stamp > current.begunAt else { return nil }
        return current
    }

    /// Whether what is shown is a commit, and no transaction is open. Where one waited for the disk, and has come there, its commit is shown
    /// from now on.
    func showsCommit() -> Bool {
        guard let current else { return true }
        guard let commit = current.commit, let result = commit.result else { return false }
        conclude(current, committed: try? result.get(), undone: snapshot)
        return true
    }

    /// Waits for a commit elsewhere, if there is one, and shows it.
    func waitForCommit() {
        guard let commit = current?.commit else { return }
        commit.wait()
        _ = showsCommit()
    }

    /// The last version that is a commit: inside of a transaction the one before.
    var versionToFreeze: Snapshot { current?.base ?? snapshot }

    func begin(_ transaction: WriteTransaction) {
        // Who has the right to write has it after that commit.
        waitForCommit()
        let base = Failure.unlessStopped { () throws(WriteError) in try transaction.snapshot() }
        let isAnother = base.commitNumber != snapshot.commitNumber
        if base !== snapshot { show(base) }
        lastTransaction += 1
        current = RealmTransaction(lastTransaction, transaction, base, self)
        Logger.log(.trace, "DB: Start write on version \(base.commitNumber)")
        // Who observes is told of what there was before.
        if isAnother { observers.tellOfChange(.didChange, self) }
        observers.tell(self)
    }

    /// What will have become of the transaction; nil outside of one.
    var fate: TransactionOutcome? { current?.fate }

    /// Commits the transaction that is open.
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

    /// Undoes the transaction that is open.
    func cancel(_ transaction: WriteTransaction) {
        let undone = isKnownUniquelyReferenced(&current) ? nil : try? transaction.snapshot()
        transaction.cancel()
        end(committed: nil, undone: undone)
    }

    /// Ends the transaction that is open: what it committed is shown, or what there was before.
    private func end(committed: Snapshot?, undone: Snapshot? = nil, withoutNotifying tokens: [NotificationToken] = []) {
        // It may be all that keeps the realm.
        let kept = self
        if let current { conclude(current, committed: committed, undone: undone) }
        if committed != nil {
            observers.pass(self, tokens)
            observers.tellOfChange(.didChange, self, except: tokens)
            announce()
        } else {
            // Of what had to wait for the end.
            scheduleTelling()
        }
        kept.knownAsyncWrites?.startNext()
    }

    /// Notes what has become of the transaction, and shows it.
    ///
    /// - Parameters:
    ///   - committed: what was committed; nil where nothing was.
    ///   - undone: the state with what was not committed.
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
        // Not the last version: others may have committed since, of which observers are still to be told.
        show(committed ?? base)
    }

    /// Leaves what the transaction has changed to a commit elsewhere, and shows it meanwhile.
    func leave(to commit: CommitElsewhere) {
        settle()
        current?.noteCommitting(commit)
    }

    /// Leaves the transaction to who has begun it.
    func leave() {
        settle()
        current?.noteCommitted()
        current = nil
    }

    /// Whether all that has changed from a version to the one that is shown was changed by a transaction here.
    func hasChangedItself(since version: Snapshot) -> Bool {
        lastChange.map { $0 == (version.commitNumber, snapshot.commitNumber) } ?? false
    }

    /// Runs a change.
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

    /// What is told who changes something that may not be changed now.
    var outsideOfWrite: String { isFrozen ? Failure.frozenObject : Failure.outsideOfWrite }

    func noteChange() {
        hasChanges = true
        stamp += 1
    }
}
