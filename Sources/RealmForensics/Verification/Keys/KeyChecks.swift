internal import RealmCore
internal import RealmLayout

/// Finds objects with equal primary keys (P01).
struct KeyChecks {
    let scope: SnapshotScope
    let content: ContentChecks

    func run(_ workers: Workers) {
        var tables = content.tables.indices.makeIterator()
        workers.perform {
            tables.next()
        } work: { position in
            let sink = scope.sink.empty
            KeyChecks(scope: scope.reporting(to: sink), content: content).check(table: position)
            return sink
        } take: {
            scope.sink.add($1)
        }
    }

    private func check(table position: TablePosition) {
        let table = content.tables[position]
        guard let column = table.primaryKeyColumn, column.collection == nil, let root = table.clusters else { return }
        let equalKeys = EqualKeys(type: column.type, space: scope.space)
        equalKeys.find(count: content.tallies[position].visited) { visit in
            forEachLeaf(column, root, content.shifts[position], visit)
        } report: { object, other in
            scope.sink.report(
                .primaryKeyUnique, at: table.topRef.offset, in: scope.place(table.name, column.name, object),
                "the object has the same primary key as the object \(other)")
        }
    }

    private func forEachLeaf(_ column: CheckedColumn, _ root: Ref, _ shift: Int, _ visit: EqualKeys.Visitor) {
        var walk = ClusterWalk(scope, root: root, shift: shift)
        while let view = walk.next() {
            guard view.count <= Limits.clusterObjects, let ref = view.leaf(column.key.index),
                let leaf = scope.leaf(ref, as: column.leafType, distinct: column.distinct), leaf.count == view.count
            else { continue }
            visit(leaf) { view.key($0) }
        }
    }
}

/// Finds equal primary keys by their hashes, part by part, and compares the keys where hashes are equal.
struct EqualKeys {
    /// Receives the leaf of a cluster, and a closure that returns the object of each row.
    typealias Visitor = (_ leaf: ColumnLeaf, _ object: (_ row: Int) -> ObjectKey) -> Void

    /// The number of hashes held in memory at a time.
    private static let partSize = 1 << 21
    /// Maximum number of equal hashes per part whose keys are compared.
    private static let largestDoubt = 1 << 14

    let type: ColumnType
    let space: NodeSpace

    /// Calls `forEachLeaf` as often as needed, which must visit all leaves each time, and `report` for each object that
    /// has the key of an earlier one.
    ///
    /// - Parameter count: approximate number of objects.
    func find(
        count: Int, forEachLeaf: (Visitor) -> Void,
        report: @escaping (_ object: ObjectKey, _ other: ObjectKey) -> Void
    ) {
        let parts = UInt64(1 + count / Self.partSize)
        for part in 0..<parts {
            var hashes: [UInt64] = []
            forEachLeaf { leaf, _ in
                forEachKey(leaf) { _, hash, _ in
                    if hash % parts == part { hashes.append(hash) }
                }
            }
            hashes = SpreadSort.sorted(hashes)
            var doubtful: Set<UInt64> = []
            for index in hashes.indices.dropFirst() where hashes[index] == hashes[index - 1] {
                doubtful.insert(hashes[index])
                if doubtful.count == Self.largestDoubt { break }
            }
            guard !doubtful.isEmpty else { continue }
            hashes = []
            confirm(doubtful, forEachLeaf, report)
        }
    }

    /// Compares the keys with doubtful hashes.
    private func confirm(
        _ doubtful: Set<UInt64>, _ forEachLeaf: (Visitor) -> Void, _ report: @escaping (ObjectKey, ObjectKey) -> Void
    ) {
        var first: [PrimaryKey: ObjectKey] = [:]
        forEachLeaf { leaf, object in
            forEachKey(leaf) { row, hash, key in
                guard doubtful.contains(hash) else { return }
                let key = key()
                if let other = first[key] { report(object(row), other) } else { first[key] = object(row) }
            }
        }
    }

    /// A key in comparable form.
    private enum PrimaryKey: Hashable {
        case null
        case int(Int64)
        case bytes([UInt8])
    }

    private func forEachKey(
        _ leaf: ColumnLeaf, _ body: (_ row: Int, _ hash: UInt64, _ key: () -> PrimaryKey) -> Void
    ) {
        for row in 0..<leaf.count {
            switch leaf.encoding {
            case .integers, .nullableIntegers:
                let value = leaf.encoding == .integers ? leaf.int(at: row) : leaf.nullableInt(at: row)
                body(row, value.map { MultisetSum.hash($0, 1) } ?? 0) { value.map { .int($0) } ?? .null }
            default:
                guard let bytes = bytes(leaf, row) else { continue }
                body(row, bytes.map { MultisetSum.hash($0) } ?? 0) { bytes.map { .bytes($0.bytes) } ?? .null }
            }
        }
    }

    /// The bytes of a key; `.some(nil)` for null, nil when it cannot be read.
    private func bytes(_ leaf: ColumnLeaf, _ row: Int) -> ByteView?? {
        switch type {
        case .objectId: return .some(leaf.objectIdBytes(at: row))
        case .uuid: return .some(leaf.uuidBytes(at: row))
        case .string:
            do throws(FormatError) { return .some(try leaf.string(at: row, in: space)) } catch { return nil }
        default: return nil
        }
    }
}
