internal import Dispatch
internal import RealmStorage
internal import RealmWriter
internal import Synchronization

/// The right to write in one database: one has it at a time, and those who wait get it in the order in which they came.
///
/// It belongs to whoever holds the `WriteTurn`, not to a thread: a transaction may end on another thread than it began on.
final class WriteQueue: Sendable {
    fileprivate enum Waiter: Sendable {
        case thread(WaitingThread)
        case task(CheckedContinuation<Void, any Error>)
        case job(any WriteJob)
    }

    private struct Entry: Sendable {
        let number: UInt64
        let caller: Caller
        let waiter: Waiter
    }

    private struct State: Sendable {
        /// Who may write now.
        var holder: Caller?
        var waiting: [Entry] = []
        var isClosed = false
    }

    private enum Answer {
        case granted
        case waits(WaitingThread)
        case refused(StorageError)
    }

    let path: String
    private let state = Mutex(State())
    private let numbers = Atomic<UInt64>(0)

    /// - Parameter path: what the database is called in errors.
    init(_ path: String) { self.path = path }

    /// A number for somebody who may have to wait.
    func newNumber() -> UInt64 { numbers.wrappingAdd(1, ordering: .relaxed).newValue }

    /// How many wait.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    // MARK: Threads

    /// Waits for the right to write, and blocks the thread meanwhile.
    ///
    /// - Throws: `StorageError`: where the caller would wait for itself, and when the store is closed.
    func take(_ caller: Caller) throws(StorageError) -> WriteTurn {
        switch enter(caller) {
        case .granted: break
        case .refused(let error): throw error
        case .waits(let thread): guard thread.wait() else { throw .storeIsClosed(path) }
        }
        return WriteTurn(self)
    }

    @inline(never)
    private func enter(_ caller: Caller) -> Answer {
        state.withLock { state in
            if state.isClosed { return .refused(.storeIsClosed(path)) }
            guard let holder = state.holder else {
                state.holder = caller
                return .granted
            }
            // A task that waits on the same actor gets its turn first, and could not run to use it.
            let isBlocked =
                caller.blocks(holder)
                || state.waiting.contains { entry in
                    if case .task = entry.waiter { return caller.blocks(entry.caller) }
                    return false
                }
            if isBlocked { return .refused(.insideOfAnother(path)) }
            let thread = WaitingThread()
            state.waiting.append(Entry(number: 0, caller: caller, waiter: .thread(thread)))
            return .waits(thread)
        }
    }

    // MARK: Tasks

    /// Waits for the right to write without blocking a thread.
    ///
    /// - Throws: `WriteError.storage` where the other one throws what is in it; `CancellationError`.
    func take(_ caller: Caller) async throws -> WriteTurn {
        try Task.checkCancellation()
        let number = newNumber()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                add(Entry(number: number, caller: caller, waiter: .task(continuation)))
                // Who was cancelled before is not told again.
                if Task.isCancelled { withdraw(number) }
            }
        } onCancel: {
            withdraw(number)
        }
        return WriteTurn(self)
    }

    /// Lets a job wait for its turn, in which `RealmStore.runJobs` runs it.
    func add(_ job: any WriteJob, number: UInt64, _ caller: Caller) {
        add(Entry(number: number, caller: caller, waiter: .job(job)))
    }

    private func add(_ entry: Entry) {
        enum Answer { case waits, next(Entry?), refused(StorageError) }
        let answer: Answer = state.withLock { state in
            if state.isClosed { return .refused(.storeIsClosed(path)) }
            if let holder = state.holder {
                if entry.caller.waits(for: holder) { return .refused(.insideOfAnother(path)) }
                state.waiting.append(entry)
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

    /// Gives the right to write to the next one.
    fileprivate func release() { begin(state.withLock { Self.advance(&$0) }) }

    /// Who may write next; nil where nobody waits.
    private static func advance(_ state: inout State) -> Entry? {
        guard let first = state.waiting.first else {
            state.holder = nil
            return nil
        }
        state.holder = first.caller
        // Jobs are taken out when there is a thread for them.
        if case .job = first.waiter { return first }
        return state.waiting.removeFirst()
    }

    private func begin(_ entry: Entry?) {
        switch entry?.waiter {
        case nil: break
        case .thread(let thread): thread.wake(withTurn: true)
        case .task(let continuation): continuation.resume()
        case .job(let job): job.startRunning(WriteTurn(self))
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
            state.holder = Caller()
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
        case .thread(let thread): thread.wake(withTurn: false)
        case .task(let continuation): continuation.resume(throwing: error)
        case .job(let job): job.end(error)
        }
    }
}

/// The right to write. It ends with this value at the latest.
final class WriteTurn: Sendable {
    private let queue: WriteQueue
    private let isOver = Atomic(false)

    fileprivate init(_ queue: WriteQueue) { self.queue = queue }

    deinit { end() }

    /// Gives the right to the next one.
    func end() {
        if !isOver.exchange(true, ordering: .relaxed) { queue.release() }
    }
}

/// A thread that waits for its turn.
private final class WaitingThread: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    private let hasTurn = Atomic(false)

    /// Waits.
    ///
    /// - Returns: whether the thread may write now.
    func wait() -> Bool {
        semaphore.wait()
        return hasTurn.load(ordering: .acquiring)
    }

    func wake(withTurn: Bool) {
        hasTurn.store(withTurn, ordering: .releasing)
        semaphore.signal()
    }
}
