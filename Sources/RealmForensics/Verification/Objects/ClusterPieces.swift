internal import RealmCore
package import RealmLayout

/// Consecutive clusters of a tree.
package struct ClusterPiece {
    /// Findings in the tree on the way to the first cluster.
    package let findings: FindingSink?
    package let clusters: [ClusterView]
}

/// Divides the clusters of a tree into pieces of work. A piece ends at a finding in the tree, so that all findings can
/// be merged in the order of a sequential walk.
package struct ClusterPieces {
    /// Collects findings of the walk since the last returned cluster.
    private final class Findings {
        private let scope: SnapshotScope
        private let table: CheckedTable
        private var sink: FindingSink?

        init(_ scope: SnapshotScope, _ table: CheckedTable) {
            self.scope = scope
            self.table = table
        }

        func report(_ check: CheckIdentifier, _ ref: Ref, _ message: String) {
            let sink = sink ?? scope.sink.empty
            sink.report(check, at: ref.offset, in: scope.place(table.name), message)
            self.sink = sink
        }

        var isEmpty: Bool { sink == nil }

        func take() -> FindingSink? {
            defer { sink = nil }
            return sink
        }
    }

    private let size: Int
    private let findings: Findings
    private var walk: ClusterWalk
    /// A cluster preceded by findings: the first of the next piece.
    private var pending: ClusterView?

    /// - Parameter size: the number of clusters per piece.
    package init(_ scope: SnapshotScope, root: Ref, shift: Int, of table: CheckedTable, size: Int) {
        let findings = Findings(scope, table)
        self.size = size
        self.findings = findings
        walk = ClusterWalk(scope, root: root, shift: shift) { findings.report($0, $1, $2) }
    }

    /// The next piece; nil at the end.
    package mutating func next() -> ClusterPiece? {
        var clusters = [pending].compactMap(\.self)
        pending = nil
        var before = findings.take()
        while clusters.count < size, let view = walk.next() {
            if !findings.isEmpty {
                guard clusters.isEmpty else {
                    pending = view
                    break
                }
                before = findings.take()
            }
            clusters.append(view)
        }
        // Findings may also follow the last cluster.
        if clusters.isEmpty, before == nil { before = findings.take() }
        return clusters.isEmpty && before == nil ? nil : ClusterPiece(findings: before, clusters: clusters)
    }

    /// Totals of a tree, complete after its last cluster.
    package struct End {
        /// The number of objects in the clusters.
        package let visitedCount: Int
        /// The number of objects according to the root.
        package let storedCount: Int?
        /// Whether all clusters could be read.
        package let isComplete: Bool
    }

    /// The totals so far.
    package var end: End {
        End(visitedCount: walk.visitedCount, storedCount: walk.storedCount, isComplete: walk.isComplete)
    }
}
