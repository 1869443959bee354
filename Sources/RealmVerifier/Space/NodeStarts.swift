internal import RealmLayout
internal import RealmReader

/// Nodes that do not begin with `AAAA` (N01; Spec 20). Nobody reads these four bytes, so that such nodes are counted, and
/// reported in one finding a commit.
struct NodeStarts: Sendable {
    private var count = 0
    private var first = Int.max

    /// Notes what a node begins with.
    @inline(__always)
    mutating func note(_ node: Node) {
        if !node.header.hasDummyChecksum { add(1, first: node.ref.offset) }
    }

    /// Adds what others have counted.
    mutating func add(_ other: NodeStarts) { add(other.count, first: other.first) }

    private mutating func add(_ count: Int, first: Int) {
        self.count &+= count
        self.first = min(self.first, first)
    }

    /// Reports how many there are. Before format 9 nothing is expected there.
    func report(in scope: SnapshotScope) {
        guard count > 0, scope.format.number >= 9 else { return }
        scope.sink.report(
            .nodeMagic, at: first, in: scope.place,
            "\(count == 1 ? "a node begins" : "\(count) nodes begin") with other bytes than AAAA, as those that Realm Core wrote "
                + "before version 2.2 do")
    }
}
