public import RealmLayout

/// A leaf of a cluster tree: up to 256 objects, with one leaf per column (Spec 50).
@usableFromInline
package struct Cluster: Sendable, BitwiseCopyable {
    @usableFromInline package let ref: Ref
    /// Number of objects.
    @usableFromInline package let count: Int
    /// The number to add to relative keys, modulo 2^64.
    @usableFromInline let keyOffset: UInt64
    /// The relative keys of the general form; empty in the compact form, where they are 0, 1, 2, ….
    @usableFromInline let keys: IntegerVector
    @usableFromInline let isCompact: Bool
    /// The last relative key of the general form, and the number of smaller numbers that are not keys.
    @usableFromInline let lastKey: UInt64
    @usableFromInline let missing: UInt64
    @usableFromInline let slots: ClusterSlots

    /// Opens the cluster in `node`.
    ///
    /// - Throws: `badCluster`, and errors from opening nodes.
    package init(_ node: Node, keyOffset: UInt64, in space: NodeSpace) throws(FormatError) {
        let slots = ClusterSlots(try node.refs())
        guard slots.elements.count > 0 else {
            throw FormatError(.badCluster, at: node.ref.offset, "a cluster without its object keys")
        }
        switch slots.keys {
        case .tagged(let number):
            isCompact = true
            keys = .empty
            count = Int(truncatingIfNeeded: min(number, UInt64(Int.max)))
        case .ref(let ref):
            isCompact = false
            keys = try space.node(at: ref).integers()
            count = keys.count
        case .empty:
            isCompact = true
            keys = .empty
            count = 0
        }
        guard count <= space.clusterObjects else {
            throw FormatError(
                .badCluster, at: node.ref.offset,
                "a cluster of \(count) objects; there are never more than \(space.clusterObjects)")
        }
        lastKey = count > 0 && !isCompact ? keys.unsigned(unchecked: count - 1) : 0
        missing = lastKey > UInt64(max(count - 1, 0)) ? lastKey - UInt64(max(count - 1, 0)) : 0
        self.ref = node.ref
        self.keyOffset = keyOffset
        self.slots = slots
    }

    /// The cluster, safe to access now: itself, or reopened if pages of an encrypted file may have been evicted.
    @inline(__always)
    package func current(in space: NodeSpace) throws(FormatError) -> Cluster {
        space.isTransient ? try reopened(in: space) : self
    }

    @inline(never)
    private func reopened(in space: NodeSpace) throws(FormatError) -> Cluster {
        let cluster = try Cluster(space.node(at: ref), keyOffset: keyOffset, in: space)
        guard cluster.count == count else {
            throw FormatError(.fileChanged, at: ref.offset, "the file changed while it was being read")
        }
        return cluster
    }

    /// The key of the object in `row`, which the caller has proven to be below `count`.
    @inlinable @inline(__always)
    package func key(unchecked row: Int) -> ObjectKey {
        let relative = isCompact ? UInt64(truncatingIfNeeded: row) : keys.unsigned(unchecked: row)
        return ObjectKey(Int64(bitPattern: keyOffset &+ relative))
    }

    /// Calls `body` with the keys of the objects in `rows`, which the caller has proven to exist.
    @inlinable @inline(__always)
    package func forEachKey(unchecked rows: Range<Int>, _ body: (_ row: Int, ObjectKey) -> Void) {
        if isCompact {
            for row in rows { body(row, key(unchecked: row)) }
        } else {
            // Relative keys are unsigned.
            let mask = UInt64.max &>> (64 &- UInt64(truncatingIfNeeded: max(keys.width, 1)))
            keys.forEach(unchecked: rows.lowerBound, count: rows.count) { index, element in
                let key = keyOffset &+ UInt64(bitPattern: element) & mask
                body(rows.lowerBound &+ index, ObjectKey(Int64(bitPattern: key)))
            }
        }
    }

    /// Returns the row of the object with `key`.
    @inlinable @inline(__always)
    package func row(of key: ObjectKey) -> Int? {
        let relative = UInt64(bitPattern: key.value) &- keyOffset
        if isCompact { return relative < UInt64(count) ? Int(truncatingIfNeeded: relative) : nil }
        guard relative <= lastKey else { return nil }
        // Keys ascend. Before the wanted key there are at most as many rows as smaller numbers, and at least as many as
        // if all missing numbers were smaller. Objects that were created in sequence have few missing keys.
        var high = Int(truncatingIfNeeded: min(relative, UInt64(truncatingIfNeeded: count &- 1)))
        var low = relative > missing ? Int(truncatingIfNeeded: relative &- missing) : 0
        while low < high {
            let middle = (low &+ high) &>> 1
            if keys.unsigned(unchecked: middle) < relative { low = middle &+ 1 } else { high = middle }
        }
        return low < count && keys.unsigned(unchecked: low) == relative ? low : nil
    }

    /// Verifies that keys ascend.
    package func checkKeys() throws(FormatError) {
        guard !isCompact, count > 1 else { return }
        let mask = UInt64.max &>> UInt64(truncatingIfNeeded: 64 - max(keys.width, 1))
        var last = keys.unsigned(unchecked: 0)
        var badKeys = 0
        keys.forEach(unchecked: 1, count: count - 1) { _, element in
            let key = UInt64(bitPattern: element) & mask
            badKeys &+= key <= last ? 1 : 0
            last = key
        }
        guard badKeys > 0 else { return }
        let badRow = (1..<count).first { keys.unsigned(unchecked: $0) <= keys.unsigned(unchecked: $0 - 1) } ?? 0
        throw FormatError(.badCluster, at: ref.offset, "object keys do not ascend at row \(badRow)")
    }

    /// Opens the leaf of a column, with exactly one element per object.
    ///
    /// - Throws: `badCluster` when it is missing, `wrongCount`, and errors from opening the leaf.
    package func leaf(of column: Column, in space: NodeSpace) throws(FormatError) -> ColumnLeaf {
        guard case .ref(let ref) = slots.leaf(of: column.index) else {
            throw FormatError(.badCluster, at: self.ref.offset, "the cluster has no leaf for column \(column.index)")
        }
        let leaf = try ColumnLeaf(at: ref, as: column.leafType, in: space, distinct: column.distinct)
        guard leaf.count == count else {
            throw FormatError(
                .wrongCount, at: ref.offset, "the leaf has \(leaf.count) elements, the cluster \(count) objects")
        }
        return leaf
    }

    /// The offset of a column's leaf; an arbitrary number when it has none.
    package func leafOffset(of column: Column) -> Int {
        Int(truncatingIfNeeded: slots.leaf(of: column.index).element)
    }

    /// The node of the object keys; nil in the compact form.
    package var keysRef: Ref? { slots.keys.ref }

    /// Whether the cluster has a leaf for the column index.
    package func hasLeaf(of column: ColumnIndex) -> Bool { slots.leaf(of: column) != .empty }
}
