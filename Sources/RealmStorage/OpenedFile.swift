internal import RealmLayout
internal import RealmSystem

/// A file or pipe opened for reading. It stays the same even if its name is removed or replaced.
package final class OpenedFile: Sendable {
    package let descriptor: Int32
    package let path: String

    /// Takes ownership of `descriptor`, which is closed with this object.
    init(descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    /// Opens the file at `path`.
    ///
    /// - Parameter keepsAccessTime: whether reading leaves the file's access time as it is, if the system allows that.
    /// - Throws: `StorageError` if the path cannot be opened, or is a folder or a device, which may have no end.
    package convenience init(path: String, keepsAccessTime: Bool = false) throws(StorageError) {
        // Others than the owner of the file may not ask for that.
        let keeps = keepsAccessTime && Self.canKeepAccessTime(path)
        try self.init(path, keeps ? O_RDONLY | Self.noAccessTime : O_RDONLY)
    }

    /// Whether the file at `path` can be read without a change of its access time: on Linux by its owner.
    package static func canKeepAccessTime(_ path: String) -> Bool {
        #if os(Linux)
            // A pipe must not be opened twice.
            var found = stat()
            guard unsafe stat(path.native, &found) == 0, found.st_mode & S_IFMT == S_IFREG else { return true }
            do throws(StorageError) {
                _ = try OpenedFile(path, O_RDONLY | noAccessTime)
                return true
            } catch {
                // Other errors are those of reading.
                return error.code != EPERM
            }
        #else
            return false
        #endif
    }

    /// `O_NOATIME`, which the headers have for GNU programs only.
    private static var noAccessTime: Int32 { 0o1000000 }

    /// Opens the file at `path` for reading and writing.
    ///
    /// - Throws: as `init(path:)`.
    convenience init(changing path: String) throws(StorageError) { try self.init(path, O_RDWR) }

    private convenience init(_ path: String, _ mode: Int32) throws(StorageError) {
        let descriptor = unsafe open(path.native, mode | O_CLOEXEC)
        guard descriptor >= 0 else { throw .last("cannot open", path) }
        self.init(descriptor: descriptor, path: path)
        switch try status().st_mode & S_IFMT {
        case S_IFDIR: throw StorageError(code: EISDIR, action: "cannot open", path: path)
        case S_IFCHR, S_IFBLK: throw StorageError(code: ENODEV, action: "cannot open", path: path)
        default: break
        }
    }

    deinit { close(descriptor) }

    /// Whether it has a size and can be mapped, unlike a pipe, and is positioned at its beginning, which standard input
    /// need not be.
    package func isMappable() throws(StorageError) -> Bool {
        try status().st_mode & S_IFMT == S_IFREG && lseek(descriptor, 0, SEEK_CUR) == 0
    }

    /// The current size in bytes.
    package func size() throws(StorageError) -> Int { Int(try status().st_size) }

    /// Whether a path leads to this file.
    func isAt(_ path: String) -> Bool {
        var (own, found) = (stat(), stat())
        guard unsafe fstat(descriptor, &own) == 0, unsafe stat(path.native, &found) == 0 else { return false }
        return own.st_dev == found.st_dev && own.st_ino == found.st_ino
    }

    private func status() throws(StorageError) -> stat {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw .last("cannot open", path) }
        return status
    }

    /// Reads the current bytes from `offset` on: `count`, or fewer at the end of the file.
    ///
    /// - Throws: `StorageError` if reading fails.
    package func contents(at offset: Int, count: Int) throws(StorageError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let result: Result<Int, StorageError> = unsafe bytes.withUnsafeMutableBytes { buffer in
            guard let base = buffer.baseAddress else { return .success(0) }
            do throws(StorageError) {
                return .success(unsafe try readAvailable(into: base, count: count, at: offset))
            } catch {
                return .failure(error)
            }
        }
        bytes.removeLast(count - (try result.get()))
        return bytes
    }

    /// Reads up to `count` bytes from `offset` on into memory; returns their number.
    @unsafe
    private func readAvailable(
        into memory: UnsafeMutableRawPointer, count: Int, at offset: Int
    ) throws(StorageError) -> Int {
        var done = 0
        while done < count {
            let got = unsafe pread(descriptor, memory + done, count - done, off_t(offset + done))
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw .last("cannot read", path) }
            if got == 0 { break }
            done += got
        }
        return done
    }

    /// Opens standard input with a descriptor of its own.
    ///
    /// - Throws: `StorageError` if it is closed.
    package static func standardInput() throws(StorageError) -> OpenedFile {
        // A duplicate, so that closing it leaves standard input open.
        let descriptor = dup(0)
        guard descriptor >= 0 else { throw .last("cannot read", "standard input") }
        return OpenedFile(descriptor: descriptor, path: "standard input")
    }

    /// Reads the next bytes into memory that has room for `count`.
    ///
    /// - Returns: the number of bytes; 0 at the end.
    /// - Throws: `StorageError` if reading fails.
    @unsafe
    package func readNext(into memory: UnsafeMutableRawPointer, count: Int) throws(StorageError) -> Int {
        while true {
            let got = unsafe read(descriptor, memory, count)
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw .last("cannot read", path) }
            return got
        }
    }

    /// Reads `count` bytes into memory that has room for them.
    ///
    /// - Throws: `StorageError` if reading fails, or the file has become shorter.
    @unsafe
    func readBytes(into memory: UnsafeMutableRawPointer, count: Int, at offset: Int) throws(StorageError) {
        guard unsafe try readAvailable(into: memory, count: count, at: offset) == count else {
            throw StorageError(code: EIO, action: "cannot read", path: path)
        }
    }
}

extension OpenedFile {
    private static let chunkSize = 1 << 20

    /// Copies the rest of the content into an unnamed file, which vanishes when it is closed.
    ///
    /// - Throws: `StorageError` if reading fails, or the temporary file cannot be created or is full.
    func unnamedCopyToEnd() throws(StorageError) -> OpenedFile {
        let copy = try Self.unnamed()
        let chunk = UnsafeMutableRawPointer.allocate(byteCount: Self.chunkSize, alignment: 16)
        defer { unsafe chunk.deallocate() }
        while true {
            let count = unsafe try readNext(into: chunk, count: Self.chunkSize)
            guard count > 0 else { return copy }
            let bytes = unsafe ByteView(base: UnsafeRawPointer(chunk), count: count)
            try writeAll(bytes, to: copy.descriptor, path: copy.path)
        }
    }

    /// Copies the first `size` bytes into an unnamed file, which vanishes when it is closed.
    ///
    /// - Returns: nil if this file has become shorter meanwhile.
    /// - Throws: `StorageError` if the temporary file cannot be created or is full.
    package func unnamedCopy(size: Int) throws(StorageError) -> OpenedFile? {
        let copy = try Self.unnamed()
        var offset = 0
        while offset < size {
            let chunk = try contents(at: offset, count: min(Self.chunkSize, size - offset))
            guard !chunk.isEmpty else { return nil }
            try writeAll(chunk, to: copy.descriptor, path: copy.path)
            offset += chunk.count
        }
        return copy
    }

    /// Writes `bytes`, padded with zeros to `size` bytes, into an unnamed file.
    ///
    /// - Throws: `StorageError` if the temporary file cannot be created or is full.
    static func unnamed(holding bytes: ByteView, paddedTo size: Int) throws(StorageError) -> OpenedFile {
        let file = try unnamed()
        try writeAll(bytes, to: file.descriptor, path: file.path)
        // The zeros take no space.
        guard ftruncate(file.descriptor, off_t(size)) == 0 else {
            throw .last("cannot make a temporary copy", file.path)
        }
        return file
    }

    /// Creates a file that only this process can access, in `folder` or in the one for temporary files. Its name is
    /// removed at once.
    static func unnamed(in folder: String? = nil) throws(StorageError) -> OpenedFile {
        let usual = unsafe getenv("TMPDIR").map { unsafe NativePath.text(cString: $0) } ?? ""
        let folder = folder ?? (usual.isEmpty ? "/tmp" : usual)
        let prefix = "\(folder.isEmpty || folder.hasSuffix("/") ? folder : folder + "/").realmfile-"
        // Errors name the folder: the file has no name that anybody could look up.
        for _ in 0..<mostNames {
            let path = prefix + String(UInt64.random(in: .min ... .max), radix: 36)
            // Not mkstemp: a program that another thread starts before the fcntl would inherit the descriptor.
            let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
            let descriptor = unsafe open(path.native, flags, 0o600)
            if descriptor < 0, errno == EEXIST || errno == EINTR { continue }
            guard descriptor >= 0 else { throw .last("cannot make a temporary copy", folder) }
            _ = unsafe unlink(path.native)
            return OpenedFile(descriptor: descriptor, path: folder)
        }
        throw StorageError(code: EAGAIN, action: "cannot make a temporary copy", path: folder)
    }

    /// The number of names to try; random names do not exist unless somebody creates them on purpose.
    private static var mostNames: Int { 100 }
}
