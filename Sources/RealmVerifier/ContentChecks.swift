internal import RealmLayout
internal import RealmReader

/// The checks of what tables hold (C, K, L, R), table by table, on one thread or several; the findings are the same.
final class ContentChecks {
    /// What is known of the objects of a table.
    struct Tally {
        /// Objects as the root of the table's tree says; nil when it cannot be read.
        var stored: Int?
        /// Objects in clusters that could be read.
        var visited = 0
        /// Objects of those that findings are about.
        var affected = 0
        var tombstones = 0
    }

    private let scope: SnapshotScope
    private let plan: ContentPlan
    private let workers: Workers
    private let purpose: LeafChecks.Purpose
    private(set) var tallies: [Tally]
    private(set) var ledger = LinkLedger()
    /// Tables of which not all links or backlinks could be read: their sums say nothing.
    private(set) var incomplete: Set<TableKey> = []
    private var budget: ElementBudget

    /// Clusters that a thread takes at once: enough to be worth it, and few enough for all threads to end together.
    private static let clustersPerPiece = 8

    /// - Parameter purpose: for who needs links one by one; those of the ledger are then missing.
    init(
        _ scope: SnapshotScope, tables: [TableModel], _ workers: Workers,
        purpose: LeafChecks.Purpose = LeafChecks.Purpose()
    ) {
        self.scope = scope
        self.workers = workers
        self.purpose = purpose
        plan = ContentPlan(scope, tables: tables, checksTargets: purpose.observer == nil)
        tallies = [Tally](repeating: Tally(), count: tables.count)
        budget = ElementBudget(bytes: scope.root.logicalSize)
    }

    var tables: [TableModel] { plan.tables }
    var positions: [TableKey: Int] { plan.positions }
    var shifts: [Int] { plan.shifts }

    /// Checks all tables.
    func run() {
        checkStringLeaves()
        for index in tables.indices { check(table: index) }
    }

    /// Names and distinct strings are leaves like others; their text is checked where it is used.
    private func checkStringLeaves() {
        let checks = LeafChecks(scope, plan, tableIndex: nil, budget: budget)
        for ref in scope.stringLeaves {
            guard let node = scope.node(ref) else { continue }
            _ = checks.checkStrings(node, isNullable: true, isText: false)
        }
        budget = checks.budget
    }

    /// Checks one table.
    func check(table index: Int) {
        let table = tables[index]
        if shifts[index] == ClusterWalk.testShift, let root = table.clusters {
            scope.sink.report(
                .keySpacing, at: root.offset, in: scope.place(table.name),
                "the table was written by a build of Realm Core with four objects a cluster")
        }
        if let root = table.clusters { checkTree(root, of: index, inTombstones: false) }
        if let root = table.tombstones { checkTree(root, of: index, inTombstones: true) }
    }

    private func checkTree(_ root: Ref, of index: Int, inTombstones: Bool) {
        var pieces = ClusterPieces(
            scope, root: root, shift: inTombstones ? ClusterWalk.usualShift : shifts[index], of: tables[index],
            size: Self.clustersPerPiece)
        var largestSequence: UInt64?
        while true {
            var round: [ClusterPiece] = []
            while round.count < workers.piecesPerRound, let piece = pieces.next() { round.append(piece) }
            if round.isEmpty { break }
            let (scope, plan, purpose, budget) = (scope, plan, purpose, budget)
            let checked = workers.map(round) { piece in
                piece.check(scope, plan, table: index, inTombstones, purpose, budget)
            }
            for (piece, checks) in zip(round, checked) {
                let final = take(checks, piece, from: budget)
                largestSequence = [largestSequence, final.largestSequence].compactMap(\.self).max()
            }
        }
        if !pieces.isComplete { incomplete.insert(tables[index].key) }
        if inTombstones {
            tallies[index].tombstones = pieces.visitedCount
        } else {
            tallies[index].stored = pieces.storedCount
            tallies[index].visited = pieces.visitedCount
            if let largestSequence { checkSequence(largestSequence, of: index) }
        }
    }

    /// Takes over what was found in the next piece, which began with the budget `start`; the checks that count.
    private func take(_ checks: LeafChecks, _ piece: ClusterPiece, from start: ElementBudget) -> LeafChecks {
        var final = checks
        if !budget.take(from: start, to: checks.budget), let table = checks.tableIndex {
            final = piece.check(scope, plan, table: table, checks.inTombstones, purpose, budget)
            budget = final.budget
        }
        if let findings = piece.findings { scope.sink.add(findings) }
        scope.sink.add(final.scope.sink)
        ledger.add(final.ledger)
        guard let index = final.tableIndex else { return final }
        if final.lostValues { incomplete.insert(tables[index].key) }
        tallies[index].affected += final.affectedCount
        return final
    }

    private func checkSequence(_ largest: UInt64, of index: Int) {
        let table = tables[index]
        guard table.primaryKey == nil, tallies[index].visited > 0, largest >= table.sequenceNumber else { return }
        scope.sink.report(
            .sequenceNumber, at: table.topRef.offset, in: scope.place(table.name),
            "the next object key is number \(table.sequenceNumber), but \(largest) is in use")
    }
}
