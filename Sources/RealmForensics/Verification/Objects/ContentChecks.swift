internal import RealmCore
internal import RealmLayout

/// Checks the content of tables (C, K, L, R), table by table, on one or several threads; findings do not depend on the
/// number of threads.
final class ContentChecks {
    /// Counts of the objects of a table.
    struct Tally {
        /// The number of objects according to the root of the table's tree; nil when it cannot be read.
        var stored: Int?
        /// The number of objects in readable clusters.
        var visited = 0
        /// The number of objects with findings.
        var affected = 0
        var tombstones = 0
        /// The number of embedded objects without an owner.
        var ownerless = 0
    }

    private let scope: SnapshotScope
    private let plan: VerificationPlan
    private let workers: Workers
    private let purpose: LeafChecks.Purpose
    private let tally: ObjectTally?
    private(set) var tallies: ByTable<Tally>
    private(set) var ledger = LinkChecksum()
    /// Tables with unreadable links or backlinks, whose sums are meaningless.
    private(set) var incomplete: Set<TableKey> = []
    private var budget: ElementBudget
    /// The highest sequence number within the keys of the current tree.
    private var largestSequence: UInt64?

    /// - Parameter purpose: if it observes individual links, they are not added to the ledger.
    init(
        _ scope: SnapshotScope, tables: ByTable<CheckedTable>, _ workers: Workers,
        purpose: LeafChecks.Purpose = LeafChecks.Purpose(), tally: ObjectTally? = nil
    ) {
        self.scope = scope
        self.workers = workers
        (self.purpose, self.tally) = (purpose, tally)
        plan = VerificationPlan(scope, tables: tables, checksTargets: purpose.observer == nil)
        tallies = ByTable(repeating: Tally(), count: tables.count)
        budget = ElementBudget(bytes: scope.root.logicalSize)
    }

    var tables: ByTable<CheckedTable> { plan.tables }
    var positions: [TableKey: TablePosition] { plan.positions }
    var shifts: ByTable<Int> { plan.shifts }

    /// Checks all tables.
    func run() {
        checkStringLeaves()
        check(tables.indices)
    }

    /// Checks one table.
    func check(table position: TablePosition) { check(position..<position.next) }

    /// Checks leaves of names and distinct strings like other leaves; their text is checked where it is used.
    private func checkStringLeaves() {
        let checks = LeafChecks(scope, plan, table: nil, budget: budget)
        for ref in scope.stringLeaves {
            guard let node = scope.node(ref) else { continue }
            _ = checks.checkStrings(node, isNullable: true, isText: false)
        }
        budget = checks.budget
    }

    private func check(_ tables: Range<TablePosition>) {
        var pieces = ContentPieces(scope, plan, tables: tables)
        let (scope, plan, purpose) = (scope, plan, purpose)
        workers.perform {
            pieces.next().map { BudgetedPiece(piece: $0, budget: self.budget) }
        } work: {
            $0.piece.check(scope, plan, purpose, $0.budget)
        } take: {
            self.take($1, $0.piece, from: $0.budget)
        }
    }

    /// A piece with its initial budget, of which other pieces may spend some in the meantime.
    private struct BudgetedPiece {
        let piece: ContentPiece
        let budget: ElementBudget
    }

    /// Merges the results of the next piece, which began with the budget `start`.
    private func take(_ checks: LeafChecks, _ piece: ContentPiece, from start: ElementBudget) {
        var final = checks
        if !budget.take(from: start, to: checks.budget) {
            final = piece.check(scope, plan, purpose, budget)
            budget = final.budget
        }
        if let findings = piece.findings { scope.sink.add(findings) }
        scope.sink.add(final.scope.sink)
        ledger.add(final.ledger)
        let position = piece.table
        if final.lostValues { incomplete.insert(tables[position].key) }
        tallies[position].affected += final.affectedCount
        tallies[position].ownerless += final.ownerlessCount
        if let sequence = final.largestSequence { largestSequence = max(largestSequence ?? 0, sequence) }
        if !piece.inTombstones { tally?.add(piece.clusters.reduce(0) { $0 + $1.count }) }
        if let end = piece.end { finish(position, piece.inTombstones, end) }
    }

    /// Records the totals of a tree after all of its objects were visited.
    private func finish(_ position: TablePosition, _ inTombstones: Bool, _ end: ClusterPieces.End) {
        if !end.isComplete { incomplete.insert(tables[position].key) }
        if inTombstones {
            tallies[position].tombstones = end.visitedCount
        } else {
            tallies[position].stored = end.storedCount
            tallies[position].visited = end.visitedCount
            if let largestSequence { checkSequence(largestSequence, of: position) }
            checkCounts(of: position)
        }
        largestSequence = nil
    }

    /// Reports findings about the object counts of a table.
    private func checkCounts(of position: TablePosition) {
        let (table, tally) = (tables[position], tallies[position])
        if tally.ownerless > 0, !incomplete.contains(table.key) {
            scope.sink.report(
                .embeddedOwner, as: .info, at: table.topRef.offset, in: scope.place(table.name),
                "\(tally.ownerless) of \(tally.visited) embedded objects have no owner")
        }
        if table.name == TableSchema.metadataName, tally.visited > 1 {
            scope.sink.report(
                .metadataObject, at: table.topRef.offset, in: scope.place(table.name),
                "the table has \(tally.visited) objects")
        }
    }

    private func checkSequence(_ largest: UInt64, of position: TablePosition) {
        let table = tables[position]
        guard table.primaryKey == nil, tallies[position].visited > 0, largest >= table.sequenceNumber else { return }
        scope.sink.report(
            .sequenceNumber, at: table.topRef.offset, in: scope.place(table.name),
            "the next object key is number \(table.sequenceNumber), but \(largest) is in use")
    }
}
