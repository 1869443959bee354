internal import RealmLayout
internal import RealmStorage

/// The tables of a group of formats 2 to 9, as presented to readers.
struct LegacyGroup {
    /// All overlays that were built. They stay alive as long as views of them are in use, since data read through the
    /// first one may refer to it.
    let overlays: [ByteSource]
    /// The file with the final overlay.
    let space: NodeSpace
    let cores: ByTable<TableDescription>
    let damage: [FormatError]
}

extension Group {
    /// Tables that an upgrade uses internally or removes: the primary keys of the other tables, and its progress.
    private static let helperTables: Set<String> = [PrimaryKeyTable.name, "!UPDATE_PROGRESS"]

    /// Presents the tables of a file of formats 2 to 9 as an upgrade would; unreadable parts are omitted and reported.
    ///
    /// - Parameter isTolerant: whether unreadable parts of a column may be omitted.
    func readLegacyTables(isTolerant: Bool = false, hasMillisecondDates: Bool = false) -> LegacyGroup {
        var builder = LegacyTables(in: space, names: [], slots: 0)
        var layouts: ByTable<TableLayout> = []
        do throws(FormatError) {
            let sources = try legacySources(&builder.damage)
            let damage = builder.damage
            builder = LegacyTables(
                in: space, names: Set(sources.map(\.name)), slots: (sources.last?.slot ?? 0) + 1,
                isHalfUpgraded: sources.contains { $0.isUpgraded }, isTolerant: isTolerant)
            builder.damage = damage
            builder.hasMillisecondDates = hasMillisecondDates
            layouts = ByTable(builder.add(sources))
            try builder.finish()
        } catch {
            builder.damage.append(error)
        }
        let first = ByteSource(words: builder.writer.words)
        var overlays = [first]
        var presented = space.with(legacyOverlay: first.view)
        var (built, damage) = builder.layouts(in: presented)
        layouts = ByTable((built + layouts).inOrder { $0.key.slot < $1.key.slot })
        if builder.isHalfUpgraded {
            do throws(FormatError) {
                var backlinks = BacklinkBuilder(presented)
                try backlinks.replaceAll(of: &layouts, builder.writer)
            } catch {
                damage.append(error)
            }
            let second = ByteSource(words: builder.writer.words)
            overlays.append(second)
            presented = space.with(legacyOverlay: second.view)
        }
        if let table = layouts.first(where: { $0.name == PrimaryKeyTable.name }) {
            let core = TableResolver([table]).core(of: table, in: presented, &damage)
            do throws(FormatError) {
                let keys = try PrimaryKeyTable(core, in: presented)
                layouts = layouts.mapped { keys.complete($0) }
            } catch {
                damage.append(error.at(table: table.name))
            }
        }
        layouts.removeAll { Self.helperTables.contains($0.name) }
        let resolver = TableResolver(layouts)
        let cores = layouts.mapped { resolver.core(of: $0, in: presented, &damage) }
        return LegacyGroup(overlays: overlays, space: presented, cores: cores, damage: damage)
    }

    /// The tables in slot order. A table whose top cannot be read is omitted and reported.
    private func legacySources(_ damage: inout [FormatError]) throws(FormatError) -> [LegacyTableSource] {
        let (names, tables) = try tableSlots()
        var sources: [LegacyTableSource] = []
        for slot in 0..<tables.count {
            guard case .ref(let ref) = Slot(tables[unchecked: slot]) else { continue }
            var name = "table \(slot)"
            do throws(FormatError) {
                name = (try names.string(at: slot, in: space) ?? .empty).repairedString
                sources.append(try LegacyTableSource(at: ref, slot: slot, name: name, in: space))
            } catch {
                damage.append(error.at(table: name))
            }
        }
        return sources
    }
}

/// A table of a group of formats 2 to 9.
struct LegacyTableSource {
    let slot: Int
    let name: String
    let top: Record<TableTopSlot>
    /// Whether an upgrade has begun to convert the table.
    let isUpgraded: Bool

    /// - Throws: `badTable` for a top of a different form, and errors from opening nodes.
    init(at ref: Ref, slot: Int, name: String, in space: NodeSpace) throws(FormatError) {
        self.slot = slot
        self.name = name
        top = try Record(at: ref, in: space)
        isUpgraded = top.slots.has(.primaryKeyColumn)
        guard isUpgraded || top.slots.count == LegacyTableTopSlot.allCases.count else {
            throw FormatError(.badTable, at: ref.offset, "\(top.node.summary) is not a table")
        }
    }
}

extension LegacyTables {
    /// Adds all tables of a group.
    ///
    /// - Returns: the layouts of tables that an upgrade has already moved to clusters.
    mutating func add(_ sources: [LegacyTableSource]) -> [TableLayout] {
        var clustered: [Int: TableLayout] = [:]
        for source in sources where source.isUpgraded {
            // A table that is unreadable in the new form may still be readable in the old one.
            do throws(FormatError) {
                let layout = try TableLayout(
                    at: source.top.node.ref, slot: source.slot, name: source.name, in: space, &budget)
                try noteRowKeys(of: layout, slot: source.slot)
                clustered[source.slot] = layout
            } catch {
                guard source.top.slots[.columns] == .empty else { continue }
                damage.append(error.at(table: source.name))
            }
        }
        var layouts: [TableLayout] = []
        for source in sources {
            do throws(FormatError) {
                if var layout = try add(source, clustered[source.slot]) {
                    layout.columns.removeAll { $0.type != .backLink && Self.helperColumns.contains($0.name ?? "") }
                    layouts.append(layout)
                }
            } catch {
                damage.append(error.at(table: source.name))
            }
        }
        return layouts
    }

    /// Adds one table.
    ///
    /// - Returns: the layout of a table that an upgrade has already moved to clusters, at least in part.
    private mutating func add(
        _ source: LegacyTableSource, _ clustered: TableLayout?
    ) throws(FormatError) -> TableLayout? {
        let top = source.top
        let upgradedTop = source.isUpgraded ? top : nil
        if source.isUpgraded, top.slots[.columns] == .empty { return clustered }
        try budget.spend(top.node, elements: top.slots.count)
        let columns = try top.requiredRef(.columns)
        let spec = try LegacySpec(
            at: top.requiredRef(.spec), depth: 1, upgradedTop: upgradedTop,
            in: space,
            &budget)
        if let clustered, try isHalfMoved(columns, spec) {
            return try complete(clustered, slot: source.slot, spec, columns: columns)
        }
        var table = LegacyTable(
            name: source.name, key: TableKey(UInt32(source.slot)), kind: .topLevel, topRef: top.node.ref, spec: spec)
        table.primaryKey = try upgradedTop?.number(.primaryKeyColumn)
            .map { ColumnKey(Int64(bitPattern: $0)) }
        let indexes = try upgradedTop?.integers(.searchIndexes, in: space)
        try add(table, columns: columns, indexes: indexes)
        return nil
    }

    /// Whether some values are in clusters and the rest in columns: an upgrade moves links last.
    private func isHalfMoved(_ columns: Ref, _ spec: LegacySpec) throws(FormatError) -> Bool {
        let roots = try space.node(at: columns).refs()
        guard roots.count == spec.columns.count else { return false }
        return spec.columns.indices.contains { index in
            spec.columns[index].type != .backLink && roots[unchecked: index] == 0
        }
    }
}
