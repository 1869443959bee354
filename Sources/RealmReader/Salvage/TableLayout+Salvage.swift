internal import RealmLayout

extension TableLayout {
    /// Reads a table whose top or description is damaged: what is lost is made up, or taken from an older top of the table.
    ///
    /// - Throws: when the objects, or the keys of the columns, cannot be had.
    init(
        damagedAt ref: Ref, slot: Int, name: String, in space: NodeSpace, _ donor: TableLayout?,
        _ budget: inout WorkBudget
    ) throws(FormatError) {
        let top = try Record(at: ref, in: space)
        guard case .ref(let clusterTree) = top.slot(TableTopSlot.clusterTree.rawValue) else {
            throw FormatError(.badTable, at: ref.offset, "the tree of objects is lost")
        }
        self.name = name
        topRef = ref
        self.clusterTree = clusterTree
        var key = donor?.key ?? TableKey(UInt32(truncatingIfNeeded: slot))
        if case .tagged(let number) = top.slot(TableTopSlot.tableKey.rawValue), let number = UInt32(exactly: number),
            TableKey(number).slot == slot
        {
            key = TableKey(number)
        }
        self.key = key
        var kind = donor?.kind ?? .topLevel
        if case .tagged(let flags) = top.slot(TableTopSlot.flags.rawValue) {
            kind = TableKind(rawValue: Int(flags & 3)) ?? kind
        }
        self.kind = kind
        if case .ref(let ref) = top.slot(TableTopSlot.tombstones.rawValue) {
            tombstones = ref
        } else {
            tombstones = nil
        }
        primaryKey = donor?.primaryKey
        if case .tagged(let number) = top.slot(TableTopSlot.primaryKeyColumn.rawValue) {
            primaryKey = ColumnKey(Int64(bitPattern: number))
        }
        do throws(FormatError) {
            columns = try Self.damagedColumns(of: top, in: space, donor, &budget)
        } catch {
            guard let donor else { throw error }
            columns = donor.columns
        }
    }

    /// The columns whose keys are there: the keys say nearly everything.
    private static func damagedColumns(
        of top: Record, in space: NodeSpace, _ donor: TableLayout?, _ budget: inout WorkBudget
    ) throws(FormatError) -> [ColumnLayout] {
        let spec = try Record(at: top.requiredRef(TableTopSlot.spec.rawValue, "the spec"), in: space)
        let keys = try space.node(at: spec.requiredRef(SpecSlot.columnKeys.rawValue, "the column keys")).integers()
        guard keys.count > 0, keys.count <= Limits.columns else {
            throw FormatError(.badSpec, at: spec.node.ref.offset, "\(keys.count) column keys")
        }
        try budget.spend(bytes: keys.count, at: spec.node.ref)
        func array(_ record: Record, _ slot: Int) -> IntegerVector {
            do throws(FormatError) { return try record.integers(slot, "", in: space) } catch { return .empty }
        }
        let types = array(spec, SpecSlot.types.rawValue)
        let attributes = array(spec, SpecSlot.attributes.rawValue)
        let distincts = array(spec, SpecSlot.enumKeys.rawValue)
        let indexes = array(top, TableTopSlot.searchIndexes.rawValue)
        let tables = array(top, TableTopSlot.oppositeTables.rawValue)
        let opposites = array(top, TableTopSlot.oppositeColumns.rawValue)
        var names: ColumnLeaf?
        do throws(FormatError) { names = try nameLeaf(spec.ref(SpecSlot.names.rawValue, ""), in: space) } catch {}
        var known: [ColumnKey: ColumnLayout] = [:]
        for column in donor?.columns ?? [] { known[column.key] = column }
        var columns: [ColumnLayout] = []
        var seen: Set<Int> = []
        for position in 0..<keys.count {
            let key = ColumnKey(keys[unchecked: position])
            guard let type = ColumnType(rawValue: key.typeNumber), seen.insert(key.index).inserted else { continue }
            var name: String?
            var distinct: ColumnLeaf?
            do throws(FormatError) {
                if let names, position < names.count {
                    name = (try names.string(at: position, in: space) ?? .empty).repairedString
                    if name?.utf8.contains(0) ?? false { name = nil }
                }
                if let entry = distincts.element(at: position), case .ref(let ref) = Slot(entry) {
                    distinct = try ColumnLeaf(at: ref, as: .string, in: space.lasting)
                }
            } catch {}
            let keyType = types.element(at: position) ?? 2 << 16
            let attribute = ColumnAttributes(rawValue: Int(truncatingIfNeeded: attributes.element(at: position) ?? 0))
            columns.append(
                ColumnLayout(
                    name: name ?? known[key]?.name ?? "column_\(key.index)", key: key, index: key.index, type: type,
                    attributes: key.attributes, dictionaryKeyType: keyType >> 16 == 2 ? .string : .int,
                    isIndexed: indexes.element(at: key.index) ?? 0 != 0, isFullText: attribute.contains(.fullText),
                    distinct: distinct,
                    oppositeTable: tables.element(at: key.index).map { TableKey(UInt32(truncatingIfNeeded: $0)) }
                        ?? known[key]?.oppositeTable ?? .null,
                    oppositeColumn: opposites.element(at: key.index).map { ColumnKey($0) } ?? known[key]?.oppositeColumn
                        ?? .null,
                    isLegacy: false))
        }
        return columns
    }
}
