internal import RealmLayout
internal import RealmReader

/// Which objects two commits do not have in common: what going back from one to the other would undo.
///
/// A commit writes what it changes to new places and shares the rest: clusters and leaves at the same place are the
/// same. Collections are compared by their place only, so that one that was moved counts as changed.
struct SlotComparison {
    private let current: SnapshotScope
    private let other: SnapshotScope
    private let currentTables: [TableModel]
    private let otherTables: [TableModel]

    init(
        current: SnapshotScope, _ currentTables: [TableModel], other: SnapshotScope, _ otherTables: [TableModel]
    ) {
        self.current = current
        self.other = other
        self.currentTables = currentTables
        self.otherTables = otherTables
    }

    /// The changes, table by table; tables without any are left out.
    func changes() -> [VerificationReport.TableChange] {
        let others = Dictionary(otherTables.map { ($0.key, $0) }) { first, _ in first }
        var changes = currentTables.compactMap { change($0, others[$0.key]) }
        let keys = Set(currentTables.map(\.key))
        changes += otherTables.filter { !keys.contains($0.key) }.compactMap { change(nil, $0) }
        return changes
    }

    private func change(_ table: TableModel?, _ before: TableModel?) -> VerificationReport.TableChange? {
        guard let name = table?.name ?? before?.name else { return nil }
        guard table?.clusters != before?.clusters else { return nil }
        let properties = table.flatMap { table in before.map { ClusterPair.properties(table, $0) } } ?? []
        var pair: ClusterPair?
        var (added, changed, deleted) = (0, 0, 0)
        var new = ObjectStream(current, table?.clusters)
        var old = ObjectStream(other, before?.clusters)
        while true {
            new.fill()
            old.fill()
            switch (new.position, old.position) {
            case (nil, nil):
                guard added + changed + deleted > 0 else { return nil }
                return VerificationReport.TableChange(name: name, added: added, changed: changed, deleted: deleted)
            case (let now?, let then?):
                if now.row == 0, then.row == 0, now.view.ref == then.view.ref, now.view.keyOffset == then.view.keyOffset
                {
                    new.skipView()
                    old.skipView()
                } else if now.key == then.key {
                    if pair?.isOf(now.view, then.view) != true {
                        pair = ClusterPair(now.view, then.view, properties, in: (current, other))
                    }
                    if now.row == 0, then.row == 0, let pair, pair.isAligned {
                        changed += pair.changedRows
                        new.skipView()
                        old.skipView()
                        continue
                    }
                    if pair?.areEqual(now.row, then.row, properties) == false { changed += 1 }
                    new.advance()
                    old.advance()
                } else if now.key < then.key {
                    added += 1
                    new.advance()
                } else {
                    deleted += 1
                    old.advance()
                }
            case (_?, nil):
                added += 1
                new.advance()
            case (nil, _?):
                deleted += 1
                old.advance()
            }
        }
    }
}

/// The objects of a table one after the other.
struct ObjectStream {
    struct Position {
        let view: ClusterView
        let row: Int
        let key: ObjectKey
    }

    private var walk: ClusterWalk?
    private var view: ClusterView?
    private var row = 0

    init(_ scope: SnapshotScope, _ root: Ref?) {
        walk = root.map { ClusterWalk(scope, root: $0) }
    }

    /// Goes to the next cluster when the last is used up.
    mutating func fill() {
        while let current = view ?? walk?.next() {
            if view == nil { row = 0 }
            guard row < min(current.count, Limits.clusterObjects) else {
                view = nil
                continue
            }
            view = current
            return
        }
    }

    /// The object at hand; nil after the last.
    var position: Position? { view.map { Position(view: $0, row: row, key: $0.key(row)) } }

    mutating func advance() { row += 1 }

    mutating func skipView() { row = view?.count ?? 0 }
}

/// Whether values in two leaves are the same.
enum ValueEquality {
    typealias Place = (leaf: ColumnLeaf, row: Int, scope: SnapshotScope)

    static func areEqual(_ left: Place, _ right: Place) -> Bool {
        do throws(FormatError) {
            return try compare(left, right)
        } catch {
            // What cannot be read is reported elsewhere; it is no change.
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
                left.leaf.fixedBytes(at: left.row, width: 12), right.leaf.fixedBytes(at: right.row, width: 12))
        case .uuids:
            return areEqual(
                left.leaf.fixedBytes(at: left.row, width: 16), right.leaf.fixedBytes(at: right.row, width: 16))
        case .mixed:
            return areEqual(
                try left.leaf.mixed(at: left.row, in: left.scope.space),
                try right.leaf.mixed(at: right.row, in: right.scope.space))
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

    private static func areEqual(_ left: MixedValue, _ right: MixedValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.int(let left), .int(let right)): left == right
        case (.bool(let left), .bool(let right)): left == right
        case (.float(let left), .float(let right)): left == right
        case (.double(let left), .double(let right)): left == right
        case (.string(let left), .string(let right)), (.binary(let left), .binary(let right)),
            (.objectId(let left), .objectId(let right)), (.uuid(let left), .uuid(let right)):
            left.elementsEqual(right)
        case (.timestamp(let left), .timestamp(let right)): left == right
        case (.decimal128(let left), .decimal128(let right)): left == right
        case (.link(let leftTable, let leftKey), .link(let rightTable, let rightKey)):
            leftTable == rightTable && leftKey == rightKey
        case (.list(let left), .list(let right)), (.dictionary(let left), .dictionary(let right)): left == right
        default: false
        }
    }
}
