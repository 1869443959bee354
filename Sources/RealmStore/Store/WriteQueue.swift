internal import Dispatch
internal import RealmCore
internal import RealmStorage
internal import Synchronization

/// The write lock of one database: it has one holder at a time, and is granted in the order of the requests.
///
/// It belongs to the holder of the `WriteLockGuard`, not to a thread: a transaction may end on another thread than it
/// began on.
///
/// Waiters that do not block a thread are offered the lock, and take it when they get to run. Threads that block while
/// they wait may prevent that; in that case one of these threads goes first.
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
        /// The current holder.
        var holder: LockOwner?
        /// The number of the current turn.
        var turn: UInt64 = 0
        /// The time at which the lock was offered to the holder; nil once it has been taken.
        var offered: ContinuousClock.Instant?
        var waiting: [Entry] = []
        var isClosed = false

        mutating func begin(_ caller: LockOwner, isOffer: Bool = false) -> UInt64 {
            turn += 1
            (holder, offered) = (caller, isOffer ? .now : nil)
            return turn
        }
    }

    /// How long an offer may delay waiters that block threads.
    private static let patience = Duration.milliseconds(20)

    private enum Answer {
        case granted(UInt64)
        case waits(WaitingThread)
        case refused(StorageError)
    }

    let path: String
    private let state = Mutex(State())
    private let numbers = Atomic<UInt64>(0)

    /// - Parameter path: the name of the database in errors.
    init(_ path: String) { self.path = path }

    /// Whether the calling task holds the lock.
    var isHeldByThisTask: Bool { state.withLock { state in state.holder.map { LockOwner().waits(for: $0) } ?? false } }

    /// Returns a number that identifies a waiter.
    func newNumber() -> UInt64 { numbers.wrappingAdd(1, ordering: .relaxed).newValue }

    /// The number of waiters.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    // MARK: Threads

    /// Waits for the lock, and blocks the thread meanwhile.
    ///
    /// - Throws: `StorageError` if the caller would wait for itself, and if the store is closed.
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
                // A holder that has only been offered the lock could not run to use it.
                return state.offered == nil ? .refused(.insideOfAnother(path)) : .granted(state.begin(caller))
            }
            let thread = WaitingThread()
            state.waiting.append(Entry(number: 0, caller: caller, waiter: .thread(thread)))
            return .waits(thread)
        }
    }

    /// Passes an old offer to a waiting thread: the offered waiter may need that thread to run on.
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

    /// Waits for an offer of the lock, without blocking a thread.
    ///
    /// - Parameter isFirst: whether it goes to the front of the queue, because it was overtaken.
    /// - Throws: `WriteError.storage` with the errors of `take`; `CancellationError`.
    func offer(to caller: LockOwner, isFirst: Bool) async throws -> WriteLockGuard {
        try Task.checkCancellation()
        let number = newNumber()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                offer(number, to: caller, isFirst: isFirst) { continuation.resume(with: $0) }
                // An earlier cancellation is not reported again.
                if Task.isCancelled { withdraw(number) }
            }
        } onCancel: {
            withdraw(number)
        }
    }

    /// Requests an offer of the lock.
    ///
    /// - Parameter body: called at once, or on the thread of the previous writer; with an error if there will be no
    ///   offer.
    func offer(
        _ number: UInt64, to caller: LockOwner, isFirst: Bool,
        _ body: @escaping @Sendable (Result<WriteLockGuard, any Error>) -> Void
    ) {
        add(Entry(number: number, caller: caller, waiter: .offer(body)), isFirst: isFirst)
    }

    /// Takes an offered lock.
    ///
    /// - Returns: false if another waiter went first.
    fileprivate func take(_ turn: UInt64) -> Bool {
        state.withLock { state in
            guard state.turn == turn, state.holder != nil else { return false }
            state.offered = nil
            return true
        }
    }

    /// Records that a turn can end even if the code that began it waits.
    fileprivate func handOver(_ turn: UInt64) {
        state.withLock { if $0.turn == turn, $0.holder != nil { $0.holder = .elsewhere } }
    }

    /// Queues a job, which `RealmStore.runJobs` runs when it is its turn.
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

    /// Removes a cancelled waiter from the queue, unless it already has its turn.
    func withdraw(_ number: UInt64) {
        let entry = state.withLock { state -> Entry? in
            guard let index = state.waiting.firstIndex(where: { $0.number == number }) else { return nil }
            return state.waiting.remove(at: index)
        }
        entry?.waiter.refuse(CancellationError())
    }

    // MARK: Turns

    /// The next holder, and the number of its turn.
    private typealias Next = (entry: Entry, turn: UInt64)

    /// Grants the lock to the next waiter, unless the turn has already ended.
    fileprivate func release(_ turn: UInt64) {
        begin(state.withLock { $0.turn == turn && $0.holder != nil ? Self.advance(&$0) : nil })
    }

    /// - Returns: nil if nobody waits.
    private static func advance(_ state: inout State) -> Next? {
        guard let first = state.waiting.first else {
            (state.holder, state.offered) = (nil, nil)
            return nil
        }
        guard case .offer = first.waiter else { return next(0, &state) }
        // A thread that blocks the place where the first waiter would run goes first.
        return next(
            state.waiting.firstIndex { $0.waiter.isThread && $0.caller.blocks(first.caller) } ?? 0, &state)
    }

    private static func next(_ index: Int, _ state: inout State) -> Next {
        let entry = state.waiting[index]
        let isOffer = if case .offer = entry.waiter { true } else { false }
        let turn = state.begin(entry.caller, isOffer: isOffer)
        // Jobs stay in the queue until there is a thread for them.
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

    /// Takes the consecutive jobs at the front of the queue. The caller must hold the lock.
    func takeJobs(_ most: Int) -> [any WriteJob] {
        state.withLock { state in
            var jobs: [any WriteJob] = []
            for entry in state.waiting.prefix(most) {
                guard case .job(let job) = entry.waiter else { break }
                jobs.append(job)
            }
            state.waiting.removeFirst(jobs.count)
            // From now on this thread runs them.
            state.holder = LockOwner()
            return jobs
        }
    }

    /// Refuses all waiters, and all later requests.
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

/// The right to write. It ends at the latest when this object is released.
final class WriteLockGuard: Sendable {
    private let queue: WriteQueue
    private let number: UInt64

    fileprivate init(_ queue: WriteQueue, _ number: UInt64) { (self.queue, self.number) = (queue, number) }

    deinit { end() }

    /// Takes the lock if it was only offered.
    ///
    /// - Returns: false if another waiter went first.
    func take() -> Bool { queue.take(number) }

    /// Allows everybody to wait for its end, including the code that began it.
    func handOver() { queue.handOver(number) }

    /// Grants the lock to the next waiter.
    func end() { queue.release(number) }
}

/// A thread that waits for the lock.
private final class WaitingThread: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    private let given = Mutex<WriteLockGuard?>(nil)

    /// Waits up to a limit.
    ///
    /// - Returns: whether waiting has ended.
    func wait(_ limit: Duration) -> Bool {
        semaphore.wait(timeout: .now() + .milliseconds(Int(limit / .milliseconds(1)))) == .success
    }

    /// The lock; nil if the store was closed. Valid once, after `wait`.
    var turn: WriteLockGuard? { given.withLock { $0.take() } }

    func wake(with turn: WriteLockGuard?) {
        given.withLock { $0 = turn }
        semaphore.signal()
    }
}
