package import RealmCore
package import RealmLayout
internal import RealmStorage

/// Looks for a pattern in the values of a snapshot.
///
/// Columns are read leaf by leaf. A pass over a cluster marks the rows that match; only these are read again, property
/// by property, for their places. Kinds of values that cannot match are not read at all, and damage there is not noted.
package struct ContentSearch: ~Copyable {
    let snapshot: Snapshot
    let space: NodeSpace
    let pattern: SearchPattern
    let scope: SearchScope
    let sink: any SearchSink
    /// The bound on the work on collections, which a hostile file can share. A collection that matches is read twice.
    var budget: WorkBudget
    /// The same for long strings that intact files store once and use often.
    var repeats: WorkBudget
    var text = GrowingBytes()
    /// The known results for the distinct strings of an enumerated column.
    var distinct: [UInt8] = []
    var owners: OwnerPaths
    var outcome = SearchOutcome()
    /// The place of values being read, for errors.
    var reading = ReadPlace()
    /// The number of collections around the values being read.
    var depth = 0
    /// Whether damage is already noted, because values are read for the second time.
    var isSecondPass = false
    /// Whether the sink wants no more.
    var isStopped = false
    /// Read lease for the pages of an encrypted file.
    private let lease: OwnedLease?

    /// Makes a search.
    package init(_ pattern: SearchPattern, in snapshot: Snapshot, _ scope: SearchScope, _ sink: any SearchSink) {
        self.snapshot = snapshot
        self.pattern = pattern
        self.scope = scope
        self.sink = sink
        space = snapshot.space
        budget = WorkBudget(for: space, passes: 3)
        repeats = WorkBudget(for: space, passes: 512)
        owners = OwnerPaths(snapshot)
        lease = snapshot.data.pages.map { OwnedLease($0) }
    }

    /// Gives all matches to the sink: names, values table by table in the order of the objects, then free space.
    ///
    /// - Returns: the damage that was found.
    /// - Throws: `fileChanged`, `sharedNodes`.
    package consuming func run() throws(FormatError) -> SearchOutcome {
        let positions = positions
        outcome.omissions = damage(of: positions)
        if scope.includesNames { searchNames() }
        for position in positions where !isStopped {
            do throws(FormatError) {
                try search(position)
            } catch {
                throw error.at(table: snapshot.cores[position].schema.tableName)
            }
        }
        if scope.includesFreeSpace, !isStopped { searchFreeSpace() }
        return outcome
    }

    /// The tables whose objects are read.
    private var positions: [TablePosition] {
        if let tables = scope.tables { return owners.withEmbedded(tables) }
        return snapshot.cores.indices.filter { scope.includesSystemTables || snapshot.cores[$0].schema.isClass }
    }

    /// The damage to the descriptions of tables; of those that are searched, if only some are.
    private func damage(of positions: [TablePosition]) -> [FormatError] {
        guard scope.tables != nil else { return snapshot.damage }
        let names = Set(positions.map { snapshot.cores[$0].schema.tableName })
        return snapshot.damage.filter { $0.table.map { names.contains($0) } ?? true }
    }

    // MARK: Tables

    private mutating func search(_ position: TablePosition) throws(FormatError) {
        let table = snapshot.cores[position]
        let fields = SearchField.fields(of: table, pattern)
        guard !fields.isEmpty else { return }
        var distinct = fields.map { _ in [UInt8]() }
        var marks = fields.map { _ in RowMarks() }
        var clusters = ClusterCursor(table.objects)
        var current: Cluster?
        var nextRow = 0
        reading = ReadPlace(table: table.schema.tableName)
        while !isStopped {
            _ = lease?.resume()
            defer { lease?.park() }
            do throws(FormatError) {
                if let cluster = current, nextRow < cluster.count {
                    current = try cluster.current(in: space)
                } else {
                    (current, nextRow) = (nil, 0)
                    reading.cluster = nil
                    guard let next = try clusters.next() else { return }
                    current = next
                }
            } catch {
                try note(error)
                (current, nextRow) = (nil, 0)
                continue
            }
            guard let cluster = current else { return }
            let rows = nextRow..<min(cluster.count, nextRow + (lease?.rows ?? cluster.count))
            reading.cluster = cluster
            try search(position, cluster, rows, fields, &marks, &distinct)
            nextRow = rows.upperBound
        }
    }

    /// Marks the rows of a cluster that match, and reports their values.
    private mutating func search(
        _ position: TablePosition, _ cluster: Cluster, _ rows: Range<Int>, _ fields: [SearchField],
        _ marks: inout [RowMarks], _ distinct: inout [[UInt8]]
    ) throws(FormatError) {
        var isMarked = false
        for number in fields.indices {
            let field = fields[number]
            marks[number].clear(cluster.count)
            reading.property = field.name
            reading.row = rows.lowerBound
            guard let leaf = try leaf(of: field, cluster, rows) else { continue }
            swap(&self.distinct, &distinct[number])
            try mark(&marks[number], rows, in: leaf, field)
            swap(&self.distinct, &distinct[number])
            isMarked = isMarked || marks[number].isMarked
        }
        guard isMarked else { return }
        isSecondPass = true
        defer { isSecondPass = false }
        let objects = ObjectsOfCluster(snapshot.table(at: position), cluster)
        for row in rows where marks.contains(where: { $0[row] }) {
            guard let owner = try owners.owner(of: try objects.object(inRow: row), scope.tables) else { continue }
            reading.row = row
            // The key is copied for each object.
            if case .string(let text)? = owner.object.primaryKey {
                try repeats.spend(bytes: text.utf8.count, at: cluster.ref)
            }
            for number in fields.indices where marks[number][row] && !isStopped {
                reading.property = fields[number].name
                guard let leaf = try leaf(of: fields[number], cluster, rows) else { continue }
                try report(leaf, row, fields[number], owner)
            }
            if isStopped { return }
        }
    }

    private mutating func leaf(
        of field: SearchField, _ cluster: Cluster, _ rows: Range<Int>
    ) throws(FormatError) -> ColumnLeaf? {
        do throws(FormatError) {
            return try cluster.leaf(of: field.column, in: space)
        } catch {
            try note(error, count: rows.count)
            return nil
        }
    }

    // MARK: Damage

    /// Records that values cannot be read.
    ///
    /// - Throws: the error if it ends the search.
    mutating func note(_ error: FormatError, count: Int = 1) throws(FormatError) {
        guard error.concernsValues else { throw reading.located(error) }
        if !isSecondPass { outcome.unreadable.note(reading.located(error), count: count) }
    }
}

/// A property to search.
struct SearchField {
    let name: String
    let column: Column
    /// nil for a single value.
    let collection: CollectionKind?
    /// The kind of the values, or of the elements of collections.
    let kind: ScalarKind
    let type: StoredPropertyType

    /// The properties of a table whose values can match.
    static func fields(of table: TableDescription, _ pattern: SearchPattern) -> [SearchField] {
        zip(table.schema.properties, table.columns).compactMap { property, column in
            let kind = ScalarKind(property.type, isNullable: property.isNullable, isEmbedded: property.isTargetEmbedded)
            // Keys of a dictionary can match whatever its values are.
            let hasKeys = property.collection?.isDictionary ?? false
            guard hasKeys || pattern.canMatch(kind) else { return nil }
            return SearchField(
                name: property.name, column: column, collection: property.collection, kind: kind, type: property.type)
        }
    }
}

/// The place of values that are read, for errors.
struct ReadPlace {
    var table: String?
    var property: String?
    var cluster: Cluster?
    var row = 0

    init(table: String? = nil) { self.table = table }

    func located(_ error: FormatError) -> FormatError {
        let key = cluster.flatMap { row < $0.count ? $0.key(unchecked: row) : nil }
        guard let table else { return error }
        return error.at(table: table, property: cluster == nil ? nil : property, objectKey: key)
    }
}

/// Marks of the rows of a cluster.
struct RowMarks {
    private var words: [UInt64] = []
    private(set) var isMarked = false

    /// Removes all marks, and makes room for as many rows.
    mutating func clear(_ count: Int) {
        let needed = (count + 63) / 64
        if words.count < needed { words = Array(repeating: 0, count: needed) }
        guard isMarked else { return }
        for index in words.indices { words[index] = 0 }
        isMarked = false
    }

    mutating func mark(_ row: Int) {
        words[row &>> 6] |= 1 &<< UInt64(truncatingIfNeeded: row & 63)
        isMarked = true
    }

    subscript(row: Int) -> Bool { isMarked && words[row &>> 6] &>> UInt64(truncatingIfNeeded: row & 63) & 1 != 0 }
}
