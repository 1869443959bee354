internal import RealmCore
internal import RealmLayout

/// The root of a commit, as the base of the next one (Spec 70).
struct DatabaseRoot {
    let ref: Ref
    let top: Record<GroupTopSlot>
    let logicalSize: Int
    let version: UInt64
    let space: NodeSpace

    /// Slots of records hold 63 bits.
    private static let lastVersion: UInt64 = 1 << 62

    /// Opens the root of a snapshot that will be changed.
    ///
    /// - Throws: `FormatError` if it is damaged.
    init(_ group: Group) throws(FormatError) {
        let space = group.space
        ref = group.topRef
        self.space = space
        top = try Record<GroupTopSlot>(at: ref, in: space)
        logicalSize = space.bytes.count
        version = group.commitNumber
        guard version < Self.lastVersion else {
            throw FormatError(.badGroup, at: group.topRef.offset, "the commit number \(version) has no next one")
        }
    }

    /// The tables by their slots.
    func tables() throws(FormatError) -> [Slot] {
        let refs = try space.node(at: top.requiredRef(.tables)).refs()
        return (0..<refs.count).map { Slot(refs[unchecked: $0]) }
    }

    /// Releases the nodes that every commit rewrites: the root, the lists of free space, and the history, which nobody
    /// can follow any more.
    func releaseFrame(_ released: inout FreedNodes) throws(FormatError) {
        released.add(top.node)
        for slot in [GroupTopSlot.freePositions, .freeLengths, .freeVersions] {
            try released.add(top.ref(slot), in: space)
        }
        if let history = try top.ref(.history) { try released.add(allBelow: history, in: space) }
        if let evacuation = top.slots.ref(.evacuationPoint) { try released.add(evacuation, in: space) }
    }
}
