internal import RealmLayout

extension ClusterTree {
    /// Finds the cluster and row of the object at a position; nil beyond the end. Only the root of each preceding
    /// subtree is read.
    func find(position: Int) throws(FormatError) -> (cluster: Cluster, row: Int)? {
        var row = position
        let (node, location) = try descend { (inner, _) throws(FormatError) in
            var child = 0
            while child + 1 < inner.childCount {
                let count = try storedCount(below: child, of: inner)
                if row < count { break }
                row -= count
                child += 1
            }
            return child
        }
        let cluster = try Cluster(node, keyOffset: location.keyOffset, in: space)
        return row < cluster.count ? (cluster, row) : nil
    }

    /// Returns the number of objects before one; nil when that one does not exist. Only the root of each preceding
    /// subtree is read.
    func position(of key: ObjectKey) throws(FormatError) -> Int? {
        var before = 0
        let (node, location) = try descend(to: key) { (inner, _, child) throws(FormatError) in
            for preceding in 0..<child { before &+= try storedCount(below: preceding, of: inner) }
        }
        return try Cluster(node, keyOffset: location.keyOffset, in: space).row(of: key).map { before &+ $0 }
    }

    private func storedCount(below child: Int, of inner: ClusterInner) throws(FormatError) -> Int {
        try ClusterTree(root: inner.child(child), in: space).storedCount()
    }
}
