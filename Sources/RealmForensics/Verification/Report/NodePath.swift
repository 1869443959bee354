internal import RealmCore
internal import RealmLayout

/// Derives the meaning of a node from the path to it, for names in findings only.
struct NodePath {
    private let levels: [OwnedNodeWalk.Level]

    init(_ levels: [OwnedNodeWalk.Level]) { self.levels = levels }

    /// The table, property and object of the node at the end of the path, as far as the path determines them.
    func place(in scope: SnapshotScope, _ tables: [Int: CheckedTable]) -> Finding.Place {
        var place = scope.place
        guard let first = levels.first else { return place }
        guard first.current == GroupTopSlot.tables.rawValue, levels.count > 1 else {
            place.property = GroupTopSlot(rawValue: first.current).map { "\($0)" }
            return place
        }
        let slot = levels[1].current
        let table = tables[slot]
        place.table = table?.name ?? "table \(slot)"
        guard levels.count > 2, let part = TableTopSlot(rawValue: levels[2].current) else { return place }
        guard part == .clusterTree || part == .tombstones else {
            place.property = "\(part)"
            return place
        }
        return inCluster(place, table, scope)
    }

    private func inCluster(_ start: Finding.Place, _ table: CheckedTable?, _ scope: SnapshotScope) -> Finding.Place {
        var place = start
        var level = 3
        var keyOffset: UInt64? = 0
        while level < levels.count, levels[level].node.header.isInner {
            let child = levels[level].current - ClusterInnerSlot.firstChild.rawValue
            guard child >= 0 else { return place }
            let offset = Self.keyOffset(RecordSlots(levels[level].elements), child, scope)
            keyOffset = keyOffset.flatMap { sum in offset.map { sum &+ $0 } }
            level += 1
        }
        guard level < levels.count, levels[level].current > 0 else { return place }
        let cluster = levels[level].elements
        let index = ClusterSlots.column(ofElement: levels[level].current)
        let column = table?.column(index: index)
        place.property = column?.name ?? "column \(index)"
        // In other leaves of several nodes, the first level does not have one node per object.
        guard level + 1 < levels.count, column?.leafType == .collections || column?.leafType == .backlinks,
            let keyOffset, let key = Self.relativeKey(cluster, levels[level + 1].current, scope)
        else { return place }
        place.objectKey = ObjectKey(Int64(bitPattern: keyOffset &+ key))
        return place
    }

    private static func keyOffset(_ slots: RecordSlots<ClusterInnerSlot>, _ child: Int, _ scope: SnapshotScope)
        -> UInt64?
    {
        switch slots[.keyOffsets] {
        case .ref(let ref): return scope.integers(ref)?.unsigned(at: child)
        case .tagged: return nil
        case .empty:
            guard let depth = slots.number(.depth), depth < 8 else { return nil }
            return UInt64(child) << (8 * depth)
        }
    }

    private static func relativeKey(_ cluster: IntegerVector, _ row: Int, _ scope: SnapshotScope) -> UInt64? {
        guard case .ref(let ref) = Slot(cluster[0]) else { return UInt64(row) }
        return scope.integers(ref)?.unsigned(at: row)
    }
}
