internal import RealmCore
internal import RealmLayout

/// Changes of tables and columns that are made together (Spec 60, 70, 220). The caller has checked that names are free,
/// targets exist, and values fit.
final class SchemaEdit {
    private let base: Snapshot
    /// The table names, by slot.
    private var names: [[UInt8]] = []
    private var slots: [Slot] = []
    private var tables: [Int: TableEdit] = [:]
    private var hasOtherNames = false
    /// The top nodes of removed tables.
    private var removed: [Ref] = []

    /// - Throws: errors of reading the lists of tables.
    init(_ base: Snapshot, _ group: Group) throws(FormatError) {
        self.base = base
        let (names, refs) = try group.tableSlots()
        for slot in 0..<refs.count {
            self.names.append(try names.string(at: slot, in: base.space)?.bytes ?? [])
            slots.append(Slot(refs[unchecked: slot]))
        }
    }

    // MARK: Tables

    /// Returns a table for changing it.
    func table(_ key: TableKey) throws(FormatError) -> TableEdit {
        if let known = tables[key.slot], known.key == key { return known }
        guard let position = base.position(of: key), case .ref = slots[key.slot] else {
            throw FormatError(.badLink, "a link to the table \(key), which does not exist")
        }
        let core = base.cores[position]
        let space = base.space
        let edit = try TableEdit(core, in: space)
        tables[key.slot] = edit
        return edit
    }

    /// Returns a table by its full name in the base.
    func table(named name: String) throws -> TableEdit {
        if let known = tables.values.first(where: { $0.name == name }) { return known }
        guard let core = base.cores.first(where: { $0.schema.tableName == name }) else {
            throw WriteError.internalInconsistency("there is no table \(name) to be changed")
        }
        return try table(core.schema.key)
    }

    /// Adds a table without columns. Its tag is the one that the slot holds for its next table.
    private func addTable(_ name: String, _ kind: TableKind, _ place: NewTablePlace) throws(InvalidValue) -> TableEdit {
        let slot =
            switch place {
            case .firstFree: slots.firstIndex { $0.ref == nil } ?? slots.count
            case .behindOthers: (slots.lastIndex { $0.ref != nil } ?? -1) + 1
            }
        guard slot < Limits.tableSlots else {
            throw InvalidValue(.tooMany, "the database has no room for another table").at(table: name)
        }
        var tag: UInt32 = 0
        if slot < slots.count {
            tag = UInt32(truncatingIfNeeded: slots[slot].number ?? 0) & 0x7FFF
        } else {
            slots.append(.empty)
            names.append([])
        }
        let edit = TableEdit(TableKey(tag << 16 | UInt32(slot)), name, kind)
        tables[slot] = edit
        names[slot] = Array(name.utf8)
        // The ref is set when the table is written; until then any ref will do.
        slots[slot] = .ref(Ref(0))
        hasOtherNames = true
        return edit
    }

    /// Adds tables, whose links may refer to each other.
    ///
    /// - Parameter definitions: tables of a normalized schema.
    func add(_ definitions: [TableDefinition], _ place: NewTablePlace = .firstFree) throws {
        var new: [(TableEdit, TableDefinition)] = []
        for definition in definitions {
            new.append((try addTable(definition.tableName, definition.kind, place), definition))
        }
        for (table, definition) in new {
            for property in definition.properties {
                let key = try add(property, to: table)
                if property.name == definition.primaryKey { try table.setPrimaryKey(key) }
            }
        }
    }

    func rename(_ key: TableKey, to name: String) {
        names[key.slot] = Array(name.utf8)
        hasOtherNames = true
    }

    /// Removes a table with its content. Properties of other tables must no longer link to it.
    func remove(_ key: TableKey) throws {
        guard let position = base.position(of: key) else {
            throw WriteError.internalInconsistency("a table is to be removed that is none")
        }
        for core in base.cores where core.schema.key != key {
            let incoming = core.layout.columns.filter { $0.isBacklink && $0.oppositeTable == key }
            for column in incoming { try table(core.schema.key).remove(column.key) }
        }
        removed.append(base.cores[position].topRef)
        tables[key.slot] = nil
        // The tag for the next table in the slot.
        slots[key.slot] = .tagged(UInt64((key.value >> 16 + 1) & 0x7FFF))
        names[key.slot] = []
        hasOtherNames = true
    }

    // MARK: Properties

    /// Adds a property.
    ///
    /// - Parameters:
    ///   - property: a property of a normalized schema.
    ///   - filling: its values; nil for null, zero or empty values.
    func add(
        _ property: PropertyDefinition, to table: TableEdit, _ filling: ColumnFilling? = nil
    ) throws -> ColumnKey {
        var dictionaryKeys: Int64 = 0
        if case .dictionary(let keyType) = property.collection { dictionaryKeys = Int64(keyType.rawValue) }
        let key = try table.add(
            property.name, property.type.columnType, property.keyAttributes, dictionaryKeys: dictionaryKeys,
            filling ?? property.emptyFilling)
        if property.type == .link, let name = property.target {
            let target = try self.table(named: name)
            let backlinks = try target.add(nil, .backLink, [], MutableColumn.same(.null, .backlinks))
            try table.setOpposite(of: key, target.key, backlinks)
            try target.setOpposite(of: backlinks, table.key, key)
        }
        try table.setIndex(property.effectiveIndex(isPrimaryKey: false), of: key)
        return key
    }

    /// Removes a property with its backlinks, and those of its Mixed values.
    func remove(_ key: ColumnKey, of table: TableEdit) throws(FormatError) {
        let column = try table.column(key)
        try table.remove(key)
        if column.record.type == .link || column.record.type == .linkList {
            try self.table(column.record.oppositeTable).remove(column.record.oppositeColumn)
        } else if column.record.type == .mixed {
            for core in base.cores {
                let backlinks = core.layout.columns.filter {
                    $0.isBacklink && $0.oppositeTable == table.key && $0.oppositeColumn == key
                }
                for column in backlinks { try self.table(core.schema.key).remove(column.key) }
            }
        }
    }

    // MARK: Writing

    /// Writes all changes.
    ///
    /// - Parameter released: receives the nodes that are no longer used.
    /// - Returns: the lists of names and of tables; the names are nil if they have not changed.
    func write(
        _ nodes: NodeOutput, _ released: inout FreedNodes
    ) throws -> (names: Ref?, tables: Ref) {
        guard let group = base.group else {
            throw WriteError.internalInconsistency("an empty database has no schema to be changed")
        }
        let space = base.space
        for (slot, table) in tables.inOrder(by: { $0.key < $1.key }) {
            slots[slot] = .ref(
                try table.write(nodes, over: space, identifier: group.syncFileIdentifier, &released))
        }
        for top in removed { try released.add(everythingBelow: top, in: space) }
        let roots = try group.roots()
        try released.add(roots.tables, in: space)
        var newNames: Ref?
        if hasOtherNames {
            try released.add(roots.names, in: space)
            newNames = try nodes.names(names)
        }
        return (newNames, try nodes.refs(slots.map(\.element)))
    }
}

extension PropertyDefinition {
    /// The values for existing objects: null, zero, or empty.
    fileprivate var emptyFilling: ColumnFilling {
        MutableColumn.same(isNullable ? .null : type.zero, collection == nil ? elementType : .collections)
    }
}

/// The slot for a new table.
package enum NewTablePlace: Sendable {
    /// The first free slot, as in Realm Core.
    case firstFree
    /// A slot after all existing tables, which keep their positions.
    case behindOthers
}
