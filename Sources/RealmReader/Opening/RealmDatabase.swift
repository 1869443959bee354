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
    package let header: FileHeader
    /// The size of the file in bytes.
    public let fileSize: Int
    /// The size of what is in the file: less than `fileSize` when it is encrypted. What offsets mean.
    public let dataSize: Int
    package let data: DatabaseImage
    /// What the file was like before anything of it was read; nil for bytes of our own.
    private let mark: CommitMark?

    /// Opens the file at `path` by mapping it into memory.
    ///
    /// Of a file that another process cuts off meanwhile, reading what is gone ends this process with SIGBUS, as with all
    /// mapped files: of files that others write to, open a `ByteSource.privateCopy`.
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
        (data, header) = try DatabaseImage.plain(source)
        (fileSize, dataSize) = (source.count, source.count)
    }

    /// Opens the encrypted file at `path`.
    ///
    /// - Parameters:
    ///   - key: the key that the app gave the file.
    ///   - decryptedLimit: bytes of decrypted pages to keep in memory, about.
    /// - Throws: `StorageError` when the file cannot be opened; `FormatError` when it is not a Realm file that can be read:
    ///   `wrongKey`, `wrongCipherKey` when only the second half of the key is right, `notEncrypted`, and others.
    public convenience init(
        path: String, key: EncryptionKey, decryptedLimit: Int = RealmDatabase.defaultDecryptedLimit
    ) throws {
        try self.init(source: ByteSource(path: path), key: key, decryptedLimit: decryptedLimit)
    }

    /// Opens an encrypted file whose bytes are already at hand.
    ///
    /// Pages are decrypted when they are needed, after their authentication codes were checked. Those that were used last
    /// are kept up to the limit; more only while somebody is reading them.
    ///
    /// - Throws: as `init(path:key:decryptedLimit:)`.
    public init(
        source: ByteSource, key: EncryptionKey, decryptedLimit: Int = RealmDatabase.defaultDecryptedLimit
    ) throws {
        mark = try CommitMark.now(of: source)
        (data, header) = try DatabaseImage.encrypted(source, key, limit: decryptedLimit)
        (fileSize, dataSize) = (source.count, data.view.count)
    }

    /// Opens what lies on a device that this process changes in place.
    ///
    /// - Throws: as `init(source:)` or `init(source:key:decryptedLimit:)`.
    package init(on device: any DatabaseDevice) throws {
        mark = nil
        if let pages = device.pages {
            (data, header) = try DatabaseImage.encrypted(pages)
            fileSize = pages.file.geometry.fileSize
        } else {
            (data, header) = try DatabaseImage.plain(device.map(device.size()))
            fileSize = data.source.count
        }
        dataSize = data.view.count
    }

    /// The same database with dates of formats 2 to 4 in milliseconds, as Realm JavaScript before 0.13 wrote them.
    package var withMillisecondDates: RealmDatabase { RealmDatabase(self) }

    private init(_ other: RealmDatabase) {
        (header, fileSize, dataSize, mark) = (other.header, other.fileSize, other.dataSize, other.mark)
        var data = other.data
        data.hasMillisecondDates = true
        self.data = data
    }

    /// Bytes of decrypted pages that are kept unless one says otherwise: 64 MiB.
    public static let defaultDecryptedLimit = EncryptedPages.defaultLimit

    /// Whether the file is encrypted.
    public var isEncrypted: Bool { data.pages != nil }

    /// How the file is encrypted; nil when it is not.
    package var encryption: Encryption? { data.pages.map { Encryption($0) } }

    /// Proves that what has been read so far is of one commit, while another process may be writing the file.
    ///
    /// - Throws: `fileChanged` when a commit ended, or the file was replaced in place or cut off, since it was opened.
    public func checkUnchanged() throws(FormatError) { try mark?.check(data.source) }

    /// Whether the file has the streaming form, which copies and compacted files have.
    public var isStreaming: Bool { header.isStreaming }

    /// Opens the snapshot that a slot of the header leads to.
    ///
    /// - Parameter toleratingDamage: whether the snapshot of a file in which some tables cannot be read has the others;
    ///   its `damage` tells what is missing then.
    /// - Throws: `FormatError`: `truncated` or `badGroup` when the slot does not lead to a database, `noOtherSlot` when
    ///   there is no other commit, `unknownFormat` by the slot's format; what keeps a table from being read, unless that is
    ///   tolerated.
    public func snapshot(
        _ selection: SnapshotSelection = .current, toleratingDamage: Bool = false
    ) throws(FormatError) -> Snapshot {
        do {
            return try open(selection).checked(toleratingDamage)
        } catch  where error.code == .truncated && encryption?.strayBytes ?? 0 > 0 {
            throw FormatError(
                .truncated, at: error.offset,
                "\(error.detail) (the encrypted file has \(fileSize) bytes, which is not a multiple of 4096)")
        } catch {
            throw error
        }
    }

    private func open(_ selection: SnapshotSelection) throws(FormatError) -> Snapshot {
        let slot = selection == .current ? header.selectedSlot : 1 - header.selectedSlot
        let found = header.slots[slot]
        if selection == .otherSlot {
            guard found.topRef != 0 else {
                throw .emptySlot(slot)
            }
        }
        let topRef = try topRef(ofSlot: slot)
        try checkFormat(of: slot, isEmpty: topRef == 0)
        guard topRef != 0 else {
            return try Snapshot(data: data, mark: mark, version: found.format, slot: slot, topRef: nil)
        }
        guard let root = Ref(nodeAt: topRef, in: dataSize) else {
            throw data.overwrittenSlot(slot) ?? misplaced(topRef, slot)
        }
        var data = data
        if selection == .otherSlot { data.newestCommit = currentCommit }
        return try Snapshot(data: data, mark: mark, version: found.format, slot: slot, topRef: root)
    }

    /// The number of the commit that the header selects; nil when it cannot be read.
    private var currentCommit: UInt64? {
        let slot = header.selectedSlot
        guard let topRef = try? topRef(ofSlot: slot), let root = Ref(nodeAt: topRef, in: dataSize) else { return nil }
        let version = header.slots[slot].format
        return data.reading { (try? Group(at: root, in: data, version: version))?.commitNumber }
    }

    /// That no root is where a top ref leads.
    private func misplaced(_ topRef: UInt64, _ slot: Int) -> FormatError {
        let name = "the top ref 0x\(String(topRef, radix: 16))"
        if topRef & 7 != 0 { return FormatError(.badRef, at: slot * 8, "\(name) is not a multiple of 8") }
        if topRef < UInt64(FileHeader.size) {
            return FormatError(.badRef, at: slot * 8, "\(name) is inside of the file header")
        }
        return FormatError(
            .truncated, at: slot * 8,
            "\(name) is outside of the file (\(dataSize) bytes): the file has probably been cut off")
    }

    /// The top ref of a slot, from the footer when the slot says so.
    private func topRef(ofSlot slot: Int) throws(FormatError) -> UInt64 {
        let topRef = header.slots[slot].topRef
        guard slot == 0, topRef == FileHeader.streamingMarker else { return topRef }
        let footer = dataSize - FileHeader.footerSize
        guard footer >= FileHeader.size else {
            throw FormatError(.truncated, at: 0, "\(dataSize) bytes are too short for a file in streaming form")
        }
        if let pages = data.pages { try PageAccess(pages, pins: true).admit(footer, FileHeader.footerSize) }
        guard let streamed = FileHeader.streamedTopRef(in: data.view) else {
            if !header.isStreaming {
                throw .slotOfStreamingForm(slot)
            }
            throw data.overwrittenSlot(slot) ?? .missingFooter(at: footer)
        }
        return streamed
    }

    private func checkFormat(of slot: Int, isEmpty: Bool) throws(FormatError) {
        let format = header.slots[slot].format
        guard !format.isClustered, !format.isLegacy, !(isEmpty && format.number == 0) else { return }
        throw FormatError(
            .unknownFormat, at: FileHeader.Offset.format0.rawValue + slot,
            "unknown file format \(format); known are 2 to 9, 10, 11 and 20 to 24")
    }
}

extension FormatError {
    /// That the slot of the commit before is empty.
    package static func emptySlot(_ slot: Int) -> FormatError {
        FormatError(.noOtherSlot, at: slot * 8, "slot \(slot) is empty: there is no other commit")
    }

    /// That nothing was ever written to a database.
    package static var emptyDatabase: FormatError {
        FormatError(.noCommit, "the database is empty, and there is no trace of a commit")
    }

    /// That a file in streaming form does not end with its footer.
    package static func missingFooter(at offset: Int) -> FormatError {
        FormatError(
            .truncated, at: max(0, offset),
            "the footer of the streaming form is missing: the file has been cut off or something was added to it")
    }

    /// That the slot of the commit before holds the mark of a form that the file had once.
    package static func slotOfStreamingForm(_ slot: Int) -> FormatError {
        FormatError(
            .noOtherSlot, at: slot * 8,
            "slot \(slot) is left over from the streaming form: there is no other commit")
    }
}
