internal import RealmLayout

/// A table of formats 2 to 9, or the rows of a column of subtables, during conversion to the current form.
struct LegacyTable {
    let name: String
    let key: TableKey
    let kind: TableKind
    let topRef: Ref
    let spec: LegacySpec
    /// The positions in `LegacyTables.tables` of the tables that hold the rows of subtables, by column.
    var children: [Int: Int] = [:]
    /// The keys of the table and column whose subtables have these rows.
    var owner: (table: TableKey, column: ColumnKey)?
    var clusters: [ClusterPart] = []
    /// The tree of the clusters, once they are complete.
    var root: Ref?
    var rowCount = 0
    /// The columns that cannot be read.
    var damaged: Set<Int> = []
    /// The leaves of distinct strings, by column.
    var distincts: [Int: Ref] = [:]
    var primaryKey: ColumnKey?
}

/// Presents the tables of formats 2 to 9 in the current form; an overlay holds the missing nodes.
///
/// Rows become objects with the keys 0, 1, 2, …. A table's columns are B+trees with leaves of up to 1000 rows. The
/// leaves of all columns nearly always end at the same rows. These ranges become the clusters, and a cluster of the
/// overlay consists of refs to leaves that stay in place in the file. Data without a current form is rewritten:
/// nullable Bools, dates without a null sentinel, old Mixed, the lists of a column.
///
/// A subtable of several columns becomes a list of embedded objects. The rows of all subtables of a column are the
/// objects of one embedded class, named after table and column, in the order of their owners, with keys from 0 on and
/// one backlink each. This keeps them intact through export and import.
struct LegacyTables {
    let space: NodeSpace
    let writer: OverlayWriter
    var budget: WorkBudget
    var damage: [FormatError] = []
    /// The tables of the group in order, followed by those of subtables.
    var tables: [LegacyTable] = []
    /// By table slot, for tables whose object keys differ from the row numbers: the key of each row.
    var rowKeys: [Int: [Int64]] = [:]
    /// Whether an upgrade was interrupted: backlink columns are then meaningless and are rebuilt.
    let isHalfUpgraded: Bool
    /// Whether dates are in milliseconds, not seconds.
    var hasMillisecondDates = false
    /// Whether clusters may lack the leaf of a column when its rows cannot be read.
    private let isTolerant: Bool
    private var names: Set<String>
    /// The last number used for each wanted name.
    private var lastNumbers: [String: Int] = [:]
    private var nextSlot: Int

    /// - Parameters:
    ///   - names: the names of all tables.
    ///   - slots: the number of the group's slots.
    ///   - isHalfUpgraded: whether an upgrade was interrupted.
    ///   - isTolerant: whether clusters may lack the leaf of a column.
    init(
        in space: NodeSpace, names: Set<String>, slots: Int, isHalfUpgraded: Bool = false, isTolerant: Bool = false
    ) {
        self.space = space
        self.isHalfUpgraded = isHalfUpgraded
        self.isTolerant = isTolerant
        writer = OverlayWriter(for: space)
        // Each node is opened once, leaves possibly twice; the budget is charged for rows plus elements.
        budget = WorkBudget(for: space, passes: 4)
        self.names = names
        nextSlot = slots
    }

    /// Adds a table with all of its rows.
    ///
    /// - Throws: an error that makes the whole table unreadable; an error in one column is added to `damage`.
    mutating func add(_ table: LegacyTable, columns: Ref, indexes: IntegerVector?) throws(FormatError) {
        let position = tables.count
        let damageCount = damage.count
        try insert(table)
        do {
            try append(columns, to: position, owner: nil, indexes: indexes)
        } catch {
            tables.removeSubrange(position...)
            damage.removeSubrange(damageCount...)
            throw error
        }
    }

    /// Appends the inner nodes over all clusters; nothing can be added afterwards.
    ///
    /// - Throws: `sharedNodes` when there is too much to write.
    mutating func finish() throws(FormatError) {
        for index in tables.indices { tables[index].root = try writer.clusterTree(over: tables[index].clusters) }
    }

    /// Inserts a table and those of its subtables.
    private mutating func insert(_ table: LegacyTable) throws(FormatError) {
        let position = tables.count
        tables.append(table)
        for (index, column) in table.spec.columns.enumerated() {
            if let problem = column.problem {
                leaveOut(index, of: position, problem)
            } else if let distinct = column.distinct {
                do { tables[position].distincts[index] = try distinctStrings(distinct, column) } catch {
                    leaveOut(index, of: position, error)
                }
            } else if column.type == .subtable, column.listElement == nil, let subspec = column.subspec {
                guard nextSlot < Limits.tableSlots else {
                    leaveOut(index, of: position, FormatError(.badSpec, at: subspec.ref.offset, "too many subtables"))
                    continue
                }
                var child = LegacyTable(
                    name: unusedName(table.name + "_" + column.name), key: TableKey(UInt32(nextSlot)), kind: .embedded,
                    topRef: subspec.ref, spec: subspec)
                child.owner = (table.key, Self.key(of: column, index, in: table.key))
                nextSlot += 1
                tables[position].children[index] = tables.count
                try insert(child)
            }
        }
    }

    /// Returns `wanted`, shortened to the limit of table names, with a number if the name is taken.
    private mutating func unusedName(_ wanted: String) -> String {
        var name = wanted.shortened(to: Limits.nameBytes)
        // Many tables may have the same wanted name.
        var number = lastNumbers[name] ?? 1
        let first = name
        while !names.insert(name).inserted {
            number += 1
            let suffix = "_\(number)"
            name = wanted.shortened(to: Limits.nameBytes - suffix.utf8.count) + suffix
        }
        if number > 1 { lastNumbers[first] = number }
        return name
    }

    /// Records that a column cannot be read.
    mutating func leaveOut(_ column: Int, of position: Int, _ error: FormatError) {
        guard tables[position].damaged.insert(column).inserted else { return }
        let table = tables[position]
        // Backlink columns are rebuilt.
        if isHalfUpgraded, table.spec.columns[column].type == .backLink { return }
        damage.append(error.at(table: table.name, property: table.spec.columns[column].name))
    }
}

// Rows.
extension LegacyTables {
    /// Appends the rows of a columns array to a table.
    ///
    /// - Parameters:
    ///   - owner: the object that owns this subtable.
    ///   - indexes: the search indexes, if an upgrade has begun to move them out of the array.
    /// - Throws: `badTable` when the array does not match the columns, and errors from opening nodes.
    mutating func append(
        _ columns: Ref, to position: Int, owner: Int?, indexes: IntegerVector? = nil
    ) throws(FormatError) {
        let (sources, count) = try sources(columns, of: position, indexes)
        if count == 0, owner != nil { return }
        for rows in Self.ranges(sources, count: count) {
            try appendCluster(rows, sources, to: position, owner: owner)
        }
        tables[position].rowCount += count
    }

    /// Returns the trees of all readable columns, and the number of rows.
    @inline(never)
    private mutating func sources(
        _ columns: Ref, of position: Int, _ indexes: IntegerVector?
    ) throws(FormatError) -> ([LegacySource?], count: Int) {
        let spec = tables[position].spec
        let roots = try LegacyColumnRoots(at: columns, spec, indexes, in: space)
        try budget.spend(roots.node, elements: spec.columns.count)
        var sources: [LegacySource?] = []
        for (index, column) in spec.columns.enumerated() {
            var source: LegacySource?
            if !tables[position].damaged.contains(index) {
                do throws(FormatError) {
                    source = try LegacySource(column, root: roots.root(index), in: space, &budget)
                } catch {
                    leaveOut(index, of: position, error)
                }
            }
            sources.append(source)
        }
        let count = mostFrequentCount(sources)
        for index in sources.indices {
            guard let source = sources[index], source.count != count else { continue }
            leaveOut(
                index, of: position,
                FormatError(
                    .wrongCount, at: columns.offset, "the column has \(source.count) rows, the table \(count)"))
            sources[index] = nil
        }
        return (sources, count)
    }

    /// Returns the most frequent row count among the columns.
    private func mostFrequentCount(_ sources: [LegacySource?]) -> Int {
        var frequencies: [Int: Int] = [:]
        var best = 0
        for case let source? in sources {
            let frequency = frequencies[source.count, default: 0] + 1
            frequencies[source.count] = frequency
            if frequency > frequencies[best, default: 0] { best = source.count }
        }
        return best
    }

    /// Splits the rows into clusters: a cluster ends wherever a leaf of any column ends.
    private static func ranges(_ sources: [LegacySource?], count: Int) -> [Range<Int>] {
        guard count > 0 else { return [0..<0] }
        var starts: Set<Int> = []
        for case let source? in sources {
            for tree in source.trees where tree.count == count {
                for piece in tree.pieces { starts.insert(piece.rows.lowerBound) }
            }
        }
        starts.remove(0)
        var ranges: [Range<Int>] = []
        var start = 0
        for end in starts.sorted() + [count] {
            while start < end {
                let next = min(end, start + Limits.legacyLeafElements)
                ranges.append(start..<next)
                start = next
            }
        }
        return ranges
    }

    private mutating func appendCluster(
        _ rows: Range<Int>, _ sources: [LegacySource?], to position: Int, owner: Int?
    ) throws(FormatError) {
        var slots: [Int64] = [Int64(rows.count) << 1 | 1]
        for (index, source) in sources.enumerated() {
            slots.append(source.map { leafSlot(rows, $0, index, of: position) } ?? 0)
        }
        try finishCluster(rows, slots, of: position, owner: owner)
    }

    /// Returns the ref of a leaf; 0 for an omitted column.
    private mutating func leafSlot(
        _ rows: Range<Int>, _ source: LegacySource, _ index: Int, of position: Int
    ) -> Int64 {
        guard !tables[position].damaged.contains(index) else { return 0 }
        do throws(FormatError) {
            return Int64(try leaf(rows, source, index, of: position).offset)
        } catch {
            // Rows of subtables are numbered consecutively, so none may be missing.
            if !isTolerant || tables[position].children[index] != nil { leaveOut(index, of: position, error) }
            return 0
        }
    }

    @inline(never)
    private mutating func finishCluster(
        _ rows: Range<Int>, _ slots: [Int64], of position: Int, owner: Int?
    ) throws(FormatError) {
        var slots = slots
        if let owner {
            let backlink = Int64(owner) << 1 | 1
            slots.append(Int64(try writer.refs(Array(repeating: backlink, count: rows.count)).offset))
        }
        tables[position].clusters.append(
            ClusterPart(
                ref: try writer.refs(slots), count: rows.count,
                keyOffset: UInt64(tables[position].rowCount + rows.lowerBound)))
    }
}

/// The columns array of a table or subtable: the roots of the columns, interleaved with those of search indexes.
struct LegacyColumnRoots {
    let node: Node
    private let slots: IntegerVector
    private let positions: [Int]

    init(
        at ref: Ref, _ spec: LegacySpec, _ indexes: IntegerVector?, in space: NodeSpace
    ) throws(FormatError) {
        node = try space.node(at: ref)
        slots = try node.refs()
        let places = LegacyColumnPlaces(spec, movedIndexes: indexes).all(in: node)
        guard places.count == slots.count else {
            throw FormatError(
                .badTable, at: ref.offset,
                "\(slots.count) refs for columns and search indexes, expected \(places.count)")
        }
        positions = places.indices.filter { !places[$0].isIndex }
    }

    func root(_ index: Int) throws(FormatError) -> Ref {
        guard case .ref(let ref) = Slot(slots[unchecked: positions[index]]) else {
            throw FormatError(.badTable, at: node.ref.offset, "the root of column \(index) is missing")
        }
        return ref
    }
}
