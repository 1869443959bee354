internal import RealmCore
internal import RealmLayout
internal import RealmStorage

/// Checks object keys derived from primary keys (P02; Spec 50): in formats 20 and 21 all, in 10 and 11 those of
/// strings. Realm Core versions of these formats find objects by such keys.
struct KeyHashChecks {
    let scope: SnapshotScope
    let content: ContentChecks

    func run() {
        guard (10..<22).contains(scope.format.number), let sha = try? MessageDigest(.sha1) else { return }
        for (position, table) in content.tables.indexed {
            guard let column = table.primaryKeyColumn, column.collection == nil else { continue }
            // Objects with integer primary keys were numbered consecutively before format 20.
            guard column.type != .int || scope.format.number >= 20 else { continue }
            let collisions = table.collisionMap.map { CollisionMap.read($0, of: table, scope) } ?? [:]
            let check = TableKeyCheck(scope: scope, table: table, column: column, sha: sha, collisions: collisions)
            if let root = table.clusters { check.run(root, content.shifts[position], isTombstones: false) }
            if let root = table.tombstones { check.run(root, ClusterWalk.usualShift, isTombstones: true) }
        }
    }

    /// Checks one table.
    private struct TableKeyCheck {
        /// The bits of a hash that a key contains.
        private static let keyBits: UInt64 = 0x3FFF_FFFF_FFFF_FFFF

        let scope: SnapshotScope
        let table: CheckedTable
        let column: CheckedColumn
        let sha: MessageDigest
        /// The 128-bit numbers of objects with assigned keys, by object key.
        let collisions: [Int64: Identity]

        func run(_ root: Ref, _ shift: Int, isTombstones: Bool) {
            var walk = ClusterWalk(scope, root: root, shift: shift)
            while let view = walk.next() {
                guard view.count <= Limits.clusterObjects, let ref = view.leaf(column.key.index),
                    let leaf = scope.leaf(ref, as: column.leafType, distinct: column.distinct),
                    leaf.count == view.count
                else { continue }
                for row in 0..<view.count {
                    guard let identity = identity(leaf, row) else { continue }
                    let object = view.key(row)
                    // A tombstone has the key -2 - k.
                    check(object, isTombstones ? -2 &- object.value : object.value, identity)
                }
            }
        }

        private func check(_ object: ObjectKey, _ key: Int64, _ identity: Identity) {
            if let entry = collisions[key] {
                if entry == identity { return }
                return report(object, "the collision map has the object \(object) with another primary key")
            }
            guard key != Int64(bitPattern: identity.lower & Self.keyBits) else { return }
            report(object, "the object key is not the one that the primary key gives")
        }

        private func report(_ object: ObjectKey, _ message: String) {
            // With an index, objects are found without these keys.
            scope.sink.report(
                .primaryKeyHash, as: column.index == nil ? nil : .info, at: table.topRef.offset,
                in: scope.place(table.name, column.name, object), message)
        }

        /// The 128-bit number of a value; nil when it cannot be read.
        private func identity(_ leaf: ColumnLeaf, _ row: Int) -> Identity? {
            switch column.type {
            case .int:
                let value = leaf.encoding == .integers ? leaf.int(at: row) : leaf.nullableInt(at: row)
                return value.map { Identity(lower: UInt64(bitPattern: $0), upper: 0) } ?? .null
            case .uuid:
                guard let bytes = leaf.uuidBytes(at: row) else { return .null }
                return Identity(lower: bytes.uint64(unchecked: 8), upper: bytes.uint64(unchecked: 0))
            case .objectId:
                return hashed(leaf.objectIdBytes(at: row))
            case .string:
                do throws(FormatError) { return hashed(try leaf.string(at: row, in: scope.space)) } catch { return nil }
            default:
                return nil
            }
        }

        private func hashed(_ bytes: ByteView?) -> Identity? {
            guard let bytes else { return .null }
            do throws(StorageError) {
                sha.update(bytes)
                return ByteView.with(try sha.finish()) { digest in
                    Identity(lower: digest.uint64(unchecked: 0), upper: digest.uint64(unchecked: 8))
                }
            } catch {
                return nil
            }
        }
    }
}

/// The 128-bit number that represents a primary key.
private struct Identity: Equatable {
    let lower: UInt64
    let upper: UInt64

    static let null = Identity(lower: 0, upper: 1)
}

/// Keys that were assigned to objects because of collisions (Spec 60).
private enum CollisionMap {
    /// Checks the form of the map at `ref`; returns the numbers by object key, as far as they can be read.
    static func read(_ ref: Ref, of table: CheckedTable, _ scope: SnapshotScope) -> [Int64: Identity] {
        func report(_ message: String) {
            scope.sink.report(.primaryKeyHash, at: ref.offset, in: scope.place(table.name), message)
        }
        let parts = (0..<3).map { index -> IntegerVector? in
            guard case .ref(let part) = Slot(scope.refs(ref)?.element(at: index) ?? 0) else { return nil }
            return scope.integers(part)
        }
        guard let lower = parts[0], let upper = parts[1], let keys = parts[2] else {
            if scope.node(ref).map({ !scope.hasUnsoundParts($0) }) ?? false {
                report("the collision map has not three arrays of numbers")
            }
            return [:]
        }
        guard lower.count == keys.count, upper.count == keys.count else {
            report("a collision map of \(lower.count), \(upper.count) and \(keys.count) numbers")
            return [:]
        }
        var identities: [Int64: Identity] = [:]
        var last: (UInt64, UInt64)?
        for index in 0..<keys.count {
            let entry = (UInt64(bitPattern: upper[unchecked: index]), UInt64(bitPattern: lower[unchecked: index]))
            // Arrays of width 0 can claim any number of elements: their second entry is out of order.
            if let last, last >= entry {
                report("the collision map is not in order at entry \(index)")
                return identities
            }
            last = entry
            let identity = Identity(lower: entry.1, upper: entry.0)
            if identities.updateValue(identity, forKey: keys[unchecked: index]) != nil {
                report("the collision map has the key \(keys[unchecked: index]) twice")
            }
        }
        return identities
    }
}
