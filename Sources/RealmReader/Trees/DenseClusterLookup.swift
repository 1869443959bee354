public import RealmLayout

/// What is needed of a cluster to find one value of one object in it, for loops over many objects each of which is in another cluster.
///
/// Opened without a word about clusters that are damaged or of an unusual form: `ClusterLookup.cluster(at:)` and `Cluster` find out
/// about them. What is found here is as proven as there.
@usableFromInline
package struct DenseClusterLookup: Sendable, BitwiseCopyable {
    /// The first slot: where the list of keys is, or how many there are.
    @usableFromInline package let keys: Int64
    /// Where the column's leaf is, if that is a place.
    @usableFromInline package let leaf: Ref
    /// The key that is looked for, relative to those of the cluster.
    @usableFromInline let relative: UInt64

    /// - Returns: nil when there is no cluster, or it has no room for the column.
    @inlinable @inline(__always)
    package init?(_ place: ClusterPlace, column: ColumnIndex, in space: NodeSpace) {
        guard let slots = space.plainIntegers(at: place.ref, hasRefs: true),
            ClusterSlots.element(of: column) < slots.count
        else {
            return nil
        }
        keys = slots[unchecked: 0]
        leaf = slots.ref(unchecked: ClusterSlots.element(of: column))
        relative = place.wanted &- place.keyOffset
    }

    /// Whether the keys are in a list of their own.
    @inlinable @inline(__always)
    package var hasList: Bool { keys & 1 == 0 }

    /// The row of the object, and how many the cluster has; nil when the object is not there, or the cluster cannot be read.
    @inlinable @inline(__always)
    package func row(in space: NodeSpace) -> (row: Int, count: Int)? {
        if hasList { return listedRow(in: space) }
        let count = UInt64(bitPattern: keys) &>> 1
        guard count <= UInt64(truncatingIfNeeded: space.clusterObjects), relative < count else { return nil }
        return (Int(truncatingIfNeeded: relative), Int(truncatingIfNeeded: count))
    }

    @usableFromInline
    func listedRow(in space: NodeSpace) -> (row: Int, count: Int)? {
        guard let list = space.plainIntegers(at: Ref(Int(truncatingIfNeeded: keys)), hasRefs: false),
            list.count <= space.clusterObjects, let row = list.lastIndex(unsignedAtMost: relative),
            list.unsigned(unchecked: row) == relative
        else { return nil }
        return (row, list.count)
    }
}

extension NodeSpace {
    /// Loads words ahead of their use, see `word(at:)`. Nothing else is between the loads, so that a processor waits for many at once: it looks
    /// some hundred instructions ahead.
    ///
    /// - Returns: a number that means nothing, so that the loads are not left out.
    package func load(_ offsets: [Int64]) -> UInt64 {
        var sum: UInt64 = 0
        for offset in offsets { sum &+= word(at: offset) }
        return sum
    }
}

extension ClusterLookup {
    /// Where the clusters of some objects are.
    ///
    /// - Throws: what `place(of:)` throws.
    package mutating func places(
        of keys: ArraySlice<ObjectKey>, in places: inout [ClusterPlace]
    ) throws(FormatError) {
        places.removeAll(keepingCapacity: true)
        for key in keys { places.append(try place(of: key)) }
    }
}
