internal import RealmCore
internal import RealmLayout

/// Finds selected objects of a table. Adjacent rows that were selected consecutively are returned together.
struct ChosenRows {
    private let tree: ClusterTree
    private let keys: [ObjectKey]
    private var next = 0
    /// The cluster of the last object. Not kept if nodes are in pages that may be evicted.
    private var last: Cluster?

    init(_ keys: [ObjectKey], in tree: ClusterTree) {
        self.keys = keys
        self.tree = tree
    }

    /// Returns the next rows in the order of selection, or nil at the end. After an error, the next call continues with
    /// the following object.
    ///
    /// - Throws: `noSuchObject` for a missing object, and errors of damaged nodes on the path.
    mutating func nextRows() throws(FormatError) -> (cluster: Cluster, rows: Range<Int>)? {
        guard next < keys.count else { return nil }
        let key = keys[next]
        next += 1
        let found: (cluster: Cluster, row: Int)
        do throws(FormatError) {
            found = try find(key)
        } catch {
            throw error.at(objectKey: key)
        }
        var end = found.row + 1
        while next < keys.count, end < found.cluster.count, found.cluster.key(unchecked: end) == keys[next] {
            end += 1
            next += 1
        }
        return (found.cluster, found.row..<end)
    }

    private mutating func find(_ key: ObjectKey) throws(FormatError) -> (cluster: Cluster, row: Int) {
        if let last, let row = last.row(of: key) { return (last, row) }
        guard let found = try tree.find(key) else { throw FormatError(.noSuchObject, "there is no such object") }
        if !tree.space.isTransient { last = found.cluster }
        return found
    }
}
