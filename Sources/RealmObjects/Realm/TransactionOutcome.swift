internal import Dispatch
internal import RealmCore
internal import RealmStore
internal import Synchronization

/// The outcome of a transaction, for threads that hold objects created in it.
final class TransactionOutcome: Sendable {
    private enum State: Sendable {
        case open
        case committing(CommitElsewhere)
        case ended(isCommitted: Bool)
    }

    private let state: Mutex<State>

    /// - Parameter commit: the commit already in progress, if any.
    init(_ commit: CommitElsewhere?) { state = Mutex(commit.map { .committing($0) } ?? .open) }

    /// Whether the transaction was committed. Waits for a running commit.
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

/// A commit that runs on another thread, without blocking the realm's own.
final class CommitElsewhere: Sendable {
    private let outcome = Mutex<Result<Snapshot, any Error>?>(nil)
    private let running = DispatchGroup()

    init() { running.enter() }

    /// Records the result.
    func end(_ result: Result<Snapshot, any Error>) {
        outcome.withLock { $0 = result }
        running.leave()
    }

    /// The result; nil while the commit runs.
    var result: Result<Snapshot, any Error>? { outcome.withLock { $0 } }

    func wait() { running.wait() }

    /// Whether the commit succeeded. Waits for its end.
    fileprivate var isSuccess: Bool {
        wait()
        return if case .success = result { true } else { false }
    }
}
