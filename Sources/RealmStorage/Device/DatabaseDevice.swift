package import RealmLayout

/// The storage of a database that is changed in place: a file, memory, or a disk of a test.
///
/// A single writer calls the functions that change something. Mapped bytes can be read on all threads meanwhile.
package protocol DatabaseDevice: AnyObject, Sendable {
    /// Its name in messages.
    var path: String { get }

    /// The number of bytes that there is room for.
    ///
    /// - Throws: `StorageError`.
    func size() throws(StorageError) -> Int

    /// Begins a commit of a database of `size` bytes. Writes of an earlier commit that was not selected are discarded.
    func begin(_ size: Int)

    /// Writes `bytes` at an offset within the size. A commit writes no byte twice.
    ///
    /// - Throws: `StorageError`; any part of the bytes may have been written.
    func write(_ bytes: ByteView, at offset: Int) throws(StorageError)

    /// Ends the writes of a commit, except for the header. All of it can then be read.
    ///
    /// - Throws: as `write`.
    func finish() throws(StorageError)

    /// Makes room for `size` bytes. New bytes are zeros, and their space is reserved, so that writing them does not
    /// fail for lack of space.
    ///
    /// - Throws: `StorageError`; the device is unchanged, or larger.
    func grow(to size: Int) throws(StorageError)

    /// Waits until everything written survives a loss of power. Later writes reach the disk after it.
    ///
    /// - Throws: `StorageError`; writes since the last call may or may not be on the disk, and calling again does not
    ///   find out.
    func synchronize() throws(StorageError)

    /// Orders writes: later ones reach the disk after all earlier ones. Does not wait until those are there.
    ///
    /// - Throws: as `synchronize`.
    func order() throws(StorageError)

    /// Maps the first `size` bytes, which must exist. Later writes show in the map.
    ///
    /// - Throws: `StorageError` if they cannot be mapped.
    func map(_ size: Int) throws(StorageError) -> ByteSource

    /// As `map`, with reserved addresses after these bytes, as many as the device likes. They must not be read before
    /// the device has grown to them.
    func mapWithRoom(_ size: Int) throws(StorageError) -> ByteSource

    /// Makes the header refer to another root, after all earlier writes.
    ///
    /// - Throws: `StorageError`; either root may then survive a loss of power.
    func select(_ change: HeaderChange, waiting how: SelectionWait) throws(StorageError)

    /// The unit that a loss of power may leave neither old nor new while it is written. A commit writes into no unit
    /// that the previous commit uses (Spec 220).
    var placementUnit: Int { get }

    /// Whether the file is still the one at its path; true for devices that are not files.
    var hasItsName: Bool { get }

    /// The data of an encrypted database; nil for an unencrypted one.
    var pages: EncryptedPages? { get }
}

extension DatabaseDevice {
    package func begin(_ size: Int) {}

    package func finish() throws(StorageError) {}

    package func mapWithRoom(_ size: Int) throws(StorageError) -> ByteSource { try map(size) }

    /// The slot is written with the nodes, before the first wait: it is not read before it is selected. Each step
    /// writes the whole header, so that none reaches the disk without those before it. If order is enough, the next
    /// commit brings the selection to the disk.
    package func select(_ change: HeaderChange, waiting how: SelectionWait) throws(StorageError) {
        var header = try map(FileHeader.size).bytes
        change.fillSlot(of: &header)
        try write(header, at: 0)
        try wait(for: how)
        change.selectSlot(of: &header)
        try write(header, at: 0)
        if how == .forDisk { try synchronize() }
    }

    /// Waits as a step of a selection requires.
    func wait(for how: SelectionWait) throws(StorageError) {
        switch how {
        case .forDisk: try synchronize()
        case .forOrder: try order()
        case .never: break
        }
    }

    private func write(_ bytes: [UInt8], at offset: Int) throws(StorageError) {
        try ByteView.with(bytes) { view throws(StorageError) in try write(view, at: offset) }
    }

    /// Sectors of a disk are either old or new. Bytes beside new nodes are rewritten unchanged.
    package var placementUnit: Int { 8 }

    package var pages: EncryptedPages? { nil }

    package var hasItsName: Bool { true }
}

extension DatabaseDevice {
    /// Waiting also guarantees order.
    package func order() throws(StorageError) { try synchronize() }
}

/// Identifies the maps of one device, without keeping it open.
package final class DeviceIdentity: Sendable {
    /// The identity of the first device that had the content.
    private let first: DeviceIdentity?

    /// - Parameter former: the previous device of the content; nil for new content.
    package init(replacing former: DeviceIdentity? = nil) { first = former.map { $0.first ?? $0 } }

    /// Whether both have the same content, at different times or in different places.
    package func hasHistory(of other: DeviceIdentity) -> Bool { (first ?? self) === (other.first ?? other) }
}
