internal import RealmCore
internal import RealmLayout

/// Clusters of one table, to be checked by one thread.
struct ContentPiece {
    let table: TablePosition
    let inTombstones: Bool
    /// Findings in the tree on the way to the first cluster.
    let findings: FindingSink?
    let clusters: [ClusterView]
    /// The totals of the tree; nil before its last piece.
    let end: ClusterPieces.End?

    /// Checks all of the clusters, with a sink of its own.
    func check(
        _ scope: SnapshotScope, _ plan: VerificationPlan, _ purpose: LeafChecks.Purpose, _ budget: ElementBudget
    ) -> LeafChecks {
        let checks = LeafChecks(
            scope.reporting(to: scope.sink.empty), plan, table: table, inTombstones: inTombstones,
            purpose: purpose, budget: budget)
        for cluster in clusters { checks.check(cluster) }
        return checks
    }
}

/// Divides the objects and tombstones of tables into pieces of work, table by table.
struct ContentPieces {
    private struct Tree {
        let table: TablePosition
        let root: Ref
        let inTombstones: Bool
    }

    private let scope: SnapshotScope
    private let plan: VerificationPlan
    /// The remaining trees, the next one at the end.
    private var trees: [Tree]
    private var pieces: ClusterPieces?

    /// The number of clusters per piece: large enough to be worthwhile, small enough for all threads to finish
    /// together.
    private static let clustersPerPiece = 8

    init(_ scope: SnapshotScope, _ plan: VerificationPlan, tables: Range<TablePosition>) {
        self.scope = scope
        self.plan = plan
        trees = tables.reversed().flatMap { table in
            let model = plan.tables[table]
            return [
                model.tombstones.map { Tree(table: table, root: $0, inTombstones: true) },
                model.clusters.map { Tree(table: table, root: $0, inTombstones: false) },
            ].compactMap(\.self)
        }
    }

    /// The next piece; nil at the end. Each tree ends with a piece without clusters.
    mutating func next() -> ContentPiece? {
        guard let tree = trees.last else { return nil }
        var findings: FindingSink?
        if pieces == nil {
            findings = checkSpacing(tree)
            pieces = ClusterPieces(
                scope, root: tree.root, shift: tree.inTombstones ? ClusterWalk.usualShift : plan.shifts[tree.table],
                of: plan.tables[tree.table], size: Self.clustersPerPiece)
        }
        let piece = pieces?.next()
        if let more = piece?.findings {
            if let findings { findings.add(more) } else { findings = more }
        }
        var end: ClusterPieces.End?
        if piece == nil {
            end = pieces?.end
            pieces = nil
            trees.removeLast()
        }
        return ContentPiece(
            table: tree.table, inTombstones: tree.inTombstones, findings: findings, clusters: piece?.clusters ?? [],
            end: end)
    }

    /// Reports a tree that was written by a test build.
    private func checkSpacing(_ tree: Tree) -> FindingSink? {
        guard !tree.inTombstones, plan.shifts[tree.table] == ClusterWalk.testShift else { return nil }
        let sink = scope.sink.empty
        sink.report(
            .keySpacing, at: tree.root.offset, in: scope.place(plan.tables[tree.table].name),
            "the table was written by a build of Realm Core with four objects a cluster")
        return sink
    }
}
