internal import Dispatch
internal import RealmCore
internal import RealmStore
internal import Synchronization

/// Asynchronous transactions of a realm. Waiting for the write lock and committing happen on another thread, without
/// blocking the realm's own. They run one at a time, in the order of the calls.
final class AsyncWrites {
    /// A transaction that has not begun.
    private struct Job {
        let number: UInt32
        let block: () -> Void
        /// Whether the transaction is committed when the block ends; otherwise `commitAsyncWrite` does that.
        let commits: Bool
        let onComplete: (((any Error)?) -> Void)?
    }

    private unowned let realm: RealmInstance
    private var waiting: [Job] = []
    private var lastNumber: UInt32 = 0
    /// The write lock that the next job waits for, or is about to receive.
    private var turn: AwaitedTurn?
    private var isRunningJob = false
    /// Commits whose end the realm has not processed yet, and their completions.
    private var committing: Set<UInt32> = []
    private var lastCommit: UInt32 = 0
    private var completions: [UInt32: ((any Error)?) -> Void] = [:]
    /// Durable commits whose completions are called together with that of the next one.
    private var grouped: [UInt32] = []
    /// Number of tasks that write.
    private var tasks = 0
    /// Commits that have ended on `elsewhere`.
    private let ended = Mutex<[Ended]>([])
    /// Runs the commits. On its own thread, because those of tasks and concurrent queues may all wait for it.
    private lazy var elsewhere = DispatchQueue(label: "Realm", qos: .userInitiated)
    /// Drops everything with the thread, if its run loop ends first.
    private lazy var watching: Void = realm.confinement.whenItEnds { [anchor = realm.anchor] in
        anchor.realm?.knownAsyncWrites?.abandon()
    }

    private struct Ended: Sendable {
        let number: UInt32
        let result: Result<Snapshot, any Error>
        let isGrouped: Bool
    }

    init(_ realm: RealmInstance) { self.realm = realm }

    /// Whether no other job can begin now.
    private var isBusy: Bool { turn != nil || isRunningJob || !committing.isEmpty }
    var isPerforming: Bool { isBusy || !waiting.isEmpty || tasks > 0 || !grouped.isEmpty }

    func taskBegins() { tasks += 1 }
    func taskEnds() { tasks -= 1 }

    func add(commits: Bool, _ block: @escaping () -> Void, _ onComplete: (((any Error)?) -> Void)?) -> UInt32 {
        _ = watching
        lastNumber += 1
        waiting.append(Job(number: lastNumber, block: block, commits: commits, onComplete: onComplete))
        startNext()
        return lastNumber
    }

    /// Cancellation state of a waiting task.
    private final class Waiting: Sendable {
        let number = Mutex<UInt32?>(nil)
        let isCancelled = Atomic(false)
    }

    /// Runs a block in a transaction, and commits it on another thread, while the task is suspended. Other tasks with
    /// the same confinement may write before it.
    ///
    /// - Throws: errors of the block, of beginning and of committing; `CancellationError`.
    func write(_ isolation: isolated (any Actor)?, _ block: @escaping () throws -> Void) async throws {
        let (back, kept, task) = (SendableBox(self), SendableBox(realm), Waiting())
        try await withTaskCancellationHandler {
            // The closure would run elsewhere if the isolation were not passed on.
            try await withCheckedThrowingContinuation(isolation: isolation) {
                (continuation: CheckedContinuation<Void, any Error>) in
                realm.checkConfinement()
                let number = add(commits: false) { [self] in
                    do {
                        // The task may have been cancelled after it received the write lock.
                        if task.isCancelled.load(ordering: .acquiring) { throw CancellationError() }
                        try block()
                    } catch {
                        if realm.transaction != nil { realm.cancelWrite() }
                        return continuation.resume(throwing: error)
                    }
                    // The block may have ended the transaction.
                    guard realm.transaction != nil else { return continuation.resume() }
                    _ = commit(
                        { error in continuation.resume(with: error.map { .failure($0) } ?? .success(())) },
                        isGrouped: false)
                } _: { error in
                    continuation.resume(throwing: error ?? CancellationError())
                }
                task.number.withLock { $0 = number }
                if Task.isCancelled { withdraw(number) }
            }
        } onCancel: {
            task.isCancelled.store(true, ordering: .releasing)
            guard let number = task.number.withLock({ $0 }) else { return }
            kept.value.confinement.schedule {
                back.value.withdraw(number)
                _ = kept
            }
        }
    }

    /// Drops the transaction of a cancelled task if it has not begun.
    private func withdraw(_ number: UInt32) {
        guard let index = waiting.firstIndex(where: { $0.number == number }) else { return }
        waiting.remove(at: index).onComplete?(CancellationError())
    }

    /// Drops a transaction that has not begun, or the completion of a commit.
    ///
    /// - Returns: whether there was one.
    func cancel(_ number: UInt32) -> Bool {
        if let index = waiting.firstIndex(where: { $0.number == number }) {
            waiting.remove(at: index)
            return true
        }
        return completions.removeValue(forKey: number) != nil
    }

    func startNext() {
        guard !isBusy, !waiting.isEmpty, let store = realm.database.store else {
            if !isBusy { tellGrouped() }
            return
        }
        reserve(store, isFirst: false)
    }

    private func reserve(_ store: RealmStore, isFirst: Bool) {
        let turn = AwaitedTurn()
        self.turn = turn
        let back = SendableBox(self)
        // Keeps the realm alive until the work is done.
        let kept = SendableBox(realm)
        store.reserve(unlessBlockedBy: realm, isFirst: isFirst) { reservation in
            guard turn.give(reservation) else { return }
            kept.value.confinement.schedule {
                back.value.run(store, turn)
                _ = kept
            }
        }
    }

    /// Drops the transactions that have not begun. Waiting tasks receive a `CancellationError`; other completions are
    /// never called.
    func dropWaiting() {
        let dropped = waiting
        waiting = []
        turn?.giveUp()
        turn = nil
        for job in dropped where !job.commits { job.onComplete?(CancellationError()) }
        if !isBusy { tellGrouped() }
    }

    /// Drops pending work whose thread has ended.
    func abandon() {
        completions = [:]
        dropWaiting()
    }

    /// Waits for running commits, and reports them. Transactions that have not begun let a synchronous one go first.
    func finishCommits() {
        realm.waitForCommit()
        hearOfEnds()
    }

    private var path: String? { realm.configuration.path }

    private func run(_ store: RealmStore, _ turn: AwaitedTurn) {
        guard turn === self.turn, let reservation = turn.take() else { return }
        self.turn = nil
        do {
            let begun = try translatingErrors(path) { try reservation.get().begin() }
            guard let begun else { return reserve(store, isFirst: true) }
            run(.success(begun))
        } catch {
            run(.failure(error))
        }
    }

    private func run(_ begun: Result<WriteTransaction, any Error>) {
        guard !waiting.isEmpty else {
            if case .success(let transaction) = begun { transaction.cancel() }
            tellGrouped()
            return
        }
        let job = waiting.removeFirst()
        switch begun {
        case .failure(let error): job.onComplete?(error)
        case .success(let transaction):
            isRunningJob = true
            let isDone = run(job, transaction)
            isRunningJob = false
            if isDone, job.commits { job.onComplete?(nil) }
        }
        startNext()
    }

    /// Runs the block of a job.
    ///
    /// - Returns: whether the block has ended the transaction itself, so that nothing is left to do.
    private func run(_ job: Job, _ transaction: WriteTransaction) -> Bool {
        realm.begin(transaction)
        let before = lastCommit
        job.block()
        // The block may have ended that transaction, and begun another.
        if realm.transaction != nil {
            if job.commits { commit(job.number, job.onComplete) } else { realm.cancelWrite() }
            return false
        }
        guard lastCommit != before, committing.contains(lastCommit) else { return true }
        // The block has started an asynchronous commit; the job completes with it.
        if job.commits, let onComplete = job.onComplete {
            let told = completions[lastCommit]
            completions[lastCommit] = { error in
                told?(error)
                onComplete(error)
            }
        }
        return false
    }

    func commit(_ onComplete: (((any Error)?) -> Void)?, isGrouped: Bool) -> UInt32 {
        lastNumber += 1
        commit(lastNumber, onComplete, isGrouped: isGrouped)
        return lastNumber
    }

    private func commit(_ number: UInt32, _ onComplete: (((any Error)?) -> Void)?, isGrouped: Bool = false) {
        guard let transaction = realm.transaction else { Failure.stop("Can't commit a non-existing write transaction") }
        _ = watching
        let commit = CommitElsewhere()
        realm.leave(to: commit)
        transaction.handOver()
        committing.insert(number)
        lastCommit = number
        completions[number] = onComplete
        let (back, kept, handed, path) = (SendableBox(self), SendableBox(realm), SendableBox(transaction), path)
        elsewhere.async {
            let result = Result { try translatingErrors(path) { try handed.value.commit() } }
            if case .success(let snapshot) = result {
                Logger.log(.debug, "DB: Commit of version \(snapshot.commitNumber), asynchronously")
            }
            back.value.ended.withLock { $0.append(Ended(number: number, result: result, isGrouped: isGrouped)) }
            commit.end(result)
            kept.value.confinement.schedule {
                back.value.hearOfEnds()
                _ = kept
            }
        }
    }

    private func hearOfEnds() {
        let new = ended.withLock { ended in
            defer { ended = [] }
            return ended
        }
        guard !new.isEmpty else { return }
        committing.subtract(new.map(\.number))
        _ = realm.showsCommit()
        for commit in new {
            switch commit.result {
            case .success:
                realm.observers.tellOfChange(.didChange, realm)
                realm.announce()
                grouped.append(commit.number)
                if !commit.isGrouped || waiting.isEmpty { tellGrouped() }
            case .failure(let error):
                realm.scheduleTelling()
                completions.removeValue(forKey: commit.number)?(error)
            }
        }
        startNext()
    }

    private func tellGrouped() {
        let numbers = grouped
        grouped = []
        for number in numbers { completions.removeValue(forKey: number)?(nil) }
    }
}

/// A write lock that is awaited until it is no longer wanted.
private final class AwaitedTurn: Sendable {
    private enum State: Sendable {
        case awaited
        case given(Result<WriteReservation, any Error>)
        case over
    }

    private let state = Mutex(State.awaited)

    /// - Returns: whether the lock is still wanted.
    func give(_ reservation: Result<WriteReservation, any Error>) -> Bool {
        state.withLock { state in
            guard case .awaited = state else { return false }
            state = .given(reservation)
            return true
        }
    }

    func take() -> Result<WriteReservation, any Error>? {
        guard case .given(let reservation) = end() else { return nil }
        return reservation
    }

    /// Gives up the lock, leaving it to other writers.
    func giveUp() { _ = end() }

    // Releasing the state runs other code, which must not happen inside the lock.
    private func end() -> State {
        state.withLock { state in
            defer { state = .over }
            return state
        }
    }
}
