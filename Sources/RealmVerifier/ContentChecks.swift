internal import RealmLayout
internal import RealmReader

/// The checks of what tables hold (C, K, L, R): every value of every object, in bounded memory.
///
/// Values are checked leaf by leaf. Links and backlinks are summed up on the way and compared at the end.
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

    let scope: SnapshotScope
    let tables: [TableModel]
    /// The position in `tables` of each key.
    let positions: [TableKey: Int]
    private(set) var tallies: [Tally]
    var ledger = LinkLedger()
    /// Takes links and backlinks in the place of the ledger.
    var observer: ((_ link: LinkLedger.Link, _ isBacklink: Bool) -> Void)?
    /// Tables of which not all links or backlinks could be read: their sums say nothing.
    private(set) var incomplete: Set<TableKey> = []
    /// The keys of each table's objects, where they are few runs and nothing is wrong with their tree.
    var keyRuns: [KeyRuns?]
    var objects: [ObjectFinder?]
    var tombstones: [ObjectFinder?]
    let shifts: [Int]

    // Where the check is at the moment.
    var tableIndex = 0
    var column: ColumnModel? {
        didSet { linkTarget = column.flatMap { $0.isLink ? positions[$0.oppositeTable] : nil } }
    }
    /// The table that links of the column lead to.
    private(set) var linkTarget: Int?
    var cluster: ClusterView?
    var affected = RowMask()
    /// The row whose collection is being checked; nil where elements are rows.
    var ownerRow: Int?
    var inTombstones = false
    /// Incoming links of each row of the cluster.
    var incoming = [Int](repeating: 0, count: Limits.clusterObjects)
    /// Elements that leaves may still claim: those of width 0 have no bytes.
    private var elementsLeft: Int
    private var hasReportedLimit = false
    private var onlyColumn: Int?
    private var isOutsideTables = false

    /// A byte of an intact file stands for fewer elements: a leaf of 1000 of width 0 takes 9 bytes with its parent.
    private static let elementsPerByte = 128
    /// Runs of keys that are held, of all tables: a megabyte.
    private static let keyRunLimit = 1 << 16

    init(_ scope: SnapshotScope, tables: [TableModel]) {
        self.scope = scope
        self.tables = tables
        positions = Dictionary(tables.enumerated().map { ($0.element.key, $0.offset) }) { first, _ in first }
        tallies = [Tally](repeating: Tally(), count: tables.count)
        let shifts = tables.map { ClusterWalk.shift(of: $0.clusters, scope) }
        self.shifts = shifts
        keyRuns = tables.map { _ in nil }
        objects = tables.indices.map { index in
            tables[index].clusters.map { ObjectFinder(scope, root: $0, shift: shifts[index]) }
        }
        tombstones = tables.map { table in
            table.tombstones.map { ObjectFinder(scope, root: $0, shift: ClusterWalk.usualShift) }
        }
        elementsLeft = scope.root.logicalSize.multipliedReportingOverflow(by: Self.elementsPerByte).partialValue
    }

    var table: TableModel { tables[tableIndex] }

    /// Checks all tables.
    func run() {
        checkStringLeaves()
        var room = Self.keyRunLimit
        keyRuns = tables.indices.map { index in
            tables[index].clusters.flatMap { KeyRuns(scope, root: $0, shift: shifts[index], room: &room) }
        }
        for index in tables.indices {
            tableIndex = index
            checkTable()
        }
    }

    /// Names and distinct strings are leaves like others; their text is checked where it is used.
    private func checkStringLeaves() {
        isOutsideTables = true
        defer { isOutsideTables = false }
        for ref in scope.stringLeaves {
            guard let node = scope.node(ref) else { continue }
            _ = checkStrings(node, isNullable: true, isText: false)
        }
    }

    /// Goes through one column of a table only.
    func run(table index: Int, column: Int) {
        tableIndex = index
        onlyColumn = column
        checkTable()
    }

    /// Notes that some of the table's values could not be read; why was reported.
    func loseValues() {
        if !isOutsideTables { incomplete.insert(table.key) }
    }

    /// Pays for `count` elements; no more when the file has no room for so many.
    func spend(_ count: Int, at ref: Ref) -> Bool {
        elementsLeft -= count
        guard elementsLeft < 0 else { return true }
        if !hasReportedLimit {
            hasReportedLimit = true
            report(.workLimit, ref, "leaves claim more elements than the file has room for")
        }
        return false
    }

    // MARK: Findings

    /// Reports about the column at hand, or the table.
    func report(
        _ check: CheckIdentifier, as severity: FindingSeverity? = nil, _ ref: Ref, object: ObjectKey? = nil,
        _ message: @autoclosure () -> String
    ) {
        scope.sink.report(
            check, as: severity, at: ref.offset,
            in: scope.place(isOutsideTables ? nil : table.name, column?.name, object), message())
    }

    /// Reports about an element of a leaf: a row, or part of the collection of a row.
    func fail(
        _ check: CheckIdentifier, as severity: FindingSeverity? = nil, _ ref: Ref, _ index: Int,
        _ message: @autoclosure () -> String
    ) {
        let row = ownerRow ?? index
        if (severity ?? check.severity) >= .error { affected.insert(row) }
        report(check, as: severity, ref, object: cluster?.key(row), message())
    }

    /// Reports about a whole leaf.
    func failLeaf(_ check: CheckIdentifier, _ ref: Ref, _ message: @autoclosure () -> String) {
        spoil()
        report(check, ref, object: ownerRow.flatMap { cluster?.key($0) }, message())
    }

    /// Marks what a leaf holds as concerned: its reason is reported elsewhere.
    func spoil() {
        if let ownerRow { affected.insert(ownerRow) } else { affected.insertAll(cluster?.count ?? 0) }
    }

    // MARK: Clusters

    private func checkTable() {
        column = nil
        if shifts[tableIndex] == ClusterWalk.testShift, let root = table.clusters {
            report(.keySpacing, root, "the table was written by a build of Realm Core with four objects a cluster")
        }
        inTombstones = false
        if let root = table.clusters { checkTree(root, shift: shifts[tableIndex]) }
        inTombstones = true
        if let root = table.tombstones { checkTree(root, shift: ClusterWalk.usualShift) }
        inTombstones = false
    }

    private func checkTree(_ root: Ref, shift: Int) {
        var largestSequence: UInt64?
        var walk = ClusterWalk(scope, root: root, shift: shift) { [unowned self] check, ref, message in
            report(check, ref, message)
        }
        while let view = walk.next() {
            column = nil
            ownerRow = nil
            cluster = view
            affected = RowMask()
            checkCluster(view)
            if !inTombstones {
                if let sequence = sequence(of: view) { largestSequence = max(largestSequence ?? 0, sequence) }
                tallies[tableIndex].affected += affected.count
            }
        }
        cluster = nil
        column = nil
        if !walk.isComplete { loseValues() }
        if inTombstones {
            tallies[tableIndex].tombstones = walk.visitedCount
        } else {
            tallies[tableIndex].stored = walk.storedCount
            tallies[tableIndex].visited = walk.visitedCount
            if let largestSequence { checkSequence(largestSequence, root) }
        }
    }

    private func checkCluster(_ view: ClusterView) {
        guard view.count <= Limits.clusterObjects else {
            report(.clusterSize, view.ref, "a cluster of \(view.count) objects")
            loseValues()
            return
        }
        checkKeyRange(view)
        for row in 0..<view.count { incoming[row] = 0 }
        for column in table.columns where onlyColumn == nil || onlyColumn == column.key.index {
            self.column = column
            ownerRow = nil
            checkColumn(column, view)
        }
        column = nil
        guard onlyColumn == nil else { return }
        let used = Set(table.columns.map { $0.key.index })
        for slot in 1..<max(1, view.slots.count) where view.slots[slot] != 0 && !used.contains(slot - 1) {
            report(.clusterShape, view.ref, "the cluster has a leaf for column \(slot - 1), which does not exist")
        }
        checkOwners(view)
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

    private func checkColumn(_ column: ColumnModel, _ view: ClusterView) {
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

    private func checkOwners(_ view: ClusterView) {
        for row in 0..<view.count {
            if inTombstones, incoming[row] == 0 {
                report(.tombstones, as: .info, view.ref, object: view.key(row), "a tombstone that no link leads to")
            } else if !inTombstones, table.kind == .embedded, incoming[row] > 1 {
                affected.insert(row)
                report(
                    .embeddedOwner, view.ref, object: view.key(row),
                    "the embedded object has \(incoming[row]) owners")
            }
        }
    }

    // MARK: Sequence numbers

    /// The largest number of the sequence that the keys of a cluster were made of, of those keys that this file made;
    /// nil when all are of other clients, whose identifiers they hold (Spec 50).
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

    private func checkSequence(_ largest: UInt64, _ root: Ref) {
        guard table.primaryKey == nil, tallies[tableIndex].visited > 0, largest >= table.sequenceNumber else { return }
        report(
            .sequenceNumber, table.topRef,
            "the next object key is number \(table.sequenceNumber), but \(largest) is in use")
    }
}
