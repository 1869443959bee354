internal import RealmLayout
internal import RealmReader

/// Looks for objects with the same primary key (P01): by hashes, of which a part is held at a time, and exactly where
/// hashes are equal.
struct KeyChecks {
    /// Hashes that are held at a time.
    private static let partSize = 1 << 21
    /// Equal hashes that are looked at exactly, in each part.
    private static let largestDoubt = 1 << 14

    let scope: SnapshotScope
    let content: ContentChecks

    func run() {
        for (index, table) in content.tables.enumerated() {
            guard let column = table.primaryKeyColumn, column.collection == nil, let root = table.clusters else {
                continue
            }
            check(table, column, root, content.shifts[index], count: content.tallies[index].visited)
        }
    }

    private func check(_ table: TableModel, _ column: ColumnModel, _ root: Ref, _ shift: Int, count: Int) {
        let parts = UInt64(1 + count / Self.partSize)
        for part in 0..<parts {
            var hashes: [UInt64] = []
            forEachKey(column, root, shift) { _, hash, _ in
                if hash % parts == part { hashes.append(hash) }
            }
            hashes = SpreadSort.sorted(hashes)
            var doubtful: Set<UInt64> = []
            for index in hashes.indices.dropFirst() where hashes[index] == hashes[index - 1] {
                doubtful.insert(hashes[index])
                if doubtful.count == Self.largestDoubt { break }
            }
            guard !doubtful.isEmpty else { continue }
            hashes = []
            confirm(doubtful, table, column, root, shift)
        }
    }

    /// Compares the keys that have one of the hashes.
    private func confirm(
        _ doubtful: Set<UInt64>, _ table: TableModel, _ column: ColumnModel, _ root: Ref, _ shift: Int
    ) {
        var first: [PrimaryKey: ObjectKey] = [:]
        forEachKey(column, root, shift) { object, hash, key in
            guard doubtful.contains(hash) else { return }
            let key = key()
            guard let other = first[key] else {
                first[key] = object
                return
            }
            scope.sink.report(
                .primaryKeyUnique, at: table.topRef.offset, in: scope.place(table.name, column.name, object),
                "the object has the same primary key as the object \(other)")
        }
    }

    /// A key as it is compared.
    private enum PrimaryKey: Hashable {
        case null
        case int(Int64)
        case bytes([UInt8])
    }

    private func forEachKey(
        _ column: ColumnModel, _ root: Ref, _ shift: Int,
        _ body: (_ object: ObjectKey, _ hash: UInt64, _ key: () -> PrimaryKey) -> Void
    ) {
        var walk = ClusterWalk(scope, root: root, shift: shift)
        while let view = walk.next() {
            guard view.count <= Limits.clusterObjects, let ref = view.leaf(column.key.index),
                let leaf = scope.leaf(ref, as: column.leafType, distinct: column.distinct), leaf.count == view.count
            else { continue }
            for row in 0..<view.count {
                let object = view.key(row)
                switch leaf.encoding {
                case .integers, .nullableIntegers:
                    let value = leaf.encoding == .integers ? leaf.int(at: row) : leaf.nullableInt(at: row)
                    body(object, value.map { MultisetSum.hash($0, 1) } ?? 0) { value.map { .int($0) } ?? .null }
                default:
                    guard let bytes = bytes(leaf, row, column.type) else { continue }
                    body(object, bytes.map { MultisetSum.hash($0) } ?? 0) { bytes.map { .bytes($0.bytes) } ?? .null }
                }
            }
        }
    }

    /// The bytes of a key; `.some(nil)` for null, nil for one that cannot be read.
    private func bytes(_ leaf: ColumnLeaf, _ row: Int, _ type: ColumnType) -> ByteView?? {
        switch type {
        case .objectId: return .some(leaf.fixedBytes(at: row, width: 12))
        case .uuid: return .some(leaf.fixedBytes(at: row, width: 16))
        case .string:
            do throws(FormatError) { return .some(try leaf.string(at: row, in: scope.space)) } catch { return nil }
        default: return nil
        }
    }
}
