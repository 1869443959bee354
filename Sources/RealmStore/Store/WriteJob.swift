internal import Dispatch
internal import RealmCore
internal import RealmStorage
internal import Synchronization

/// A transaction that a task is waiting for.
protocol WriteJob: AnyObject, Sendable {
    /// Runs this job and those queued after it, on a thread that may be blocked.
    func startRunning(_ turn: WriteLockGuard)

    /// Makes the changes.
    func run(in transaction: WriteTransaction) throws

    /// Returns a function that resumes the task: the changes are committed, or failed with an error.
    func ending(_ error: (any Error)?) -> @Sendable () -> Void
}

extension WriteJob {
    /// Resumes the task with an error.
    func end(_ error: any Error) { ending(error)() }
}

/// A job with the closure of a task.
final class ClosureJob<R: Sendable>: WriteJob {
    /// The waiting task keeps it alive.
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
        // Not on a thread of tasks: these are few, and all of them may be waiting behind this job.
        self.store.jobThread.async {
            let endings = store.withLock { $0.take() }?.runJobs(turn) ?? []
            // A resumed task may release the store and open the file again, so no reference to the store may be left
            // here.
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

// Transactions that share a commit: a single wait for the disk is enough for all of them.
extension RealmStore {
    /// The maximum number of transactions that share a commit.
    private static let mostTogether = 1000
    /// The number of bytes of new nodes from which no further transaction joins a commit.
    private static let enoughBytes = 1 << 25

    /// Runs the jobs whose turn it is, and commits them together.
    ///
    /// - Returns: functions that resume the waiting tasks, to be called after this has returned.
    func runJobs(_ turn: WriteLockGuard) -> [@Sendable () -> Void] {
        defer { turn.end() }
        var jobs = queue.takeJobs(Self.mostTogether)[...]
        guard !jobs.isEmpty else { return [] }
        var done: [any WriteJob] = []
        var endings: [@Sendable () -> Void] = []
        do {
            try withTransaction { transaction in
                while let job = jobs.popFirst() {
                    // A job that throws is undone; the next ones continue from the state before it.
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
    /// - Returns: the error that undid its changes; nil if it succeeded.
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
