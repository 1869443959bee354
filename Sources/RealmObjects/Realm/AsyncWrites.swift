internal import Dispatch
internal import RealmTransactions
internal import RealmWriter

/// Transactions that wait for their turn, and commits that wait for the disk, elsewhere, while the place of the realm goes on. One at a
/// time, in the order of the calls.
final class AsyncWrites {
    /// A transaction that has not begun.
    private struct Job {
        let number: UInt32
        let block: () -> Void
        /// Whether the block's end commits; else that is for `commitAsyncWrite`.
        let commits: Bool
        let onComplete: (((any Error)?) -> Void)?
    }

    private unowned let realm: RealmState
    private var waiting: [Job] = []
    private var lastNumber: UInt32 = 0
    /// Whether a job has begun, or a commit has not ended.
    private var isBusy = false
    /// What is told of the commit that runs, unless that was cancelled.
    private var completion: (number: UInt32, call: (((any Error)?) -> Void)?)?

    init(_ realm: RealmState) { self.realm = realm }

    var isPerforming: Bool { isBusy || !waiting.isEmpty }

    func add(commits: Bool, _ block: @escaping () -> Void, _ onComplete: (((any Error)?) -> Void)?) -> UInt32 {
        lastNumber += 1
        waiting.append(Job(number: lastNumber, block: block, commits: commits, onComplete: onComplete))
        startNext()
        return lastNumber
    }

    /// Drops a transaction that has not begun, or what is told of a commit.
    ///
    /// - Returns: whether there was one.
    func cancel(_ number: UInt32) -> Bool {
        if let index = waiting.firstIndex(where: { $0.number == number }) {
            waiting.remove(at: index)
            return true
        }
        guard completion?.number == number else { return false }
        completion = (number, nil)
        return true
    }

    private func startNext() {
        guard !isBusy, !waiting.isEmpty, let store = realm.database.store else { return }
        isBusy = true
        let back = SendableBox(self)
        // Keeps the realm until it is all done.
        let kept = SendableBox(realm)
        elsewhere {
            let result = Result { try store.begin(for: kept.value) }
            let handed = SendableBox(result)
            kept.value.confinement.schedule(isOnMainThread: kept.value.isOnMainThread) {
                back.value.run(handed.value)
                _ = kept
            }
        }
    }

    private func run(_ begun: Result<WriteTransaction, any Error>) {
        guard !waiting.isEmpty else {
            if case .success(let transaction) = begun { transaction.cancel() }
            isBusy = false
            return
        }
        let job = waiting.removeFirst()
        switch begun {
        case .failure(let error):
            isBusy = false
            job.onComplete?(error)
            startNext()
        case .success(let transaction):
            realm.begin(transaction)
            job.block()
            if realm.transaction === transaction {
                if job.commits {
                    commit(job.number, job.onComplete)
                } else {
                    realm.cancelWrite()
                    isBusy = false
                    startNext()
                }
            } else if completion == nil {
                // The block has ended it itself.
                isBusy = false
                startNext()
            }
        }
    }

    func commit(_ onComplete: (((any Error)?) -> Void)?) -> UInt32 {
        lastNumber += 1
        commit(lastNumber, onComplete)
        return lastNumber
    }

    private func commit(_ number: UInt32, _ onComplete: (((any Error)?) -> Void)?) {
        guard let transaction = realm.transaction else { Failure.stop("Can't commit a non-existing write transaction") }
        realm.leave()
        isBusy = true
        completion = (number, onComplete)
        let (back, kept, handed) = (SendableBox(self), SendableBox(realm), SendableBox(transaction))
        elsewhere {
            let result = Result { _ = try handed.value.commit() }
            kept.value.confinement.schedule(isOnMainThread: kept.value.isOnMainThread) {
                back.value.committed(result)
                _ = kept
            }
        }
    }

    private func committed(_ result: Result<Void, any Error>) {
        isBusy = false
        let told = completion?.call
        completion = nil
        if realm.transaction == nil { realm.show(realm.database.snapshot()) }
        switch result {
        case .success:
            realm.announce()
            told?(nil)
        case .failure(let error): told?(error)
        }
        startNext()
    }

    private func elsewhere(_ work: @escaping @Sendable () -> Void) {
        DispatchQueue.global(qos: .userInitiated).async(execute: work)
    }
}
