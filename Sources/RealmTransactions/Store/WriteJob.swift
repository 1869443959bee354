internal import Dispatch
internal import RealmStorage
internal import RealmWriter
internal import Synchronization

/// A transaction that a task waits for.
protocol WriteJob: AnyObject, Sendable {
    /// Runs this job and those that wait behind it, on a thread that may be blocked.
    func startRunning(_ turn: WriteLockGuard)

    /// Makes the changes.
    func run(in transaction: WriteTransaction) throws

    /// What tells the task that the changes are committed, or why they are not.
    func ending(_ error: (any Error)?) -> @Sendable () -> Void
}

extension WriteJob {
    /// Tells the task why nothing was changed.
    func end(_ error: any Error) { ending(error)() }
}

/// A job with the closure that a task gave.
final class ClosureJob<R: Sendable>: WriteJob {
    /// The task that waits keeps it.
    private unowned let store: RealmStore
    private let body: @Sendable (WriteTransaction) throws -> R
    private let continuation: CheckedContinuation<R, any Error>
    private let result = Mutex<R?>(nil)

    init(
        _ store: RealmStore, _ continuation: CheckedContinuation<R, any Error>,
        _ body: @escaping @Sendable (WriteTransaction) throws -> R
    ) {
        (self.store, self.body, self.continuation) = (store, body, continuation)
    }

    func startRunning(_ turn: WriteLockGuard) {
        let store = Mutex<RealmStore?>(self.store)
        // Threads of tasks are few, and all of them may be waiting for their turn behind this one.
        self.store.jobThread.async {
            let endings = store.withLock { $0.take() }?.runJobs(turn) ?? []
            // Who goes on may let go of the store, and open the file again: nothing of it may be left here.
            for ending in endings { ending() }
        }
    }

    func run(in transaction: WriteTransaction) throws {
        let value = try body(transaction)
        result.withLock { $0 = value }
    }

    func ending(_ error: (any Error)?) -> @Sendable () -> Void {
        let (continuation, value) = (continuation, result.withLock { $0 })
        return {
            if let error { return continuation.resume(throwing: error) }
            guard let value else {
                return continuation.resume(
                    throwing: WriteError.internalInconsistency("a transaction was committed before it ran"))
            }
            continuation.resume(returning: value)
        }
    }
}

// Transactions that share a commit: what is waited for is the disk, and one wait does for all.
extension RealmStore {
    /// Transactions that share a commit at most.
    private static let mostTogether = 1000
    /// Bytes of new nodes from which on no further transaction joins a commit.
    private static let enoughBytes = 1 << 25

    /// Runs the jobs whose turn it is, and commits them together.
    ///
    /// - Returns: what tells those who wait, to be called when this has ended.
    func runJobs(_ turn: WriteLockGuard) -> [@Sendable () -> Void] {
        defer { turn.end() }
        var jobs = queue.takeJobs(Self.mostTogether)[...]
        guard !jobs.isEmpty else { return [] }
        var done: [any WriteJob] = []
        var endings: [@Sendable () -> Void] = []
        do {
            try withTransaction { transaction in
                while let job = jobs.popFirst() {
                    // What throws is undone, and the others go on with what was there before.
                    if let error = transaction.run(job) { endings.append(job.ending(error)) } else { done.append(job) }
                    if jobs.isEmpty, done.count < Self.mostTogether, transaction.size < Self.enoughBytes {
                        jobs = queue.takeJobs(Self.mostTogether - done.count)[...]
                    }
                }
                _ = try commit(transaction)
            }
            return endings + done.map { $0.ending(nil) }
        } catch {
            return endings + (done + jobs).map { $0.ending(error) }
        }
    }
}

extension WriteTransaction {
    /// Runs one of several transactions that are committed together.
    ///
    /// - Returns: why nothing of it was done; nil when all of it was.
    fileprivate func run(_ job: any WriteJob) -> (any Error)? {
        let mark = self.mark
        do {
            try job.run(in: self)
            if let failure { throw failure }
            try settle()
            return nil
        } catch {
            goBack(to: mark)
            return error
        }
    }
}
