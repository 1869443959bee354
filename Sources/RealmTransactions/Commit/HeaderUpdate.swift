internal import RealmLayout
internal import RealmStorage

/// The steps in which the header of a database changes (Spec 10, 220).
enum HeaderUpdate {
    /// Lets a slot lead to a root.
    static func write(
        _ root: Ref, format: UInt8, slot: Int, to device: any DatabaseDevice
    ) throws(StorageError) {
        let top = slot == 0 ? FileHeader.Offset.topRef0 : .topRef1
        let number = slot == 0 ? FileHeader.Offset.format0 : .format1
        try write(UInt64(root.offset).littleEndianBytes, at: top, to: device)
        try write([format], at: number, to: device)
    }

    /// Selects a slot.
    static func select(_ slot: Int, flags: UInt8, on device: any DatabaseDevice) throws(StorageError) {
        try write([flags & ~1 | UInt8(slot)], at: .flags, to: device)
    }

    private static func write(
        _ bytes: [UInt8], at offset: FileHeader.Offset, to device: any DatabaseDevice
    ) throws(StorageError) {
        try ByteView.with(bytes) { view throws(StorageError) in try device.write(view, at: offset.rawValue) }
    }
}
