internal import RealmLayout
internal import RealmReader
internal import RealmWriter

/// A cluster that a transaction changes. It may come to have more objects than a cluster has room for: it is written as several
/// then.
final class ClusterChanges {
    let location: ClusterTree.Location
    /// The cluster as it is stored.
    let source: Cluster
    /// The keys of all rows, removed ones among them.
    private(set) var allKeys: [Int64]
    /// Which rows have been removed: nothing moves before other rows come. Empty where none has been.
    private var removed: [Bool] = []
    private var removedCount = 0
    /// The values of columns that were asked for, by column index.
    private var columns: [ColumnValues?]
    /// Whether there are other rows than those of the source.
    private(set) var hasOtherRows = false
    /// Whether rows are where the source has them: some may have been removed.
    private var hasSourceRows = true
    /// Who has this one among its clusters.
    private unowned let objects: ObjectChanges
    /// Where the source is.
    private let space: NodeSpace

    init(_ location: ClusterTree.Location, _ objects: ObjectChanges, in space: NodeSpace) throws(FormatError) {
        self.location = location
        self.objects = objects
        self.space = space
        source = try Cluster(space.node(at: location.ref), keyOffset: location.keyOffset, in: space)
        try source.checkKeys()
        let source = source
        var keys: [Int64] = []
        keys.reserveCapacity(source.count)
        source.forEachKey(unchecked: 0..<source.count) { keys.append($1.value) }
        allKeys = keys
        columns = [ColumnValues?](repeating: nil, count: objects.slots.count)
    }

    /// Whether it is another than the source; else it was only looked at.
    var isChanged: Bool { hasOtherRows || columns.contains { $0?.isChanged ?? false } }

    /// The number of objects.
    var count: Int { allKeys.count - removedCount }

    /// The rows of objects that are there.
    var rows: [Int] {
        removedCount == 0 ? Array(allKeys.indices) : allKeys.indices.filter { !removed[$0] }
    }

    /// The key of the first object; nil where there is none.
    var firstKey: ObjectKey? { rows.first.map { ObjectKey(allKeys[$0]) } }

    /// The row of an object.
    func row(of key: ObjectKey) -> Int? {
        let row = firstRow(notBelow: key)
        guard row < allKeys.count, allKeys[row] == key.value else { return nil }
        return removedCount > 0 && removed[row] ? nil : row
    }

    private func firstRow(notBelow key: ObjectKey) -> Int {
        let wanted = UInt64(bitPattern: key.value)
        // Mostly keys count up without a gap.
        if let first = allKeys.first, wanted >= UInt64(bitPattern: first) {
            let distance = wanted &- UInt64(bitPattern: first)
            if distance < UInt64(allKeys.count), allKeys[Int(distance)] == key.value { return Int(distance) }
        }
        if let last = allKeys.last, UInt64(bitPattern: last) < wanted { return allKeys.count }
        var (low, high) = (0, allKeys.count)
        while low < high {
            let middle = (low + high) / 2
            if UInt64(bitPattern: allKeys[middle]) < wanted { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The values of a column, to be read or changed.
    ///
    /// - Throws: what reading the leaf throws.
    func values(_ column: Column) throws(FormatError) -> ColumnValues {
        if column.index < columns.count, let values = columns[column.index] { return values }
        return try load(column)
    }

    private func load(_ column: Column) throws(FormatError) -> ColumnValues {
        if column.index >= columns.count {
            columns += [ColumnValues?](repeating: nil, count: column.index + 1 - columns.count)
        }
        if column.leafType == .backlinks, !source.hasLeaf(forColumn: column.index) {
            let values = ColumnValues(column.leafType)
            for row in allKeys.indices { values.set(row, number: 0) }
            columns[column.index] = values
            return values
        }
        let leaf = try source.leaf(of: column, in: space)
        let values = try ColumnValues(leaf, column.leafType, in: space)
        columns[column.index] = values
        return values
    }

    /// One value of a column.
    func value(_ row: Int, of column: Column) throws(FormatError) -> MixedValue {
        if hasSourceRows, loaded(column.index) == nil, source.hasLeaf(forColumn: column.index) {
            let leaf = try source.leaf(of: column, in: space)
            if leaf.encoding != .mixed, case .value(let value) = try leaf.scalar(at: row, in: space) { return value }
        }
        return try values(column).value(at: row)
    }

    /// The values of a column, if they were asked for.
    private func loaded(_ index: Int) -> ColumnValues? { index < columns.count ? columns[index] : nil }

    /// Whether the leaf of a column has to be written anew.
    func needsLeaf(_ index: Int) -> Bool { hasOtherRows || loaded(index)?.isChanged ?? false }

    /// The nodes of long values in a column that stay.
    func keptNodes(_ index: Int) -> [Int64] { loaded(index)?.keptNodes(rows) ?? [] }

    /// Appends the values in some rows to a leaf that is written anew.
    func append(_ rows: ArraySlice<Int>, ofColumn index: Int, to leaf: LeafBuilder) throws(WriteError) {
        if let values = loaded(index) { return try values.append(rows, to: leaf) }
        guard let column = objects.slots[index] else { return }
        if column.leafType != .backlinks || source.hasLeaf(forColumn: index) {
            let space = space
            let stored = try checked { () throws(FormatError) in try source.leaf(of: column, in: space) }
            if try leaf.append(rows, of: stored, in: space) { return }
        }
        let values = try checked { () throws(FormatError) in try self.values(column) }
        try values.append(rows, to: leaf)
    }

    /// Adds an object, whose values are to be set next, column by column.
    ///
    /// - Returns: its row.
    func insert(_ key: ObjectKey) throws(FormatError) -> Int {
        try loadAll()
        let row = firstRow(notBelow: key)
        let isLast = row == allKeys.count
        allKeys.insert(key.value, at: row)
        // A last row is appended by setting it.
        if !isLast { for values in columns { values?.insert(at: row) } }
        return row
    }

    /// Removes an object.
    func remove(_ row: Int) {
        hasOtherRows = true
        if removed.isEmpty { removed = [Bool](repeating: false, count: allKeys.count) }
        guard !removed[row] else { return }
        removed[row] = true
        removedCount += 1
    }

    /// Notes that all rows are written anew.
    func replaceRows() { hasOtherRows = true }

    private func loadAll() throws(FormatError) {
        (hasOtherRows, hasSourceRows) = (true, false)
        for column in objects.columns where loaded(column.index) == nil { _ = try values(column) }
        guard removedCount > 0 else { return }
        let rows = rows
        allKeys = rows.map { allKeys[$0] }
        for values in columns { values?.keep(rows) }
        (removed, removedCount) = ([], 0)
    }
}
