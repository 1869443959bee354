package import RealmCore
package import RealmLayout

/// The schema of another copy of a database, for names and descriptions that a damaged file has lost (Spec 190).
package struct KnownSchema: Sendable {
    /// The tables, without their objects.
    private let tables: [TableLayout]
    private let byName: [String: Int]

    /// Reads the schema of a commit of formats 10 and later.
    ///
    /// - Throws: `FormatError` when it cannot be read, or the format is older.
    package init(of snapshot: Snapshot) throws(FormatError) {
        guard snapshot.version.isClustered, let root = snapshot.topRef else {
            throw FormatError(
                .noCommit,
                "the schema of format \(snapshot.version) cannot be used for another file: upgrade a copy of it")
        }
        let space = snapshot.space
        var budget = WorkBudget(for: space)
        var tables: [TableLayout] = []
        for clue in try space.tableClues(ofGroup: root) {
            guard let name = clue.name, let top = clue.top else { continue }
            let layout = try TableLayout(at: top, slot: clue.slot, name: name, in: space, &budget)
            tables.append(layout.withoutContent)
        }
        self.tables = tables
        byName = Dictionary(tables.indices.map { (tables[$0].name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The table of a name.
    func table(_ name: String) -> TableLayout? { byName[name].map { tables[$0] } }

    /// The name of a table that has lost its own: that of the table with the same key or slot and the same columns,
    /// otherwise of the only one with the same columns.
    ///
    /// - Parameters:
    ///   - columns: The columns as far as they are known; nil when nothing is known of them.
    ///   - taken: The names of the other tables of the file.
    func name(ofSlot slot: Int, _ columns: [ColumnLayout]?, notIn taken: Set<String>) -> String? {
        let free = tables.filter { !taken.contains($0.name) }
        let inSlot = free.first { $0.key.slot == slot }
        guard let columns, !columns.isEmpty else { return inSlot?.name }
        if let inSlot, inSlot.hasColumns(columns) { return inSlot.name }
        let same = free.filter { $0.hasColumns(columns) }
        return same.count == 1 ? same[0].name : nil
    }
}

extension TableLayout {
    /// The table without everything that lies elsewhere in its file.
    fileprivate var withoutContent: TableLayout {
        let columns = self.columns.map { column in
            var record = column.record
            (record.searchIndex, record.distinctStrings) = (.empty, .empty)
            return ColumnLayout(name: column.name, record)
        }
        return TableLayout(
            name: name, key: key, kind: kind, clusterTree: Self.lostTree, tombstones: nil, primaryKey: primaryKey,
            columns: columns, topRef: Self.lostTree)
    }

    /// Whether the columns are those of this table, by index, type and attributes.
    fileprivate func hasColumns(_ others: [ColumnLayout]) -> Bool {
        others.count == columns.count
            && others.allSatisfy { other in columns.contains { $0.isLike(other) } }
    }
}

extension ColumnLayout {
    /// Whether another column has the same index, type and attributes.
    func isLike(_ other: ColumnLayout) -> Bool {
        self.index == other.index && self.type == other.type && self.attributes == other.attributes
    }
}
