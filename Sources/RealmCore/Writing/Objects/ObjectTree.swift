package import RealmLayout
internal import RealmStorage

/// Writes the objects of a table, or its tombstones. Holds the columns of the current cluster, and the refs of leaves
/// of previous clusters (Spec 50).
///
/// Backlink leaves can only be written when all links are known, so clusters are written at the end.
package final class ObjectTree {
    /// One column for each property.
    package let columns: [LeafBuilder]
    private let nodes: NodeOutput
    /// The keys of the objects in the current cluster.
    let keys = UnsharedArray<Int64>(capacity: Limits.clusterObjects)
    private let clusters: UnsharedArray<ClusterRecord>
    /// The keys of clusters with gaps between keys.
    private let clusterKeys: UnsharedArray<Int64>
    /// The refs of the leaves of all clusters, cluster by cluster.
    private let leaves: UnsharedArray<Int64>
    private(set) var count = 0
    private(set) var lastKey: Int64?
    var firstKey: Int64? { clusters.first?.firstKey ?? keys.first }
    /// Exceeds the number of objects any program creates in sequence; keys of higher numbers were chosen otherwise.
    static let longestSequence: Int64 = 1 << 40
    /// The highest sequence number in the keys, if generated as described in Spec 50.
    private(set) var highestSequenceNumber: Int64 = -1

    /// A cluster whose leaves, except backlinks, have been written.
    private struct ClusterRecord: BitwiseCopyable {
        let firstKey: Int64
        let count: Int
        /// Index of its keys in `clusterKeys`; negative when they are consecutive.
        let keys: Int
    }

    private func key(_ row: Int, of cluster: ClusterRecord) -> ObjectKey {
        ObjectKey(cluster.keys < 0 ? cluster.firstKey + Int64(row) : clusterKeys[cluster.keys + row])
    }

    init(_ types: [LeafType], _ nodes: NodeOutput) {
        self.nodes = nodes
        clusters = UnsharedArray(in: nodes.folder)
        clusterKeys = UnsharedArray(in: nodes.folder)
        leaves = UnsharedArray(in: nodes.folder)
        columns = types.map { LeafBuilder($0, nodes) }
    }

    /// Number of objects that still fit in the cluster.
    package var room: Int { Limits.clusterObjects - keys.count }

    /// Adds the key of an object whose values are in the columns.
    ///
    /// - Precondition: The key is higher than all previous ones.
    /// - Returns: Whether the cluster is full. The caller must then call `endCluster`.
    @inline(__always)
    package func add(_ key: ObjectKey) -> Bool {
        keys.append(key.value)
        lastKey = key.value
        count &+= 1
        return keys.count == Limits.clusterObjects
    }

    /// Writes the leaves of the current cluster, if it has objects.
    package func endCluster() throws(WriteError) {
        guard let first = keys.first else { return }
        for column in columns {
            assert(column.count == keys.count)
            leaves.append(Int64(try column.write().offset))
        }
        for key in keys where key & 0xFF00 == 0 {
            let number = key & 0xFF | (key >> 8) & ~0xFF
            if number < Self.longestSequence { highestSequenceNumber = max(highestSequenceNumber, number) }
        }
        let isDense = keys[keys.count - 1] &- first == Int64(keys.count - 1)
        clusters.append(
            ClusterRecord(firstKey: first, count: keys.count, keys: isDense ? -1 : clusterKeys.count))
        if !isDense { for key in keys { clusterKeys.append(key) } }
        keys.removeAll()
    }

    /// Writes clusters and inner nodes.
    ///
    /// - Parameter incoming: The sorted links to these objects, one backlink column for each, following the
    ///   properties.
    /// - Returns: The root.
    func end(incoming: [PendingBacklinks]) throws(WriteError) -> Ref {
        try endCluster()
        var parts: [ClusterPart] = []
        parts.reserveCapacity(clusters.count)
        let backlinks = LeafBuilder(.backlinks, nodes)
        for (index, cluster) in clusters.enumerated() {
            var slots = Array(leaves[(index * columns.count)..<((index + 1) * columns.count)])
            for ledger in incoming {
                try appendBacklinks(of: cluster, ledger, to: backlinks)
                slots.append(Int64(try backlinks.write().offset))
            }
            // Keys below the first child of a node, and therefore of the root, have offset 0.
            let offset = index == 0 ? 0 : UInt64(bitPattern: cluster.firstKey)
            let keys = (0..<cluster.count).lazy.map { self.key($0, of: cluster).value }
            parts.append(try nodes.cluster(keys: keys, keyOffset: offset, leaves: slots))
        }
        return parts.isEmpty ? try emptyRoot(incoming.count) : try nodes.clusterRoot(over: parts, depth: 1)
    }

    /// Appends the backlinks of a cluster's objects: the only origin, or a list of origins (Spec 30, 40).
    private func appendBacklinks(
        of cluster: ClusterRecord, _ ledger: PendingBacklinks, to leaf: LeafBuilder
    ) throws(WriteError) {
        let takeOnly = { (origin: Int64) in leaf.append(number: origin < 0 ? 0 : origin << 1 | 1) }
        let takeSeveral = { (origins: UnsharedArray<Int64>) throws(WriteError) in
            leaf.append(number: Int64(try self.nodes.list(of: origins).offset))
        }
        if cluster.keys < 0 {
            try ledger.takeOrigins(
                count: cluster.count, key: { cluster.firstKey &+ Int64($0) }, takeOnly: takeOnly,
                takeSeveral: takeSeveral)
        } else {
            try ledger.takeOrigins(
                count: cluster.count, key: { clusterKeys[cluster.keys &+ $0] }, takeOnly: takeOnly,
                takeSeveral: takeSeveral)
        }
    }

    /// Writes the cluster of a table without objects, which still has a leaf for each column.
    private func emptyRoot(_ incomingCount: Int) throws(WriteError) -> Ref {
        var slots: [Int64] = []
        for column in columns { slots.append(Int64(try column.write().offset)) }
        for _ in 0..<incomingCount { slots.append(Int64(try LeafBuilder(.backlinks, nodes).write().offset)) }
        return try nodes.cluster(keys: [], keyOffset: 0, leaves: slots).ref
    }
}

extension NodeOutput {
    /// Appends a B+tree of plain integers; at least one.
    package func list(of numbers: UnsharedArray<Int64>) throws(WriteError) -> Ref {
        if numbers.count <= Limits.treeElements { return try integers(numbers) }
        return try tree(of: numbers)
    }

    /// Appends a B+tree of plain integers, given as an array.
    package func list(of numbers: [Int64]) throws(WriteError) -> Ref {
        let copy = UnsharedArray<Int64>(capacity: numbers.count)
        for number in numbers { copy.append(number) }
        return try list(of: copy)
    }

    private func tree(of numbers: UnsharedArray<Int64>) throws(WriteError) -> Ref {
        var tree = BPlusTreeWriter()
        for start in stride(from: 0, to: numbers.count, by: Limits.treeElements) {
            let part = numbers.dropFirst(start).prefix(Limits.treeElements)
            tree.add(try integers(part), count: part.count)
        }
        guard let root = try tree.end(to: self) else { return try integers([]) }
        return root
    }
}
