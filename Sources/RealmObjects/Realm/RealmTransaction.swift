internal import RealmLayout
internal import RealmReader
internal import RealmTransactions

/// A write transaction of a realm, from its beginning until it is known what became of it. What was read in it holds it as long as that
/// tells whether there is still what was read.
///
/// It is used where the realm belongs.
final class RealmTransaction {
    private enum State {
        /// Changes are made.
        case open(WriteTransaction)
        /// The changes are shown here. They wait for the disk, elsewhere.
        case committing(CommitElsewhere)
        case committed
        /// What it made is not there, and never comes to be: objects by their classes; nil for all that was read in it.
        case undone(made: [String: Set<ObjectKey>]?)
    }

    /// Counted from 1.
    let number: UInt64
    /// What there was when it began; nil when it has ended: versions are not kept for longer.
    private(set) var base: Snapshot?
    /// The realm's stamp when it began: later ones are of what it has changed.
    let begunAt: UInt64
    private var state: State
    private var knownFate: TransactionOutcome?
    /// Keeps the realm while changes are made: `try Realm().beginWrite()` holds it nowhere else.
    private var keeper: RealmInstance?

    init(_ number: UInt64, _ open: WriteTransaction, _ base: Snapshot, _ realm: RealmInstance) {
        (self.number, self.base, begunAt, keeper) = (number, base, realm.stamp, realm)
        state = .open(open)
        realm.confinement.noteOpen(realm.anchor)
    }

    /// What makes the changes; nil when it has come to its end.
    var open: WriteTransaction? { if case .open(let open) = state { open } else { nil } }

    /// The commit that waits for the disk.
    var commit: CommitElsewhere? { if case .committing(let commit) = state { commit } else { nil } }

    /// What will have become of it, for who asks elsewhere.
    var fate: TransactionOutcome {
        if let knownFate { return knownFate }
        let fate = TransactionOutcome(commit)
        knownFate = fate
        return fate
    }

    /// Whether it was undone, and had made an object.
    func hasUndone(_ key: ObjectKey, _ binding: ClassBinding) -> Bool {
        guard case .undone(let made) = state else { return false }
        return made.map { $0[binding.model.className]?.contains(key) ?? false } ?? true
    }

    // MARK: How it ends

    /// Leaves the changes to a commit elsewhere.
    func noteCommitting(_ commit: CommitElsewhere) {
        knownFate?.noteCommitting(commit)
        isOpenNoMore()
        state = .committing(commit)
    }

    func noteCommitted() {
        knownFate?.noteEnd(isCommitted: true)
        isOpenNoMore()
        (state, base, knownFate) = (.committed, nil, nil)
    }

    /// Notes that nothing has changed.
    ///
    /// - Parameter undone: the state with its changes; nil where that is not known.
    func noteUndone(_ undone: Snapshot?) {
        knownFate?.noteEnd(isCommitted: false)
        let made = base.flatMap { base in
            (try? undone?.changes(since: base)).map { changes in
                Dictionary(changes.tables.map { ($0.name, Set($0.inserted)) }) { first, _ in first }
            }
        }
        isOpenNoMore()
        (state, base, knownFate) = (.undone(made: made), nil, nil)
    }

    private func isOpenNoMore() {
        guard let keeper else { return }
        keeper.confinement.noteEnd(keeper.anchor)
        self.keeper = nil
    }
}

/// When something became a view of what a realm shows.
struct ObjectEpoch {
    private let stamp: UInt64
    /// The transaction, where it had changed something by then: it may not come to be what was seen.
    private let transaction: RealmTransaction?

    /// What there is in memory was never bound.
    init() { (stamp, transaction) = (0, nil) }

    /// The present.
    @inline(__always)
    init(_ realm: RealmInstance) {
        stamp = realm.stamp
        transaction = realm.changingTransaction
    }

    /// Whether the realm was invalidated since.
    @inline(__always)
    func isInvalidated(_ realm: RealmInstance) -> Bool { stamp <= realm.invalidatedUntil }

    /// Whether an object that was seen then was undone, so that what has its key now is another one.
    @inline(__always)
    func isUndone(_ key: ObjectKey, _ binding: ClassBinding) -> Bool {
        transaction?.hasUndone(key, binding) ?? false
    }
}
