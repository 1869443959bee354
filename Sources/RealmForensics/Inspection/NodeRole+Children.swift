internal import RealmCore
internal import RealmLayout

extension NodeRole {
    /// Returns the role of the node that element `index` of `node` refers to.
    func child(at index: Int, of node: Node, in snapshot: Snapshot) -> NodeRole {
        switch kind {
        case .groupTop: groupChild(index, in: snapshot)
        case .tables:
            NodeRole(.tableTop(table: snapshot.position(ofSlot: index)), "top of \(snapshot.tableName(atSlot: index))")
        case .tableTop(let table): tableChild(index, table: table, in: snapshot)
        case .spec(let table): specChild(index, table: table, in: snapshot)
        case .distinctStrings: values(.string, "distinct strings", index, node, snapshot)
        case .searchIndexes(let table):
            NodeRole(
                .searchIndex, "search index of \(Self.columnTitle(ColumnIndex(index), table: table, in: snapshot))")
        case .searchIndex: searchIndexChild(index, node, in: snapshot)
        case .clusterTree(let table, let keyOffset): clusterChild(index, node, table: table, keyOffset, in: snapshot)
        case .entries(let keys, let keyOffset): entriesChild(index, node, keys, keyOffset, in: snapshot)
        case .column(let column, let keyType, let cluster):
            columnChild(index, node, column, keyType, cluster, in: snapshot)
        case .values(let type): valuesChild(index, node, type, in: snapshot)
        case .dictionary(let keys):
            index == 0 ? NodeRole(.values(keys), "keys\(place)") : NodeRole(.values(.mixed), "values\(place)")
        case .nestedCollections(let types): nestedCollection(index, types, in: snapshot)
        case .legacy(let role): role.child(at: index, of: node, titled: title, in: snapshot)
        case .history(let type): historyChild(index, type)
        case .bytes: NodeRole(.bytes, "part \(index)\(place)")
        case .numbers, .unknown: NodeRole(.unknown, "part\(place)")
        }
    }

    private static func columnTitle(_ index: ColumnIndex, table: TablePosition?, in snapshot: Snapshot) -> String {
        guard let table else { return "column \(index)" }
        return "\(snapshot.cores[table].schema.tableName).\(snapshot.columnName(index, ofTable: table))"
    }

    /// " of " followed by this node's title, for the titles of its parts.
    private var place: String { " of \(title)" }

    private func name(_ index: Int, _ node: Node, _ snapshot: Snapshot) -> String {
        slotName(index, of: node, in: snapshot) ?? "element \(index)"
    }

    private func values(
        _ type: LeafType, _ what: String, _ index: Int, _ node: Node, _ snapshot: Snapshot
    ) -> NodeRole {
        NodeRole(.values(type), "\(what) of \(name(index, node, snapshot))\(place)")
    }

    private func groupChild(_ index: Int, in snapshot: Snapshot) -> NodeRole {
        switch GroupTopSlot(rawValue: index) {
        case .tableNames: NodeRole(.values(.string), "table names")
        case .tables: NodeRole(snapshot.version.isLegacy ? .legacy(.tables) : .tables, "list of tables")
        case .freePositions: NodeRole(.numbers(.bytes), "positions of free chunks")
        case .freeLengths: NodeRole(.numbers(.bytes), "lengths of free chunks")
        case .freeVersions: NodeRole(.numbers(.plain), "commits that freed the chunks")
        case .history where snapshot.history.type == .inRealm:
            NodeRole(
                .values(snapshot.version.isLegacy ? .legacyBinary(nullable: false) : .binary),
                "history: one changeset a commit")
        case .history: NodeRole(.history(snapshot.history.type), "history")
        case .evacuationPoint: NodeRole(.numbers(.plain), "state of online compaction")
        default: .unknown
        }
    }

    private func tableChild(_ index: Int, table: TablePosition?, in snapshot: Snapshot) -> NodeRole {
        let name = table.map { snapshot.cores[$0].schema.tableName } ?? title
        return switch TableTopSlot(rawValue: index) {
        case .spec: NodeRole(.spec(table: table), "spec of \(name)")
        case .clusterTree: NodeRole(.clusterTree(table: table, keyOffset: 0), "objects of \(name)")
        case .tombstones: NodeRole(.clusterTree(table: table, keyOffset: 0), "tombstones of \(name)")
        case .searchIndexes: NodeRole(.searchIndexes(table: table), "search indexes of \(name)")
        case .oppositeTables: NodeRole(.numbers(.tableKeys), "opposite tables of \(name)'s links")
        case .oppositeColumns: NodeRole(.numbers(.columnKeys), "opposite columns of \(name)'s links")
        case .collisionMap: NodeRole(.unknown, "collision map of \(name)")
        default: NodeRole(.unknown, "part of \(name)")
        }
    }

    private func specChild(_ index: Int, table: TablePosition?, in snapshot: Snapshot) -> NodeRole {
        let name = table.map { snapshot.cores[$0].schema.tableName } ?? title
        return switch SpecSlot(rawValue: index) {
        case .types: NodeRole(.numbers(.columnTypes), "column types of \(name)")
        case .names: NodeRole(.values(.string), "column names of \(name)")
        case .attributes: NodeRole(.numbers(.columnAttributes), "column attributes of \(name)")
        case .enumKeys: NodeRole(.distinctStrings(table: table), "distinct strings of \(name)")
        case .columnKeys: NodeRole(.numbers(.columnKeys), "column keys of \(name)")
        default: NodeRole(.unknown, "part of the spec of \(name)")
        }
    }

    private func searchIndexChild(_ index: Int, _ node: Node, in snapshot: Snapshot) -> NodeRole {
        if index == 0 { return NodeRole(.numbers(.indexChunks), "chunks\(place)") }
        let target = (try? node.child(at: index)).flatMap { try? snapshot.fileSpace.node(at: $0) }
        return target?.header.isContext == true
            ? NodeRole(.searchIndex, title) : NodeRole(.values(.int(nullable: false)), "object keys in the \(title)")
    }

    private func clusterChild(
        _ index: Int, _ node: Node, table: TablePosition?, _ keyOffset: UInt64, in snapshot: Snapshot
    ) -> NodeRole {
        if node.header.isInner {
            return innerClusterChild(index, node, keyOffset, in: snapshot) {
                NodeRole(.clusterTree(table: table, keyOffset: $0), title)
            }
        }
        if index == 0 { return NodeRole(.numbers(.objectKeys(offset: keyOffset)), "object keys\(place)") }
        guard let position = table, let cluster = snapshot.fileSpace.cluster(in: node, keyOffset: keyOffset) else {
            return NodeRole(.unknown, "leaf\(place)")
        }
        let core = snapshot.cores[position]
        let index = ClusterSlots.column(ofElement: index)
        let leaf = "leaf of \(Self.columnTitle(index, table: position, in: snapshot)), \(cluster.keyRange)"
        if let property = core.columns.firstIndex(where: { $0.index == index }) {
            let keys = core.schema.properties[property].collection?.dictionaryKeys
            return NodeRole(.column(core.columns[property], dictionaryKeys: keys, cluster), leaf)
        }
        if let column = core.backlinkColumns.first(where: { $0.index == index }) {
            return NodeRole(.column(column, dictionaryKeys: nil, cluster), leaf)
        }
        return NodeRole(.unknown, leaf)
    }

    private func innerClusterChild(
        _ index: Int, _ node: Node, _ keyOffset: UInt64, in snapshot: Snapshot, _ role: (UInt64) -> NodeRole
    ) -> NodeRole {
        if index == ClusterInnerSlot.keyOffsets.rawValue {
            return NodeRole(.numbers(.objectKeys(offset: keyOffset)), "first keys of the children\(place)")
        }
        let child = index - ClusterInnerSlot.firstChild.rawValue
        guard child >= 0, let inner = snapshot.fileSpace.innerCluster(in: node), child < inner.childCount else {
            return NodeRole(.unknown, "part\(place)")
        }
        return role(keyOffset &+ inner.keyOffset(ofChild: child))
    }

    private func entriesChild(
        _ index: Int, _ node: Node, _ keys: LeafType, _ keyOffset: UInt64, in snapshot: Snapshot
    ) -> NodeRole {
        if node.header.isInner {
            return innerClusterChild(index, node, keyOffset, in: snapshot) {
                NodeRole(.entries(keys: keys, keyOffset: $0), title)
            }
        }
        return switch index {
        case 0: NodeRole(.numbers(.objectKeys(offset: keyOffset)), "entry keys\(place)")
        case 1: NodeRole(.values(keys), "keys\(place)")
        case 2: NodeRole(.values(.mixed), "values\(place)")
        default: NodeRole(.unknown, "part\(place)")
        }
    }

    private func columnChild(
        _ index: Int, _ node: Node, _ column: Column, _ keyType: DictionaryKeyType?, _ cluster: Cluster,
        in snapshot: Snapshot
    ) -> NodeRole {
        let object = index < cluster.count ? "object \(cluster.key(unchecked: index))" : "element \(index)"
        switch column.leafType {
        case .collections:
            if let keyType { return snapshot.dictionaryRole(keyType, "dictionary of \(object) in the \(title)") }
            return NodeRole(.values(column.elementType), "collection of \(object) in the \(title)")
        case .backlinks:
            return NodeRole(.values(.int(nullable: false)), "backlinks of \(object) in the \(title)")
        default:
            return leafPart(index, node, column.leafType, object, in: snapshot)
        }
    }

    private func valuesChild(_ index: Int, _ node: Node, _ type: LeafType, in snapshot: Snapshot) -> NodeRole {
        if node.header.isInner {
            return index == 0 ? NodeRole(.numbers(.plain), "offsets\(place)") : NodeRole(.values(type), title)
        }
        return leafPart(index, node, type, "element \(index)", in: snapshot)
    }

    /// Returns the role of a part of a leaf that consists of several nodes.
    private func leafPart(
        _ index: Int, _ node: Node, _ type: LeafType, _ element: String, in snapshot: Snapshot
    ) -> NodeRole {
        let part = Self.leafSlotName(index, type, of: node)
        let title = part.map { "\($0)\(place)" } ?? "\(element)\(place)"
        switch type {
        case .string, .binary, .legacyString, .legacyBinary:
            guard !node.header.isContext, index != 1 else { return NodeRole(.bytes, title) }
            return NodeRole(.numbers(index == 0 ? .bytes : .plain), title)
        case .timestamp:
            return NodeRole(index == 0 ? .values(.int(nullable: true)) : .numbers(.plain), title)
        case .mixed:
            switch MixedSlot(rawValue: index) {
            case .composites: return NodeRole(.numbers(.mixedTypes), title)
            case .strings: return NodeRole(.values(.string), title)
            case .collections:
                let types = (try? node.child(at: MixedSlot.composites.rawValue))
                    .flatMap { try? snapshot.fileSpace.node(at: $0) }.flatMap { try? $0.integers() }
                return NodeRole(.nestedCollections(types: types ?? .empty), title)
            default: return NodeRole(.numbers(.plain), title)
            }
        default:
            return NodeRole(.unknown, title)
        }
    }

    /// Returns the role of the collection at `index` in a Mixed leaf's list of collections, described by the value
    /// that refers to it.
    private func nestedCollection(_ index: Int, _ types: IntegerVector, in snapshot: Snapshot) -> NodeRole {
        for position in 0..<types.count {
            let composite = MixedComposite(types[unchecked: position])
            guard composite.payload == index, composite.slotNumber == MixedSlot.collections.rawValue else { continue }
            switch composite.type {
            case .list: return NodeRole(.values(.mixed), "list in value \(position)\(place)")
            case .dictionary: return snapshot.dictionaryRole(.string, "dictionary in value \(position)\(place)")
            default: continue
            }
        }
        return NodeRole(.unknown, "collection \(index)\(place)")
    }

    private func historyChild(_ index: Int, _ type: HistoryType?) -> NodeRole {
        guard type == .syncClient, let name = SyncClientHistorySlot(rawValue: index)?.words else {
            return NodeRole(.unknown, "part\(place)")
        }
        switch index {
        case 0, 13, 14: return NodeRole(.values(.binary), "\(name)\(place)")
        case 15, 16, 17: return NodeRole(.values(.int(nullable: false)), "\(name)\(place)")
        default: return NodeRole(.unknown, "\(name)\(place)")
        }
    }
}

extension Snapshot {
    /// Returns the role of a dictionary's root.
    func dictionaryRole(_ keyType: DictionaryKeyType, _ title: String) -> NodeRole {
        let keys: LeafType = keyType == .int ? .int(nullable: false) : .string
        return NodeRole(
            version.hasPairDictionaries ? .dictionary(keys: keys) : .entries(keys: keys, keyOffset: 0), title)
    }
}

extension CollectionKind {
    /// The key type of dictionaries; nil for other collections.
    var dictionaryKeys: DictionaryKeyType? {
        if case .dictionary(let type) = self { type } else { nil }
    }
}

extension Cluster {
    /// Description of the range of object keys.
    var keyRange: String {
        guard count > 0 else { return "no objects" }
        let (first, last) = (key(unchecked: 0), key(unchecked: count - 1))
        return count == 1 ? "object \(first)" : "objects \(first) to \(last)"
    }
}

extension NodeSpace {
    /// Returns the cluster in `node`; nil when it is not a cluster.
    func cluster(in node: Node, keyOffset: UInt64) -> Cluster? {
        do throws(FormatError) { return try Cluster(node, keyOffset: keyOffset, in: self) } catch { return nil }
    }

    /// Returns the inner node of a cluster tree in `node`; nil when it is not one.
    func innerCluster(in node: Node) -> ClusterInner? {
        do throws(FormatError) { return try ClusterInner(node, in: self) } catch { return nil }
    }
}

extension Node {
    /// Returns the ref in element `index`; nil when there is none.
    func child(at index: Int) throws(FormatError) -> Ref? {
        guard header.hasRefs, let element = try integers().element(at: index), case .ref(let ref) = Slot(element) else {
            return nil
        }
        return ref
    }
}
