internal import RealmLayout
internal import RealmReader

/// A cluster that a transaction changes. It may come to have more objects than a cluster has room for: it is written as several
/// then.
final class ClusterChanges {
    let location: ClusterTree.Location
    /// The cluster as it is stored.
    let source: Cluster
    private(set) var keys: [Int64]
    /// The values of columns that were asked for, by column index.
    private var columns: [ColumnValues?]
    /// Whether there are other rows than those of the source.
    private(set) var hasOtherRows = false
    /// Who has this one among its clusters.
    private unowned let objects: ObjectChanges

    init(_ location: ClusterTree.Location, _ objects: ObjectChanges) throws(FormatError) {
        self.location = location
        self.objects = objects
        source = try Cluster(
            objects.space.node(at: location.ref), keyOffset: location.keyOffset, in: objects.space)
        try source.checkKeys()
        let source = source
        var keys: [Int64] = []
        keys.reserveCapacity(source.count)
        source.forEachKey(unchecked: 0..<source.count) { keys.append($1.value) }
        self.keys = keys
        columns = [ColumnValues?](repeating: nil, count: objects.slots.count)
    }

    /// Whether it is another than the source; else it was only looked at.
    var isChanged: Bool { hasOtherRows || columns.contains { $0?.isChanged ?? false } }

    /// The row of an object.
    func row(of key: ObjectKey) -> Int? {
        let row = firstRow(notBelow: key)
        return row < keys.count && keys[row] == key.value ? row : nil
    }

    private func firstRow(notBelow key: ObjectKey) -> Int {
        let wanted = UInt64(bitPattern: key.value)
        if let last = keys.last, UInt64(bitPattern: last) < wanted { return keys.count }
        var (low, high) = (0, keys.count)
        while low < high {
            let middle = (low + high) / 2
            if UInt64(bitPattern: keys[middle]) < wanted { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The values of a column, to be read or changed.
    ///
    /// - Throws: what reading the leaf throws.
    func values(_ column: Column) throws(FormatError) -> ColumnValues {
        if column.index >= columns.count {
            columns += [ColumnValues?](repeating: nil, count: column.index + 1 - columns.count)
        }
        if let values = columns[column.index] { return values }
        if column.leafType == .backlinks, !source.hasLeaf(forColumn: column.index) {
            let values = ColumnValues(column.leafType)
            for row in keys.indices { values.set(row, number: 0) }
            columns[column.index] = values
            return values
        }
        let leaf = try source.leaf(of: column, in: objects.space)
        let values = try ColumnValues(leaf, column.leafType, in: objects.space)
        columns[column.index] = values
        return values
    }

    /// The values of a column, if they were asked for.
    private func loaded(_ index: Int) -> ColumnValues? { index < columns.count ? columns[index] : nil }

    /// The values of a column whose leaf has to be written anew; nil for a leaf that stays.
    func changed(_ index: Int) -> ColumnValues? {
        guard let values = loaded(index), hasOtherRows || values.isChanged else { return nil }
        return values
    }

    /// Adds an object, whose values are to be set next, column by column.
    ///
    /// - Returns: its row.
    func insert(_ key: ObjectKey) throws(FormatError) -> Int {
        try loadAll()
        let row = firstRow(notBelow: key)
        let isLast = row == keys.count
        keys.insert(key.value, at: row)
        // A last row is appended by setting it.
        if !isLast { for values in columns { values?.insert(at: row) } }
        return row
    }

    /// Removes an object.
    func remove(_ row: Int) throws(FormatError) {
        try loadAll()
        keys.remove(at: row)
        for values in columns { values?.remove(row) }
    }

    private func loadAll() throws(FormatError) {
        guard !hasOtherRows else { return }
        hasOtherRows = true
        for column in objects.columns where loaded(column.index) == nil { _ = try values(column) }
    }
}
