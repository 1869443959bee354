internal import RealmCore
internal import RealmLayout

extension NodeRole {
    /// Returns the name of element `index` of `node`; nil for elements of plain lists.
    func slotName(_ index: Int, of node: Node, in snapshot: Snapshot) -> String? {
        switch kind {
        case .groupTop:
            return GroupTopSlot(rawValue: index).map { $0.words }
        case .tables:
            return snapshot.tableName(atSlot: index)
        case .tableTop:
            return TableTopSlot(rawValue: index).map { $0.words + ($0 == .columns ? " (unused)" : "") }
        case .spec:
            return SpecSlot(rawValue: index).map { $0.words }
        case .distinctStrings(let table):
            return table.flatMap { snapshot.cores[$0].schema.properties[safe: index]?.name }
        case .searchIndexes(let table):
            return table.map { snapshot.columnName(ColumnIndex(index), ofTable: $0) }
        case .searchIndex:
            return index == 0 && node.header.isContext ? "chunks" : nil
        case .clusterTree(let table, _):
            if node.header.isInner { return Self.innerClusterName(index) }
            if index == 0 { return "object keys" }
            return table.map { snapshot.columnName(ClusterSlots.column(ofElement: index), ofTable: $0) }
        case .entries:
            if node.header.isInner { return Self.innerClusterName(index) }
            return ["object keys", "keys", "values"][safe: index]
        case .dictionary:
            return ["keys", "values"][safe: index]
        case .legacy(let role):
            return role.slotName(index, of: node, in: snapshot)
        case .history(let type):
            return type == .syncClient ? SyncClientHistorySlot(rawValue: index)?.words : nil
        case .values(let type):
            if node.header.isInner { return Self.innerName(index, of: node) }
            return Self.leafSlotName(index, type, of: node)
        case .column(let column, _, let cluster):
            return Self.leafSlotName(index, column.leafType, of: node)
                ?? Self.objectName(index, column.leafType, cluster)
        case .bytes, .numbers, .nestedCollections, .unknown:
            return nil
        }
    }

    private static func innerClusterName(_ index: Int) -> String? {
        switch ClusterInnerSlot(rawValue: index) {
        case .keyOffsets: "key offsets"
        case .depth: "depth"
        case .objectCount: "objects"
        case .firstChild: "child 0"
        case nil: "child \(index - ClusterInnerSlot.firstChild.rawValue)"
        }
    }

    /// Returns the name of a slot of a B+tree's inner node.
    static func innerName(_ index: Int, of node: Node) -> String {
        if index == 0 { return "offsets" }
        return index == node.count - 1 ? "total" : "child \(index - 1)"
    }

    /// Returns the name of a slot of a leaf that consists of several nodes.
    static func leafSlotName(_ index: Int, _ type: LeafType, of node: Node) -> String? {
        guard node.header.hasRefs else { return nil }
        return switch type {
        case .string, .binary, .legacyBinary:
            node.header.isContext ? nil : ["end offsets", "bytes", "null flags"][safe: index]
        case .legacyString: node.header.isContext ? nil : ["end offsets", "bytes", "not-null flags"][safe: index]
        case .timestamp: ["seconds", "nanoseconds"][safe: index]
        case .mixed: MixedSlot(rawValue: index).map { $0.words }
        default: nil
        }
    }

    /// Returns the object that owns an element of a column's leaf with one element for each object.
    private static func objectName(_ index: Int, _ type: LeafType, _ cluster: Cluster) -> String? {
        // The first element of nullable integers is the null sentinel.
        let row = type == .int(nullable: true) ? index - 1 : index
        guard row >= 0, row < cluster.count else { return nil }
        return "object \(cluster.key(unchecked: row))"
    }
}

extension Snapshot {
    /// Returns the position in `cores` of the table in a slot of the group.
    func position(ofSlot slot: Int) -> TablePosition? { cores.firstIndex { $0.schema.key.slot == slot } }

    /// Returns the full name of the table in a slot of the group.
    func tableName(atSlot slot: Int) -> String {
        position(ofSlot: slot).map { cores[$0].schema.tableName } ?? "table \(slot)"
    }

    /// Returns the display name of the column with this index in clusters.
    func columnName(_ index: ColumnIndex, ofTable table: TablePosition) -> String {
        let core = cores[table]
        if let position = core.columns.firstIndex(where: { $0.index == index }) {
            return core.schema.properties[position].name
        }
        if let position = core.backlinkColumns.firstIndex(where: { $0.index == index }) {
            let link = core.schema.incoming[position]
            return "backlinks from \(link.tableName).\(link.propertyName)"
        }
        return "column \(index)"
    }
}
