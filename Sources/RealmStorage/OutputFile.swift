public import RealmLayout

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// A file that is written under a temporary name beside its final one and takes that when it is complete.
///
/// Until `commit`, and for ever when it is not called, nothing has changed under the final name. The data is handed to
/// the system, not forced to the disk: what power failure right after an export destroys is exported again. What is there
/// already and is no plain file, a pipe or a device, is written to as it is, never replaced.
public final class OutputFile {
    /// The final path.
    public let path: String
    /// The temporary name; nil for a pipe or a device.
    private let temporaryPath: String?
    private var descriptor: Int32

    /// Creates the temporary file.
    ///
    /// - Throws: `StorageError`, `EEXIST` when there is a file at `path` that may not be replaced.
    public init(path: String, replacing: Bool) throws(StorageError) {
        self.path = path
        var status = stat()
        let isThere = unsafe stat(path, &status) == 0
        let isPlain = !isThere || status.st_mode & S_IFMT == S_IFREG || status.st_mode & S_IFMT == S_IFDIR
        if isPlain, !replacing, Self.exists(path) { throw .alreadyThere(path) }
        if isThere, status.st_mode & S_IFMT == S_IFDIR {
            throw StorageError(code: EISDIR, action: "cannot write", path: path)
        }
        if isPlain {
            let (folder, name) = Self.split(path)
            let temporary = "\(folder).\(name.prefix(60)).\(getpid()).partial"
            temporaryPath = temporary
            InterruptedOutput.note(temporary)
            descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        } else {
            temporaryPath = nil
            descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC)
        }
        guard descriptor >= 0 else { throw .last("cannot create a file there", path) }
    }

    deinit { discard() }

    /// Appends `bytes`.
    ///
    /// - Throws: `StorageError`; the temporary file is gone then.
    public func write(_ bytes: ByteView) throws(StorageError) {
        do {
            try writeAll(bytes, to: descriptor, path: path)
        } catch {
            discard()
            throw error
        }
    }

    /// The bytes that were written so far, to be checked before they get their final name; nil for a pipe or a device.
    ///
    /// - Throws: `StorageError` when the temporary file cannot be read back.
    package func written() throws(StorageError) -> ByteSource? {
        guard let temporaryPath else { return nil }
        return try ByteSource(path: temporaryPath)
    }

    /// Makes sure that what was written is on the disk: for files that may become the only copy of their data.
    ///
    /// - Throws: `StorageError`; the temporary file is gone then.
    package func synchronize() throws(StorageError) {
        guard temporaryPath != nil else { return }
        #if canImport(Darwin)
            // fsync hands the data to the disk, which may keep it in its memory.
            if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        guard fsync(descriptor) == 0 else {
            let error = failed()
            discard()
            throw error
        }
    }

    /// Gives the file its final name.
    ///
    /// - Throws: `StorageError`; the temporary file is gone then.
    public func commit() throws(StorageError) {
        let closed = close(descriptor)
        descriptor = -1
        if closed != 0 { throw failed() }
        guard let temporaryPath else { return }
        if unsafe rename(temporaryPath, path) != 0 { throw failed() }
        InterruptedOutput.note(nil)
    }

    /// The system's error, with the temporary file removed.
    private func failed() -> StorageError {
        let error = StorageError.last("cannot write", path)
        if let temporaryPath { unsafe unlink(temporaryPath) }
        return error
    }

    /// Removes the temporary file, if it is still there.
    public func discard() {
        guard descriptor >= 0 else { return }
        close(descriptor)
        descriptor = -1
        if let temporaryPath { unsafe unlink(temporaryPath) }
    }

    private static func split(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return ("", path) }
        return (String(path[...slash]), String(path[path.index(after: slash)...]))
    }

    /// Whether there is something at `path`.
    public static func exists(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0
    }

    /// Whether both paths lead to one file, by whatever names.
    package static func isSameFile(_ path: String, _ other: String) -> Bool {
        var (first, second) = (stat(), stat())
        guard unsafe stat(path, &first) == 0, unsafe stat(other, &second) == 0 else { return false }
        return first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }

    /// Makes the folder at `path` and those above it, unless they are there.
    ///
    /// - Throws: `StorageError` when one cannot be made.
    public static func makeFolder(_ path: String) throws(StorageError) {
        if path.isEmpty || path == "/" { return }
        var status = stat()
        if unsafe stat(path, &status) == 0 {
            if status.st_mode & S_IFMT == S_IFDIR { return }
            throw StorageError(code: ENOTDIR, action: "cannot make a folder there", path: path)
        }
        let trimmed = path.hasSuffix("/") ? String(path.dropLast()) : path
        try makeFolder(String(split(trimmed).folder.dropLast()))
        guard unsafe mkdir(trimmed, 0o777) == 0 || errno == EEXIST else {
            throw .last("cannot make a folder there", path)
        }
    }
}

/// Standard output as a sequence of bytes.
public enum StandardOutput {
    /// Writes `bytes`.
    ///
    /// - Throws: `StorageError`, `EPIPE` when nobody reads any more.
    public static func write(_ bytes: ByteView) throws(StorageError) {
        try writeAll(bytes, to: 1, path: "standard output")
    }
}

/// Writes an array to a descriptor.
func writeAll(_ bytes: [UInt8], to descriptor: Int32, path: String) throws(StorageError) {
    try ByteView.with(bytes) { view throws(StorageError) in try writeAll(view, to: descriptor, path: path) }
}

func writeAll(_ bytes: ByteView, to descriptor: Int32, path: String) throws(StorageError) {
    var offset = 0
    while offset < bytes.count {
        // Some systems refuse to write 2 GiB at once.
        let size = min(bytes.count - offset, 1 << 30)
        let written = unsafe write(descriptor, bytes.base + offset, size)
        if written < 0, errno == EINTR { continue }
        guard written > 0 else { throw .last("cannot write", path) }
        offset += written
    }
}
