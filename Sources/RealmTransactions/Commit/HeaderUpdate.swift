internal import RealmLayout
internal import RealmStorage

/// The steps in which the header of a database changes (Spec 10, 220). Each writes all of it, so that no step comes to the disk
/// without those before.
enum HeaderUpdate {
    /// Lets a slot lead to a root.
    static func write(
        _ root: Ref, format: UInt8, slot: Int, to device: any DatabaseDevice
    ) throws(StorageError) {
        let top = slot == 0 ? FileHeader.Offset.topRef0 : .topRef1
        let number = slot == 0 ? FileHeader.Offset.format0 : .format1
        try change(device) { bytes in
            bytes.replaceSubrange(top.rawValue..<top.rawValue + 8, with: UInt64(root.offset).littleEndianBytes)
            bytes[number.rawValue] = format
        }
    }

    /// Selects a slot.
    static func select(_ slot: Int, on device: any DatabaseDevice) throws(StorageError) {
        try change(device) { bytes in
            let flags = FileHeader.Offset.flags.rawValue
            bytes[flags] = bytes[flags] & ~1 | UInt8(slot)
        }
    }

    /// The header as it is now.
    static func header(of device: any DatabaseDevice) throws(StorageError) -> FileHeader {
        let source = try device.map(FileHeader.size)
        guard let header = FileHeader(source.view) else { throw .withoutHeader(device.path) }
        return header
    }

    private static func change(_ device: any DatabaseDevice, _ body: (inout [UInt8]) -> Void) throws(StorageError) {
        let source = try device.map(FileHeader.size)
        var bytes = source.view.bytes
        body(&bytes)
        try ByteView.with(bytes) { view throws(StorageError) in try device.write(view, at: 0) }
    }
}
