internal import RealmCore
internal import RealmLayout

/// Counts nodes that do not begin with `AAAA` (N01; Spec 20). Realm Core never reads these four bytes, so there is a
/// single finding per commit: a remark for bytes that releases wrote there, a warning for others.
struct NodeStarts: Sendable {
    /// The number of nodes, and the offset of the first in the file.
    private struct Count: Sendable {
        var number = 0
        var first = Int.max

        mutating func add(_ number: Int, first: Int) {
            self.number &+= number
            self.first = min(self.first, first)
        }

        var text: String { number == 1 ? "a node begins" : "\(number) nodes begin" }
    }

    private var old = Count()
    private var unknown = Count()

    /// Counts a node by its first bytes.
    @inline(__always)
    mutating func note(_ node: Node) {
        if !node.header.hasDummyChecksum { noteOther(node) }
    }

    @inline(never)
    private mutating func noteOther(_ node: Node) {
        if node.header.hasReleasedStart {
            old.add(1, first: node.ref.offset)
        } else {
            unknown.add(1, first: node.ref.offset)
        }
    }

    /// Adds the counts of another thread.
    mutating func add(_ other: NodeStarts) {
        old.add(other.old.number, first: other.old.first)
        unknown.add(other.unknown.number, first: other.unknown.first)
    }

    /// Reports the counts. Before format 9 the bytes have no expected value.
    func report(in scope: SnapshotScope) {
        guard scope.format.number >= 9 else { return }
        if old.number > 0 {
            scope.sink.report(
                .nodeMagic, at: old.first, in: scope.place,
                "\(old.text) with other bytes than AAAA, as those that Realm Core wrote before version 2.2 do")
        }
        if unknown.number > 0 {
            scope.sink.report(
                .nodeMagic, as: .warning, at: unknown.first, in: scope.place,
                "\(unknown.text) with bytes that no release of Realm Core has left there")
        }
    }
}
