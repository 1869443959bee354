internal import RealmLayout

/// The cluster that contains the tree's objects with keys in a range.
struct ClusterKeyRange: Sendable {
    let home: OpenedCluster
    /// The first and the last key, as unsigned numbers.
    let firstKey: UInt64
    let lastKey: UInt64

    /// Returns the object with `key`; nil when it is not here. Only valid while nodes may be accessed.
    @inline(__always)
    func object(_ key: ObjectKey) -> StoredObject? {
        let wanted = UInt64(bitPattern: key.value)
        guard firstKey <= wanted, wanted <= lastKey else { return nil }
        return home.cluster.row(of: key).map { StoredObject(home: home, key: key, row: $0) }
    }
}
