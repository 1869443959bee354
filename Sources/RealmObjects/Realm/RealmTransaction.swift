internal import RealmCore
internal import RealmLayout
internal import RealmStore

/// A write transaction of a realm, from its beginning until its outcome is known. Objects read in it hold it as long as
/// it decides whether they still exist.
///
/// It is used only within the confinement of the realm.
final class RealmTransaction {
    private enum State {
        /// Changes are being made.
        case open(WriteTransaction)
        /// The changes are shown here, and are being committed on another thread.
        case committing(CommitElsewhere)
        case committed
        /// The objects that it created do not exist, and never will: by class; nil for everything that was read in it.
        case undone(made: [String: Set<ObjectKey>]?)
    }

    /// Counted from 1.
    let number: UInt64
    /// The version when it began; nil when it has ended, because versions are not kept for longer.
    private(set) var base: Snapshot?
    /// The realm's stamp when it began; later stamps include its changes.
    let begunAt: UInt64
    private var state: State
    private var knownFate: TransactionOutcome?
    /// Retains the realm while changes are made: after `try Realm().beginWrite()` nothing else does.
    private var keeper: RealmInstance?

    init(_ number: UInt64, _ open: WriteTransaction, _ base: Snapshot, _ realm: RealmInstance) {
        (self.number, self.base, begunAt, keeper) = (number, base, realm.stamp, realm)
        state = .open(open)
        realm.confinement.noteOpen(realm.anchor)
    }

    /// The transaction that makes the changes; nil when it has ended.
    var open: WriteTransaction? { if case .open(let open) = state { open } else { nil } }

    /// The commit that is waiting for the disk.
    var commit: CommitElsewhere? { if case .committing(let commit) = state { commit } else { nil } }

    /// The outcome, once it is known, for other threads.
    var fate: TransactionOutcome {
        if let knownFate { return knownFate }
        let fate = TransactionOutcome(commit)
        knownFate = fate
        return fate
    }

    /// Whether it was undone, and had created the object.
    func hasUndone(_ key: ObjectKey, _ binding: ClassBinding) -> Bool {
        guard case .undone(let made) = state else { return false }
        return made.map { $0[binding.model.className]?.contains(key) ?? false } ?? true
    }

    // MARK: Ending

    /// Hands the changes to a commit on another thread.
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

    /// Records that nothing has changed.
    ///
    /// - Parameter undone: the state with its changes; nil if unknown.
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
