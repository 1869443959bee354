internal import RealmLayout

// Traces of other programs in a file: bytes over the header, and bytes in front of it (Spec 160).
extension FileDiagnosis {
    /// The error for a slot that does not hold a ref of this file, as when foreign bytes were written over it, in a
    /// header that still has its mnemonic; nil when there is no sign of that. Only meaningful when the slot leads
    /// nowhere.
    func overwritten(_ slot: Int) -> FormatError? {
        guard isPlain, let header = FileHeader(bytes) else { return nil }
        let first = slot * Self.slotSize
        if let record = tlsRecord, record.offset < first + Self.slotSize, record.end > first {
            return FormatError(
                .overwrittenHeader, at: record.offset,
                "slot \(slot) of the header is overwritten with foreign bytes (\(record.name) at offset \(record.offset))"
            )
        }
        return wordsAgainstRef(in: slot, header).map {
            FormatError(
                .overwrittenHeader, at: first, "slot \(slot) of the header does not hold a ref of this file: \($0)")
        }
    }

    /// The reason why the number in a slot is not a ref; nil when it may lead to a root, or may have led to one before
    /// the file was truncated.
    private func wordsAgainstRef(in slot: Int, _ header: FileHeader) -> String? {
        let topRef = header.slots[slot].topRef
        if slot == 0, topRef == FileHeader.streamingMarker {
            // In the streaming form slot 1 is empty, and the file ends with a footer.
            guard header.isStreaming, header.slots[1].topRef != 0, FileHeader.streamedTopRef(in: bytes) == nil else {
                return nil
            }
            return "it has the mark of the streaming form, but slot 1 is in use, and there is no footer"
        }
        let number = "0x" + String(topRef, radix: 16)
        if topRef & 7 != 0 { return "\(number) is not a multiple of 8" }
        if topRef != 0, topRef < UInt64(FileHeader.size) { return "\(number) is inside the header" }
        let limit = max(Self.mostCutOff, bytes.count.multipliedReportingOverflow(by: Self.leastLeft).partialValue)
        return topRef > UInt64(limit) ? "\(number) is far beyond its end (\(bytes.count) bytes)" : nil
    }

    /// Refs up to this limit may point into the lost part of any truncated file; of files beyond 16 GiB a sizeable part
    /// remains.
    private static let mostCutOff = 16 << 30
    /// The largest assumed ratio of original to truncated size.
    private static let leastLeft = 64

    private static var slotSize: Int { 8 }

    /// A TLS record that begins in the header: the most common foreign bytes, because a connection and the file used
    /// the same descriptor in succession.
    private var tlsRecord: (offset: Int, end: Int, name: String)? {
        let names: [UInt8: String] = [
            0x14: "a TLS record of a change of ciphers", 0x15: "a TLS alert record", 0x16: "a TLS handshake record",
            0x17: "a TLS data record", 0x18: "a TLS heartbeat record",
        ]
        for offset in 0..<(FileHeader.size - 5) where offset + 5 <= bytes.count {
            let length = Int(bytes[offset + 3]) << 8 | Int(bytes[offset + 4])
            guard let name = names[bytes[offset]], bytes[offset + 1] == 3, bytes[offset + 2] <= 4,
                (1...(1 << 14 + 2048)).contains(length)
            else { continue }
            return (offset, offset + 5 + length, name)
        }
        return nil
    }

    /// The number of bytes in front of a Realm file that begins inside this one; nil when none is found.
    ///
    /// Work: one comparison per byte of the first 64 MiB.
    var bytesInFront: Int? {
        guard bytes.count > FileHeader.size else { return nil }
        var offset = 1
        while offset <= min(Self.mostInFront, bytes.count - FileHeader.size) {
            let mnemonic = bytes.uint32(unchecked: offset + FileHeader.Offset.mnemonic.rawValue)
            if mnemonic == FileHeader.mnemonic, isFile(at: offset) { return offset }
            offset += 1
        }
        return nil
    }

    private static let mostInFront = 64 << 20

    /// Whether a header is there whose selected slot leads to a node with refs, or to the footer of the streaming form.
    private func isFile(at offset: Int) -> Bool {
        guard let file = bytes.slice(at: offset, count: bytes.count - offset), let header = FileHeader(file),
            header.hasMnemonic
        else { return false }
        let slot = header.slots[header.selectedSlot]
        guard slot.format.isClustered || slot.format.isLegacy else { return false }
        // Data after the file hides the footer; the position of the first node is sufficient evidence.
        guard !header.isStreaming else {
            return file.count >= 32 && file.uint32(unchecked: FileHeader.size) == NodeHeader.dummyChecksum
        }
        guard let root = Ref(nodeAt: slot.topRef, in: file.count) else { return false }
        let node = NodeHeader(word: file.uint64(unchecked: root.offset))
        return node.hasRefs && !node.isInner
    }
}
