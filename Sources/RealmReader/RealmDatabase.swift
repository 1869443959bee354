public import RealmLayout
public import RealmStorage

/// An opened Realm file: its header, and the way to its snapshots. Never writes.
///
/// ```swift
/// let database = try RealmDatabase(path: "kennel.realm")
/// for table in try database.snapshot().classes {
///     print(table.name, try table.count)
/// }
/// ```
public final class RealmDatabase: Sendable {
    /// The 24 bytes at the start of the file.
    public let header: FileHeader
    /// The size of the file in bytes.
    public let fileSize: Int
    private let source: ByteSource
    /// What the file was like before anything of it was read; nil for bytes of our own.
    private let mark: CommitMark?

    /// Opens the file at `path` by mapping it into memory.
    ///
    /// - Throws: `StorageError` when the file cannot be opened, `FormatError` when it is not a Realm file that can be
    ///   read; its code tells what it is instead.
    public convenience init(path: String) throws {
        try self.init(source: ByteSource(path: path))
    }

    /// Opens a file that is in memory.
    ///
    /// - Throws: `FormatError` when the bytes are not a Realm file that can be read.
    public convenience init(bytes: [UInt8]) throws(FormatError) {
        try self.init(source: ByteSource(bytes: bytes))
    }

    /// Opens a file whose bytes are already at hand.
    ///
    /// - Throws: `FormatError` when the bytes are not a Realm file that can be read.
    public init(source: ByteSource) throws(FormatError) {
        mark = try CommitMark.now(of: source)
        header = try FileDiagnosis(source.view).header()
        fileSize = source.view.count
        self.source = source
    }

    /// Proves that what has been read so far is of one commit, while another process may be writing the file.
    ///
    /// - Throws: `fileChanged` when a commit ended, or the file was replaced in place or cut off, since it was opened.
    public func checkUnchanged() throws(FormatError) { try mark?.check(source) }

    /// Whether the file has the streaming form, which copies and compacted files have.
    public var isStreaming: Bool { header.isStreaming }

    /// Opens the snapshot that a slot of the header leads to.
    ///
    /// - Throws: `FormatError`: `truncated` or `badGroup` when the slot does not lead to a database, `noOtherSlot` when
    ///   there is no other commit, `unknownFormat` by the slot's format.
    public func snapshot(_ selection: SnapshotSelection = .current) throws(FormatError) -> Snapshot {
        let slot = selection == .current ? header.selectedSlot : 1 - header.selectedSlot
        let found = header.slots[slot]
        if selection == .other {
            guard found.topRef != 0 else {
                throw FormatError(.noOtherSlot, at: slot * 8, "slot \(slot) is empty: there is no other commit")
            }
        }
        let topRef = try topRef(ofSlot: slot)
        try checkFormat(of: slot, isEmpty: topRef == 0)
        guard topRef != 0 else {
            return try Snapshot(source: source, mark: mark, version: found.format, slot: slot, topRef: nil)
        }
        guard topRef & 7 == 0, topRef >= UInt64(FileHeader.size) else {
            let reason = topRef & 7 == 0 ? "is inside of the file header" : "is not a multiple of 8"
            throw FormatError(.badRef, at: slot * 8, "the top ref 0x\(String(topRef, radix: 16)) \(reason)")
        }
        guard topRef <= UInt64(max(0, fileSize - NodeHeader.size)) else {
            throw FormatError(
                .truncated, at: slot * 8,
                "the top ref 0x\(String(topRef, radix: 16)) is outside of the file (\(fileSize) bytes): "
                    + "the file has probably been cut off")
        }
        return try Snapshot(source: source, mark: mark, version: found.format, slot: slot, topRef: Ref(Int(topRef)))
    }

    /// The top ref of a slot, from the footer when the slot says so.
    private func topRef(ofSlot slot: Int) throws(FormatError) -> UInt64 {
        let topRef = header.slots[slot].topRef
        guard slot == 0, topRef == FileHeader.streamingMarker else { return topRef }
        let footer = fileSize - FileHeader.footerSize
        guard footer >= FileHeader.size else {
            throw FormatError(.truncated, at: 0, "\(fileSize) bytes are too few for a file in streaming form")
        }
        guard source.view.uint64(unchecked: footer + 8) == FileHeader.footerCookie else {
            if !header.isStreaming {
                throw FormatError(
                    .noOtherSlot, at: 0, "slot 0 is left over from the streaming form: there is no other commit")
            }
            throw FormatError(
                .truncated, at: footer,
                "the footer of the streaming form is missing: the file has been cut off or something was added to it")
        }
        return source.view.uint64(unchecked: footer)
    }

    private func checkFormat(of slot: Int, isEmpty: Bool) throws(FormatError) {
        let format = header.slots[slot].format
        guard !format.isClustered, !format.isLegacy, !(isEmpty && format.number == 0) else { return }
        throw FormatError(
            .unknownFormat, at: FileHeader.Offset.format0.rawValue + slot,
            "unknown file format \(format); known are 2 to 9, 10, 11 and 20 to 24")
    }
}
