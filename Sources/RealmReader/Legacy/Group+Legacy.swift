internal import RealmLayout
internal import RealmStorage

/// What the tables of a group of formats 2 to 9 become.
struct LegacyGroup {
    /// The bytes of the overlay; lives as long as its views are used.
    let overlay: ByteSource
    /// The file with the overlay.
    let space: NodeSpace
    let cores: [TableCore]
    let damage: [FormatError]
}

extension Group {
    /// Tables that an upgrade uses itself or removes: the primary keys of the other tables, and how far it has come.
    private static let helperTables: Set<String> = [PrimaryKeyTable.name, "!UPDATE_PROGRESS"]

    /// Presents the tables of a file of formats 2 to 9 as they would be after an upgrade; what cannot be read is left out
    /// and reported.
    func readLegacyTables() -> LegacyGroup {
        var builder = LegacyTables(in: space, names: [], slots: 0)
        var upgraded: [TableLayout] = []
        do throws(FormatError) {
            let (nameLeaf, tables) = try tableSlots()
            var names: [String?] = []
            for slot in 0..<tables.count { names.append(tableName(slot, nameLeaf)) }
            builder = LegacyTables(in: space, names: Set(names.compactMap { $0 }), slots: tables.count)
            for slot in 0..<tables.count {
                guard case .ref(let ref) = RealmReader.Slot(tables[unchecked: slot]) else { continue }
                let name = names[slot] ?? "table \(slot)"
                do throws(FormatError) {
                    if names[slot] == nil { _ = try nameLeaf.string(at: slot, in: space) }
                    if let layout = try read(ref, slot: slot, name: name, into: &builder) { upgraded.append(layout) }
                } catch {
                    builder.damage.append(error.at(table: name))
                }
            }
            try builder.finish()
        } catch {
            builder.damage.append(error)
        }
        let overlay = ByteSource(words: builder.writer.words)
        let presented = NodeSpace(bytes: space.bytes, overlay: overlay.view)
        var (layouts, damage) = builder.layouts(in: presented)
        layouts = (layouts + upgraded).sorted { $0.key.slot < $1.key.slot }
        if let table = layouts.first(where: { $0.name == PrimaryKeyTable.name }) {
            let core = TableResolver([table]).core(of: table, in: presented, &damage)
            do throws(FormatError) {
                let keys = try PrimaryKeyTable(core, in: presented)
                layouts = layouts.map { keys.complete($0, among: layouts) }
            } catch {
                damage.append(error.at(table: table.name))
            }
        }
        layouts.removeAll { Self.helperTables.contains($0.name) }
        let resolver = TableResolver(layouts)
        var cores: [TableCore] = []
        for layout in layouts { cores.append(resolver.core(of: layout, in: presented, &damage)) }
        return LegacyGroup(overlay: overlay, space: presented, cores: cores, damage: damage)
    }

    /// The name of a table; nil when it is damaged.
    private func tableName(_ slot: Int, _ names: ColumnLeaf) -> String? {
        do { return (try names.string(at: slot, in: space) ?? .empty).repairedString } catch { return nil }
    }

    /// Takes in one table.
    ///
    /// - Returns: the layout of a table that an upgrade has already turned into one of today.
    private func read(
        _ ref: Ref, slot: Int, name: String, into builder: inout LegacyTables
    ) throws(FormatError) -> TableLayout? {
        let top = try Record(at: ref, in: space)
        var upgradedTop: Record?
        if top.slots.count > TableTopSlot.primaryKeyColumn.rawValue {
            guard top.slot(TableTopSlot.columns.rawValue) != .empty else {
                return try TableLayout(at: ref, slot: slot, name: name, in: space, &builder.budget)
            }
            upgradedTop = top
        } else if top.slots.count != 2 {
            throw FormatError(.badTable, at: ref.offset, "\(top.node.summary) is no table")
        }
        try builder.budget.spend(top.node, elements: top.slots.count)
        let spec = try LegacySpec(
            at: top.requiredRef(TableTopSlot.spec.rawValue, "the spec"), depth: 1, upgradedTop: upgradedTop, in: space,
            &builder.budget)
        var table = LegacyTable(
            name: name, key: TableKey(UInt32(slot)), kind: .topLevel, topRef: ref, spec: spec)
        table.primaryKey = try upgradedTop?.number(TableTopSlot.primaryKeyColumn.rawValue, "the primary key")
            .map { ColumnKey(Int64(bitPattern: $0)) }
        let indexes = try upgradedTop?.integers(TableTopSlot.searchIndexes.rawValue, "the search indexes", in: space)
        try builder.add(
            table, columns: top.requiredRef(TableTopSlot.columns.rawValue, "the columns"), indexes: indexes)
        return nil
    }
}
