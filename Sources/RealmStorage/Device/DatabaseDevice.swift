package import RealmLayout

/// What a database that is changed in place lies on: a file, memory, or a disk of a test.
///
/// One writer calls the functions that change something; bytes that were mapped can be read on all threads meanwhile.
package protocol DatabaseDevice: AnyObject, Sendable {
    /// What it is called in messages.
    var path: String { get }

    /// The bytes that there are room for.
    ///
    /// - Throws: `StorageError`.
    func size() throws(StorageError) -> Int

    /// Begins a commit of a database of `size` bytes. What one before wrote that was not selected is forgotten.
    func begin(_ size: Int)

    /// Puts `bytes` at an offset, within the size. A commit writes no byte twice.
    ///
    /// - Throws: `StorageError`; any part of the bytes may have been written then.
    func write(_ bytes: ByteView, at offset: Int) throws(StorageError)

    /// Ends what a commit writes but for the header: all of it can be read.
    ///
    /// - Throws: as `write`.
    func finish() throws(StorageError)

    /// Makes room for `size` bytes. New ones are zeros, and their room is reserved, so that writing them does not fail for want
    /// of it.
    ///
    /// - Throws: `StorageError`; the device is as it was then, or larger.
    func grow(to size: Int) throws(StorageError)

    /// Waits until what was written is where a loss of power leaves it. Nothing that is written later comes before.
    ///
    /// - Throws: `StorageError`; what was written since the last call may or may not be there, and asking again tells nothing.
    func synchronize() throws(StorageError)

    /// Lets nothing that is written later come to the disk before what was written so far. It need not be there yet.
    ///
    /// - Throws: as `synchronize`.
    func order() throws(StorageError)

    /// The first `size` bytes, which the device has. What is written later shows in them.
    ///
    /// - Throws: `StorageError` when they cannot be mapped.
    func map(_ size: Int) throws(StorageError) -> ByteSource

    /// As `map`, with addresses for bytes behind them, as many as the device likes: they must not be read before it has them.
    func mapWithRoom(_ size: Int) throws(StorageError) -> ByteSource

    /// Lets the header lead to another root, after all that was written before.
    ///
    /// - Throws: `StorageError`; nobody knows then which of the two a loss of power leaves.
    func select(_ change: HeaderChange, waiting how: SelectionWait) throws(StorageError)

    /// Bytes that a loss of power may leave neither old nor new when they are written: a commit writes into none in which the
    /// commit before has something (Spec 220).
    var placementUnit: Int { get }

    /// Whether it still is the file of its name; true where it is none.
    var hasItsName: Bool { get }

    /// The data of an encrypted database; nil for a plain one.
    var pages: EncryptedPages? { get }
}

extension DatabaseDevice {
    package func begin(_ size: Int) {}

    package func finish() throws(StorageError) {}

    package func mapWithRoom(_ size: Int) throws(StorageError) -> ByteSource { try map(size) }

    /// The slot is written with the nodes, before the first wait: nobody looks at it before it is selected. Each step writes all of
    /// the header, so that none comes to the disk without those before. Where order is enough, the next commit brings the selection
    /// to the disk.
    package func select(_ change: HeaderChange, waiting how: SelectionWait) throws(StorageError) {
        var header = try map(FileHeader.size).bytes
        change.fillSlot(of: &header)
        try write(header, at: 0)
        try wait(for: how)
        change.selectSlot(of: &header)
        try write(header, at: 0)
        if how == .forDisk { try synchronize() }
    }

    /// Waits as a step of a selection does.
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

    /// Sectors of a disk are one or the other; what was there beside new nodes is written again as it was.
    package var placementUnit: Int { 8 }

    package var pages: EncryptedPages? { nil }

    package var hasItsName: Bool { true }
}

extension DatabaseDevice {
    /// Waiting is the surest order.
    package func order() throws(StorageError) { try synchronize() }
}

/// Tells the maps of one device from those of others, without keeping it open.
package final class DeviceIdentity: Sendable {
    /// The first of the devices that the content was on.
    private let first: DeviceIdentity?

    /// - Parameter former: the device that the content was on before; nil for new content.
    package init(replacing former: DeviceIdentity? = nil) { first = former.map { $0.first ?? $0 } }

    /// Whether one has the content of the other, from another time, or in another place.
    package func hasHistory(of other: DeviceIdentity) -> Bool { (first ?? self) === (other.first ?? other) }
}
