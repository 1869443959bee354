package import RealmLayout
internal import RealmSystem

/// The bytes of a file, readable from any thread for as long as the source lives.
///
/// ```swift
/// print(Verification().run(on: try ByteSource(path: "broken.realm")).isSound)
/// ```
///
/// A file is mapped into memory read-only: opening costs the same for every size, only pages in use are read, and
/// nothing is ever written. If another process truncates a mapped file, reads beyond the new end are fatal to this
/// process (`SIGBUS`, a rule of the system). Read a file that is still in use from a private copy. The content of a
/// pipe is first copied into an unnamed file in the folder for temporary files (`TMPDIR`).
public final class ByteSource: Sendable {
    /// All bytes of the file. Not public because a view does not keep its source alive: `ByteSource(…).view` would be
    /// dangling before its first use.
    package let view: ByteView
    /// The file that this source has mapped; nil for bytes that nobody changes, or that have an owner.
    package let mappedFile: OpenedFile?
    /// The device of bytes that are changed in place; nil for other bytes.
    package let device: DeviceIdentity?
    /// The object that frees the bytes; nil if this source does.
    private let owner: (any AnyObject & Sendable)?

    /// Opens the file at `path`.
    ///
    /// - Throws: `StorageError` if the path cannot be opened, is a folder or a device, or cannot be mapped, or if the
    ///   copy of a pipe cannot be written.
    public convenience init(path: String) throws(StorageError) {
        try self.init(OpenedFile(path: path))
    }

    /// Opens the file at `path`.
    ///
    /// - Parameter keepsAccessTime: whether reading leaves the file's access time as it is, if the system allows that.
    /// - Throws: as `init(path:)`.
    package convenience init(path: String, keepsAccessTime: Bool) throws(StorageError) {
        try self.init(OpenedFile(path: path, keepsAccessTime: keepsAccessTime))
    }

    /// Maps an open file, or a copy of the rest of its content if it cannot be mapped.
    ///
    /// - Throws: `StorageError` if it cannot be read or mapped, or the copy cannot be written.
    package convenience init(_ file: OpenedFile) throws(StorageError) {
        try self.init(mapping: file.isMappable() ? file : file.unnamedCopyToEnd())
    }

    /// Maps an open file.
    ///
    /// - Throws: `StorageError` if it cannot be mapped.
    package convenience init(mapping file: OpenedFile) throws(StorageError) {
        let size = try file.size()
        guard size > 0 else {
            self.init(bytes: [])
            return
        }
        // Shared: the map shows the content of the file, also while another process writes it.
        let map = unsafe mmap(nil, size, PROT_READ, MAP_SHARED, file.descriptor, 0)
        guard let map = unsafe map, unsafe map != MAP_FAILED else { throw .last("cannot map", file.path) }
        self.init(view: unsafe ByteView(base: UnsafeRawPointer(map), count: size), mappedFile: file)
    }

    /// Copies `bytes`, padded with zeros to `size` bytes, for files whose end is missing. The copy is an unnamed
    /// temporary file in which the zeros take no space.
    ///
    /// - Throws: `StorageError` if the copy cannot be written or mapped.
    package convenience init(_ bytes: ByteView, paddedTo size: Int) throws(StorageError) {
        try self.init(mapping: OpenedFile.unnamed(holding: bytes, paddedTo: size))
    }

    /// Maps standard input if it is a file, or a copy of its content.
    ///
    /// - Throws: `StorageError` if reading or mapping fails, or the copy cannot be written.
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

    /// Wraps bytes of a device that exist as long as `owner` does.
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

    /// Populates one of several equal parts of the mapped pages, which takes half the time of faulting them in one by
    /// one. Pages that are not in memory are read from the disk.
    package func preparePages(_ part: Int, of parts: Int) {
        guard mappedFile != nil else { return }
        #if os(Linux)
            let step = (count / parts + Self.largestPage) & ~(Self.largestPage - 1)
            let start = min(part * step, count)
            let size = min(step, count - start)
            guard size > 0 else { return }
            // MADV_POPULATE_READ, since Linux 5.14. Older versions refuse it, which does no harm.
            let populateRead: Int32 = 22
            unsafe madvise(UnsafeMutableRawPointer(mutating: view.base + start), size, populateRead)
        #endif
    }

    /// An upper bound for the page size of all systems.
    private static var largestPage: Int { 1 << 16 }

    /// The number of bytes.
    public var count: Int { view.count }

    /// A copy of all bytes.
    public var bytes: [UInt8] { withExtendedLifetime(self) { view.bytes } }
}
