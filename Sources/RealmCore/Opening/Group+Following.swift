internal import RealmLayout

// The tables of a commit whose predecessor is known: their descriptions are usually the same.
extension Group {
    /// Returns the tables, reusing everything unchanged since the previous commit.
    ///
    /// - Parameters:
    ///   - base: the previous commit, whose nodes all still exist.
    ///   - cores: all of its tables.
    /// - Returns: nil when columns, tables or their names differ, or the nodes of a transaction have been moved.
    /// - Throws: errors from opening nodes.
    func tables(
        following base: Group, _ cores: ByTable<TableDescription>
    ) throws(FormatError) -> ByTable<TableDescription>? {
        guard space.hasOverlay(of: base.space) else { return nil }
        let (roots, rootsBefore) = (try self.roots(), try base.roots())
        guard roots.names == rootsBefore.names else { return nil }
        let refs = try space.node(at: roots.tables).refs()
        var following: ByTable<TableDescription> = []
        following.reserveCapacity(cores.count)
        for slot in 0..<refs.count {
            guard case .ref(let ref) = Slot(refs[unchecked: slot]) else { continue }
            guard following.count < cores.count else { return nil }
            let core = cores[following.endIndex]
            guard core.schema.key.slot == slot, let same = try core.following(at: ref, in: space, base.space) else {
                return nil
            }
            following.append(same)
        }
        return following.count == cores.count ? following : nil
    }
}

extension TableDescription {
    /// The slots of a table's top that determine its columns.
    private static let describing: [TableTopSlot] = [
        .spec, .tableKey, .oppositeTables, .oppositeColumns, .primaryKeyColumn, .flags,
    ]

    /// Returns the table in a later commit; nil when its columns differ.
    ///
    /// - Parameter spaceBefore: the space of this table.
    fileprivate func following(
        at ref: Ref, in space: NodeSpace, _ spaceBefore: NodeSpace
    ) throws(FormatError) -> TableDescription? {
        guard !hasDistinctStrings else { return nil }
        var (root, tombstoneRoot) = (objects.root, tombstones?.root)
        if ref != topRef {
            let top = try Record<TableTopSlot>(at: ref, in: space)
            let before = try Record<TableTopSlot>(at: topRef, in: spaceBefore)
            guard Self.describing.allSatisfy({ top.slots[$0] == before.slots[$0] }) else { return nil }
            (root, tombstoneRoot) = (try top.requiredRef(.clusterTree), try top.ref(.tombstones))
        }
        return TableDescription(self, at: ref, objects: root, tombstones: tombstoneRoot, in: space)
    }
}
