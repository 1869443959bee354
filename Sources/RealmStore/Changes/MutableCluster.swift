internal import RealmCore
internal import RealmLayout

/// A cluster that a transaction changes. It may grow beyond the capacity of a cluster, and is then written as several.
final class MutableCluster {
    let location: ClusterTree.Location
    /// The cluster as it is stored.
    let source: Cluster
    /// The keys of all rows, once they were requested, or if they differ from those of the source.
    private var knownKeys: [Int64]?
    /// The removed rows: nothing moves before other rows are added. Empty if there are none.
    private var removed: [Bool] = []
    private var removedCount = 0
    /// The values of loaded columns, by column index.
    private var columns: [MutableColumn?]
    /// The last leaf from which a single value was read, and its column. Consecutive reads are mostly of the same
    /// column.
    private var lastLeaf: (column: ColumnIndex, leaf: ColumnLeaf)?
    /// Whether the rows differ from those of the source.
    private(set) var hasOtherRows = false
    /// Whether rows have the positions of the source; some may have been removed.
    private var hasSourceRows = true
    /// The owner.
    private unowned let objects: ObjectChanges
    /// The space of the source.
    private let space: NodeSpace

    init(_ location: ClusterTree.Location, _ objects: ObjectChanges, in space: NodeSpace) throws(FormatError) {
        self.location = location
        self.objects = objects
        self.space = space
        source = try Cluster(space.node(at: location.ref), keyOffset: location.keyOffset, in: space)
        try source.checkKeys()
        columns = [MutableColumn?](repeating: nil, count: objects.slots.count)
    }

    /// Whether it differs from the source.
    var isChanged: Bool { hasOtherRows || columns.contains { $0?.isChanged ?? false } }

    /// The keys of all rows, including removed ones.
    var allKeys: [Int64] {
        if let knownKeys { return knownKeys }
        var keys: [Int64] = []
        keys.reserveCapacity(source.count)
        source.forEachKey(unchecked: 0..<source.count) { keys.append($1.value) }
        knownKeys = keys
        return keys
    }

    /// The number of rows, including removed ones.
    private var rowCount: Int { knownKeys?.count ?? source.count }

    /// The key of the last row, which may have been removed.
    var lastKey: ObjectKey? {
        if let knownKeys { return knownKeys.last.map { ObjectKey($0) } }
        return source.count > 0 ? source.key(unchecked: source.count - 1) : nil
    }

    /// The number of objects.
    var count: Int { rowCount - removedCount }

    /// The rows of existing objects.
    var rows: [Int] {
        removedCount == 0 ? Array(0..<rowCount) : (0..<rowCount).filter { !removed[$0] }
    }

    /// The key of the first object; nil if there is none.
    var firstKey: ObjectKey? { rows.first.map { ObjectKey(allKeys[$0]) } }

    /// The row of an object.
    func row(of key: ObjectKey) -> Int? {
        let row: Int
        if hasSourceRows {
            guard let found = source.row(of: key) else { return nil }
            row = found
        } else {
            row = firstRow(notBelow: key)
            guard row < rowCount, allKeys[row] == key.value else { return nil }
        }
        return removedCount > 0 && removed[row] ? nil : row
    }

    private func firstRow(notBelow key: ObjectKey) -> Int {
        let keys = allKeys
        let wanted = UInt64(bitPattern: key.value)
        if let last = keys.last, UInt64(bitPattern: last) < wanted { return keys.count }
        return keys.partitioningIndex { UInt64(bitPattern: $0) >= wanted }
    }

    /// The values of a column, for reading or changing them.
    ///
    /// - Throws: errors of reading the leaf.
    func values(_ column: Column) throws(FormatError) -> MutableColumn {
        if let values = loaded(column.index) { return values }
        return try load(column)
    }

    private func load(_ column: Column) throws(FormatError) -> MutableColumn {
        columns.makeRoom(for: column.index, filling: nil)
        if column.leafType == .backlinks, !source.hasLeaf(of: column.index) {
            let values = MutableColumn(column.leafType)
            for row in 0..<rowCount { values.set(row, number: 0) }
            columns[column: column.index] = values
            return values
        }
        let leaf = try source.leaf(of: column, in: space)
        let values = try MutableColumn(leaf, column.leafType, in: space)
        columns[column: column.index] = values
        return values
    }

    /// Reads a single value of a column.
    func value(_ row: Int, of column: Column) throws(FormatError) -> MixedValue {
        if let leaf = try storedLeaf(of: column) {
            if leaf.encoding == .integers { return .int(leaf.int(at: row)) }
            if leaf.encoding != .mixed, case .value(let value) = try leaf.scalar(at: row, in: space) { return value }
        }
        return try values(column).value(at: row)
    }

    /// Reads a single link of a column of links.
    func link(_ row: Int, of column: Column) throws(FormatError) -> ObjectKey {
        if let leaf = try storedLeaf(of: column) { return ObjectKey(leaf.rawElement(at: row) &- 1) }
        return try values(column).link(at: row)
    }

    /// The stored leaf of a column; nil if there is none, or if the column has been loaded.
    private func storedLeaf(of column: Column) throws(FormatError) -> ColumnLeaf? {
        guard hasSourceRows, loaded(column.index) == nil else { return nil }
        if let lastLeaf, lastLeaf.column == column.index { return lastLeaf.leaf }
        guard source.hasLeaf(of: column.index) else { return nil }
        let leaf = try source.leaf(of: column, in: space)
        lastLeaf = (column.index, leaf)
        return leaf
    }

    /// The values of a column, if they have been loaded.
    private func loaded(_ column: ColumnIndex) -> MutableColumn? { columns[safe: column] ?? nil }

    /// Whether the leaf of a column has to be rewritten.
    func needsLeaf(_ column: ColumnIndex) -> Bool { hasOtherRows || loaded(column)?.isChanged ?? false }

    /// The nodes of long values in a column that stay.
    func keptNodes(_ column: ColumnIndex) -> [Int64] { loaded(column)?.keptNodes(rows) ?? [] }

    /// Appends the values of some rows to a leaf that is rewritten.
    func append(_ rows: ArraySlice<Int>, of index: ColumnIndex, to leaf: LeafBuilder) throws {
        if let values = loaded(index) { return try values.append(rows, to: leaf) }
        guard let column = objects.slots[column: index] else { return }
        if column.leafType != .backlinks || source.hasLeaf(of: index) {
            if try leaf.append(rows, of: source.leaf(of: column, in: space), in: space) { return }
        }
        try values(column).append(rows, to: leaf)
    }

    /// Adds an object, whose values must be set next, column by column.
    ///
    /// - Returns: its row.
    func insert(_ key: ObjectKey) throws(FormatError) -> Int {
        try loadAll()
        let row = firstRow(notBelow: key)
        let isLast = row == rowCount
        var keys = allKeys
        knownKeys = nil
        keys.insert(key.value, at: row)
        knownKeys = keys
        // Setting a value appends the last row.
        if !isLast { for values in columns { values?.insert(at: row) } }
        return row
    }

    /// Removes an object.
    func remove(_ row: Int) {
        hasOtherRows = true
        if removed.isEmpty { removed = [Bool](repeating: false, count: rowCount) }
        guard !removed[row] else { return }
        removed[row] = true
        removedCount += 1
    }

    /// Marks all rows for rewriting.
    func replaceRows() { hasOtherRows = true }

    private func loadAll() throws(FormatError) {
        (hasOtherRows, hasSourceRows) = (true, false)
        for column in objects.columns where loaded(column.index) == nil { _ = try values(column) }
        guard removedCount > 0 else { return }
        let (rows, keys) = (rows, allKeys)
        knownKeys = rows.map { keys[$0] }
        for values in columns { values?.keep(rows) }
        (removed, removedCount) = ([], 0)
    }
}
