package import RealmLayout
internal import RealmReader

/// Some clusters of a tree that follow each other.
package struct ClusterPiece {
    /// What is wrong with the tree on the way to the first of them.
    package let findings: FindingSink?
    package let clusters: [ClusterView]
}

/// Cuts the clusters of a tree into pieces of work. Where something is wrong with the tree, a piece ends, so that all
/// findings can be put in the order in which they would be made one by one.
package struct ClusterPieces {
    /// What the walk has found since the last cluster that was given out.
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
    /// A cluster before which something was found: the first of the next piece.
    private var pending: ClusterView?

    /// - Parameter size: clusters of a piece.
    package init(_ scope: SnapshotScope, root: Ref, shift: Int, of table: CheckedTable, size: Int) {
        let findings = Findings(scope, table)
        self.size = size
        self.findings = findings
        walk = ClusterWalk(scope, root: root, shift: shift) { findings.report($0, $1, $2) }
    }

    /// The next piece; nil after the last.
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
        // After the last cluster there may be something to say yet.
        if clusters.isEmpty, before == nil { before = findings.take() }
        return clusters.isEmpty && before == nil ? nil : ClusterPiece(findings: before, clusters: clusters)
    }

    /// What is known when all clusters were given out.
    package struct End {
        /// Objects in the clusters.
        package let visitedCount: Int
        /// Objects as the root says.
        package let storedCount: Int?
        /// Whether all clusters could be read.
        package let isComplete: Bool
    }

    /// What is known so far.
    package var end: End {
        End(visitedCount: walk.visitedCount, storedCount: walk.storedCount, isComplete: walk.isComplete)
    }
}
