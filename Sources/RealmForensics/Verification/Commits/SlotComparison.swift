internal import RealmCore
internal import RealmLayout

/// Compares the objects of two commits: the changes that going back from one to the other would undo.
///
/// A commit writes changes to new places and shares everything else, so clusters and leaves at the same place are
/// equal. Collections are compared only by place: one that was moved counts as changed.
struct SlotComparison {
    private let current: SnapshotScope
    private let other: SnapshotScope
    private let currentTables: [CheckedTable]
    private let otherTables: [CheckedTable]

    init(
        current: SnapshotScope, _ currentTables: [CheckedTable], other: SnapshotScope, _ otherTables: [CheckedTable]
    ) {
        self.current = current
        self.other = other
        self.currentTables = currentTables
        self.otherTables = otherTables
    }

    /// The changes by table, without unchanged tables.
    func changes(_ workers: Workers) -> [VerificationReport.TableChange] {
        let others = Dictionary(otherTables.map { ($0.key, $0) }) { first, _ in first }
        let keys = Set(currentTables.map(\.key))
        let pairs: [(CheckedTable?, CheckedTable?)] =
            currentTables.map { ($0, others[$0.key]) }
            + otherTables.filter { !keys.contains($0.key) }.map { (nil, $0) }
        var comparisons = pairs.compactMap { now, then in
            now?.clusters == then?.clusters ? nil : SlotTableComparison(now, then, in: (current, other))
        }
        var (table, changed) = (0, [Int](repeating: 0, count: comparisons.count))
        let scopes = (current, other)
        workers.perform {
            while table < comparisons.count {
                if let piece = comparisons[table].next() { return (table, piece) }
                table += 1
            }
            return nil
        } work: { (_: Int, piece: [SlotTableComparison.Pair]) in
            piece.reduce(0) { $0 + $1.changes(in: scopes) }
        } take: {
            changed[$0.0] += $1
        }
        return zip(comparisons, changed).compactMap { comparison, changed in
            guard comparison.added + changed + comparison.deleted > 0 else { return nil }
            return VerificationReport.TableChange(
                name: comparison.name, added: comparison.added, changed: changed, deleted: comparison.deleted)
        }
    }
}

/// Compares one table: counts objects of only one commit, and returns pairs of clusters for those of both.
private struct SlotTableComparison {
    /// Two clusters that have objects in common.
    struct Pair {
        let now: ClusterView
        let then: ClusterView
        let rows: [RowPair]
        let properties: [ClusterPair.Property]

        /// The number of objects whose values differ.
        func changes(in scopes: (SnapshotScope, SnapshotScope)) -> Int {
            ClusterPair(now, then, properties, in: scopes).changes(in: rows)
        }
    }

    let name: String
    private(set) var added = 0
    private(set) var deleted = 0
    private let properties: [ClusterPair.Property]
    private var new: ObjectStream
    private var old: ObjectStream

    /// The number of cluster pairs that a thread compares in one go.
    private static let pairsPerPiece = 8

    /// - Returns: nil when neither table exists.
    init?(_ table: CheckedTable?, _ before: CheckedTable?, in scopes: (now: SnapshotScope, then: SnapshotScope)) {
        guard let name = table?.name ?? before?.name else { return nil }
        self.name = name
        properties = table.flatMap { table in before.map { ClusterPair.properties(table, $0) } } ?? []
        new = ObjectStream(scopes.now, table?.clusters)
        old = ObjectStream(scopes.then, before?.clusters)
    }

    /// The next pairs of clusters to compare; nil at the end, when all objects are counted.
    mutating func next() -> [Pair]? {
        var pairs: [Pair] = []
        new.fill()
        old.fill()
        while pairs.count < Self.pairsPerPiece, let now = new.view, let then = old.view {
            if new.row == 0, old.row == 0, now.ref == then.ref, now.keyOffset == then.keyOffset {
                new.skipView()
                old.skipView()
            } else {
                let overlap = Overlap(&new, &old)
                added += overlap.added
                deleted += overlap.deleted
                if !overlap.rows.isEmpty {
                    pairs.append(Pair(now: now, then: then, rows: overlap.rows, properties: properties))
                }
            }
            new.fill()
            old.fill()
        }
        guard pairs.isEmpty else { return pairs }
        added += new.countRest()
        deleted += old.countRest()
        return nil
    }
}

/// The objects of two clusters, up to the end of the one that ends first.
private struct Overlap {
    var added = 0
    var deleted = 0
    /// The objects that both contain.
    var rows: [RowPair] = []

    init(_ new: inout ObjectStream, _ old: inout ObjectStream) {
        while let key = new.key, let oldKey = old.key {
            if key == oldKey {
                rows.append(RowPair(now: new.row, then: old.row))
                new.row += 1
                old.row += 1
            } else if key < oldKey {
                added += 1
                new.row += 1
            } else {
                deleted += 1
                old.row += 1
            }
        }
    }
}

/// The objects of a table, cluster by cluster.
private struct ObjectStream {
    private var walk: ClusterWalk?
    /// The current cluster; nil at the end.
    private(set) var view: ClusterView?
    /// The next row to visit.
    var row = 0

    init(_ scope: SnapshotScope, _ root: Ref?) {
        walk = root.map { ClusterWalk(scope, root: $0) }
    }

    /// The number of objects of the current cluster.
    private var count: Int { min(view?.count ?? 0, Limits.clusterObjects) }

    /// Advances to the next cluster with objects when the current one is exhausted.
    mutating func fill() {
        while row >= count {
            view = walk?.next()
            row = 0
            if view == nil { return }
        }
    }

    /// The key of the current object; nil at the end of the cluster.
    var key: ObjectKey? { row < count ? view?.key(row) : nil }

    mutating func skipView() { row = count }

    /// Advances to the end and counts the remaining objects.
    mutating func countRest() -> Int {
        var rest = 0
        while view != nil {
            rest += count - row
            skipView()
            fill()
        }
        return rest
    }
}

/// Compares values in two leaves.
enum ValueEquality {
    typealias Place = (leaf: ColumnLeaf, row: Int, scope: SnapshotScope)

    static func areEqual(_ left: Place, _ right: Place) -> Bool {
        do throws(FormatError) {
            return try compare(left, right)
        } catch {
            // Unreadable values are reported elsewhere and do not count as a change.
            return true
        }
    }

    private static func compare(_ left: Place, _ right: Place) throws(FormatError) -> Bool {
        switch left.leaf.encoding {
        case .integers, .links:
            return left.leaf.rawElement(at: left.row) == right.leaf.rawElement(at: right.row)
        case .nullableIntegers:
            return left.leaf.nullableInt(at: left.row) == right.leaf.nullableInt(at: right.row)
        case .bools:
            return left.leaf.bool(at: left.row) == right.leaf.bool(at: right.row)
        case .floats:
            return left.leaf.floatBits(at: left.row) == right.leaf.floatBits(at: right.row)
        case .doubles:
            return left.leaf.doubleBits(at: left.row) == right.leaf.doubleBits(at: right.row)
        case .shortStrings, .mediumStrings, .bigStrings:
            return areEqual(
                try left.leaf.string(at: left.row, in: left.scope.space),
                try right.leaf.string(at: right.row, in: right.scope.space))
        case .mediumBinaries, .bigBinaries:
            let blobs = (
                try left.leaf.binary(at: left.row, in: left.scope.space),
                try right.leaf.binary(at: right.row, in: right.scope.space)
            )
            if blobs.0?.parts != nil || blobs.1?.parts != nil { return blobs.0?.parts == blobs.1?.parts }
            return areEqual(blobs.0?.view, blobs.1?.view)
        case .timestamps:
            return try left.leaf.timestamp(at: left.row) == right.leaf.timestamp(at: right.row)
        case .decimals128, .decimals64, .decimals32, .nullDecimals, .zeroDecimals:
            return left.leaf.decimal(at: left.row) == right.leaf.decimal(at: right.row)
        case .objectIds:
            return areEqual(
                left.leaf.objectIdBytes(at: left.row), right.leaf.objectIdBytes(at: right.row))
        case .uuids:
            return areEqual(
                left.leaf.uuidBytes(at: left.row), right.leaf.uuidBytes(at: right.row))
        case .mixed:
            return try left.leaf.mixed(at: left.row, in: left.scope.space)
                .hasSameBits(as: try right.leaf.mixed(at: right.row, in: right.scope.space))
        case .collections, .backlinks:
            return left.leaf.rawElement(at: left.row) == right.leaf.rawElement(at: right.row)
        }
    }

    private static func areEqual(_ left: ByteView?, _ right: ByteView?) -> Bool {
        switch (left, right) {
        case (nil, nil): true
        case (let left?, let right?): left.elementsEqual(right)
        default: false
        }
    }
}
