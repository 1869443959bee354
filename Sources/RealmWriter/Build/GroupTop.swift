internal import RealmLayout

/// The top node of the group of a new file (Spec 70).
struct GroupTop {
    /// What every new file says of itself: the first commit of a program with a history in the file, and an empty history. So
    /// the SDKs open it without another commit (Spec 165).
    private static let commitNumber = 2

    let format: FormatVersion

    /// The version of the history's layout that releases with this format expect.
    private var historySchemaVersion: Int { format.number >= 24 ? 1 : 0 }

    /// Writes the node, which is the last of the file and holds its size.
    func write(names: Ref, tables: Ref, to nodes: NodeOutput) throws(WriteError) -> Ref {
        var slots = [Int64](repeating: 0, count: GroupTopSlot.syncFileIdentifier.rawValue + 1)
        func set(_ slot: GroupTopSlot, _ value: Int64) { slots[slot.rawValue] = value }
        set(.tableNames, Int64(names.offset))
        set(.tables, Int64(tables.offset))
        let gaps = nodes.gaps
        set(.freePositions, Int64(try nodes.integers(gaps.map { Int64($0.offset) }).offset))
        set(.freeLengths, Int64(try nodes.integers(gaps.map { Int64($0.size) }).offset))
        set(.freeVersions, Int64(try nodes.integers([Int64](repeating: 0, count: gaps.count)).offset))
        set(.version, tagged(Self.commitNumber))
        if format.isLegacy {
            // Histories had another place in releases of that time.
            slots.removeLast(slots.count - GroupTopSlot.historyType.rawValue)
        } else {
            set(.historyType, tagged(HistoryType.inRealm.rawValue))
            set(.historySchemaVersion, tagged(historySchemaVersion))
            set(.syncFileIdentifier, tagged(0))
        }
        // The largest size that the node can have decides on its width.
        var range = ValueRange()
        for slot in slots { range.add(slot) }
        let start = nodes.position
        range.add(tagged(start + NodeHeader.size + 8 * slots.count))
        let size = NodeHeader.size + (slots.count * range.width / 8 + 7) & ~7
        slots[GroupTopSlot.logicalFileSize.rawValue] = tagged(start + size)
        return try nodes.packed(slots, width: range.width, flags: NodeOutput.hasRefs)
    }
}
