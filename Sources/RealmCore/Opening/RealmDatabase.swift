public import RealmLayout
public import RealmStorage

/// An opened Realm file: its header and access to its snapshots. Never writes.
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
    /// The size of the data in the file, less than `fileSize` when it is encrypted. Offsets refer to this data.
    public let dataSize: Int
    package let data: DatabaseImage
    /// The state of the file before anything was read; nil for bytes that nobody else can change.
    private let mark: CommitMark?

    /// Opens the file at `path` by mapping it into memory.
    ///
    /// If another process truncates the file, reading the missing part ends this process with SIGBUS, as with all
    /// mapped files. For files that are being written, open a `ByteSource.privateCopy`.
    ///
    /// - Throws: `StorageError` when the file cannot be opened, `FormatError` when it is not a readable Realm file; the
    ///   code identifies the actual kind of file.
    public convenience init(path: String) throws {
        try self.init(source: ByteSource(path: path))
    }

    /// Opens a file in memory.
    ///
    /// - Throws: `FormatError` when the bytes are not a readable Realm file.
    public convenience init(bytes: [UInt8]) throws(FormatError) {
        try self.init(source: ByteSource(bytes: bytes))
    }

    /// Opens a file from an existing source.
    ///
    /// - Throws: `FormatError` when the bytes are not a readable Realm file.
    public init(source: ByteSource) throws(FormatError) {
        mark = try CommitMark.now(of: source)
        (data, header) = try DatabaseImage.plain(source)
        (fileSize, dataSize) = (source.count, source.count)
    }

    /// Opens the encrypted file at `path`.
    ///
    /// - Parameters:
    ///   - key: the key that the app uses for the file.
    ///   - decryptedLimit: the approximate number of bytes of decrypted pages to keep in memory.
    /// - Throws: `StorageError` when the file cannot be opened; `FormatError` when it is not a readable Realm file:
    ///   `wrongKey`, `wrongCipherKey` when only the second half of the key is right, `notEncrypted`, and others.
    public convenience init(
        path: String, key: EncryptionKey, decryptedLimit: Int = RealmDatabase.defaultDecryptedLimit
    ) throws {
        try self.init(source: ByteSource(path: path), key: key, decryptedLimit: decryptedLimit)
    }

    /// Opens an encrypted file from an existing source.
    ///
    /// Pages are decrypted on demand, after verification of their authentication codes. The most recently used ones are
    /// kept up to the limit, which is exceeded only while they are being read.
    ///
    /// - Throws: the same errors as `init(path:key:decryptedLimit:)`.
    public init(
        source: ByteSource, key: EncryptionKey, decryptedLimit: Int = RealmDatabase.defaultDecryptedLimit
    ) throws {
        mark = try CommitMark.now(of: source)
        (data, header) = try DatabaseImage.encrypted(source, key, limit: decryptedLimit)
        (fileSize, dataSize) = (source.count, data.view.count)
    }

    /// Opens the database on a device that this process changes in place.
    ///
    /// - Throws: the same errors as `init(source:)` or `init(source:key:decryptedLimit:)`.
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

    /// The same database with dates of formats 2 to 4 in milliseconds, as written by Realm JavaScript before 0.13.
    package var withMillisecondDates: RealmDatabase { RealmDatabase(self) }

    private init(_ other: RealmDatabase) {
        (header, fileSize, dataSize, mark) = (other.header, other.fileSize, other.dataSize, other.mark)
        var data = other.data
        data.hasMillisecondDates = true
        self.data = data
    }

    /// The default limit for decrypted pages: 64 MiB.
    public static let defaultDecryptedLimit = EncryptedPages.defaultLimit

    /// Whether the file is encrypted.
    public var isEncrypted: Bool { data.pages != nil }

    /// The encryption of the file; nil when it is not encrypted.
    package var encryption: Encryption? { data.pages.map { Encryption($0) } }

    /// Verifies that everything read so far belongs to one commit, while another process may be writing the file.
    ///
    /// - Throws: `fileChanged` when a commit ended, or the file was replaced in place or truncated, since it was
    ///   opened.
    public func checkUnchanged() throws(FormatError) { try mark?.check(data.source) }

    /// Whether the file has the streaming form, as copies and compacted files do.
    public var isStreaming: Bool { header.isStreaming }

    /// Opens the snapshot that a slot of the header leads to.
    ///
    /// - Parameter toleratingDamage: whether unreadable tables are omitted from the snapshot instead of causing an
    ///   error; `damage` then lists the reasons.
    /// - Throws: `FormatError`: `truncated` or `badGroup` when the slot does not lead to a database, `noOtherSlot` when
    ///   there is no other commit, `unknownFormat` depending on the slot's format; the reason why a table cannot be
    ///   read, unless that is tolerated.
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

    /// The error for a top ref that does not lead to a root.
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

    /// The top ref of a slot; read from the footer in the streaming form.
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
    /// The slot of the previous commit is empty.
    package static func emptySlot(_ slot: Int) -> FormatError {
        FormatError(.noOtherSlot, at: slot * 8, "slot \(slot) is empty: there is no other commit")
    }

    /// Nothing was ever written to the database.
    package static var emptyDatabase: FormatError {
        FormatError(.noCommit, "the database is empty, and there is no trace of a commit")
    }

    /// A file in streaming form does not end with its footer.
    package static func missingFooter(at offset: Int) -> FormatError {
        FormatError(
            .truncated, at: max(0, offset),
            "the footer of the streaming form is missing: the file has been cut off or something was added to it")
    }

    /// The slot of the previous commit holds the mark of the streaming form that the file once had.
    package static func slotOfStreamingForm(_ slot: Int) -> FormatError {
        FormatError(
            .noOtherSlot, at: slot * 8,
            "slot \(slot) is left over from the streaming form: there is no other commit")
    }
}
