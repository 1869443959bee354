internal import RealmCore
internal import RealmLayout

/// The snapshots in use, of which there may be ten thousand. The oldest one that still exists determines the nodes that
/// commits must not overwrite.
struct PinnedSnapshots: Sendable {
    private struct Pin: Sendable {
        weak var snapshot: Snapshot?
    }

    /// The snapshots by version, possibly including released ones.
    private var pins: [Pin] = []
    /// The versions, ascending, in a separate array because accessing a pin copies a weak reference. May temporarily
    /// include versions of released snapshots.
    private(set) var versions: [UInt64] = []
    /// The number of pins from which all are checked for released snapshots.
    private var most = few
    /// The position at which the next commit checks for released snapshots.
    private var next = 0
    private static let few = 64
    /// The number of recent pins that are checked for an existing entry.
    private static let looked = 4

    /// Records that a snapshot may be read from now on.
    mutating func add(_ snapshot: Snapshot) {
        // Usually the last one; states of a transaction may be in between.
        if pins.suffix(Self.looked).contains(where: { $0.snapshot === snapshot }) { return }
        if pins.count >= most { removeGone() }
        let version = snapshot.commitNumber
        let place = (versions.lastIndex { $0 <= version } ?? -1) + 1
        pins.insert(Pin(snapshot: snapshot), at: place)
        versions.insert(version, at: place)
    }

    /// The lowest version that may still be read; nil if there is none. Each commit calls this once, which also removes
    /// some released snapshots.
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

    /// The newest snapshot before a version that may still be read; nil if there is none.
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
