internal import RealmCore
internal import RealmLayout

/// Checks the list of tables (T; Spec 70).
package struct GroupChecks {
    let scope: SnapshotScope

    package init(scope: SnapshotScope) {
        self.scope = scope
    }

    /// The tables with a readable top.
    package func tables() -> [CheckedTable] {
        guard let namesRef = scope.root.ref(.tableNames), let tablesRef = scope.root.ref(.tables) else { return [] }
        let names = nameLeaf(namesRef)
        scope.stringLeaves.append(namesRef)
        guard let slots = scope.refs(tablesRef) else {
            scope.sink.report(
                .topSlots, at: tablesRef.offset, in: scope.place, "the list of tables at \(tablesRef) cannot be read")
            return []
        }
        guard canHave(slots.count, at: tablesRef, names: names?.count, at: namesRef) else { return [] }
        var tables: [CheckedTable] = []
        var seen: Set<[UInt8]> = []
        for slot in 0..<slots.count {
            let name = names.flatMap { self.name(slot, in: $0, at: namesRef) }
            let found = Slot(slots[unchecked: slot])
            checkSlot(found, slot, name, tablesRef)
            guard case .ref(let ref) = found else { continue }
            let shown = name.map(\.repairedString) ?? "table \(slot)"
            if let name { checkName(name, shown, namesRef, &seen) }
            if let table = SchemaChecks(scope: scope, name: shown).table(at: ref, slot: slot) { tables.append(table) }
        }
        OppositeChecks(scope: scope, tables: tables).run()
        return tables
    }

    /// Whether there can be this many tables. Also reports a different number of names.
    func canHave(_ tables: Int, at tablesRef: Ref, names: Int?, at namesRef: Ref) -> Bool {
        if let names, names != tables {
            scope.sink.report(
                .tableCounts, at: namesRef.offset, in: scope.place, "\(names) names for \(tables) tables")
        }
        guard tables > Limits.tableSlots else { return true }
        scope.sink.report(
            .tableCounts, at: tablesRef.offset, in: scope.place,
            "\(tables) tables; there are never more than \(Limits.tableSlots)")
        return false
    }

    /// The names of the tables of formats 2 to 9, in which every slot has a table; nil when they cannot be read.
    func legacyNames(_ ref: Ref) -> [String]? {
        guard let names = nameLeaf(ref) else { return nil }
        // With width 0 all names are empty, for any claimed number.
        guard names.count <= Limits.tableSlots else {
            scope.sink.report(.tableCounts, at: ref.offset, in: scope.place, "\(names.count) names of tables")
            return nil
        }
        var seen: Set<[UInt8]> = []
        return (0..<names.count).map { slot in
            guard let name = name(slot, in: names, at: ref) else { return "table \(slot)" }
            checkName(name, name.repairedString, ref, &seen)
            return name.repairedString
        }
    }

    private func nameLeaf(_ ref: Ref) -> ColumnLeaf? {
        do throws(FormatError) {
            return try ColumnLeaf(at: ref, as: .string, in: scope.space)
        } catch {
            scope.sink.report(
                .tableCounts, at: ref.offset, in: scope.place, "the table names cannot be read: \(error.detail)")
            return nil
        }
    }

    private func name(_ slot: Int, in names: ColumnLeaf, at ref: Ref) -> ByteView? {
        guard slot < names.count else { return nil }
        do throws(FormatError) {
            return try names.string(at: slot, in: scope.space) ?? .empty
        } catch {
            scope.sink.report(
                .tableName, as: .error, at: ref.offset, in: scope.place, "the name of table \(slot) cannot be read")
            return nil
        }
    }

    private func checkSlot(_ found: Slot, _ slot: Int, _ name: ByteView?, _ ref: Ref) {
        switch found {
        case .ref:
            break
        case .empty:
            scope.sink.report(.tableSlot, at: ref.offset, in: scope.place, "table slot \(slot) is empty")
        case .tagged(let tag):
            if tag > 0x7FFF {
                scope.sink.report(
                    .tableSlot, at: ref.offset, in: scope.place,
                    "table slot \(slot) is free for the tag \(tag), which is too large")
            } else if let name, name.count > 0 {
                scope.sink.report(
                    .tableSlot, at: ref.offset, in: scope.place(name.repairedString),
                    "table slot \(slot) is free, but has a name")
            }
        }
    }

    private func checkName(_ name: ByteView, _ shown: String, _ ref: Ref, _ seen: inout Set<[UInt8]>) {
        func report(as severity: FindingSeverity = .warning, _ message: String) {
            scope.sink.report(.tableName, as: severity, at: ref.offset, in: scope.place(shown), message)
        }
        // Names are compared as bytes: names that differ only in Unicode normalisation are different.
        if !seen.insert(name.bytes).inserted { report(as: .error, "two tables have the name \(shown)") }
        if !name.isValidUTF8 { report("the name of a table is not valid UTF-8") }
        if name.count > Limits.nameBytes { report("the name of a table has \(name.count) bytes") }
        if name.count == 0 { report("a table has no name") }
        if !TableName.isClass(shown), !TableSchema.isMadeByRealm(shown), name.count > 0 {
            report(as: .info, "the table \(shown) is neither a class nor one that Realm is known to make")
        }
    }
}
