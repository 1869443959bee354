package import RealmLayout

/// The root of a snapshot: table names, tables, free space, history (Spec 70).
package struct Group: Sendable {
    package let space: NodeSpace
    package let commitNumber: UInt64
    package let history: History
    package let topRef: Ref
    private let top: RecordSlots<GroupTopSlot>
    /// The lists of tables and of their names in a transaction; nil for those of the commit.
    private var changedTables: Ref?
    private var changedNames: Ref?

    /// Opens the group's top node and validates everything that later steps rely on.
    init(at ref: Ref, in data: DatabaseImage, version: FormatVersion) throws(FormatError) {
        let file = data.view
        let whole = data.space(file).lasting
        let record = try Self.root(at: ref, in: whole)
        let count = record.slots.count
        guard GroupTopSlot.allowedCounts.contains(count), !version.isLegacy || count <= GroupTopSlot.legacyCount else {
            throw FormatError(
                .badGroup, at: ref.offset,
                "\(record.node.summary) cannot be the root of a database of format \(version)")
        }
        guard let size = try record.number(.logicalFileSize) else {
            throw FormatError(.badGroup, at: ref.offset, "the logical file size is missing")
        }
        guard size <= UInt64(file.count) else {
            throw FormatError(
                .truncated, at: ref.offset,
                "the database has \(size) bytes, but the file only \(file.count): the end of the file is missing")
        }
        guard let bytes = file.slice(at: 0, count: Int(size)), ref.offset < bytes.count else {
            throw FormatError(.badGroup, at: ref.offset, "the root lies beyond the logical file size of \(size)")
        }
        space = data.space(bytes)
        topRef = ref
        top = record.slots
        commitNumber = max(1, try record.number(.version) ?? 0)
        history = Self.history(record, in: space)
    }

    /// Makes the group of a transaction: that of the base commit, with a different list of tables.
    ///
    /// - Parameter names: the list of their names; nil when it is unchanged.
    init(_ base: Group, names: Ref?, tables: Ref, in space: NodeSpace) {
        self.space = space
        commitNumber = base.commitNumber
        history = base.history
        topRef = base.topRef
        top = base.top
        changedTables = tables
        changedNames = names ?? base.changedNames
    }

    /// The identifier of this file among those synchronised with each other; 0 when it is not synchronised.
    package var syncFileIdentifier: UInt64 { top.number(.syncFileIdentifier) ?? 0 }

    private static func root(at ref: Ref, in whole: NodeSpace) throws(FormatError) -> Record<GroupTopSlot> {
        do {
            return try Record<GroupTopSlot>(at: ref, in: whole)
        } catch  where error.code == .nodeOutsideFile {
            // The root is written last, so a file that ends inside it has been cut off.
            throw FormatError(
                .truncated, at: ref.offset,
                "the root of the database reaches beyond the end of the file (\(whole.bytes.count) bytes): "
                    + "the file has probably been cut off")
        } catch {
            throw error
        }
    }

    /// Whether this is the group of a transaction.
    var isChanged: Bool { changedTables != nil }

    private var record: Record<GroupTopSlot> { get throws(FormatError) { try Record(at: topRef, in: space) } }

    /// A damaged history never prevents reading; the verifier reports it.
    private static func history(_ top: Record<GroupTopSlot>, in space: NodeSpace) -> History {
        func number(_ slot: GroupTopSlot) -> UInt64 { top.slots.number(slot) ?? 0 }
        let type = HistoryType(rawValue: Int(truncatingIfNeeded: number(.historyType)))
        let root = top.slots.ref(.history)
        var changesets: Ref?
        switch type {
        case .inRealm:
            changesets = root
        case .syncClient:
            changesets = root.flatMap { try? Record<SyncClientHistorySlot>(at: $0, in: space).slots.ref(.changesets) }
        default:
            break
        }
        let count = changesets.flatMap { try? BPlusTree(root: $0, of: .binary, in: space).storedCount() }
        return History(type: type, schemaVersion: number(.historySchemaVersion), entryCount: count)
    }

    /// Total bytes in the list of free chunks; nil when there is none.
    func freeBytes() throws(FormatError) -> Int? {
        guard top.has(.freeLengths) else { return nil }
        guard let total = try record.freeList(in: space).byteCount(limit: space.bytes.count) else {
            throw FormatError(.badGroup, at: topRef.offset, "the free space is larger than the file")
        }
        return total
    }

    /// The refs of the tables' names and of their list.
    package func roots() throws(FormatError) -> (names: Ref, tables: Ref) {
        let record = try record
        let names = if let changedNames { changedNames } else { try record.requiredRef(.tableNames) }
        let tables = if let changedTables { changedTables } else { try record.requiredRef(.tables) }
        return (names, tables)
    }

    /// The names of the tables and their refs, by slot.
    package func tableSlots() throws(FormatError) -> (names: ColumnLeaf, refs: IntegerVector) {
        let roots = try roots()
        let names = try TableLayout.nameLeaf(roots.names, in: space)
        let tables = try space.node(at: roots.tables).refs()
        guard names.count == tables.count, tables.count <= Limits.tableSlots else {
            throw FormatError(.badGroup, at: topRef.offset, "\(names.count) names for \(tables.count) tables")
        }
        return (names, tables)
    }

    /// Reads every table's layout; a damaged table is omitted and reported.
    func readTables() -> (cores: ByTable<TableDescription>, damage: [FormatError]) {
        var layouts: ByTable<TableLayout> = []
        var budget = WorkBudget(for: space)
        var damage: [FormatError] = []
        do throws(FormatError) {
            let (names, tables) = try tableSlots()
            for slot in 0..<tables.count {
                guard case .ref(let ref) = Slot(tables[unchecked: slot]) else { continue }
                var name = "table \(slot)"
                do throws(FormatError) {
                    name = (try names.string(at: slot, in: space) ?? .empty).repairedString
                    layouts.append(try TableLayout(at: ref, slot: slot, name: name, in: space, &budget))
                } catch {
                    damage.append(error.at(table: name))
                }
            }
        } catch {
            damage.append(error)
        }
        let resolver = TableResolver(layouts)
        return (layouts.mapped { resolver.core(of: $0, in: space, &damage) }, damage)
    }

    /// The schema version in the table `metadata`; nil when there is none.
    func schemaVersion(in cores: ByTable<TableDescription>, _ space: NodeSpace) -> UInt64? {
        guard let table = cores.first(where: { $0.schema.tableName == TableSchema.metadataName }),
            let position = table.schema.properties.propertyIndex(where: { $0.name == "version" && $0.type == .int }),
            let found = try? table.objects.firstCluster(),
            let leaf = try? found.leaf(of: table.columns[position], in: space),
            leaf.encoding == .integers
        else { return nil }
        // All ones mean "not versioned".
        let version = UInt64(bitPattern: leaf.int(at: 0))
        return version == .max ? nil : version
    }
}
