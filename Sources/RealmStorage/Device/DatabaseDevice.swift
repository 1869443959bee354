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

    /// Puts `bytes` at an offset, within the size.
    ///
    /// - Throws: `StorageError`; any part of the bytes may have been written then.
    func write(_ bytes: ByteView, at offset: Int) throws(StorageError)

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
