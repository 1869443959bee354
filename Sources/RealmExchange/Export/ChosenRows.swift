internal import RealmLayout
internal import RealmReader

/// Finds chosen objects of a table: runs of rows that are chosen one after the other come together.
struct ChosenRows {
    private let tree: ClusterTree
    private let keys: [ObjectKey]
    private var next = 0
    /// Where the last object was found. Not kept where nodes lie in pages that come and go.
    private var last: Cluster?

    init(_ keys: [ObjectKey], in tree: ClusterTree) {
        self.keys = keys
        self.tree = tree
    }

    /// The next rows, in the order in which they were chosen; nil at the end. An object that cannot be reached is passed by the
    /// next time.
    ///
    /// - Throws: `noSuchObject` for one that is not there, and what is damaged on the way.
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
