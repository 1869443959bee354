/// The 24 bytes at the start of every file (Spec 10).
@usableFromInline
package struct FileHeader: Equatable, Sendable {
    /// Size of the header in bytes.
    @usableFromInline package static let size = 24
    /// Size of the footer of the streaming form in bytes: top ref and cookie.
    package static let footerSize = 16
    /// `T-DB`, as the little-endian number at `Offset.mnemonic`.
    package static let mnemonic: UInt32 = 0x4244_2D54
    /// The content of slot 0 in the streaming form.
    package static let streamingMarker = UInt64.max
    /// The last eight bytes of a file in streaming form.
    package static let footerCookie: UInt64 = 0x3034_1252_37E5_26C8

    /// Byte offsets of the fields.
    package enum Offset: Int, CaseIterable {
        case topRef0 = 0
        case topRef1 = 8
        case mnemonic = 16
        case format0 = 20
        case format1 = 21
        case reserved = 22
        case flags = 23
    }

    /// One of the two commit slots.
    package struct Slot: Equatable, Sendable {
        /// The number in the slot: a ref to a group's top node, 0, or all ones (streaming form).
        package let topRef: UInt64
        /// The format of the snapshot that the slot leads to; 0 for none.
        package let format: FormatVersion
    }

    /// The slots 0 and 1.
    package let slots: [Slot]
    /// The byte at offset 22; written as 0.
    package let reserved: UInt8
    /// The byte at offset 23: bit 0 selects the current slot.
    package let flags: UInt8
    /// Whether bytes 16-19 are `T-DB`.
    package let hasMnemonic: Bool

    /// The index of the current slot: 0 or 1.
    package var selectedSlot: Int { Int(flags & 1) }
    /// Whether the file has the streaming form: its top ref is in a footer at the end.
    package var isStreaming: Bool { selectedSlot == 0 && slots[0].topRef == Self.streamingMarker }
    /// The top ref of the other slot when the selected one is 0, a state that no writer leaves (Spec H04); nil
    /// otherwise.
    package var topRefBesideEmptySlot: UInt64? {
        let other = slots[1 - selectedSlot].topRef
        return slots[selectedSlot].topRef == 0 && other != 0 ? other : nil
    }

    /// Reads the header, or returns nil when there are fewer than 24 bytes.
    package init?(_ bytes: ByteView) {
        guard bytes.count >= Self.size else { return nil }
        func slot(_ top: Offset, _ format: Offset) -> Slot {
            Slot(topRef: bytes.uint64(unchecked: top.rawValue), format: FormatVersion(bytes[format.rawValue]))
        }
        slots = [slot(.topRef0, .format0), slot(.topRef1, .format1)]
        reserved = bytes[Offset.reserved.rawValue]
        flags = bytes[Offset.flags.rawValue]
        hasMnemonic = bytes.uint32(unchecked: Offset.mnemonic.rawValue) == Self.mnemonic
    }
}

extension FileHeader {
    /// Returns the top ref in the footer of a file in streaming form; nil when the file has no such footer.
    ///
    /// - Parameter bytes: the whole file, of which only the last 16 bytes are read.
    package static func streamedTopRef(in bytes: ByteView) -> UInt64? {
        let footer = bytes.count - footerSize
        guard footer >= size, bytes.uint64(unchecked: footer + 8) == footerCookie else { return nil }
        return bytes.uint64(unchecked: footer)
    }

    /// Returns the 24 bytes of a header that selects slot 0.
    ///
    /// - Parameters:
    ///   - selected: the root of the current commit and its format.
    ///   - other: those of the previous commit; nil for none.
    package static func bytes(
        selecting selected: (root: Ref, format: FormatVersion), other: (root: Ref, format: FormatVersion)? = nil
    ) -> [UInt8] {
        selected.root.offset.littleEndianBytes + (other?.root.offset ?? 0).littleEndianBytes
            + mnemonic.littleEndianBytes + [selected.format.number, other?.format.number ?? 0, 0, 0]
    }
}
