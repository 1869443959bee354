internal import RealmLayout
internal import RealmReader
internal import Synchronization

/// Visits all nodes of commits, on one thread or several.
package struct CommitSweep {
    /// What threads have in common while they visit one commit.
    private final class Commit: Sendable {
        let claims: SharedWordMap
        let isClean = Atomic(true)
        let nodeCount = Atomic(0)
        let byteCount = Atomic(0)
        let starts = Mutex(NodeStarts())

        init(bytes: Int) { claims = SharedWordMap(bytes: bytes) }

        /// Notes what one thread has visited.
        func add(_ sweep: NodeSweep<Claims>, isClean clean: Bool) {
            var claims = sweep.claims
            starts.withLock { $0.add(sweep.starts) }
            if !claims.flush() || !clean { isClean.store(false, ordering: .relaxed) }
            nodeCount.wrappingAdd(claims.nodeCount, ordering: .relaxed)
            byteCount.wrappingAdd(claims.byteCount, ordering: .relaxed)
        }
    }

    /// What one thread claims.
    private struct Claims: NodeClaims {
        private let map: SharedWordMap
        private(set) var nodeCount = 0
        private(set) var byteCount = 0
        /// Words that are not in the map yet: nodes that follow each other are often neighbours.
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

        /// Notes what is pending; false when some of it belongs to another node.
        mutating func flush() -> Bool {
            defer { pending.bits = 0 }
            return map.insert(pending)
        }
    }

    /// Pieces of a commit for each thread: many, because nobody knows how much is below an element.
    private static let piecesPerThread = 256

    /// Visits all nodes of each commit.
    ///
    /// - Returns: the nodes of each; nil when any of them, or a reference, is not as it should be.
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
