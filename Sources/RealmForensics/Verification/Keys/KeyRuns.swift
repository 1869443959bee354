internal import RealmCore
package import RealmLayout

/// A run of consecutive keys.
struct KeyRun: Sendable, BitwiseCopyable {
    /// No keys.
    static let none = KeyRun(start: 0, end: 0)

    let start: UInt64
    /// The key after the last one.
    let end: UInt64

    func contains(_ key: ObjectKey) -> Bool {
        let wanted = UInt64(bitPattern: key.value)
        return wanted >= start && wanted < end
    }
}

/// The keys of all objects of a tree, as runs of consecutive keys, of which most tables have few.
package struct KeyRuns: Sendable {
    /// The first key of each run, and the key after its last.
    private var starts: [UInt64] = []
    private var ends: [UInt64] = []
    /// A copy of the first run. Most tables have no other, and arrays accessed by several threads count references.
    private(set) var first = KeyRun.none

    /// Reads the keys of a tree.
    ///
    /// - Parameter room: the number of runs that may still be created for this commit.
    /// - Returns: nil when the tree is damaged or there are too many runs; keys must then be looked up in the tree.
    package init?(_ scope: SnapshotScope, root: Ref, shift: Int, room: inout Int) {
        var isSound = true
        var walk = ClusterWalk(scope, root: root, shift: shift) { _, _, _ in isSound = false }
        while let view = walk.next() {
            guard isSound, add(view, limit: room) else { return nil }
        }
        guard isSound, walk.isComplete, !walk.lacksOffsets else { return nil }
        room -= starts.count
        if let start = starts.first, let end = ends.first { first = KeyRun(start: start, end: end) }
    }

    private mutating func add(_ view: ClusterView, limit: Int) -> Bool {
        guard view.count > 0 else { return true }
        let (first, last) = (UInt64(bitPattern: view.key(0).value), UInt64(bitPattern: view.key(view.count - 1).value))
        // The walk has checked that keys ascend: if their number equals their span, they are consecutive.
        if last &- first == UInt64(view.count - 1) { return append(first, last, limit) }
        return (0..<view.count).allSatisfy { row in
            let key = UInt64(bitPattern: view.key(row).value)
            return append(key, key, limit)
        }
    }

    /// Adds a run; returns false when its keys are not higher than all before, or there is no room for another run.
    private mutating func append(_ first: UInt64, _ last: UInt64, _ limit: Int) -> Bool {
        guard first <= last, last < .max, first >= ends.last ?? 0 else { return false }
        if first == ends.last {
            ends[ends.count - 1] = last + 1
            return true
        }
        starts.append(first)
        ends.append(last + 1)
        return starts.count <= limit
    }

    /// Whether an object with the key exists.
    package func contains(_ key: ObjectKey) -> Bool { run(of: key) != nil }

    /// The run that contains a key; nil when no object has it.
    func run(of key: ObjectKey) -> KeyRun? {
        if first.contains(key) { return first }
        let wanted = UInt64(bitPattern: key.value)
        let index = starts.dropFirst().partitioningIndex { $0 > wanted } - 1
        guard index > 0, wanted < ends[index] else { return nil }
        return KeyRun(start: starts[index], end: ends[index])
    }
}
