internal import CMiniZip
internal import RealmLayout
internal import RealmStorage

/// The databases in a ZIP archive in memory.
///
/// minizip reads the archive. It finds files by the list at its end, also if other bytes come first.
@safe
final class ZipArchive {
    /// The maximum number of files to look at.
    private static let mostFiles = 100_000
    private static let pieceSize = 1 << 16

    private let source: ByteSource
    private let memory: UnsafeMutablePointer<minizip_memory>
    private let file: unzFile
    private var places: [unz64_file_pos] = []
    /// The files that look like databases, by name or by content.
    private(set) var databases: [ArchiveEntry] = []
    /// The number of files that were looked at.
    private(set) var fileCount = 0
    /// Whether there are files that were not looked at: too many of them, or the list is damaged.
    private(set) var isIncomplete = false

    /// Opens an archive; nil when its list of files is lost.
    init?(_ source: ByteSource) {
        self.source = source
        unsafe memory = .allocate(capacity: 1)
        unsafe memory.initialize(
            to: minizip_memory(
                bytes: source.view.base.assumingMemoryBound(to: UInt8.self), size: ZPOS64_T(source.count), offset: 0))
        guard let opened = unsafe minizip_open(memory) else {
            unsafe memory.deallocate()
            return nil
        }
        unsafe file = opened
        findDatabases()
    }

    deinit {
        unsafe unzClose(file)
        unsafe memory.deallocate()
    }

    private func findDatabases() {
        var status = unsafe unzGoToFirstFile(file)
        while status == UNZ_OK {
            guard fileCount < Self.mostFiles else { break }
            fileCount += 1
            if var entry = entry(), entry.isNamedRealm || entry.obstacle == nil && beginsLikeRealm() {
                var place = unz64_file_pos()
                guard unsafe unzGetFilePos64(file, &place) == UNZ_OK else { break }
                entry.place = places.count
                places.append(place)
                databases.append(entry)
            }
            status = unsafe unzGoToNextFile(file)
        }
        isIncomplete = status != UNZ_END_OF_LIST_OF_FILE
    }

    /// The current file of the list; nil for a folder, or when its description is damaged.
    private func entry() -> ArchiveEntry? {
        var info = unz_file_info64()
        var name = [CChar](repeating: 0, count: ArchiveEntry.mostNameBytes)
        guard unsafe unzGetCurrentFileInfo64(file, &info, &name, uLong(name.count), nil, 0, nil, 0) == UNZ_OK else {
            return nil
        }
        let bytes = name.prefix(min(Int(clamping: info.size_filename), name.count)).prefix { $0 != 0 }
        let path = NativePath.text(bytes.map { UInt8(bitPattern: $0) })
        guard !path.isEmpty, !path.hasSuffix("/") else { return nil }
        return ArchiveEntry(
            name: path, size: Int(clamping: info.uncompressed_size),
            packedSize: Int(clamping: info.compressed_size),
            obstacle: Self.obstacle(flags: info.flag, method: info.compression_method))
    }

    private static func obstacle(flags: uLong, method: uLong) -> String? {
        if flags & 1 != 0 { return "is protected with a password" }
        if method == 0 || method == 8 { return nil }
        let names: [uLong: String] = [9: "Deflate64", 12: "bzip2", 14: "LZMA", 93: "Zstandard", 95: "xz"]
        return "is compressed with \(names[method] ?? "method \(method)")"
    }

    /// Whether the current file has the mark of a Realm file.
    private func beginsLikeRealm() -> Bool {
        guard unsafe unzOpenCurrentFile(file) == UNZ_OK else { return false }
        defer { _ = unsafe unzCloseCurrentFile(file) }
        var start = [UInt8](repeating: 0, count: FileHeader.size)
        guard unsafe unzReadCurrentFile(file, &start, UInt32(start.count)) == Int32(start.count) else { return false }
        return ByteView.with(start) { FileHeader($0)?.hasMnemonic ?? false }
    }

    /// Takes a file out of the archive.
    ///
    /// - Parameter limit: the maximum number of bytes.
    /// - Returns: the bytes, as far as they can be decompressed, and the reason why they are not as they were packed;
    ///   nil when there are more bytes.
    /// - Throws: `StorageError` when there is no room.
    func content(
        of entry: ArchiveEntry, limit: Int
    ) throws(StorageError) -> (bytes: ByteSource, problem: String?)? {
        let result = try TemporaryBytes()
        guard unsafe unzGoToFilePos64(file, &places[entry.place]) == UNZ_OK,
            unsafe unzOpenCurrentFile(file) == UNZ_OK
        else { return (try result.source(), "its place in the archive is damaged") }
        var isOpen = true
        defer { if isOpen { _ = unsafe unzCloseCurrentFile(file) } }
        let piece = UnsafeMutableRawPointer.allocate(byteCount: Self.pieceSize, alignment: 16)
        defer { unsafe piece.deallocate() }
        while true {
            let count = unsafe Int(unzReadCurrentFile(file, piece, UInt32(Self.pieceSize)))
            if count < 0 { return (try result.source(), "its data is damaged") }
            if count == 0 { break }
            guard result.count + count <= limit else { return nil }
            try result.append(unsafe ByteView(base: UnsafeRawPointer(piece), count: count))
        }
        isOpen = false
        let status = unsafe unzCloseCurrentFile(file)
        let problem =
            status == UNZ_CRCERROR
            ? "its checksum does not fit" : result.count < entry.size ? "its data ends too early" : nil
        return (try result.source(), problem)
    }
}
