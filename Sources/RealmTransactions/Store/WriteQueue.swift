internal import Dispatch
internal import RealmStorage
internal import RealmWriter
internal import Synchronization

/// The right to write in one database: one has it at a time, and those who wait get it in the order in which they came.
///
/// It belongs to whoever holds the `WriteLockGuard`, not to a thread: a transaction may end on another thread than it began on.
///
/// Who waits without blocking a thread is offered the turn, and takes it where it gets to run. Threads that block while they wait may
/// keep it from running there: then one of them has its turn before.
final class WriteQueue: Sendable {
    fileprivate enum Waiter: Sendable {
        case thread(WaitingThread)
        case offer(@Sendable (Result<WriteLockGuard, any Error>) -> Void)
        case job(any WriteJob)

        var isThread: Bool { if case .thread = self { true } else { false } }
    }

    private struct Entry: Sendable {
        let number: UInt64
        let caller: LockOwner
        let waiter: Waiter
    }

    private struct State: Sendable {
        /// Who may write now.
        var holder: LockOwner?
        /// The number of its turn.
        var turn: UInt64 = 0
        /// Since when it has been offered its turn; nil where it has taken it.
        var offered: ContinuousClock.Instant?
        var waiting: [Entry] = []
        var isClosed = false

        mutating func begin(_ caller: LockOwner, isOffer: Bool = false) -> UInt64 {
            turn += 1
            (holder, offered) = (caller, isOffer ? .now : nil)
            return turn
        }
    }

    /// How long somebody who was offered the turn may keep those waiting who block threads.
    private static let patience = Duration.milliseconds(20)

    private enum Answer {
        case granted(UInt64)
        case waits(WaitingThread)
        case refused(StorageError)
    }

    let path: String
    private let state = Mutex(State())
    private let numbers = Atomic<UInt64>(0)

    /// - Parameter path: what the database is called in errors.
    init(_ path: String) { self.path = path }

    /// Whether the task that asks, which is one, has the right to write.
    var isHeldByThisTask: Bool { state.withLock { state in state.holder.map { LockOwner().waits(for: $0) } ?? false } }

    /// A number for somebody who may have to wait.
    func newNumber() -> UInt64 { numbers.wrappingAdd(1, ordering: .relaxed).newValue }

    /// How many wait.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    // MARK: Threads

    /// Waits for the right to write, and blocks the thread meanwhile.
    ///
    /// - Throws: `StorageError`: where the caller would wait for itself, and when the store is closed.
    func take(_ caller: LockOwner) throws(StorageError) -> WriteLockGuard {
        switch enter(caller) {
        case .granted(let turn): return WriteLockGuard(self, turn)
        case .refused(let error): throw error
        case .waits(let thread):
            while !thread.wait(Self.patience) { overtake() }
            guard let turn = thread.turn else { throw .storeIsClosed(path) }
            return turn
        }
    }

    @inline(never)
    private func enter(_ caller: LockOwner) -> Answer {
        state.withLock { state in
            if state.isClosed { return .refused(.storeIsClosed(path)) }
            guard let holder = state.holder else { return .granted(state.begin(caller)) }
            if caller.blocks(holder) {
                // Who was offered the turn only could not run to use it.
                return state.offered == nil ? .refused(.insideOfAnother(path)) : .granted(state.begin(caller))
            }
            let thread = WaitingThread()
            state.waiting.append(Entry(number: 0, caller: caller, waiter: .thread(thread)))
            return .waits(thread)
        }
    }

    /// Gives the turn that was offered long ago to a thread that waits: whoever it was offered to may need such a thread to run on.
    private func overtake() {
        begin(
            state.withLock { state in
                guard let offered = state.offered, .now - offered >= Self.patience,
                    let index = state.waiting.firstIndex(where: { $0.waiter.isThread })
                else { return nil }
                return Self.next(index, &state)
            })
    }

    // MARK: Tasks

    /// Waits without blocking a thread, until the turn is offered.
    ///
    /// - Parameter isFirst: whether it is the next one, since others have overtaken it.
    /// - Throws: `WriteError.storage` where the other one throws what is in it; `CancellationError`.
    func offer(to caller: LockOwner, isFirst: Bool) async throws -> WriteLockGuard {
        try Task.checkCancellation()
        let number = newNumber()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                offer(number, to: caller, isFirst: isFirst) { continuation.resume(with: $0) }
                // Who was cancelled before is not told again.
                if Task.isCancelled { withdraw(number) }
            }
        } onCancel: {
            withdraw(number)
        }
    }

    /// The same.
    ///
    /// - Parameter body: is called at once, or on the thread of who writes before; with an error where there will be no turn.
    func offer(
        _ number: UInt64, to caller: LockOwner, isFirst: Bool,
        _ body: @escaping @Sendable (Result<WriteLockGuard, any Error>) -> Void
    ) {
        add(Entry(number: number, caller: caller, waiter: .offer(body)), isFirst: isFirst)
    }

    /// Takes the turn that was offered.
    ///
    /// - Returns: whether nobody else had to have it meanwhile.
    fileprivate func take(_ turn: UInt64) -> Bool {
        state.withLock { state in
            guard state.turn == turn, state.holder != nil else { return false }
            state.offered = nil
            return true
        }
    }

    /// Notes that who began a turn does not need to go on for it to end.
    fileprivate func handOver(_ turn: UInt64) {
        state.withLock { if $0.turn == turn, $0.holder != nil { $0.holder = .elsewhere } }
    }

    /// Lets a job wait for its turn, in which `RealmStore.runJobs` runs it.
    func add(_ job: any WriteJob, number: UInt64, _ caller: LockOwner) {
        add(Entry(number: number, caller: caller, waiter: .job(job)))
    }

    private func add(_ entry: Entry, isFirst: Bool = false) {
        enum Answer { case waits, next(Next?), refused(StorageError) }
        let answer: Answer = state.withLock { state in
            if state.isClosed { return .refused(.storeIsClosed(path)) }
            if let holder = state.holder {
                if entry.caller.waits(for: holder) { return .refused(.insideOfAnother(path)) }
                state.waiting.insert(entry, at: isFirst ? 0 : state.waiting.count)
                return .waits
            }
            state.waiting.append(entry)
            return .next(Self.advance(&state))
        }
        switch answer {
        case .waits: break
        case .next(let entry): begin(entry)
        case .refused(let error): entry.waiter.refuse(WriteError.storage(error))
        }
    }

    /// Takes somebody who was cancelled out of the queue, if it is not its turn yet.
    func withdraw(_ number: UInt64) {
        let entry = state.withLock { state -> Entry? in
            guard let index = state.waiting.firstIndex(where: { $0.number == number }) else { return nil }
            return state.waiting.remove(at: index)
        }
        entry?.waiter.refuse(CancellationError())
    }

    // MARK: Turns

    /// Who may write next, and the number of its turn.
    private typealias Next = (entry: Entry, turn: UInt64)

    /// Gives the right to write to the next one, unless the turn is over already.
    fileprivate func release(_ turn: UInt64) {
        begin(state.withLock { $0.turn == turn && $0.holder != nil ? Self.advance(&$0) : nil })
    }

    /// - Returns: nil where nobody waits.
    private static func advance(_ state: inout State) -> Next? {
        guard let first = state.waiting.first else {
            (state.holder, state.offered) = (nil, nil)
            return nil
        }
        guard case .offer = first.waiter else { return next(0, &state) }
        // A thread that blocks the place where it would run comes before.
        return next(
            state.waiting.firstIndex { $0.waiter.isThread && $0.caller.blocks(first.caller) } ?? 0, &state)
    }

    private static func next(_ index: Int, _ state: inout State) -> Next {
        let entry = state.waiting[index]
        let isOffer = if case .offer = entry.waiter { true } else { false }
        let turn = state.begin(entry.caller, isOffer: isOffer)
        // Jobs are taken out when there is a thread for them.
        if case .job = entry.waiter { return (entry, turn) }
        return (state.waiting.remove(at: index), turn)
    }

    private func begin(_ next: Next?) {
        guard let (entry, turn) = next else { return }
        switch entry.waiter {
        case .thread(let thread): thread.wake(with: WriteLockGuard(self, turn))
        case .offer(let body): body(.success(WriteLockGuard(self, turn)))
        case .job(let job): job.startRunning(WriteLockGuard(self, turn))
        }
    }

    /// The jobs that are next, one after the other, for who holds the turn.
    func takeJobs(_ most: Int) -> [any WriteJob] {
        state.withLock { state in
            var jobs: [any WriteJob] = []
            for entry in state.waiting.prefix(most) {
                guard case .job(let job) = entry.waiter else { break }
                jobs.append(job)
            }
            state.waiting.removeFirst(jobs.count)
            // This thread runs them now.
            state.holder = LockOwner()
            return jobs
        }
    }

    /// Refuses everybody who waits, and who comes later.
    func close() {
        let waiting = state.withLock { state in
            state.isClosed = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for entry in waiting { entry.waiter.refuse(WriteError.storage(.storeIsClosed(path))) }
    }
}

extension WriteQueue.Waiter {
    fileprivate func refuse(_ error: any Error) {
        switch self {
        case .thread(let thread): thread.wake(with: nil)
        case .offer(let body): body(.failure(error))
        case .job(let job): job.end(error)
        }
    }
}

/// The right to write. It ends with this value at the latest.
final class WriteLockGuard: Sendable {
    private let queue: WriteQueue
    private let number: UInt64

    fileprivate init(_ queue: WriteQueue, _ number: UInt64) { (self.queue, self.number) = (queue, number) }

    deinit { end() }

    /// Takes it where it was only offered.
    ///
    /// - Returns: false where somebody else had to have it meanwhile.
    func take() -> Bool { queue.take(number) }

    /// Lets anybody wait until it ends, also who began it.
    func handOver() { queue.handOver(number) }

    /// Gives the right to the next one.
    func end() { queue.release(number) }
}

/// A thread that waits for its turn.
private final class WaitingThread: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    private let given = Mutex<WriteLockGuard?>(nil)

    /// Waits, but not for long.
    ///
    /// - Returns: whether it need not wait any longer.
    func wait(_ limit: Duration) -> Bool {
        semaphore.wait(timeout: .now() + .milliseconds(Int(limit / .milliseconds(1)))) == .success
    }

    /// The right to write; nil where there is none any more. To be asked once, after `wait`.
    var turn: WriteLockGuard? { given.withLock { $0.take() } }

    func wake(with turn: WriteLockGuard?) {
        given.withLock { $0 = turn }
        semaphore.signal()
    }
}
