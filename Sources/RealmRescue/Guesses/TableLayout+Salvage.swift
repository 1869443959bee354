package import RealmReader
package import RealmLayout

extension TableLayout {
    /// Where the tree of objects is that nothing leads to any more: nowhere.
    static let lostTree = Ref(0)

    /// What the top of a table says beside its description; what is lost of it is taken from an older top of the table.
    package init(
        headOf ref: Ref, slot: Int, name: String, in space: NodeSpace, _ donor: TableLayout?
    ) throws(FormatError) {
        let top = try Record(at: ref, in: space)
        var clusterTree = Self.lostTree
        if case .ref(let tree) = top.slot(TableTopSlot.clusterTree.rawValue) { clusterTree = tree }
        var key = donor?.key ?? TableKey(UInt32(truncatingIfNeeded: slot))
        if case .tagged(let number) = top.slot(TableTopSlot.tableKey.rawValue), let number = UInt32(exactly: number),
            TableKey(number).slot == slot
        {
            key = TableKey(number)
        }
        var kind = donor?.kind ?? .topLevel
        if case .tagged(let flags) = top.slot(TableTopSlot.flags.rawValue) {
            kind = TableKind(rawValue: Int(flags & 3)) ?? kind
        }
        var tombstones: Ref?
        if case .ref(let ref) = top.slot(TableTopSlot.tombstones.rawValue) { tombstones = ref }
        var primaryKey = donor?.primaryKey
        if case .tagged(let number) = top.slot(TableTopSlot.primaryKeyColumn.rawValue) {
            primaryKey = ColumnKey(Int64(bitPattern: number))
        }
        self.init(
            name: name, key: key, kind: kind, clusterTree: clusterTree, tombstones: tombstones, primaryKey: primaryKey,
            columns: [], topRef: ref)
    }

    /// Reads a table whose top or description is damaged: what is lost is made up, or taken from an older top of the table.
    ///
    /// - Throws: when the keys of the columns cannot be had.
    init(
        damagedAt ref: Ref, slot: Int, name: String, in space: NodeSpace, _ donor: TableLayout?,
        _ budget: inout WorkBudget
    ) throws(FormatError) {
        try self.init(headOf: ref, slot: slot, name: name, in: space, donor)
        do throws(FormatError) {
            let top = try Record(at: ref, in: space)
            let spec = try Record(at: top.requiredRef(TableTopSlot.spec.rawValue, "the spec"), in: space)
            columns = try Self.damagedColumns(of: spec, top, in: space, donor, &budget)
        } catch {
            guard let donor else { throw error }
            columns = donor.columns
        }
    }

    /// Makes a table of a description to which nothing leads any more: its top is lost, and with it where its objects are.
    ///
    /// - Throws: when the keys of the columns cannot be had.
    init(
        spec ref: Ref, key: TableKey, name: String, in space: NodeSpace, _ budget: inout WorkBudget
    ) throws(FormatError) {
        let columns = try Self.damagedColumns(of: Record(at: ref, in: space), nil, in: space, nil, &budget)
        self.init(
            name: name, key: key, kind: .topLevel, clusterTree: Self.lostTree, tombstones: nil, primaryKey: nil,
            columns: columns, topRef: ref)
    }

    /// The integers in a slot; none where they cannot be read.
    static func array(_ record: Record?, _ slot: Int, in space: NodeSpace) -> IntegerVector {
        do throws(FormatError) { return try record?.integers(slot, "", in: space) ?? .empty } catch { return .empty }
    }

    /// The columns whose keys are there: the keys say nearly everything.
    private static func damagedColumns(
        of spec: Record, _ top: Record?, in space: NodeSpace, _ donor: TableLayout?, _ budget: inout WorkBudget
    ) throws(FormatError) -> [ColumnLayout] {
        let keys = try space.node(at: spec.requiredRef(SpecSlot.columnKeys.rawValue, "the column keys")).integers()
        guard keys.count > 0, keys.count <= Limits.columns else {
            throw FormatError(.badSpec, at: spec.node.ref.offset, "\(keys.count) column keys")
        }
        try budget.spend(bytes: keys.count, at: spec.node.ref)
        let types = array(spec, SpecSlot.types.rawValue, in: space)
        let attributes = array(spec, SpecSlot.attributes.rawValue, in: space)
        let distincts = array(spec, SpecSlot.enumKeys.rawValue, in: space)
        let indexes = array(top, TableTopSlot.searchIndexes.rawValue, in: space)
        let tables = array(top, TableTopSlot.oppositeTables.rawValue, in: space)
        let opposites = array(top, TableTopSlot.oppositeColumns.rawValue, in: space)
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
            let isIndexed =
                top == nil
                ? !attribute.isDisjoint(with: [.indexed, .fullText]) : indexes.element(at: key.index) ?? 0 != 0
            columns.append(
                ColumnLayout(
                    name: name ?? known[key]?.name ?? "column_\(key.index)", key: key, index: key.index, type: type,
                    attributes: key.attributes, dictionaryKeyType: keyType >> 16 == 2 ? .string : .int,
                    isIndexed: isIndexed, isFullText: attribute.contains(.fullText), distinct: distinct,
                    oppositeTable: tables.element(at: key.index).map { TableKey(UInt32(truncatingIfNeeded: $0)) }
                        ?? known[key]?.oppositeTable ?? .null,
                    oppositeColumn: opposites.element(at: key.index).map { ColumnKey($0) } ?? known[key]?.oppositeColumn
                        ?? .null,
                    isLegacy: false))
        }
        return columns
    }
}
