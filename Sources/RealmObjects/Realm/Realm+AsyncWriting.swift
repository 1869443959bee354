internal import RealmStore

/// Identifies a waiting transaction, or a commit.
public typealias AsyncTransactionId = UInt32

// Available only where work can be scheduled: on the main thread, a thread with a run loop, a queue or an actor.
extension Realm {
    /// Runs a transaction later, on the thread, queue or actor of the realm, and commits it on another thread.
    ///
    /// - Parameters:
    ///   - block: makes the changes. It may end the transaction itself.
    ///   - onComplete: called on the thread, queue or actor of the realm when the changes are committed; with a
    ///     `Realm.Error` if nothing could be changed.
    /// - Returns: the identifier for `cancelAsyncWrite`.
    @discardableResult
    public func writeAsync(
        _ block: @escaping () -> Void, onComplete: (((any Swift.Error)?) -> Void)? = nil
    ) -> AsyncTransactionId {
        state.checkAsyncBeginning()
        return state.asyncWrites.add(commits: true, block, onComplete)
    }

    /// Begins a transaction later, on the thread, queue or actor of the realm. It is cancelled when `block` ends
    /// without `commitAsyncWrite` or `commitWrite`.
    @discardableResult
    public func beginAsyncWrite(_ asyncWriteBlock: @escaping () -> Void) -> AsyncTransactionId {
        state.checkAsyncBeginning()
        return state.asyncWrites.add(commits: false, asyncWriteBlock, nil)
    }

    /// Commits the current transaction on another thread. Its changes are visible here at once, and to others when they
    /// are on the disk.
    ///
    /// - Parameters:
    ///   - allowGrouping: whether `onComplete` may be called together with that of the next waiting transaction. The
    ///     commits remain separate.
    ///   - onComplete: called on the thread, queue or actor of the realm when the changes are on the disk, or with a
    ///     `Realm.Error` if they are undone.
    @discardableResult
    public func commitAsyncWrite(
        allowGrouping: Bool = false, _ onComplete: (((any Swift.Error)?) -> Void)? = nil
    ) -> AsyncTransactionId {
        state.checkAsyncWriting()
        return state.asyncWrites.commit(onComplete, isGrouped: allowGrouping)
    }

    /// Drops a transaction that has not begun, or the completion of a running commit.
    ///
    /// - Throws: never; nothing happens if there is nothing to drop.
    public func cancelAsyncWrite(_ asyncTransactionId: AsyncTransactionId) throws {
        state.checkConfinement()
        _ = state.knownAsyncWrites?.cancel(asyncTransactionId)
    }

    /// Whether transactions are waiting, or commits are running.
    public var isPerformingAsynchronousWriteOperations: Bool {
        state.checkConfinement()
        return state.knownAsyncWrites?.isPerforming ?? false
    }

    /// Runs a transaction when it holds the write lock, and commits it on another thread, while the task is suspended.
    ///
    /// - Throws: errors of `block`; `Realm.Error` if the commit fails; `CancellationError`.
    @discardableResult
    public func asyncWrite<Result>(
        _isolation actor: isolated (any Actor)? = #isolation, _ block: () throws -> Result
    ) async throws -> Result {
        state.checkConfinement()
        guard !state.isFrozen else { Failure.stop(Failure.frozenTransaction) }
        guard let store = state.database.store else { Failure.stop(Failure.readOnlyTransaction) }
        try state.checkActiveVersions()
        try Task.checkCancellation()
        let state = state
        // A transaction of another task, or of none, ends while this one waits.
        let waitsForItself = state.transaction != nil && store.isWrittenByThisTask
        guard !waitsForItself, state.confinement.isComeBackTo else {
            state.asyncWrites.taskBegins()
            defer { state.asyncWrites.taskEnds() }
            state.begin(try await state.transactionInTurn(store))
            return try state.finishWrite(block)
        }
        var result: Result?
        try await withoutActuallyEscaping(block) { block in
            try await state.asyncWrites.write(actor) { result = try block() }
        }
        guard let result else { Failure.stop("a transaction that has not been run") }
        return result
    }

    /// Advances to the latest version.
    ///
    /// - Returns: whether the version changed.
    @discardableResult
    public func asyncRefresh(_isolation: isolated (any Actor)? = #isolation) async -> Bool { refresh() }
}

extension RealmInstance {
    /// Begins a transaction, suspending the task until it holds the write lock.
    fileprivate func transactionInTurn(
        _ store: RealmStore, _ isolation: isolated (any Actor)? = #isolation
    ) async throws -> WriteTransaction {
        do { return try await store.begin(for: self) } catch {
            return try translatingErrors(configuration.path) { throw error }
        }
    }

    fileprivate func checkAsyncBeginning() {
        checkAsyncWriting()
        Failure.unlessStopped { try checkActiveVersions() }
    }

    fileprivate func checkAsyncWriting() {
        checkConfinement()
        if isFrozen { Failure.stop(Failure.frozenTransaction) }
        if database.store == nil { Failure.stop(Failure.readOnlyTransaction) }
        if !confinement.isComeBackTo {
            Failure.stop("Asynchronous writes need the main thread, a queue, an actor or a thread with a run loop.")
        }
    }
}
