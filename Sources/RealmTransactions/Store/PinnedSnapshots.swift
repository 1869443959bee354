internal import RealmReader

/// The snapshots that were handed out, of which the oldest that is still there says what each commit has to leave alone: there may be ten
/// thousand of them.
struct PinnedSnapshots: Sendable {
    private struct Pin: Sendable {
        let version: UInt64
        weak var snapshot: Snapshot?
    }

    /// By their versions; those that are gone may be among them.
    private var pins: [Pin] = []
    /// From so many on all are looked at for those that are gone.
    private var most = few
    private static let few = 64
    /// How many are looked at for one that is there already.
    private static let looked = 4

    /// Notes that somebody may read a snapshot from now on.
    mutating func add(_ snapshot: Snapshot) {
        // Mostly it is the last one; states of a transaction may be between.
        if pins.suffix(Self.looked).contains(where: { $0.snapshot === snapshot }) { return }
        if pins.count >= most { removeGone() }
        let version = snapshot.commitNumber
        let place = (pins.lastIndex { $0.version <= version } ?? -1) + 1
        pins.insert(Pin(version: version, snapshot: snapshot), at: place)
    }

    /// The lowest version that somebody may read; nil for none.
    mutating func oldest() -> UInt64? {
        let first = pins.firstIndex { $0.snapshot != nil } ?? pins.count
        if first > Self.few { removeGone() } else { pins.removeFirst(first) }
        return pins.first?.version
    }

    /// The newest snapshot before a version that somebody may read; nil for none.
    func newest(before version: UInt64) -> Snapshot? {
        var (low, high) = (0, pins.count)
        while low < high {
            let middle = (low + high) / 2
            if pins[middle].version < version { low = middle + 1 } else { high = middle }
        }
        while low > 0 {
            low -= 1
            if let snapshot = pins[low].snapshot { return snapshot }
        }
        return nil
    }

    private mutating func removeGone() {
        pins.removeAll { $0.snapshot == nil }
        most = max(Self.few, pins.count * 2)
    }
}
