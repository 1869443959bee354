package import RealmLayout

/// A change of the header that makes it refer to another root (Spec 10, 220).
package struct HeaderChange: Sendable {
    private let root: Ref
    private let format: UInt8
    private let slot: Int

    /// Describes writing `root` into a slot and selecting that slot.
    package init(_ root: Ref, format: UInt8, slot: Int) { (self.root, self.format, self.slot) = (root, format, slot) }

    /// Writes the root into the slot, in bytes that begin with a header.
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

/// How the steps of a header change wait.
package enum SelectionWait: Sendable {
    /// For the disk: a loss of power leaves one of the two roots, and after the last step the new one.
    case forDisk
    /// Only for order: the disk does not swap the steps.
    case forOrder
    case never
}
