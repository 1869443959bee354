package import RealmLayout

/// How the header of a database changes so that it leads to another root (Spec 10, 220).
package struct HeaderChange: Sendable {
    private let root: Ref
    private let format: UInt8
    private let slot: Int

    /// Puts `root` into a slot and selects that.
    package init(_ root: Ref, format: UInt8, slot: Int) { (self.root, self.format, self.slot) = (root, format, slot) }

    /// Lets the slot lead to the root, in bytes that begin with a header.
    func fillSlot(of bytes: inout [UInt8]) {
        let top = (slot == 0 ? FileHeader.Offset.topRef0 : .topRef1).rawValue
        bytes.replaceSubrange(top..<top + 8, with: UInt64(root.offset).littleEndianBytes)
        bytes[(slot == 0 ? FileHeader.Offset.format0 : .format1).rawValue] = format
    }

    /// Selects the slot.
    func selectSlot(of bytes: inout [UInt8]) {
        let flags = FileHeader.Offset.flags.rawValue
        bytes[flags] = bytes[flags] & ~1 | UInt8(slot)
    }
}

/// What the steps of a change of the header wait for.
package enum SelectionWait: Sendable {
    /// For the disk, so that a loss of power leaves one root or the other, and when all is done the new one.
    case forDisk
    /// For nothing but that the disk keeps their order.
    case forOrder
    case never
}
