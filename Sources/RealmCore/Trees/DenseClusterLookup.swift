public import RealmLayout

/// The part of a cluster needed to find one value of one object, for loops over many objects in different clusters.
///
/// Initialisation fails without an error for clusters that are damaged or of an unusual form;
/// `ClusterLookup.cluster(at:)` and `Cluster` report these. Bounds are checked as strictly as there.
@usableFromInline
package struct DenseClusterLookup: Sendable, BitwiseCopyable {
    /// The first slot: the ref of the list of keys, or their number.
    @usableFromInline package let keys: Int64
    /// The ref of the column's leaf, possibly invalid.
    @usableFromInline package let leaf: Ref
    /// The key searched for, relative to those of the cluster.
    @usableFromInline let relative: UInt64

    /// - Returns: nil when there is no such cluster, or it has no slot for the column.
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

    /// Whether the keys are stored in a list.
    @inlinable @inline(__always)
    package var hasList: Bool { keys & 1 == 0 }

    /// The row of the object, and the cluster's row count; nil when the object does not exist, or the cluster cannot be
    /// read.
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
    /// Loads words ahead of their use; see `word(at:)`. Nothing else happens between the loads, so that their memory
    /// stalls overlap: a processor looks some hundred instructions ahead.
    ///
    /// - Returns: a meaningless number that keeps the loads from being optimised away.
    package func load(_ offsets: [Int64]) -> UInt64 {
        var sum: UInt64 = 0
        for offset in offsets { sum &+= word(at: offset) }
        return sum
    }
}

extension ClusterLookup {
    /// Finds the places of the clusters of some objects.
    ///
    /// - Throws: the same errors as `place(of:)`.
    package mutating func places(
        of keys: ArraySlice<ObjectKey>, in places: inout [ClusterPlace]
    ) throws(FormatError) {
        places.removeAll(keepingCapacity: true)
        for key in keys { places.append(try place(of: key)) }
    }
}
