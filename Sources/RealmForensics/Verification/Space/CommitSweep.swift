internal import RealmCore
internal import RealmLayout
internal import Synchronization

/// Visits all nodes of commits, on one or several threads.
package struct CommitSweep {
    /// State shared by threads that visit the same commit.
    private final class Commit: Sendable {
        let claims: SharedWordMap
        let isClean = Atomic(true)
        let nodeCount = Atomic(0)
        let byteCount = Atomic(0)
        let starts = Mutex(NodeStarts())

        init(bytes: Int) { claims = SharedWordMap(bytes: bytes) }

        /// Adds the results of one thread.
        func add(_ sweep: NodeSweep<Claims>, isClean clean: Bool) {
            var claims = sweep.claims
            starts.withLock { $0.add(sweep.starts) }
            if !claims.flush() || !clean { isClean.store(false, ordering: .relaxed) }
            nodeCount.wrappingAdd(claims.nodeCount, ordering: .relaxed)
            byteCount.wrappingAdd(claims.byteCount, ordering: .relaxed)
        }
    }

    /// The claims of one thread.
    private struct Claims: NodeClaims {
        private let map: SharedWordMap
        private(set) var nodeCount = 0
        private(set) var byteCount = 0
        /// Words that are not in the map yet: nodes visited in sequence are often adjacent.
        private var pending = SharedWordMap.Group(index: 0, bits: 0)

        init(_ map: SharedWordMap) { self.map = map }

        mutating func claimWords(of node: Node) -> Bool {
            nodeCount &+= 1
            byteCount &+= node.body.count
            guard let group = SharedWordMap.Group(node.ref.offset, count: node.body.count) else {
                return map.insert(node.ref.offset, count: node.body.count)
            }
            guard group.index != pending.index else {
                let wereClear = pending.bits & group.bits == 0
                pending.bits |= group.bits
                return wereClear
            }
            let wereClear = flush()
            pending = group
            return wereClear
        }

        /// Claims the pending words; returns false when some of them belong to another node.
        mutating func flush() -> Bool {
            defer { pending.bits = 0 }
            return map.insert(pending)
        }
    }

    /// The number of pieces per thread: many, because the size of subtrees is unknown.
    private static let piecesPerThread = 256

    /// Visits all nodes of each commit.
    ///
    /// - Returns: the nodes of each commit; nil when any node or reference is irregular.
    package static func run(_ scopes: [SnapshotScope], _ workers: Workers) -> [NodeMap?] {
        guard workers.count > 1 else { return scopes.map(alone) }
        let commits = scopes.map { Commit(bytes: $0.root.logicalSize) }
        let pieces = workers.map(Array(zip(scopes, commits))) { scope, commit in
            var sweep = NodeSweep(scope, Claims(commit.claims))
            let rest = sweep.spread(from: scope.root.ref, to: workers.count * piecesPerThread)
            commit.add(sweep, isClean: rest != nil)
            return (rest ?? []).map { (scope, commit, $0) }
        }
        _ = workers.map(pieces.flatMap(\.self)) { scope, commit, level in
            guard commit.isClean.load(ordering: .relaxed) else { return }
            var sweep = NodeSweep(scope, Claims(commit.claims))
            let isClean = sweep.visitAll(from: level)
            commit.add(sweep, isClean: isClean)
        }
        return zip(scopes, commits).map { scope, commit in
            guard commit.isClean.load(ordering: .relaxed) else { return nil }
            return NodeMap(
                bytes: scope.root.logicalSize, commit.claims, nodeCount: commit.nodeCount.load(ordering: .relaxed),
                byteCount: commit.byteCount.load(ordering: .relaxed), commit.starts.withLock { $0 })
        }
    }

    private static func alone(_ scope: SnapshotScope) -> NodeMap? {
        var sweep = NodeSweep(scope, NodeMap(bytes: scope.root.logicalSize))
        guard sweep.visitAll(from: scope.root.ref) else { return nil }
        var nodes = sweep.claims
        nodes.startsOfNodes = sweep.starts
        return nodes
    }
}
