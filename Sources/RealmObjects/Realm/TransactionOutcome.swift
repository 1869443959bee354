internal import Dispatch
internal import RealmReader
internal import RealmTransactions
internal import Synchronization

/// What becomes of a transaction, for threads that hold what it made.
final class TransactionOutcome: Sendable {
    private enum State: Sendable {
        case open
        case committing(CommitElsewhere)
        case ended(isCommitted: Bool)
    }

    private let state: Mutex<State>

    /// - Parameter commit: what waits for the disk already.
    init(_ commit: CommitElsewhere?) { state = Mutex(commit.map { .committing($0) } ?? .open) }

    /// Whether the transaction has been committed. A commit that runs is waited for.
    var isCommitted: Bool {
        switch state.withLock({ $0 }) {
        case .open: false
        case .committing(let commit): commit.isSuccess
        case .ended(let isCommitted): isCommitted
        }
    }

    func noteCommitting(_ commit: CommitElsewhere) { state.withLock { $0 = .committing(commit) } }

    func noteEnd(isCommitted: Bool) { state.withLock { $0 = .ended(isCommitted: isCommitted) } }
}

/// A commit that runs on a thread of its own, while the place of the realm goes on.
final class CommitElsewhere: Sendable {
    private let outcome = Mutex<Result<Snapshot, any Error>?>(nil)
    private let running = DispatchGroup()

    init() { running.enter() }

    /// Notes how it has ended.
    func end(_ result: Result<Snapshot, any Error>) {
        outcome.withLock { $0 = result }
        running.leave()
    }

    /// How it has ended; nil while it runs.
    var result: Result<Snapshot, any Error>? { outcome.withLock { $0 } }

    func wait() { running.wait() }

    /// Whether it has succeeded, which is waited for.
    fileprivate var isSuccess: Bool {
        wait()
        return if case .success = result { true } else { false }
    }
}
