package import Dispatch
public import RealmReader
internal import RealmStorage
public import RealmWriter

// Transactions in a closure. The type of its errors is a parameter, though nobody asks for it: Swift 6.3.1 crashes when it optimises the
// conversion of a closure that returns nothing and has a type of errors of its own to one that throws any.
extension RealmStore {
    /// Runs a transaction and commits it. Who writes on other threads waits meanwhile, in the order of coming; who reads does not.
    ///
    /// - Parameters:
    ///   - isolation: the actor that calls.
    ///   - body: makes the changes. What it throws is thrown on, and nothing has changed.
    /// - Returns: what `body` returns.
    /// - Throws: what `body` throws; `WriteError` when the commit fails, where `body` of another transaction calls this, or where the
    ///   calling actor, task or thread has a transaction open.
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

    /// Runs a transaction and commits it, while the task waits. Transactions run in the order of the calls, on a thread of the store.
    ///
    /// Those that have to wait for the disk share the next wait, so that a hundred tasks write about as much faster than one. Each is
    /// a transaction of its own: what one `body` throws undoes its changes alone, and each call returns when its changes are on the disk.
    /// They become visible together, as one snapshot. Where that commit fails, all of them do.
    ///
    /// ```swift
    /// let count = try await store.write { transaction in
    ///     _ = try transaction.add("Dog", ["_id": 2, "name": "Fido"])
    ///     return try transaction.snapshot().table(named: "Dog").count
    /// }
    /// print(count)
    /// ```
    ///
    /// - Parameter body: makes the changes. What it throws is thrown on, and nothing of what it did has changed anything.
    /// - Returns: what `body` returns.
    /// - Throws: what `body` throws; `WriteError` when the commit fails, or where the task has a transaction open; `CancellationError`
    ///   when the task is cancelled before `body` begins.
    public func write<R: Sendable, Failure: Error>(
        _ body: @escaping @Sendable (WriteTransaction) throws(Failure) -> R
    ) async throws -> R {
        try Task.checkCancellation()
        let number = queue.newNumber()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                queue.add(ClosureJob(self, continuation) { try body($0) }, number: number, LockOwner())
                // Who was cancelled before the job was in the queue is not told again.
                if Task.isCancelled { queue.withdraw(number) }
            }
        } onCancel: {
            queue.withdraw(number)
        }
    }

    func takeTurn(_ caller: LockOwner) throws(WriteError) -> WriteLockGuard {
        do throws(StorageError) { return try queue.take(caller) } catch { throw .storage(error) }
    }

    /// Calls `body` with a transaction on the last commit, which ends with it. Only who has the turn calls this.
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

// Transactions by hand.
extension RealmStore {
    /// Begins a transaction that ends with its `commit` or `cancel`, wherever that is called; it is cancelled when nobody has it any more.
    ///
    /// The right to write belongs to the transaction, not to a thread: it may go from one to the next, over an `await` too. Everybody else
    /// who writes waits until it has ended. So that nobody waits for itself, it is known who began it: the actor, the task, or
    /// outside of tasks the thread that calls, and `owner`. One of these that asks for another transaction gets an error.
    ///
    /// Tasks wait with `await`. Functions without it, called from tasks, block the threads that tasks run on: a transaction that is open
    /// over an `await` may need one of them to come to its end.
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
    ///   - owner: what the transaction is for, where neither an actor nor a thread tells.
    ///   - isolation: the actor that calls.
    /// - Throws: `WriteError` where the caller has a transaction already, the store is closed, or has failed.
    public func begin(
        for owner: AnyObject? = nil, isolation: (any Actor)? = #isolation
    ) throws(WriteError) -> WriteTransaction {
        try open(try takeTurn(LockOwner(for: owner, on: isolation)))
    }

    /// Begins a transaction by hand that stays on a serial queue, and may go from one of its blocks to the next. Who writes on the thread
    /// that runs such a block, but not on the queue, waits for its end as those on other threads do.
    ///
    /// - Parameter owner: what the transaction is for.
    /// - Throws: as `begin(for:isolation:)`.
    package func begin(for owner: AnyObject, on queue: DispatchQueue) throws(WriteError) -> WriteTransaction {
        try open(try takeTurn(LockOwner(for: owner, queue: queue)))
    }

    /// Begins a transaction by hand, while the task waits for its turn.
    ///
    /// - Parameters: as `begin(for:isolation:)`.
    /// - Throws: as that one; `CancellationError` when the task is cancelled meanwhile.
    public func begin(
        for owner: AnyObject? = nil, isolation: isolated (any Actor)? = #isolation
    ) async throws -> WriteTransaction {
        let caller = LockOwner(for: owner, on: isolation)
        var turn = try await queue.offer(to: caller, isFirst: false)
        while !turn.take() { turn = try await queue.offer(to: caller, isFirst: true) }
        return try open(turn)
    }

    /// Whether it is the task that asks which has a transaction open: it would wait for itself.
    package var isWrittenByThisTask: Bool { queue.isHeldByThisTask }

    /// Calls `body` when a transaction can be begun. Nobody waits meanwhile.
    ///
    /// - Parameters:
    ///   - obstacle: who keeps the transaction from running while it waits for one of its own, which comes before then.
    ///   - isFirst: whether it is the next one, since others came before.
    ///   - body: is called at once, or on another thread; with an error where no transaction can be begun any more.
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

/// The right to begin a transaction, unless somebody else had to have it meanwhile.
package struct WriteReservation: Sendable {
    fileprivate let turn: WriteLockGuard
    fileprivate let store: RealmStore

    /// Begins the transaction.
    ///
    /// - Returns: nil where another one came before.
    /// - Throws: `WriteError` where the store is closed, or has failed.
    package func begin() throws(WriteError) -> WriteTransaction? { turn.take() ? try store.open(turn) : nil }
}

// How a transaction by hand ends.
extension WriteTransaction {
    /// Commits the changes and ends the transaction, also where the commit fails: nothing has changed then.
    ///
    /// - Returns: the state after it.
    /// - Throws: `WriteError`; `finished` where the transaction has ended, or belongs to a closure, which is committed when that returns.
    @discardableResult
    public func commit() throws(WriteError) -> Snapshot {
        let store = try openStore()
        defer { giveTurnBack() }
        return try store.commit(self)
    }

    /// Commits the changes and ends the transaction.
    ///
    /// - Parameter undone: is told, where the commit fails, of the state with its changes.
    /// - Returns: the state after it.
    /// - Throws: as `commit`.
    package func commit(_ undone: (Snapshot) -> Void) throws(WriteError) -> Snapshot {
        let store = try openStore()
        defer { giveTurnBack() }
        do throws(WriteError) { return try store.commit(self) } catch {
            if failure == nil { undone(base) }
            throw error
        }
    }

    /// Commits the changes; the transaction goes on with what there is then, and nobody else writes in between. Where the commit fails,
    /// it has ended, and nothing has changed.
    ///
    /// - Returns: the state after it.
    /// - Throws: as `commit`.
    @discardableResult
    public func commitAndContinue() throws(WriteError) -> Snapshot {
        let store = try openStore()
        do throws(WriteError) {
            // Nothing may fail after the commit.
            let memory = try TransactionMemory.take()
            let snapshot = try store.commit(self)
            restart(from: snapshot, in: memory)
            return snapshot
        } catch {
            giveTurnBack()
            throw error
        }
    }

    /// Ends the transaction without a change. A transaction of a closure cannot be committed then; one that has ended stays as it is.
    public func cancel() { giveTurnBack() }
}
