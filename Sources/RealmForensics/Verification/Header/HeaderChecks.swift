internal import RealmCore
package import RealmLayout

/// Checks the file as a whole and its header (H; Spec 10), which requires no nodes.
package struct HeaderChecks {
    /// The target of a header slot.
    package enum Target: Equatable {
        /// A position that should be a root.
        case root(UInt64)
        /// None: the slot was never used.
        case empty
        /// None any more: the slot still contains the mark of the streaming form.
        case streamingMark
        /// None: the footer of the streaming form is missing.
        case lostFooter
    }

    /// More unused space than this at the end of the file is left over from something.
    private static let usualTail = 64 << 10
    /// The smallest page size of machines that run Realm Core.
    private static let page = 4096
    /// All released formats.
    private static let known = FormatVersion.clustered + FormatVersion.legacy

    let file: ByteView
    let sink: FindingSink

    package init(file: ByteView, sink: FindingSink) {
        self.file = file
        self.sink = sink
    }

    /// The header; nil when there is none, in which case nothing else can be checked.
    package func header() -> FileHeader? {
        guard let header = FileHeader(file) else {
            sink.report(.sizeMinimum, at: 0, "the file has \(file.count) bytes, the header alone has 24")
            return nil
        }
        if file.count % 8 != 0 {
            sink.report(.sizeAlignment, at: file.count, "the size of \(file.count) bytes is not a multiple of 8")
        }
        guard header.hasMnemonic else {
            sink.report(.mnemonic, at: FileHeader.Offset.mnemonic.rawValue, "bytes 16 to 19 are not T-DB")
            return nil
        }
        checkFlags(header)
        checkFormats(header)
        checkEmptySlot(header)
        // Without a footer, the slot itself is damaged.
        if header.isStreaming, header.slots[1].topRef != 0, DatabaseImage.overwrittenSlot(0, in: file) == nil {
            sink.report(
                .streamShape, as: .warning, at: FileHeader.Offset.topRef1.rawValue,
                "slot 0 marks the streaming form, but slot 1 is not 0")
        }
        return header
    }

    /// The target of a header slot.
    package func target(ofSlot slot: Int, _ header: FileHeader) -> Target {
        let topRef = header.slots[slot].topRef
        guard topRef != 0 else { return .empty }
        guard slot == 0, topRef == FileHeader.streamingMarker else { return .root(topRef) }
        guard header.isStreaming else { return .streamingMark }
        let footer = file.count - FileHeader.footerSize
        guard footer % 8 == 0, let root = FileHeader.streamedTopRef(in: file) else {
            if let error = DatabaseImage.overwrittenSlot(slot, in: file) {
                sink.report(.topAlignment, at: slot * 8, error.detail)
                return .lostFooter
            }
            sink.report(
                .streamShape, at: max(0, footer),
                "the file has the streaming form, but does not end with its footer")
            return .lostFooter
        }
        if root != 0, root >= UInt64(footer) {
            sink.report(
                .streamShape, at: footer, "the footer leads to 0x\(String(root, radix: 16)), beyond the footer itself")
            return .lostFooter
        }
        return root == 0 ? .empty : .root(root)
    }

    /// Checks the bytes beyond the database, whose size the root states.
    func checkTail(logicalSize: Int, isStreaming: Bool) {
        guard logicalSize <= file.count else { return }
        if isStreaming {
            let footer = file.count - FileHeader.footerSize
            var offset = logicalSize
            while offset < footer, file[offset] == 0 { offset += 1 }
            if offset < footer {
                sink.report(
                    .streamTail, at: offset, "there are other bytes than zeros between the database and the footer")
            } else if logicalSize > footer {
                sink.report(.streamTail, at: footer, "the database is said to reach into the footer")
            } else if logicalSize < footer, file.count % Self.page != 0 {
                sink.report(
                    .streamTail, as: .info, at: logicalSize, "there are \(footer - logicalSize) zeros before the footer"
                )
            }
            return
        }
        let tail = file.count - logicalSize
        if tail > Self.usualTail {
            sink.report(
                .physicalSize, as: .warning, at: logicalSize,
                "\(tail) bytes follow the database: left over from a growth or a compaction that was not completed")
        } else if file.count % Self.page != 0, logicalSize != file.count {
            sink.report(
                .physicalSize, at: logicalSize,
                "the size of \(file.count) bytes is neither that of the database nor whole pages")
        }
    }

    private func checkFlags(_ header: FileHeader) {
        if header.reserved != 0 {
            sink.report(
                .reservedFlags, at: FileHeader.Offset.reserved.rawValue,
                "the reserved byte is 0x\(String(header.reserved, radix: 16))")
        }
        if header.flags & 0xFE != 0 {
            sink.report(
                .reservedFlags, at: FileHeader.Offset.flags.rawValue,
                "the flags are 0x\(String(header.flags, radix: 16)), of which only the lowest bit has a meaning")
        }
    }

    private func checkFormats(_ header: FileHeader) {
        let selected = header.slots[header.selectedSlot]
        let offset = FileHeader.Offset.format0.rawValue + header.selectedSlot
        if selected.format.number == 0 {
            // The streaming form of an empty database also has format 0; a missing footer is reported separately.
            let streamed = FileHeader.streamedTopRef(in: file) ?? 0
            let isEmpty = (header.isStreaming ? streamed : selected.topRef) == 0
            if !isEmpty { sink.report(.formatKnown, at: offset, "the format is 0, but the slot leads to a root") }
        } else if !Self.known.contains(selected.format) {
            sink.report(.formatKnown, at: offset, "the format \(selected.format) was never released")
        }
        let other = header.slots[1 - header.selectedSlot].format
        if other.number != 0, other > selected.format || !Self.known.contains(other) {
            sink.report(
                .formatPair, at: FileHeader.Offset.format0.rawValue + 1 - header.selectedSlot,
                Self.known.contains(other)
                    ? "the other slot has format \(other), the selected one \(selected.format)"
                    : "the other slot has format \(other), which was never released")
        }
    }

    private func checkEmptySlot(_ header: FileHeader) {
        guard let other = header.topRefBesideEmptySlot else { return }
        sink.report(
            .topZero, at: header.selectedSlot * 8,
            "the selected slot is empty, but the other one leads to 0x\(String(other, radix: 16))")
    }
}
