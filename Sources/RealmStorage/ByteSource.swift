package import RealmLayout

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// The bytes of a file, readable from any thread for as long as the source lives.
///
/// A path is mapped into memory read-only: opening costs the same for every size, only pages that are used are read,
/// and nothing is ever written. While a file is mapped, another process that truncates it makes reads beyond the new
/// end fatal to this process (`SIGBUS`, by the system's rules); copy a file that is still in use before reading it,
/// or open it with `copying: true`.
public final class ByteSource: Sendable {
    /// All bytes of the file. Not public, because a view does not keep its source alive: `ByteSource(…).view` would
    /// be gone before it is used.
    package let view: ByteView
    private let isMapped: Bool

    /// Opens the file at `path`.
    ///
    /// - Parameter copying: read the whole file into memory instead of mapping it.
    /// - Throws: `StorageError` when the path cannot be opened, is a folder, or cannot be mapped.
    public convenience init(path: String, copying: Bool = false) throws(StorageError) {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .last("cannot open", path) }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw .last("cannot open", path) }
        switch status.st_mode & S_IFMT {
        case S_IFDIR:
            throw StorageError(code: EISDIR, action: "cannot open", path: path)
        case S_IFREG where !copying && status.st_size > 0:
            let size = Int(status.st_size)
            let map = unsafe mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0)
            guard let map = unsafe map, unsafe map != MAP_FAILED else { throw .last("cannot map", path) }
            self.init(view: unsafe ByteView(base: UnsafeRawPointer(map), count: size), isMapped: true)
        default:
            // Pipes and devices cannot be mapped.
            self.init(bytes: try Self.readAll(descriptor, path: path))
        }
    }

    /// Reads standard input to its end.
    ///
    /// - Throws: `StorageError` when reading fails.
    public static func standardInput() throws(StorageError) -> ByteSource {
        ByteSource(bytes: try readAll(0, path: "standard input"))
    }

    /// Copies `bytes`.
    public convenience init(bytes: [UInt8]) {
        self.init(view: .copy(of: bytes), isMapped: false)
    }

    private init(view: ByteView, isMapped: Bool) {
        self.view = view
        self.isMapped = isMapped
    }

    deinit {
        if isMapped {
            unsafe munmap(UnsafeMutableRawPointer(mutating: view.base), view.count)
        } else {
            unsafe view.deallocateCopy()
        }
    }

    /// The number of bytes.
    public var count: Int { view.count }

    /// A copy of all bytes.
    public var bytes: [UInt8] { withExtendedLifetime(self) { view.bytes } }

    /// Reads `descriptor` to its end.
    private static func readAll(_ descriptor: Int32, path: String) throws(StorageError) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = unsafe read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .last("cannot read", path) }
            if count == 0 { return bytes }
            bytes.append(contentsOf: chunk[..<count])
        }
    }
}
