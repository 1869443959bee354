package import RealmCore
package import RealmLayout

extension TableLayout {
    /// Stands for an object tree whose ref is lost.
    static let lostTree = Ref(0)

    /// Reads a table's top without its description. Lost parts are taken from an older top of the table.
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

    /// Reads a table whose top or description is damaged. Lost parts are substituted, or taken from an older top of
    /// the table.
    ///
    /// - Throws: `FormatError` when the column keys cannot be read.
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

    /// Creates a table from a description that nothing refers to. Its top, and with it the ref to its objects, is
    /// lost.
    ///
    /// - Throws: `FormatError` when the column keys cannot be read.
    init(
        spec ref: Ref, key: TableKey, name: String, in space: NodeSpace, _ budget: inout WorkBudget
    ) throws(FormatError) {
        let columns = try Self.damagedColumns(of: Record(at: ref, in: space), nil, in: space, nil, &budget)
        self.init(
            name: name, key: key, kind: .topLevel, clusterTree: Self.lostTree, tombstones: nil, primaryKey: nil,
            columns: columns, topRef: ref)
    }

    /// Returns the columns whose keys are readable; a key determines nearly everything about a column.
    private static func damagedColumns(
        of spec: Record<SpecSlot>, _ top: Record<TableTopSlot>?, in space: NodeSpace, _ donor: TableLayout?,
        _ budget: inout WorkBudget
    ) throws(FormatError) -> [ColumnLayout] {
        var arrays = SpecArrays(readableOf: spec, top, in: space)
        // Nothing is known of the columns without the keys.
        arrays.keys = try spec.child(.columnKeys, in: space).integers()
        guard arrays.count > 0, arrays.count <= Limits.columns else {
            throw FormatError(.badSpec, at: spec.ref.offset, "\(arrays.count) column keys")
        }
        try budget.spend(bytes: arrays.count, at: spec.ref)
        var names: ColumnLeaf?
        do throws(FormatError) { names = try nameLeaf(spec.ref(.names), in: space) } catch {}
        var known: [ColumnKey: ColumnLayout] = [:]
        for column in donor?.columns ?? [] { known[column.key] = column }
        var columns: [ColumnLayout] = []
        var seen: Set<ColumnIndex> = []
        for position in 0..<arrays.count {
            guard var record = arrays.column(position), seen.insert(record.index).inserted else { continue }
            var name: String?
            var distinct: ColumnLeaf?
            do throws(FormatError) {
                if let names, position < names.count {
                    name = (try names.string(at: position, in: space) ?? .empty).repairedString
                    if name?.utf8.contains(0) ?? false { name = nil }
                }
                if let ref = record.distinctStrings.ref {
                    distinct = try ColumnLeaf(at: ref, as: .string, in: space.lasting)
                }
            } catch {}
            if top == nil { record.isIndexed = !record.marks.isDisjoint(with: [.indexed, .fullText]) }
            let donated = known[record.key]
            if let donated, arrays.oppositeTables.element(of: record.index) == nil {
                record.oppositeTable = donated.oppositeTable
            }
            if let donated, arrays.oppositeColumns.element(of: record.index) == nil {
                record.oppositeColumn = donated.oppositeColumn
            }
            columns.append(
                ColumnLayout(
                    name: name ?? donated?.name ?? ColumnLayout.substitute(record.index), record, distinct: distinct))
        }
        return columns
    }
}

extension ColumnLayout {
    /// The name of a column that has lost its own.
    static func substitute(_ index: ColumnIndex) -> String { "column_\(index)" }

    /// Whether the column has a name only because it has lost its own.
    var hasLostName: Bool { name == Self.substitute(self.index) }
}
