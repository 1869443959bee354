package import RealmLayout
internal import RealmSystem

/// The bytes of a file, readable from any thread for as long as the source lives.
///
/// ```swift
/// print(Verification().run(on: try ByteSource(path: "broken.realm")).isSound)
/// ```
///
/// A file is mapped into memory read-only: opening costs the same for every size, only pages that are used are read,
/// and nothing is ever written. While a file is mapped, another process that truncates it makes reads beyond the new
/// end fatal to this process (`SIGBUS`, by the system's rules): read a file that is still in use from a private copy.
/// What comes through a pipe is copied into a file without a name first, in the folder for temporary files (`TMPDIR`).
public final class ByteSource: Sendable {
    /// All bytes of the file. Not public, because a view does not keep its source alive: `ByteSource(…).view` would
    /// be gone before it is used.
    package let view: ByteView
    /// The file behind a map of our own; nil for bytes that nobody changes, or that have an owner.
    package let mappedFile: OpenedFile?
    /// What the bytes are mapped from, if they are changed in place; nil for others.
    package let device: DeviceIdentity?
    /// Who gives the bytes back; nil where this source does.
    private let owner: (any AnyObject & Sendable)?

    /// Opens the file at `path`.
    ///
    /// - Throws: `StorageError` when the path cannot be opened, is a folder or a device, or cannot be mapped, or the copy of
    ///   what a pipe holds cannot be written.
    public convenience init(path: String) throws(StorageError) {
        try self.init(OpenedFile(path: path))
    }

    /// Maps a file that is open, or a copy of what is still to come from it, if it cannot be mapped.
    ///
    /// - Throws: `StorageError` when it cannot be read or mapped, or the copy cannot be written.
    package convenience init(_ file: OpenedFile) throws(StorageError) {
        try self.init(mapping: file.isMappable() ? file : file.unnamedCopyToEnd())
    }

    /// Maps a file that is open.
    ///
    /// - Throws: `StorageError` when it cannot be mapped.
    package convenience init(mapping file: OpenedFile) throws(StorageError) {
        let size = try file.size()
        guard size > 0 else {
            self.init(bytes: [])
            return
        }
        // Shared: what the map shows is what is in the file, also while another process writes it.
        let map = unsafe mmap(nil, size, PROT_READ, MAP_SHARED, file.descriptor, 0)
        guard let map = unsafe map, unsafe map != MAP_FAILED else { throw .last("cannot map", file.path) }
        self.init(view: unsafe ByteView(base: UnsafeRawPointer(map), count: size), mappedFile: file)
    }

    /// Copies `bytes` and as many zeros as make `size` bytes: for files whose end is missing. The copy is a temporary file
    /// without a name, in which the zeros take no room.
    ///
    /// - Throws: `StorageError` when the copy cannot be written or mapped.
    package convenience init(_ bytes: ByteView, paddedTo size: Int) throws(StorageError) {
        try self.init(mapping: OpenedFile.unnamed(holding: bytes, paddedTo: size))
    }

    /// Maps the file that is standard input, or a copy of what comes through it.
    ///
    /// - Throws: `StorageError` when reading or mapping fails, or the copy cannot be written.
    public static func standardInput() throws(StorageError) -> ByteSource {
        try ByteSource(OpenedFile.standardInput())
    }

    /// Copies `bytes`.
    public convenience init(bytes: [UInt8]) {
        self.init(view: .copy(of: bytes), mappedFile: nil)
    }

    /// Copies `words`, whose bytes are in little-endian order.
    package convenience init(words: [UInt64]) {
        self.init(view: .copy(ofWords: words), mappedFile: nil)
    }

    /// Bytes of a device that are there as long as `owner` is.
    package convenience init(
        _ view: ByteView, of owner: any AnyObject & Sendable, on device: DeviceIdentity? = nil
    ) {
        self.init(view: view, mappedFile: nil, owner: owner, device: device)
    }

    private init(
        view: ByteView, mappedFile: OpenedFile?, owner: (any AnyObject & Sendable)? = nil,
        device: DeviceIdentity? = nil
    ) {
        self.device = device
        self.view = view
        self.mappedFile = mappedFile
        self.owner = owner
    }

    deinit {
        if owner != nil { return }
        if mappedFile != nil {
            unsafe munmap(UnsafeMutableRawPointer(mutating: view.base), view.count)
        } else {
            unsafe view.deallocateCopy()
        }
    }

    /// Asks the system to make one of several equal parts of a mapped file's pages ready to be read, which takes half the
    /// time of doing so page by page as they are touched. Reads them from the disk where they are not in memory.
    package func preparePages(_ part: Int, of parts: Int) {
        guard mappedFile != nil else { return }
        #if os(Linux)
            let step = (count / parts + Self.largestPage) & ~(Self.largestPage - 1)
            let start = min(part * step, count)
            let size = min(step, count - start)
            guard size > 0 else { return }
            // MADV_POPULATE_READ, since Linux 5.14; older ones refuse, and nothing is lost.
            let populateRead: Int32 = 22
            unsafe madvise(UnsafeMutableRawPointer(mutating: view.base + start), size, populateRead)
        #endif
    }

    /// No system's pages are larger.
    private static var largestPage: Int { 1 << 16 }

    /// The number of bytes.
    public var count: Int { view.count }

    /// A copy of all bytes.
    public var bytes: [UInt8] { withExtendedLifetime(self) { view.bytes } }
}
