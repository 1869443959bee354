internal import RealmTransactions

/// The number of a transaction that waits, or of a commit.
public typealias AsyncTransactionId = UInt32

// Only where there is something to come back to: on the main thread, a thread with a run loop, a queue or an actor.
extension Realm {
    /// Runs a transaction later where the realm belongs, and commits it elsewhere.
    ///
    /// - Parameters:
    ///   - block: makes the changes. It may end the transaction itself.
    ///   - onComplete: is called where the realm belongs when all is done; with a `Realm.Error` where nothing could be changed.
    /// - Returns: what `cancelAsyncWrite` takes.
    @discardableResult
    public func writeAsync(
        _ block: @escaping () -> Void, onComplete: (((any Swift.Error)?) -> Void)? = nil
    ) -> AsyncTransactionId {
        state.checkAsyncBeginning()
        return state.asyncWrites.add(commits: true, block, onComplete)
    }

    /// Begins a transaction later where the realm belongs. It is cancelled when `block` ends without `commitAsyncWrite` or `commitWrite`.
    @discardableResult
    public func beginAsyncWrite(_ asyncWriteBlock: @escaping () -> Void) -> AsyncTransactionId {
        state.checkAsyncBeginning()
        return state.asyncWrites.add(commits: false, asyncWriteBlock, nil)
    }

    /// Commits the transaction at hand elsewhere. Its changes are seen here at once, by others when it has come to the disk.
    ///
    /// - Parameters:
    ///   - allowGrouping: whether `onComplete` may be called together with that of the next transaction that waits already. Each commit is one
    ///     of its own all the same.
    ///   - onComplete: is called where the realm belongs when the changes are on the disk, or with the `Realm.Error`: then they are undone.
    @discardableResult
    public func commitAsyncWrite(
        allowGrouping: Bool = false, _ onComplete: (((any Swift.Error)?) -> Void)? = nil
    ) -> AsyncTransactionId {
        state.checkAsyncWriting()
        return state.asyncWrites.commit(onComplete, isGrouped: allowGrouping)
    }

    /// Drops a transaction that has not begun; of a commit that runs, only what it tells.
    ///
    /// - Throws: never: where there is nothing to be dropped, nothing happens.
    public func cancelAsyncWrite(_ asyncTransactionId: AsyncTransactionId) throws {
        state.checkConfinement()
        _ = state.knownAsyncWrites?.cancel(asyncTransactionId)
    }

    /// Whether transactions wait, or commits run.
    public var isPerformingAsynchronousWriteOperations: Bool {
        state.checkConfinement()
        return state.knownAsyncWrites?.isPerforming ?? false
    }

    /// Runs a transaction when its turn comes, and commits it elsewhere, while the task waits.
    ///
    /// - Throws: what `block` throws; `Realm.Error` where the commit fails; `CancellationError`.
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
        // The transaction of another task, or of none, comes to its end while this one waits.
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

    /// Goes on to the last version.
    ///
    /// - Returns: whether it is another one.
    @discardableResult
    public func asyncRefresh(_isolation: isolated (any Actor)? = #isolation) async -> Bool { refresh() }
}

extension RealmInstance {
    /// A transaction, for which the task waits.
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
