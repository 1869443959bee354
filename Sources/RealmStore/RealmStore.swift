internal import Dispatch
public import RealmCore
internal import RealmLayout
internal import RealmStorage
internal import Synchronization

/// A database opened for writing: one transaction at a time, and immutable snapshots for all threads.
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
/// Without `await`, outside tasks, `write` blocks its thread.
///
/// Supports files of format 24, encrypted or not, that are not synchronised with a server or client.
public final class RealmStore: Sendable {
    let durability: Durability
    /// Grants the right to write.
    let queue: WriteQueue
    /// Runs the transactions of tasks.
    let jobThread = DispatchQueue(label: "RealmStore", qos: .userInitiated)
    let listeners = SnapshotListeners()
    private let state: Mutex<State>

    private struct State: Sendable {
        /// Nil if the store is closed.
        var database: OpenDatabase?
        var pinned = PinnedSnapshots()
        /// The reason why the store can no longer write.
        var failure: StorageError?
    }

    init(_ database: OpenDatabase, _ durability: Durability) {
        self.durability = durability
        queue = WriteQueue(database.device.path)
        state = Mutex(State(database: database))
    }

    deinit { listeners.end() }

    // MARK: Reading

    /// Returns the state after the last commit, which is immutable as long as the snapshot lives.
    ///
    /// - Precondition: the store is open; calling this on a closed store is a programming error and ends the process.
    ///   If it may be closed concurrently, use `read`, which throws instead.
    public func snapshot() -> Snapshot {
        guard let snapshot = openSnapshot() else {
            preconditionFailure("\(queue.path): snapshot() of a store that is closed; read(_:) throws an error instead")
        }
        return snapshot
    }

    /// Reads the state after the last commit. Blocks nobody.
    ///
    /// ```swift
    /// let count = try store.read { snapshot in try snapshot.table(named: "Dog").count }
    /// print(count)
    /// ```
    ///
    /// - Parameter body: called with the snapshot. Its errors are rethrown.
    /// - Returns: the result of `body`.
    /// - Throws: errors of `body`; `WriteError.storage` if the store is closed.
    public func read<R, Failure: Error>(_ body: (Snapshot) throws(Failure) -> R) throws -> R {
        guard let snapshot = openSnapshot() else { throw WriteError.storage(.storeIsClosed(queue.path)) }
        return try body(snapshot)
    }

    /// The state after the last commit; nil if the store is closed.
    private func openSnapshot() -> Snapshot? {
        state.withLock { state in
            guard let current = state.database?.current else { return nil }
            state.pinned.add(current)
            return current
        }
    }

    /// Records that a snapshot may be read from now on.
    func pin(_ snapshot: Snapshot) { state.withLock { $0.pinned.add(snapshot) } }

    // MARK: Writing

    /// The base of the next transaction.
    ///
    /// - Throws: `storage` if the store is closed, or has failed.
    func database() throws(WriteError) -> OpenDatabase {
        let (database, failure) = state.withLock { ($0.database, $0.failure) }
        if let failure { throw .storage(failure) }
        guard let database else { throw .storage(.storeIsClosed(queue.path)) }
        return database
    }

    /// Commits the transaction. The caller must hold the write lock.
    ///
    /// - Returns: the state after the commit.
    /// - Throws: `WriteError`; nothing has changed then.
    func commit(_ transaction: WriteTransaction) throws(WriteError) -> Snapshot {
        if let failure = transaction.failure { throw failure }
        try WriteError.translating { try transaction.settle() }
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
        // Until the header changes, nothing has happened, whatever fails: another transaction may find more room.
        let (commit, written) = try WriteError.translating {
            let roots = try changed.roots()
            let commit = Commit(
                device: database.device, base: try DatabaseRoot(group), needed: needed, durability: durability)
            let written = try commit.write(
                names: roots.names, tables: roots.tables, in: transaction.space, size: transaction.neededSize,
                released: transaction.released)
            return (commit, written)
        }
        var next = try database.following(written, durability)
        do throws(StorageError) {
            try commit.select(written.root, database.header)
            next.header = try OpenDatabase.header(of: database.device)
        } catch {
            // It is unknown what reached the disk, and a second attempt would not find out.
            fail(error)
            throw .storage(error)
        }
        publish(next)
        return next.current
    }

    /// Waits for the disk before the first commit of the store. That commit overwrites nodes that only the commit before
    /// the last one uses; as long as the last one is not on the disk, a loss of power leads back there (Spec R220.22).
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

    /// Records that nothing can be written any more.
    func fail(_ error: StorageError) { state.withLock { $0.failure = error.untilReopened } }

    /// Makes a commit the current state.
    private func publish(_ database: OpenDatabase) {
        state.withLock { state in
            // Keeps the previous state pinned, in case somebody else holds it.
            if let before = state.database?.current { state.pinned.add(before) }
            state.database = database
        }
        listeners.tell(database.current)
    }

    /// The number of commits from the oldest one that may still be read to the last one, which limits the reuse of
    /// space.
    package var activeVersionCount: Int {
        state.withLock { state in
            guard let last = state.database?.current.commitNumber else { return 0 }
            let oldest = min(state.pinned.oldest() ?? last, last)
            return Int(clamping: last - oldest) &+ 1
        }
    }

    /// The number of waiting writers.
    package var waitingCount: Int { queue.waitingCount }

    /// Continues with the same commit in another place.
    func replace(_ database: OpenDatabase) {
        state.withLock { state in
            // Existing snapshots refer to the former place, where nothing is written any more.
            (state.database, state.pinned) = (database, PinnedSnapshots())
        }
    }

    // MARK: Closing

    /// Closes the store after the transactions requested before. Later ones are refused, and loops over `snapshots`
    /// end.
    ///
    /// Existing snapshots remain readable. The lock on the file is released with the last of them.
    ///
    /// - Throws: `WriteError` if the caller has an open transaction, or the last commits could not be forced to the
    ///   disk.
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
