package import Dispatch
public import RealmCore
internal import RealmStorage

// Transactions in a closure. The error type is a parameter although no caller needs it: Swift 6.3.1 crashes when it
// optimises the conversion of a closure that returns nothing and has a typed error to one that throws any error.
extension RealmStore {
    /// Runs a transaction and commits it. Writers on other threads wait, in the order of their calls; readers do not
    /// wait.
    ///
    /// - Parameters:
    ///   - isolation: the calling actor.
    ///   - body: makes the changes. If it throws, nothing changes, and the error is rethrown.
    /// - Returns: the result of `body`.
    /// - Throws: errors of `body`; `WriteError` if the commit fails, if this is called by `body` of another
    ///   transaction, or if the calling actor, task or thread has an open transaction.
    public func write<R, Failure: Error>(
        isolation: (any Actor)? = #isolation, _ body: (WriteTransaction) throws(Failure) -> R
    ) throws -> R {
        let turn = try takeTurn(LockOwner(on: isolation))
        defer { turn.end() }
        return try withTransaction { transaction in
            let result = try body(transaction)
            _ = try commit(transaction)
            return result
        }
    }

    /// Runs a transaction and commits it, while the task is suspended. Transactions run in the order of the calls, on a
    /// thread of the store.
    ///
    /// Transactions that wait for the disk share the next wait: a hundred concurrent tasks write about a hundred times
    /// as fast as one. Each is still a transaction of its own: an error of `body` undoes only its own changes, and each
    /// call returns when its changes are on the disk. They become visible together, as one snapshot. If that commit
    /// fails, all of them fail.
    ///
    /// ```swift
    /// let count = try await store.write { transaction in
    ///     _ = try transaction.add("Dog", ["_id": 2, "name": "Fido"])
    ///     return try transaction.snapshot().table(named: "Dog").count
    /// }
    /// print(count)
    /// ```
    ///
    /// - Parameter body: makes the changes. If it throws, its changes are undone, and the error is rethrown.
    /// - Returns: the result of `body`.
    /// - Throws: errors of `body`; `WriteError` if the commit fails, or if the task has an open transaction;
    ///   `CancellationError` if the task is cancelled before `body` begins.
    public func write<R: Sendable, Failure: Error>(
        _ body: @escaping @Sendable (WriteTransaction) throws(Failure) -> R
    ) async throws -> R {
        try Task.checkCancellation()
        let number = queue.newNumber()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                queue.add(ClosureJob(self, continuation) { try body($0) }, number: number, LockOwner())
                // A cancellation before the job was queued is not reported again.
                if Task.isCancelled { queue.withdraw(number) }
            }
        } onCancel: {
            queue.withdraw(number)
        }
    }

    func takeTurn(_ caller: LockOwner) throws(WriteError) -> WriteLockGuard {
        do throws(StorageError) { return try queue.take(caller) } catch { throw .storage(error) }
    }

    /// Calls `body` with a transaction on the last commit, and ends it afterwards. The caller must hold the write lock.
    func withTransaction<R>(_ body: (WriteTransaction) throws -> R) throws -> R {
        let transaction = try newTransaction()
        defer { transaction.end() }
        return try body(transaction)
    }

    private func newTransaction() throws(WriteError) -> WriteTransaction {
        let base = try database().current
        return WriteTransaction(base, in: try TransactionMemory.take()) { [weak self] in self?.pin($0) }
    }
}

// Manual transactions.
extension RealmStore {
    /// Begins a transaction that ends with its `commit` or `cancel`, wherever these are called; it is cancelled when it
    /// is no longer referenced.
    ///
    /// The right to write belongs to the transaction, not to a thread: it may move between threads, also across an
    /// `await`. All other writers wait until it ends. To prevent deadlocks, the store remembers who began it: the
    /// actor, the task, or outside tasks the calling thread, and `owner`. If one of these requests another transaction,
    /// it gets an error.
    ///
    /// Tasks wait with `await`. If tasks call the functions without it, they block the threads that tasks run on; a
    /// transaction that is open across an `await` may need one of these threads to end.
    ///
    /// ```swift
    /// let transaction = try await store.begin()
    /// _ = try transaction.add("Dog", ["_id": 3, "name": "Bello"])
    /// try transaction.commitAndContinue()
    /// _ = try transaction.add("Dog", ["_id": 4, "name": "Waldi"])
    /// transaction.cancel()
    /// ```
    ///
    /// - Parameters:
    ///   - owner: the object on whose behalf the transaction runs, if neither an actor nor a thread identifies it.
    ///   - isolation: the calling actor.
    /// - Throws: `WriteError` if the caller already has a transaction, or if the store is closed or has failed.
    public func begin(
        for owner: AnyObject? = nil, isolation: (any Actor)? = #isolation
    ) throws(WriteError) -> WriteTransaction {
        try open(try takeTurn(LockOwner(for: owner, on: isolation)))
    }

    /// Begins a manual transaction that stays on a serial queue and may continue in later blocks of it. Writers on the
    /// same thread that are not on the queue wait for its end, like those on other threads.
    ///
    /// - Parameter owner: the object on whose behalf the transaction runs.
    /// - Throws: as `begin(for:isolation:)`.
    package func begin(for owner: AnyObject, on queue: DispatchQueue) throws(WriteError) -> WriteTransaction {
        try open(try takeTurn(LockOwner(for: owner, queue: queue)))
    }

    /// Begins a manual transaction. The task is suspended until it is its turn.
    ///
    /// - Parameters: as `begin(for:isolation:)`.
    /// - Throws: as `begin(for:isolation:)`; `CancellationError` if the task is cancelled meanwhile.
    public func begin(
        for owner: AnyObject? = nil, isolation: isolated (any Actor)? = #isolation
    ) async throws -> WriteTransaction {
        let caller = LockOwner(for: owner, on: isolation)
        var turn = try await queue.offer(to: caller, isFirst: false)
        while !turn.take() { turn = try await queue.offer(to: caller, isFirst: true) }
        return try open(turn)
    }

    /// Whether the calling task has an open transaction, and would therefore wait for itself.
    package var isWrittenByThisTask: Bool { queue.isHeldByThisTask }

    /// Calls `body` when a transaction can begin. Blocks nobody.
    ///
    /// - Parameters:
    ///   - obstacle: an owner that blocks the transaction while waiting for one of its own, which then goes first.
    ///   - isFirst: whether it goes to the front of the queue, because it was overtaken.
    ///   - body: called at once, or on another thread; with an error if no transaction can begin any more.
    package func reserve(
        unlessBlockedBy obstacle: AnyObject, isFirst: Bool,
        _ body: @escaping @Sendable (Result<WriteReservation, any Error>) -> Void
    ) {
        queue.offer(queue.newNumber(), to: LockOwner(unlessBlockedBy: obstacle), isFirst: isFirst) { turn in
            body(turn.map { WriteReservation(turn: $0, store: self) })
        }
    }

    fileprivate func open(_ turn: WriteLockGuard) throws(WriteError) -> WriteTransaction {
        let transaction = try newTransaction()
        transaction.hold(turn, of: self)
        return transaction
    }
}

/// The right to begin a transaction, unless another writer has to go first.
package struct WriteReservation: Sendable {
    fileprivate let turn: WriteLockGuard
    fileprivate let store: RealmStore

    /// Begins the transaction.
    ///
    /// - Returns: nil if another one went first.
    /// - Throws: `WriteError` if the store is closed or has failed.
    package func begin() throws(WriteError) -> WriteTransaction? { turn.take() ? try store.open(turn) : nil }
}

// Ending manual transactions.
extension WriteTransaction {
    /// Commits the changes and ends the transaction, also if the commit fails; nothing has changed then.
    ///
    /// - Returns: the state after the commit.
    /// - Throws: `WriteError`; `finished` if the transaction has ended, or belongs to a closure, which commits it on
    ///   return.
    @discardableResult
    public func commit() throws(WriteError) -> Snapshot {
        let store = try openStore()
        defer { giveTurnBack() }
        return try store.commit(self)
    }

    /// Commits the changes and ends the transaction.
    ///
    /// - Parameter undone: called with the uncommitted state if the commit fails.
    /// - Returns: the state after the commit.
    /// - Throws: as `commit`.
    package func commit(_ undone: (Snapshot) -> Void) throws(WriteError) -> Snapshot {
        let store = try openStore()
        defer { giveTurnBack() }
        do throws(WriteError) { return try store.commit(self) } catch {
            if failure == nil { undone(base) }
            throw error
        }
    }

    /// Commits the changes and continues the transaction with the new state, without letting another writer in between.
    /// If the commit fails, the transaction has ended, and nothing has changed.
    ///
    /// - Returns: the state after the commit.
    /// - Throws: as `commit`.
    @discardableResult
    public func commitAndContinue() throws(WriteError) -> Snapshot {
        let store = try openStore()
        do throws(WriteError) {
            // Taken in advance: nothing may fail after the commit.
            let memory = try TransactionMemory.take()
            let snapshot = try store.commit(self)
            restart(from: snapshot, in: memory)
            return snapshot
        } catch {
            giveTurnBack()
            throw error
        }
    }

    /// Ends the transaction without a change. A transaction of a closure cannot be committed afterwards. Has no effect
    /// on one that has ended.
    public func cancel() { giveTurnBack() }
}
