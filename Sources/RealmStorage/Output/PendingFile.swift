internal import RealmLayout
internal import RealmSystem

/// A file that has a temporary name beside its final one until it is complete.
///
/// Nothing changes under the final name before `rename`. After any failure the temporary file has been removed, and
/// every further call fails with the same error.
final class PendingFile {
    /// The final path.
    let path: String
    /// The temporary path.
    let temporaryPath: String
    private let system: any OutputSystem
    private var descriptor: Int32
    private var failure: StorageError?

    /// The number of temporary names to try; some may be taken by files that a crash left behind.
    private static let attempts = 100

    /// Creates the temporary file.
    ///
    /// - Parameter permissions: the maximum permissions of the file. They are further limited by those of a file that
    ///   it replaces, and by those that the process gives to new files.
    /// - Throws: `StorageError`.
    init(path: String, permissions: UInt32 = 0o666, system: any OutputSystem) throws(StorageError) {
        var status = stat()
        let isThere = unsafe stat(path.native, &status) == 0
        let allowed = isThere ? permissions & UInt32(status.st_mode) : permissions
        let (folder, name) = OutputFile.split(path)
        let start = Self.start(of: name)
        self.path = path
        self.system = system
        var number = 0
        while true {
            let suffix = number == 0 ? "" : "-\(number)"
            let temporary = "\(folder).\(start).\(getpid())\(suffix).partial"
            // Recorded before the file exists, so that no signal comes in between.
            InterruptedOutput.note(temporary)
            let result = system.createFile(temporary, permissions: allowed & 0o777)
            if result >= 0 {
                temporaryPath = temporary
                descriptor = Int32(result)
                return
            }
            InterruptedOutput.note(nil)
            number += 1
            guard result == -Int(EEXIST), number < Self.attempts else {
                throw StorageError(code: Int32(-result), action: "cannot create a file there", path: path)
            }
        }
    }

    deinit { discard() }

    /// The beginning of the temporary name of a file; file systems allow 255 bytes.
    static func start(of name: String) -> String { String(decoding: name.utf8.prefix(60), as: UTF8.self) }

    /// Writes `bytes` at `offset`.
    ///
    /// - Throws: `StorageError`; the file has then been removed.
    func write(_ bytes: ByteView, at offset: Int) throws(StorageError) {
        try check()
        do {
            try system.writeAll(bytes, to: descriptor, at: offset, path: path)
        } catch {
            throw fail(error)
        }
    }

    /// Waits until everything written is on the disk.
    ///
    /// - Throws: `StorageError`; the file has then been removed.
    func synchronize() throws(StorageError) {
        try check()
        let result = system.synchronize(descriptor)
        guard result >= 0 else { throw failed(result) }
    }

    /// Moves the file to its final name.
    ///
    /// - Throws: `StorageError`; the file has then been removed.
    func rename() throws(StorageError) {
        try check()
        let closed = system.closeFile(descriptor)
        descriptor = -1
        guard closed >= 0 else { throw failed(closed) }
        let renamed = system.renameFile(temporaryPath, to: path)
        guard renamed >= 0 else { throw failed(renamed) }
        InterruptedOutput.note(nil)
        failure = .closed(path)
    }

    /// Waits until the final name is on the disk.
    ///
    /// - Throws: `StorageError`; the file is complete nevertheless, and stays.
    func synchronizeName() throws(StorageError) {
        let folder = OutputFile.split(path).folder
        let result = system.synchronizeFolder(folder.isEmpty ? "." : folder)
        guard result >= 0 else {
            throw StorageError(
                code: Int32(-result), action: "is complete, but its name may not be on the disk yet", path: path)
        }
    }

    /// Removes the file, unless it has its final name.
    func discard() {
        if failure == nil { _ = fail(.closed(path)) }
    }

    private func check() throws(StorageError) {
        if let failure { throw failure }
    }

    private func failed(_ result: Int) -> StorageError {
        fail(StorageError(code: Int32(-result), action: "cannot write", path: path))
    }

    private func fail(_ error: StorageError) -> StorageError {
        failure = error
        if descriptor >= 0 { _ = system.closeFile(descriptor) }
        descriptor = -1
        _ = system.removeFile(temporaryPath)
        InterruptedOutput.note(nil)
        return error
    }
}

extension OutputSystem {
    /// Writes all of `bytes`, at `offset` or at the end.
    ///
    /// - Throws: `StorageError`.
    func writeAll(_ bytes: ByteView, to descriptor: Int32, at offset: Int?, path: String) throws(StorageError) {
        var done = 0
        while done < bytes.count {
            // Some systems refuse to write 2 GiB at once.
            let part = bytes.slice(unchecked: done, count: min(bytes.count - done, 1 << 30))
            let written = writeBytes(part, to: descriptor, at: offset.map { $0 + done })
            if written == -Int(EINTR) { continue }
            guard written > 0 else {
                // A system that writes nothing and reports no error has no space.
                throw StorageError(code: written < 0 ? Int32(-written) : ENOSPC, action: "cannot write", path: path)
            }
            done += written
        }
    }
}
