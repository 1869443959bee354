package import RealmReader
package import RealmLayout

extension TableLayout {
    /// Where the tree of objects is that nothing leads to any more: nowhere.
    static let lostTree = Ref(0)

    /// What the top of a table says beside its description; what is lost of it is taken from an older top of the table.
    package init(
        headOf ref: Ref, slot: Int, name: String, in space: NodeSpace, _ donor: TableLayout?
    ) throws(FormatError) {
        let top = RecordSlots<TableTopSlot>(try space.node(at: ref).refs())
        var clusterTree = Self.lostTree
        if let tree = top.ref(.clusterTree) { clusterTree = tree }
        var key = donor?.key ?? TableKey(UInt32(truncatingIfNeeded: slot))
        if let number = top.number(.tableKey), let number = UInt32(exactly: number),
            TableKey(number).slot == slot
        {
            key = TableKey(number)
        }
        var kind = donor?.kind ?? .topLevel
        if let flags = top.number(.flags) { kind = TableKind(rawValue: Int(flags & 3)) ?? kind }
        let primaryKey = top.number(.primaryKeyColumn).map { ColumnKey(Int64(bitPattern: $0)) } ?? donor?.primaryKey
        self.init(
            name: name, key: key, kind: kind, clusterTree: clusterTree, tombstones: top.ref(.tombstones),
            primaryKey: primaryKey,
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
            let top = try Record<TableTopSlot>(at: ref, in: space)
            let spec = try Record<SpecSlot>(at: top.requiredRef(.spec), in: space)
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

    /// The columns whose keys are there: the keys say nearly everything.
    private static func damagedColumns(
        of spec: Record<SpecSlot>, _ top: Record<TableTopSlot>?, in space: NodeSpace, _ donor: TableLayout?,
        _ budget: inout WorkBudget
    ) throws(FormatError) -> [ColumnLayout] {
        let keys = try spec.child(.columnKeys, in: space).integers()
        guard keys.count > 0, keys.count <= Limits.columns else {
            throw FormatError(.badSpec, at: spec.node.ref.offset, "\(keys.count) column keys")
        }
        try budget.spend(bytes: keys.count, at: spec.node.ref)
        let types = spec.integersIfSound(.types, in: space)
        let attributes = spec.integersIfSound(.attributes, in: space)
        let distincts = spec.integersIfSound(.enumKeys, in: space)
        let indexes = top?.integersIfSound(.searchIndexes, in: space) ?? .empty
        let tables = top?.integersIfSound(.oppositeTables, in: space) ?? .empty
        let opposites = top?.integersIfSound(.oppositeColumns, in: space) ?? .empty
        var names: ColumnLeaf?
        do throws(FormatError) { names = try nameLeaf(spec.ref(.names), in: space) } catch {}
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
