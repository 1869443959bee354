internal import RealmCore
internal import RealmLayout

/// Checks a table's top and spec (S, T07; Spec 60), and builds a model of their readable parts.
struct SchemaChecks {
    let scope: SnapshotScope
    let name: String

    func report(
        _ check: CheckIdentifier, as severity: FindingSeverity? = nil, _ ref: Ref, in property: String? = nil,
        _ message: @autoclosure () -> String
    ) {
        scope.sink.report(check, as: severity, at: ref.offset, in: scope.place(name, property), message())
    }

    /// The table at `ref`; nil when it is entirely unreadable.
    func table(at ref: Ref, slot: Int) -> CheckedTable? {
        guard let top = scope.refs(ref) else {
            report(.tableTopCount, ref, "the top of the table cannot be read")
            return nil
        }
        // Tops of Core 6 keep their length in newer formats, and pre-releases wrote those of Core 10 in older formats
        // (R60.1).
        if !TableTopSlot.allowedCounts.contains(top.count) {
            report(.tableTopCount, ref, "the top of the table has \(top.count) elements, expected 12 to 14")
        }
        let slots = RecordSlots<TableTopSlot>(top)
        guard slots.has(.clusterTree) else { return nil }
        let record = TopRecord(ref: ref, slots: slots, checks: self)
        let key = tableKey(record, slot)
        let kind = kind(record)
        let primaryKey = record.number(.primaryKeyColumn).map { ColumnKey(Int64(bitPattern: $0)) }
        let clusters = record.ref(.clusterTree)
        if clusters == nil { report(.tableTopCount, ref, "the table has no tree of objects") }
        let arrays = SpecArrays(record, scope)
        var table = CheckedTable(
            slot: slot, name: name, key: key, topRef: ref, kind: kind, clusters: clusters,
            tombstones: record.ref(.tombstones), collisionMap: record.ref(.collisionMap), primaryKey: primaryKey,
            sequenceNumber: record.number(.sequenceNumber) ?? 0, columns: [], leafSlots: arrays.columnIndexes)
        if let spec = record.ref(.spec) {
            if let columns = SpecChecks(schema: self, topArrays: arrays, top: ref).columns(at: spec) {
                (table.columns, table.areColumnsKnown) = (columns, true)
            }
        } else {
            report(.specCount, ref, "the table has no spec")
        }
        checkLeafSlots(table, arrays, ref)
        checkPrimaryKey(table, ref)
        return table
    }

    private func tableKey(_ record: TopRecord, _ slot: Int) -> TableKey {
        guard let number = record.number(.tableKey), let value = UInt32(exactly: number) else {
            report(.tableKey, record.ref, "the table in slot \(slot) has no key")
            return TableKey(UInt32(slot))
        }
        let key = TableKey(value)
        if key.slot != slot || value > 0x7FFF_FFFF {
            report(
                .tableKey, record.ref, "the table in slot \(slot) has the key \(key), which is one for slot \(key.slot)"
            )
        }
        return key
    }

    private func kind(_ record: TopRecord) -> TableKind {
        let flags = record.number(.flags) ?? 0
        guard let kind = TableKind(rawValue: Int(flags & 3)), flags <= 2 else {
            report(.tableFlags, record.ref, "the table has the unknown flags \(flags)")
            return TableKind(rawValue: Int(flags & 3)) ?? .topLevel
        }
        if kind == .asymmetric, scope.format.number < 22 {
            report(.tableFlags, as: .warning, record.ref, "an asymmetric class in format \(scope.format)")
        }
        return kind
    }

    private func checkLeafSlots(_ table: CheckedTable, _ arrays: SpecArrays, _ ref: Ref) {
        let highest = table.columns.map(\.key.index).max()?.next.number ?? 0
        for (what, check, array) in [
            ("search indexes", CheckIdentifier.indexSlots, arrays.searchIndexes),
            ("opposite tables", .oppositeColumn, arrays.oppositeTables),
            ("opposite columns", .oppositeColumn, arrays.oppositeColumns),
        ] where array.count < highest {
            report(check, ref, "the list of \(what) has \(array.count) elements for \(highest) columns")
        }
    }

    private func checkPrimaryKey(_ table: CheckedTable, _ ref: Ref) {
        guard let key = table.primaryKey else { return }
        guard let column = table.primaryKeyColumn else {
            report(.primaryKeyColumn, ref, "the primary key \(key) is not a column of the table")
            return
        }
        let types: Set<ColumnType> = [.int, .string, .objectId, .uuid]
        if !types.contains(column.type) || column.collection != nil {
            report(
                .primaryKeyColumn, ref, in: column.name,
                "the primary key has the type \(column.type), which none may have")
        }
        if table.kind == .embedded {
            report(.primaryKeyColumn, as: .warning, ref, in: column.name, "an embedded class has a primary key")
        }
    }
}

/// The slots of a table's top.
struct TopRecord {
    let ref: Ref
    let slots: RecordSlots<TableTopSlot>
    let checks: SchemaChecks

    func ref(_ slot: TableTopSlot) -> Ref? {
        switch slots[slot] {
        case .ref(let ref): return ref
        case .empty: return nil
        case .tagged(let number):
            checks.report(.tableTopCount, ref, "\(slot) is the number \(number), expected a reference")
            return nil
        }
    }

    func number(_ slot: TableTopSlot) -> UInt64? {
        switch slots[slot] {
        case .tagged(let number): return number
        case .empty: return nil
        case .ref(let found):
            checks.report(.tableTopCount, ref, "\(slot) is the reference \(found), expected a number")
            return nil
        }
    }
}

extension SpecArrays {
    /// Reads the arrays of a table's top, as far as they are sound.
    init(_ top: TopRecord, _ scope: SnapshotScope) {
        self.init()
        searchIndexes = top.ref(.searchIndexes).flatMap { scope.refs($0) } ?? .empty
        oppositeTables = top.ref(.oppositeTables).flatMap { scope.integers($0) } ?? .empty
        oppositeColumns = top.ref(.oppositeColumns).flatMap { scope.integers($0) } ?? .empty
    }

    /// The number of column indexes that the arrays of the top have room for.
    var columnIndexes: Int { max(searchIndexes.count, oppositeTables.count, oppositeColumns.count) }
}
