internal import RealmCore
internal import RealmLayout

/// Checks every value of every object in clusters of one table (C, K, L, R).
///
/// Values are checked leaf by leaf. Links and backlinks are added up, and compared when all are known.
final class LeafChecks {
    /// Restricts the checks to a column, or observes links.
    struct Purpose {
        /// The only column to check; nil for all.
        var column: ColumnIndex?
        /// Receives links and backlinks instead of the ledger.
        var observer: ((_ link: LinkChecksum.Link, _ isBacklink: Bool) -> Void)?
    }

    let scope: SnapshotScope
    let plan: VerificationPlan
    /// The table that contains the clusters; nil for leaves outside of tables.
    let position: TablePosition?
    let inTombstones: Bool
    let purpose: Purpose

    /// Sums of the links found.
    var ledger = LinkChecksum()
    /// Whether some values were unreadable; the reason was reported.
    private(set) var lostValues = false
    /// The number of objects with findings.
    private(set) var affectedCount = 0
    /// The number of embedded objects without an owner.
    private(set) var ownerlessCount = 0
    /// The highest sequence number within object keys.
    private(set) var largestSequence: UInt64?
    private(set) var budget: ElementBudget

    // The current position of the checks.
    private(set) var column: CheckedColumn? {
        didSet { setLinks() }
    }
    /// The table that the column links to, and the pair of columns of its links or backlinks.
    private(set) var linkTarget: TablePosition?
    /// The run of that table's keys that contained the last target: links usually stay close together, and arrays shared
    /// by several threads count references.
    var linkRun = KeyRun.none
    private(set) var linkPair: LinkChecksum.Pair?
    private(set) var cluster: ClusterView?
    var affected = AffectedRows()
    /// The row whose collection is being checked; nil when elements are rows.
    var ownerRow: Int?
    /// The number of incoming links of each row of the cluster.
    var incoming = [Int](repeating: 0, count: Limits.clusterObjects)
    var targets: LinkTargets
    /// Keeps prefetch loads from being optimised away.
    var warmth: UInt64 = 0

    /// - Parameter position: the table; nil for leaves outside of tables.
    init(
        _ scope: SnapshotScope, _ plan: VerificationPlan, table position: TablePosition?, inTombstones: Bool = false,
        purpose: Purpose = Purpose(), budget: ElementBudget
    ) {
        self.scope = scope
        self.plan = plan
        self.position = position
        self.inTombstones = inTombstones
        self.purpose = purpose
        self.budget = budget
        targets = LinkTargets(scope, plan)
    }

    private func setLinks() {
        linkTarget = nil
        linkPair = nil
        guard let column, let position else { return }
        let own = plan.tables[position].key
        if column.isLink, let target = plan.positions[column.oppositeTable] {
            linkTarget = target
            linkRun = plan.keyRuns[target]?.first ?? .none
            linkPair = LinkChecksum.Pair(
                originTable: own, originColumn: column.key, targetTable: plan.tables[target].key)
        } else if column.isBacklink {
            linkPair = LinkChecksum.Pair(
                originTable: column.oppositeTable, originColumn: column.oppositeColumn, targetTable: own)
        }
    }

    var table: CheckedTable? { position.map { plan.tables[$0] } }

    /// Records that some values of the table were unreadable; the reason was reported.
    func loseValues() { lostValues = true }

    /// Charges `count` elements; returns false when the file has no room for as many.
    func spend(_ count: Int, at ref: Ref) -> Bool {
        switch budget.spend(count) {
        case .paid: return true
        case .refused: return false
        case .refusedFirst:
            report(.workLimit, ref, "leaves claim more elements than the file has room for")
            return false
        }
    }

    // MARK: Findings

    /// Reports a finding about the current column, or the table.
    func report(
        _ check: CheckIdentifier, as severity: FindingSeverity? = nil, _ ref: Ref, object: ObjectKey? = nil,
        _ message: @autoclosure () -> String
    ) {
        scope.sink.report(
            check, as: severity, at: ref.offset,
            in: scope.place(table?.name, column?.name, object), message())
    }

    /// Reports a finding about an element of a leaf: a row, or part of the collection of a row.
    func fail(
        _ check: CheckIdentifier, as severity: FindingSeverity? = nil, _ ref: Ref, _ index: Int,
        _ message: @autoclosure () -> String
    ) {
        let row = ownerRow ?? index
        if (severity ?? check.severity) >= .error { affected.insert(row) }
        report(check, as: severity, ref, object: cluster?.key(row), message())
    }

    /// Reports a finding about a whole leaf.
    func failLeaf(_ check: CheckIdentifier, _ ref: Ref, _ message: @autoclosure () -> String) {
        spoil()
        report(check, ref, object: ownerRow.flatMap { cluster?.key($0) }, message())
    }

    /// Marks the objects of a leaf as affected; the reason is reported elsewhere.
    func spoil() {
        if let ownerRow { affected.insert(ownerRow) } else { affected.insertAll(cluster?.count ?? 0) }
    }

    // MARK: Clusters

    /// Checks the objects of a cluster.
    func check(_ view: ClusterView) {
        column = nil
        ownerRow = nil
        cluster = view
        affected = AffectedRows()
        checkRows(view)
        cluster = nil
        column = nil
        guard !inTombstones else { return }
        if let sequence = sequence(of: view) { largestSequence = max(largestSequence ?? 0, sequence) }
        affectedCount += affected.count
    }

    private func checkRows(_ view: ClusterView) {
        guard let table else { return }
        guard view.count <= Limits.clusterObjects else {
            report(.clusterSize, view.ref, "a cluster of \(view.count) objects")
            loseValues()
            return
        }
        checkKeyRange(view)
        for row in 0..<view.count { incoming[row] = 0 }
        for column in table.columns where purpose.column == nil || purpose.column == column.key.index {
            self.column = column
            ownerRow = nil
            checkColumn(column, view)
        }
        column = nil
        guard purpose.column == nil else { return }
        let used = Set(table.columns.map { $0.key.index })
        for slot in 1..<max(1, view.slots.elements.count) where view.slots.elements[slot] != 0 {
            let column = ClusterSlots.column(ofElement: slot)
            guard !used.contains(column) else { continue }
            report(.clusterShape, view.ref, "the cluster has a leaf for column \(column), which does not exist")
        }
        checkOwners(view, table.kind)
    }

    private func checkKeyRange(_ view: ClusterView) {
        guard view.count > 0 else { return }
        let (first, last) = (view.key(0), view.key(view.count - 1))
        if inTombstones {
            if !first.isUnresolved || !last.isUnresolved {
                report(
                    .tombstones, view.ref, object: first,
                    "a tombstone has the key \(first), not one of an unresolved object")
            }
        } else if first.value < 0 || last.value < 0 {
            report(.keyOrder, view.ref, object: first, "the object key \(first) is negative")
        }
    }

    private func checkColumn(_ column: CheckedColumn, _ view: ClusterView) {
        guard let ref = view.leaf(column.key.index) else {
            affected.insertAll(view.count)
            loseValues()
            report(
                .clusterShape, view.ref, object: view.count > 0 ? view.key(0) : nil,
                "the cluster of \(view.count) objects has no leaf for this column")
            return
        }
        guard let node = scope.node(ref) else {
            affected.insertAll(view.count)
            return loseValues()
        }
        guard let count = checkLeaf(node, as: column.leafType, isNullable: column.isNullable) else {
            return loseValues()
        }
        guard count != view.count else { return }
        loseValues()
        affected.insertAll(view.count)
        report(
            .leafCount, ref, object: view.count > 0 ? view.key(0) : nil,
            "the leaf has \(count) elements, the cluster \(view.count) objects")
    }

    private func checkOwners(_ view: ClusterView, _ kind: TableKind) {
        for row in 0..<view.count {
            if inTombstones, incoming[row] == 0 {
                report(.tombstones, as: .info, view.ref, object: view.key(row), "a tombstone that no link leads to")
            } else if !inTombstones, kind == .embedded, incoming[row] > 1 {
                affected.insert(row)
                report(
                    .embeddedOwner, view.ref, object: view.key(row),
                    "the embedded object has \(incoming[row]) owners")
            } else if !inTombstones, kind == .embedded, incoming[row] == 0 {
                ownerlessCount += 1
            }
        }
    }

    /// The highest sequence number within the keys of a cluster, of those keys that this file created; nil when all
    /// contain the identifiers of other clients (Spec 50).
    private func sequence(of view: ClusterView) -> UInt64? {
        let ident = scope.root.number(.syncFileIdentifier) ?? 0
        var largest: UInt64?
        for row in 0..<min(view.count, Limits.clusterObjects) {
            let key = UInt64(bitPattern: view.key(row).value)
            let origin = (key >> 8) & 0xFF | (key >> 32) & 0x3FFF_FF00
            guard origin == 0 || origin == ident else { continue }
            largest = max(largest ?? 0, key & 0xFF | (key >> 8) & 0xFFFF_FF00)
        }
        return largest
    }
}
