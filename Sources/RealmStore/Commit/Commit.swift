internal import RealmCore
internal import RealmLayout
internal import RealmStorage

/// One commit: from the nodes of a transaction to the bit in the header that selects them (Spec 220).
struct Commit {
    let device: any DatabaseDevice
    let base: DatabaseRoot
    /// The space that must not be overwritten.
    let needed: PinnedSpace
    /// The point at which the commit is on the disk.
    let durability: RealmStore.Durability

    /// The result of writing a commit.
    struct Result {
        let root: Ref
        let logicalSize: Int
    }

    /// Writes the commit, which is invisible before `select`.
    ///
    /// - Parameters:
    ///   - names: the list of table names.
    ///   - tables: the list of tables.
    ///   - space: the space of both.
    ///   - size: the approximate number of bytes of the transaction's nodes that are needed.
    ///   - released: the nodes of the base that are not part of the commit.
    /// - Throws: errors of reading, writing and memory; the database has not changed then.
    func write(
        names: Ref, tables: Ref, in space: NodeSpace, size: Int, released: FreedNodes
    ) throws -> Result {
        var released = released
        device.begin(base.logicalSize)
        try base.releaseFrame(&released)
        let list = try base.top.freeList(in: base.space)
        let free = try FreeSpace(list, logicalSize: base.logicalSize, needed, unit: device.placementUnit, at: base.ref)
        let placement = try NodePlacement(device, free, expecting: size)
        let nodes = NodeOutput(in: placement)
        var top = RecordBuilder<GroupTopSlot>(count: GroupTopSlot.syncFileIdentifier.rawValue + 1)
        top[.tableNames] = .ref(try nodes.place(names, of: space))
        top[.tables] = .ref(try nodes.place(tables, of: space))
        top[.version] = .tagged(base.version + 1)
        top[.historyType] = .number(HistoryType.inRealm.rawValue)
        top[.historySchemaVersion] = .number(1)
        top[.syncFileIdentifier] = .tagged(base.top.slots.number(.syncFileIdentifier) ?? 0)
        let root = try writeFrame(&top, released, placement, nodes)
        try nodes.end()
        try device.finish()
        return Result(root: root, logicalSize: placement.free.logicalSize)
    }

    /// Writes the lists of free space, followed by the root. They are the last nodes of a commit, because they describe
    /// their own position.
    private func writeFrame(
        _ top: inout RecordBuilder<GroupTopSlot>, _ released: FreedNodes, _ placement: NodePlacement,
        _ nodes: NodeOutput
    ) throws -> Ref {
        let version = Int64(base.version + 1)
        // At most two more entries than before: the rests of the block taken here, and of the chunk that it is taken
        // from.
        let most = placement.free.count + released.chunks.count + 6
        let block = Self.mostBytes(
            ofFrame: most, top.elements.count, limit: placement.free.logicalSize, version: version)
        let start = try placement.take(block)
        let entries = try placement.free.all(
            released.chunks, version: version, andFree: FreeSpace.Chunk(start: start, size: block), exceptBefore: start)
        // The widths fit the largest possible numbers: the actual ones depend on the rest of the block.
        let limit = Int64(placement.free.logicalSize)
        let widths = [limit, entries.lazy.map { Int64($0.chunk.size) }.max() ?? 0, version].map { number in
            var range = ValueRange()
            range.add(number)
            return range.width
        }
        let sizes = widths.map { NodeHeader.size + (entries.count * $0 + 63) / 64 * 8 }
        var topRange = ValueRange()
        for element in top.elements { topRange.add(element) }
        topRange.add(Slot.number(Int(limit)).element)
        let topSize = NodeHeader.size + (top.elements.count * topRange.width + 63) / 64 * 8
        let used = sizes.reduce(topSize, +)
        var (positions, lengths, versions): ([Int64], [Int64], [Int64]) = ([], [], [])
        positions.reserveCapacity(entries.count)
        lengths.reserveCapacity(entries.count)
        versions.reserveCapacity(entries.count)
        for entry in entries {
            let taken = entry.chunk.start == start ? used : 0
            positions.append(Int64(entry.chunk.start + taken))
            lengths.append(Int64(entry.chunk.size - taken))
            versions.append(entry.version)
        }
        let lists = [positions, lengths, versions]
        try nodes.end()
        let frame = NodeOutput(in: FixedPlaces(device, at: start))
        var refs: [Ref] = []
        for (list, width) in zip(lists, widths) { refs.append(try frame.packed(list, width: width, flags: 0)) }
        top[.freePositions] = .ref(refs[0])
        top[.freeLengths] = .ref(refs[1])
        top[.freeVersions] = .ref(refs[2])
        top[.logicalFileSize] = .number(Int(limit))
        let root = try frame.packed(top.elements, width: topRange.width, flags: NodeOutput.hasRefs)
        try frame.end()
        return root
    }

    /// The maximum number of bytes of the root and of lists of `count` entries.
    ///
    /// - Parameter limit: the size of the database before it may have to grow for them.
    private static func mostBytes(ofFrame count: Int, _ slots: Int, limit: Int, version: Int64) -> Int {
        var range = ValueRange()
        // It never grows by this much for lists that describe its own space.
        range.add(Int64(limit) * 4 + Int64(Limits.sectionSize))
        var versions = ValueRange()
        versions.add(version)
        let list = { (width: Int) in NodeHeader.size + (count * width + 63) / 64 * 8 }
        return 2 * list(range.width) + list(versions.width) + NodeHeader.size + 8 * slots + 8
    }

    /// Makes the new root current: writes it into the slot that is not selected, then selects that slot.
    ///
    /// - Throws: `StorageError`; either state may be on the disk, which only opening the database again shows.
    func select(_ root: Ref, _ header: FileHeader) throws(StorageError) {
        try device.select(HeaderChange(root, format: 24, slot: 1 - header.selectedSlot), waiting: durability.wait)
    }
}

/// Consecutive positions in a block that was taken in advance.
final class FixedPlaces: NodePlaces {
    private let device: any DatabaseDevice
    private var next: Int

    init(_ device: any DatabaseDevice, at start: Int) {
        self.device = device
        next = start
    }

    func take(_ size: Int) throws(WriteError) -> Int {
        defer { next += size }
        return next
    }

    func write(_ nodes: ByteView, at offset: Int) throws(StorageError) { try device.write(nodes, at: offset) }
}
