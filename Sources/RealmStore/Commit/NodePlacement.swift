internal import RealmCore
internal import RealmLayout
internal import RealmStorage

/// Writes the nodes of a transaction to their places in the database, children before their parents (Spec 220).
final class NodePlacement: NodePlaces {
    private let device: any DatabaseDevice
    private(set) var free: FreeSpace
    /// The maximum number of bytes still to be placed.
    private var expected: Int
    /// The size of the device.
    private var room: Int

    /// - Parameter expected: the approximate number of bytes in all nodes.
    init(_ device: any DatabaseDevice, _ free: FreeSpace, expecting expected: Int) throws(StorageError) {
        self.device = device
        self.free = free
        self.expected = expected
        room = try device.size()
    }

    func take(_ size: Int) throws(WriteError) -> Int {
        let offset = free.take(size, expecting: expected)
        expected = max(0, expected - size)
        do throws(StorageError) { try makeRoom() } catch { throw .storage(error) }
        return offset
    }

    func write(_ nodes: ByteView, at offset: Int) throws(StorageError) { try device.write(nodes, at: offset) }

    /// Grows the device to the size of the database.
    private func makeRoom() throws(StorageError) {
        guard room < free.logicalSize else { return }
        try device.grow(to: free.logicalSize)
        room = free.logicalSize
    }
}

extension NodeOutput {
    /// Writes the nodes below a ref to this output, children before their parents, if it refers to a node of a
    /// transaction.
    ///
    /// - Returns: the new place of the node.
    /// - Throws: errors of reading nodes and of writing.
    func place(_ ref: Ref, of space: NodeSpace) throws -> Ref {
        guard ref.offset >= NodeSpace.overlayStart else { return ref }
        let node = try space.node(at: ref)
        guard node.header.hasRefs else { return try copy(node.body) }
        // Most children of large nodes stay where they are.
        var placed = node.elements.elements
        for index in placed.indices where placed[index] >= NodeSpace.overlayStart {
            guard case .ref(let child) = Slot(placed[index]) else { continue }
            placed[index] = Int64(try place(child, of: space).offset)
        }
        let flags = node.header.flags & (NodeHeader.Mask.inner | NodeHeader.Mask.hasRefs | NodeHeader.Mask.context)
        return try integers(placed, flags: flags)
    }
}
