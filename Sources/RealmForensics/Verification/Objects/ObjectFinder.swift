internal import RealmCore
package import RealmLayout

/// Finds objects by key. Caches the last cluster, because links usually stay close together.
package struct ObjectFinder {
    package enum Result {
        case found(ClusterView, row: Int)
        case missing
        /// The path to the object is damaged, which was reported.
        case unreadable
    }

    private let scope: SnapshotScope
    private let root: Ref
    private let shift: Int
    private var last: (view: ClusterView, first: UInt64, end: UInt64?)?

    package init(_ scope: SnapshotScope, root: Ref, shift: Int) {
        self.scope = scope
        self.root = root
        self.shift = shift
    }

    package mutating func find(_ key: ObjectKey) -> Result {
        let wanted = UInt64(bitPattern: key.value)
        if let last, wanted >= last.first, last.end.map({ wanted < $0 }) ?? true {
            return last.view.row(of: key).map { .found(last.view, row: $0) } ?? .missing
        }
        var ref = root
        var keyOffset: UInt64 = 0
        var first: UInt64 = 0
        var end: UInt64?
        for _ in 0...Limits.treeDepth {
            guard let node = scope.node(ref) else { return .unreadable }
            guard node.header.isInner else {
                guard let view = ClusterView.read(node, keyOffset: keyOffset, scope) else { return .unreadable }
                last = (view, first, end)
                return view.row(of: key).map { .found(view, row: $0) } ?? .missing
            }
            guard let slots = scope.record(ref, of: ClusterInnerSlot.self), slots.childCount > 0,
                let depth = slots.number(.depth), depth <= UInt64(Limits.treeDepth)
            else { return .unreadable }
            let children = slots.childCount
            let bits = UInt64(shift) * depth
            var index = Int(min((wanted &- keyOffset) >> bits, UInt64(children - 1)))
            var starts = (UInt64(index) << bits, UInt64(index + 1) << bits)
            if let offsetsRef = slots.ref(.keyOffsets) {
                guard let offsets = scope.integers(offsetsRef), offsets.count == children else { return .unreadable }
                index = offsets.lastIndex(unsignedAtMost: wanted &- keyOffset) ?? 0
                starts = (offsets.unsigned(at: index) ?? 0, offsets.unsigned(at: index + 1) ?? 0)
            }
            if index + 1 < children { end = keyOffset &+ starts.1 }
            keyOffset &+= starts.0
            first = max(first, keyOffset)
            guard case .ref(let child) = slots.child(unchecked: index) else { return .unreadable }
            ref = child
        }
        return .unreadable
    }
}
