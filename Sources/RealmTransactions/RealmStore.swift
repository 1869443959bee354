internal import Dispatch
internal import RealmLayout
public import RealmReader
internal import RealmStorage
public import RealmWriter
internal import Synchronization

/// A database that is open for writing: one transaction at a time, and snapshots that stay as they are on all threads.
///
/// ```swift
/// let store = try RealmStore(path: "kennel.realm")
/// try await store.write { transaction in
///     let rex = try transaction.add("Dog", ["_id": 1, "name": "Rex"])
///     try transaction.set(rex, "age", 4)
/// }
/// print(try store.snapshot().table(named: "Dog").count)
/// ```
///
/// Without `await`, outside of tasks, `write` blocks its thread.
///
/// Files of format 24, plain or encrypted, that no server or client of a synchronisation follows.
public final class RealmStore: Sendable {
    let durability: Durability
    /// Who may write.
    let queue: WriteQueue
    /// Where transactions of tasks run.
    let jobThread = DispatchQueue(label: "RealmStore", qos: .userInitiated)
    let listeners = SnapshotListeners()
    private let state: Mutex<State>

    private struct State: Sendable {
        /// Nil when the store is closed.
        var database: OpenDatabase?
        var pinned = PinnedSnapshots()
        /// Why nothing can be written any more.
        var failure: StorageError?
    }

    init(_ database: OpenDatabase, _ durability: Durability) {
        self.durability = durability
        queue = WriteQueue(database.device.path)
        state = Mutex(State(database: database))
    }

    deinit { listeners.end() }

    // MARK: Reading

    /// The state after the last commit, which stays as it is for as long as the snapshot lives.
    ///
    /// - Precondition: the store is not closed: that is a mistake of the program, which ends. Where others may close it meanwhile, `read`
    ///   throws instead.
    public func snapshot() -> Snapshot {
        guard let snapshot = openSnapshot() else {
            preconditionFailure("\(queue.path): snapshot() of a store that is closed; read(_:) throws an error instead")
        }
        return snapshot
    }

    /// Reads the state after the last commit. Nobody waits meanwhile.
    ///
    /// ```swift
    /// let count = try store.read { snapshot in try snapshot.table(named: "Dog").count }
    /// print(count)
    /// ```
    ///
    /// - Parameter body: gets the snapshot. What it throws is thrown on.
    /// - Returns: what `body` returns.
    /// - Throws: what `body` throws; `WriteError.storage` where the store is closed.
    public func read<R, Failure: Error>(_ body: (Snapshot) throws(Failure) -> R) throws -> R {
        guard let snapshot = openSnapshot() else { throw WriteError.storage(.storeIsClosed(queue.path)) }
        return try body(snapshot)
    }

    /// The state after the last commit; nil where the store is closed.
    private func openSnapshot() -> Snapshot? {
        state.withLock { state in
            guard let current = state.database?.current else { return nil }
            state.pinned.add(current)
            return current
        }
    }

    /// Notes that somebody may read a snapshot from now on.
    func pin(_ snapshot: Snapshot) { state.withLock { $0.pinned.add(snapshot) } }

    // MARK: Writing

    /// What the next transaction changes.
    ///
    /// - Throws: `storage` where the store is closed, or has failed.
    func database() throws(WriteError) -> OpenDatabase {
        let (database, failure) = state.withLock { ($0.database, $0.failure) }
        if let failure { throw .storage(failure) }
        guard let database else { throw .storage(.storeIsClosed(queue.path)) }
        return database
    }

    /// Commits what a transaction changed. Only who has the turn calls this.
    ///
    /// - Returns: the state after it.
    /// - Throws: `WriteError`; nothing has changed then.
    func commit(_ transaction: WriteTransaction) throws(WriteError) -> Snapshot {
        if let failure = transaction.failure { throw failure }
        try transaction.settle()
        let base = transaction.origin
        guard transaction.base !== base, let group = base.group, let changed = transaction.base.group else {
            return base
        }
        let database = try self.database()
        try waitForSessionBefore(database)
        let (pinned, kept) = state.withLock { ($0.pinned.oldest(), $0.pinned.versions) }
        let oldest = min(pinned ?? base.commitNumber, base.commitNumber)
        let needed = PinnedSpace(oldest: oldest, durable: database.oldestNeeded, kept: kept) { version in
            self.state.withLock { $0.pinned.newest(before: version) }
        }
        let (commit, roots) = try checked { () throws(FormatError) in
            let root = try DatabaseRoot(group)
            return (
                Commit(device: database.device, base: root, needed: needed, durability: durability), try changed.roots()
            )
        }
        // Until the header changes nothing has happened, whatever fails: another transaction may find more room.
        let written = try commit.write(
            names: roots.names, tables: roots.tables, in: transaction.space, size: transaction.neededSize,
            released: transaction.released)
        var next = try database.following(written, durability)
        do throws(StorageError) {
            try commit.select(written.root, database.header)
            next.header = try OpenDatabase.header(of: database.device)
        } catch {
            // What came to the disk of it is not known, and asking the system again tells nothing.
            fail(error)
            throw .storage(error)
        }
        publish(next)
        return next.current
    }

    /// Waits for the disk, once: the first commit writes where only the commit before the last one has something, which is what a loss of
    /// power leads back to as long as the last one is not on the disk (Spec R220.22).
    private func waitForSessionBefore(_ database: OpenDatabase) throws(WriteError) {
        guard !database.isOnDisk else { return }
        do throws(StorageError) { try database.device.synchronize() } catch {
            fail(error)
            throw .storage(error)
        }
        noteOnDisk()
    }

    @inline(never)
    private func noteOnDisk() { state.withLock { $0.database?.isOnDisk = true } }

    /// Notes that nothing can be written any more.
    func fail(_ error: StorageError) { state.withLock { $0.failure = error.untilReopened } }

    /// Makes a commit the state that is read.
    private func publish(_ database: OpenDatabase) {
        state.withLock { state in
            // The last one is pinned if somebody else has it.
            if let before = state.database?.current { state.pinned.add(before) }
            state.database = database
        }
        listeners.tell(database.current)
    }

    /// From the oldest commit that somebody may still read to the last one, both counted: what space cannot be used again for.
    package var activeVersionCount: Int {
        state.withLock { state in
            guard let last = state.database?.current.commitNumber else { return 0 }
            let oldest = min(state.pinned.oldest() ?? last, last)
            return Int(clamping: last - oldest) &+ 1
        }
    }

    /// How many wait to write.
    package var waitingCount: Int { queue.waitingCount }

    /// Goes on with the same commit in another place.
    func replace(_ database: OpenDatabase) {
        state.withLock { state in
            // Snapshots so far are of the place before, where nothing is written any more.
            (state.database, state.pinned) = (database, PinnedSnapshots())
        }
    }

    // MARK: Closing

    /// Ends the store, after the transactions that were asked for before: those that come later are refused, loops over `snapshots` end.
    ///
    /// Snapshots that were handed out can still be read. The file is free for others when the last one is gone.
    ///
    /// - Throws: `WriteError` where the caller has an open transaction, or the last commits could not be brought to the disk.
    public func close(isolation: (any Actor)? = #isolation) throws(WriteError) {
        let turn = try takeTurn(LockOwner(on: isolation))
        queue.close()
        let database = state.withLock { state in
            defer { (state.database, state.pinned) = (nil, PinnedSnapshots()) }
            return state.failure == nil ? state.database : nil
        }
        turn.end()
        listeners.end()
        guard durability == .ordered, let database else { return }
        do throws(StorageError) { try database.device.synchronize() } catch { throw .storage(error) }
    }
}
