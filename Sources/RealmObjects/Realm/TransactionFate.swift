internal import Synchronization

/// Whether a transaction has been committed, for threads that hold what it made.
final class TransactionFate: Sendable {
    private let committed = Atomic(false)

    var isCommitted: Bool { committed.load(ordering: .acquiring) }

    func noteCommit() { committed.store(true, ordering: .releasing) }
}
