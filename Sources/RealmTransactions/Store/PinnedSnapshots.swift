internal import RealmLayout
internal import RealmReader

/// The snapshots that were handed out, of which the oldest that is still there says what each commit has to leave alone: there may be ten
/// thousand of them.
struct PinnedSnapshots: Sendable {
    private struct Pin: Sendable {
        weak var snapshot: Snapshot?
    }

    /// By their versions; those that are gone may be among them.
    private var pins: [Pin] = []
    /// The versions, apart, in ascending order: to look at a pin is to copy a weak reference. For a while those are among them whose
    /// snapshots are gone.
    private(set) var versions: [UInt64] = []
    /// From so many on all are looked at for those that are gone.
    private var most = few
    /// Where the next commit looks for some that are gone.
    private var next = 0
    private static let few = 64
    /// How many are looked at for one that is there already.
    private static let looked = 4

    /// Notes that somebody may read a snapshot from now on.
    mutating func add(_ snapshot: Snapshot) {
        // Mostly it is the last one; states of a transaction may be between.
        if pins.suffix(Self.looked).contains(where: { $0.snapshot === snapshot }) { return }
        if pins.count >= most { removeGone() }
        let version = snapshot.commitNumber
        let place = (versions.lastIndex { $0 <= version } ?? -1) + 1
        pins.insert(Pin(snapshot: snapshot), at: place)
        versions.insert(version, at: place)
    }

    /// The lowest version that somebody may read; nil for none. Each commit asks once, and some of the others that are gone go too.
    mutating func oldest() -> UInt64? {
        let first = pins.firstIndex { $0.snapshot != nil } ?? pins.count
        if first > Self.few {
            removeGone()
        } else if first > 0 {
            pins.removeFirst(first)
            versions.removeFirst(first)
        }
        removeGoneOfSome()
        return versions.first
    }

    /// The newest snapshot before a version that somebody may read; nil for none.
    func newest(before version: UInt64) -> Snapshot? {
        var place = versions.partitioningIndex { $0 >= version }
        while place > 0 {
            place -= 1
            if let snapshot = pins[place].snapshot { return snapshot }
        }
        return nil
    }

    private mutating func removeGoneOfSome() {
        let start = min(next, max(0, pins.count - Self.few))
        let end = min(start + Self.few, pins.count)
        next = end < pins.count ? end : 0
        for place in (start..<end).reversed() where pins[place].snapshot == nil {
            pins.remove(at: place)
            versions.remove(at: place)
            if next > 0 { next -= 1 }
        }
    }

    private mutating func removeGone() {
        let there = pins.indices.filter { pins[$0].snapshot != nil }
        (pins, versions) = (there.map { pins[$0] }, there.map { versions[$0] })
        most = max(Self.few, pins.count * 2)
    }
}
