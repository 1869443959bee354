internal import RealmCore
internal import RealmLayout

/// Objects that a transaction appends to a table. Their values go directly into leaves, and a full cluster is written
/// at once (Spec 220). A cluster that is requested later is loaded again, and then treated like any other.
final class AppendedClusters {
    /// A cluster that has been written.
    private struct Part {
        let cluster: ClusterPart
        let firstKey: UInt64
        let lastKey: UInt64
        /// Changes made after it was written.
        var changes: MutableCluster?

        var highestKey: UInt64 { changes?.lastKey.map { UInt64(bitPattern: $0.value) } ?? lastKey }
        var count: Int { changes?.count ?? cluster.count }
    }

    /// The last cluster of the base.
    let base: MutableCluster
    /// Whether these clusters include the objects of the base's last cluster and replace it.
    let replacesBase: Bool
    private unowned let objects: ObjectChanges
    private let nodes: NodeOutput
    private var parts: [Part] = []
    /// The columns of the cluster being filled, by index.
    private var columns: [LeafBuilder?]
    /// The same, prepared for appending objects; nil before the first one.
    private var rows: NewRows?
    /// The columns of the properties.
    private let properties: [Column]
    /// The keys of the objects in the cluster being filled.
    private var keys: [Int64] = []
    /// The lowest key of these clusters.
    private let firstKey: UInt64

    /// - Parameters:
    ///   - isAsked: whether the cluster of the base has been loaded, so that it has to stay.
    ///   - key: the key of the first object.
    init(
        behind base: MutableCluster, isAsked: Bool, _ key: ObjectKey, _ objects: ObjectChanges, _ nodes: NodeOutput
    ) throws {
        (self.base, self.objects, self.nodes) = (base, objects, nodes)
        properties = objects.columns.filter { $0.leafType != .backlinks }
        columns = objects.slots.map { $0.map { LeafBuilder($0.leafType, nodes) } }
        replacesBase = base.count == 0 || !isAsked && base.count < Limits.clusterObjects
        keys.reserveCapacity(Limits.clusterObjects)
        guard replacesBase else {
            firstKey = UInt64(bitPattern: key.value)
            return
        }
        firstKey = base.location.firstKey
        base.replaceRows()
        keys += base.allKeys
        for (index, column) in columns.enumerated() {
            guard let column else { continue }
            try base.append(Array(base.allKeys.indices)[...], of: ColumnIndex(index), to: column)
        }
    }

    /// Whether a key belongs to these clusters.
    func has(_ key: ObjectKey) -> Bool { UInt64(bitPattern: key.value) >= firstKey }

    /// The number of objects in all clusters.
    var count: Int { parts.reduce(keys.count) { $0 + $1.count } }

    /// Whether an object with a key higher than all others can be appended.
    func accepts(_ key: ObjectKey) -> Bool {
        let key = UInt64(bitPattern: key.value)
        if let last = keys.last { return UInt64(bitPattern: last) < key }
        guard let last = parts.last else { return key >= firstKey }
        return last.highestKey < key && last.count >= Limits.clusterObjects
    }

    /// Appends an object whose key is accepted.
    ///
    /// - Parameters:
    ///   - scalars: the values of all properties; those of links, Mixed values and collections are ignored.
    ///   - prepared: the values of these.
    func append(
        _ key: ObjectKey, _ scalars: ByProperty<NewValue?>, _ prepared: [NewRows.Prepared]
    ) throws(WriteError) {
        try openRows().append(scalars, prepared)
        keys.append(key.value)
        if keys.count >= Limits.clusterObjects { try close() }
    }

    private func openRows() -> NewRows {
        if let rows { return rows }
        let rows = NewRows(
            properties: properties.compactMap { columns[column: $0.index] },
            backlinks: objects.columns.filter { $0.leafType == .backlinks }.compactMap { columns[column: $0.index] })
        self.rows = rows
        return rows
    }

    /// Writes the cluster being filled.
    func close() throws(WriteError) {
        guard let first = keys.first, let last = keys.last else { return }
        var leaves: [Int64] = []
        leaves.reserveCapacity(columns.count)
        for column in columns { leaves.append(Int64(try column?.write().offset ?? 0)) }
        let start = parts.isEmpty ? firstKey : UInt64(bitPattern: first)
        let offset = parts.isEmpty && replacesBase ? base.location.keyOffset : start
        parts.append(
            Part(
                cluster: try nodes.cluster(keys: keys, keyOffset: offset, leaves: leaves), firstKey: start,
                lastKey: UInt64(bitPattern: last)))
        keys.removeAll(keepingCapacity: true)
    }

    // MARK: Objects

    private func part(of key: ObjectKey) -> Int {
        let wanted = UInt64(bitPattern: key.value)
        return max(0, parts.partitioningIndex { $0.firstKey > wanted } - 1)
    }

    /// Whether a key is in the cluster being filled, or would be.
    private func isOpen(_ key: ObjectKey) -> Bool {
        guard let first = keys.first else { return false }
        return parts.isEmpty || UInt64(bitPattern: first) <= UInt64(bitPattern: key.value)
    }

    /// Whether there is an object with a key.
    func contains(_ key: ObjectKey) throws(FormatError) -> Bool {
        if isOpen(key) {
            let index = keys.partitioningIndex { $0 >= key.value }
            return index < keys.count && keys[index] == key.value
        }
        guard !parts.isEmpty else { return false }
        let part = parts[part(of: key)]
        if let changes = part.changes { return changes.row(of: key) != nil }
        return try stored(part).row(of: key) != nil
    }

    private var space: NodeSpace { objects.space.with(overlay: nodes.written) }

    private func stored(_ part: Part) throws(FormatError) -> Cluster {
        try Cluster(space.node(at: part.cluster.ref), keyOffset: part.cluster.keyOffset, in: space)
    }

    /// The cluster for changing an object, which need not exist.
    func cluster(of key: ObjectKey) throws -> MutableCluster {
        if isOpen(key) { try close() }
        guard !parts.isEmpty else { throw WriteError.internalInconsistency("a cluster without objects is asked for") }
        return try cluster(part(of: key))
    }

    private func cluster(_ index: Int) throws(FormatError) -> MutableCluster {
        if let changes = parts[index].changes { return changes }
        let part = parts[index]
        let last = index + 1 < parts.count ? parts[index + 1].firstKey &- 1 : .max
        let location = ClusterTree.Location(
            ref: part.cluster.ref, keyOffset: part.cluster.keyOffset, firstKey: part.firstKey, lastKey: last)
        let changes = try MutableCluster(location, objects, in: space)
        parts[index].changes = changes
        return changes
    }

    /// Adds a column of backlinks.
    func add(_ column: Column) throws {
        try close()
        columns.makeRoom(for: column.index, filling: nil)
        columns[column: column.index] = LeafBuilder(column.leafType, nodes)
        rows = nil
        for index in parts.indices {
            let cluster = try cluster(index)
            _ = try cluster.values(column)
        }
    }

    /// A cluster, by the way in which it has to be processed.
    enum Step {
        case written(ClusterPart)
        case changed(MutableCluster)
    }

    /// All clusters, for writing the table.
    func steps() throws(WriteError) -> [Step] {
        try close()
        return parts.map { part in
            if let changes = part.changes, changes.isChanged { .changed(changes) } else { .written(part.cluster) }
        }
    }

    /// All clusters, for reading their values: as changes if they have been loaded, otherwise as they were written.
    ///
    /// - Parameter asking: whether to load all of them.
    func steps(asking: Bool) throws -> [Step] {
        try close()
        var steps: [Step] = []
        for index in parts.indices {
            if asking || parts[index].changes != nil {
                steps.append(.changed(try cluster(index)))
            } else {
                steps.append(.written(parts[index].cluster))
            }
        }
        return steps
    }
}
