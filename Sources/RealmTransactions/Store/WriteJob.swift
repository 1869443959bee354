internal import Dispatch
internal import RealmStorage
internal import RealmWriter
internal import Synchronization

/// A transaction that a task waits for.
protocol WriteJob: AnyObject, Sendable {
    /// Runs this job and those that wait behind it, on a thread that may be blocked.
    func startRunning(_ turn: WriteTurn)

    /// Makes the changes.
    func run(in transaction: WriteTransaction) throws

    /// Tells the task that the changes are committed, or why they are not.
    func end(_ error: (any Error)?)
}

/// A job with the closure that a task gave.
final class ClosureJob<R: Sendable>: WriteJob {
    private let store: RealmStore
    private let body: @Sendable (WriteTransaction) throws -> R
    private let continuation: CheckedContinuation<R, any Error>
    private let result = Mutex<R?>(nil)

    init(
        _ store: RealmStore, _ continuation: CheckedContinuation<R, any Error>,
        _ body: @escaping @Sendable (WriteTransaction) throws -> R
    ) {
        (self.store, self.body, self.continuation) = (store, body, continuation)
    }

    func startRunning(_ turn: WriteTurn) {
        // Threads of tasks are few, and all of them may be waiting for their turn behind this one.
        store.jobThread.async { [store] in store.runJobs(turn) }
    }

    func run(in transaction: WriteTransaction) throws {
        let value = try body(transaction)
        result.withLock { $0 = value }
    }

    func end(_ error: (any Error)?) {
        let value = result.withLock { $0 }
        if let error { return continuation.resume(throwing: error) }
        guard let value else {
            return continuation.resume(throwing: WriteError.unsound("a transaction was committed before it ran"))
        }
        continuation.resume(returning: value)
    }
}

// Transactions that share a commit: what is waited for is the disk, and one wait does for all.
extension RealmStore {
    /// Transactions that share a commit at most.
    private static let mostTogether = 1000
    /// Bytes of new nodes from which on no further transaction joins a commit.
    private static let enoughBytes = 1 << 25

    /// Runs all jobs whose turn it is.
    func runJobs(_ turn: WriteTurn) {
        while true {
            let jobs = queue.takeJobs(Self.mostTogether)
            guard !jobs.isEmpty else { break }
            runTogether(jobs)
        }
        turn.end()
    }

    private func runTogether(_ first: [any WriteJob]) {
        var done: [any WriteJob] = []
        var jobs = first[...]
        do {
            try withTransaction { transaction in
                while let job = jobs.popFirst() {
                    // What throws is undone, and the others go on with what was there before.
                    if let error = transaction.run(job) { job.end(error) } else { done.append(job) }
                    if jobs.isEmpty, done.count < Self.mostTogether, transaction.size < Self.enoughBytes {
                        jobs = queue.takeJobs(Self.mostTogether - done.count)[...]
                    }
                }
                _ = try commit(transaction)
            }
            for job in done { job.end(nil) }
        } catch {
            for job in done + jobs { job.end(error) }
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
