package import RealmLayout
internal import RealmSystem

/// The system calls that create a file. Tests replace them to make each of them fail.
///
/// All return the result of the system call, or the negated error number.
package protocol OutputSystem: Sendable {
    /// Creates a file for writing; `EEXIST` if the name exists, even as a link that leads nowhere.
    func createFile(_ path: String, permissions: UInt32) -> Int
    /// Opens something that exists, such as a pipe, for writing.
    func openFile(_ path: String) -> Int
    /// Writes `bytes`, between one and 1 GiB, or only the first of them: at `offset`, or at the end if it is nil.
    func writeBytes(_ bytes: ByteView, to descriptor: Int32, at offset: Int?) -> Int
    /// Waits until everything written is on the disk.
    func synchronize(_ descriptor: Int32) -> Int
    /// Waits until all written data is on the disk, but not for metadata such as the modification time.
    func synchronizeData(_ descriptor: Int32) -> Int
    /// Orders writes: later ones reach the disk after all earlier ones.
    func order(_ descriptor: Int32) -> Int
    /// Extends a file with zeros that have space on the disk.
    func growFile(_ descriptor: Int32, to size: Int) -> Int
    /// Closes a descriptor, which is invalid afterwards in any case.
    func closeFile(_ descriptor: Int32) -> Int
    /// Renames a file, replacing a file of the new name.
    func renameFile(_ path: String, to other: String) -> Int
    /// Gives a file an additional, unused name.
    func linkFile(_ path: String, as other: String) -> Int
    /// Removes a file.
    func removeFile(_ path: String) -> Int
    /// Waits until the names in a folder are on the disk.
    func synchronizeFolder(_ path: String) -> Int
    /// Opens an existing file and locks it exclusively, without waiting.
    func lockFile(_ path: String) -> Int
    /// Releases the lock of `lockFile`, and closes its descriptor.
    func unlockFile(_ descriptor: Int32) -> Int
    /// Truncates a file to zero bytes.
    func truncateFile(_ descriptor: Int32) -> Int
}

extension OutputSystem {
    package func synchronizeData(_ descriptor: Int32) -> Int { synchronize(descriptor) }
    package func order(_ descriptor: Int32) -> Int { synchronizeData(descriptor) }
}

/// The real system calls.
package struct RealSystem: OutputSystem {
    package init() {}

    package func createFile(_ path: String, permissions: UInt32) -> Int {
        // Never writes to a file of somebody else, or to a link to one.
        let descriptor = unsafe open(
            path.native, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode_t(permissions))
        // Marks the file as in use, until it is closed. Some file systems have no locks.
        if descriptor >= 0 { _ = flock(descriptor, LOCK_EX | LOCK_NB) }
        return result(descriptor)
    }

    package func openFile(_ path: String) -> Int { result(unsafe open(path.native, O_WRONLY | O_CLOEXEC)) }

    package func writeBytes(_ bytes: ByteView, to descriptor: Int32, at offset: Int?) -> Int {
        guard let offset else { return result(unsafe write(descriptor, bytes.base, bytes.count)) }
        return result(unsafe pwrite(descriptor, bytes.base, bytes.count, off_t(offset)))
    }

    package func synchronize(_ descriptor: Int32) -> Int {
        #if canImport(Darwin)
            // fsync passes the data to the disk, which may keep it in its memory.
            if fcntl(descriptor, F_FULLFSYNC) == 0 { return 0 }
        #endif
        return result(fsync(descriptor))
    }

    #if canImport(Darwin)
        package func order(_ descriptor: Int32) -> Int {
            if fcntl(descriptor, F_BARRIERFSYNC) == 0 { return 0 }
            return synchronize(descriptor)
        }
    #else
        package func synchronizeData(_ descriptor: Int32) -> Int { result(fdatasync(descriptor)) }
    #endif

    package func growFile(_ descriptor: Int32, to size: Int) -> Int {
        #if !canImport(Darwin)
            // Does not reserve existing bytes: reserving them again takes time proportional to the size of the file.
            var status = stat()
            guard unsafe fstat(descriptor, &status) == 0 else { return -Int(errno) }
            guard status.st_size < off_t(size) else { return 0 }
            var failure = EINTR
            while failure == EINTR {
                failure = posix_fallocate(descriptor, status.st_size, off_t(size) - status.st_size)
            }
            // Some file systems cannot reserve space.
            if failure != EOPNOTSUPP, failure != EINVAL { return -Int(failure) }
        #endif
        return result(ftruncate(descriptor, off_t(size)))
    }

    package func closeFile(_ descriptor: Int32) -> Int { result(close(descriptor)) }

    package func renameFile(_ path: String, to other: String) -> Int {
        result(unsafe rename(path.native, other.native))
    }

    package func linkFile(_ path: String, as other: String) -> Int { result(unsafe link(path.native, other.native)) }

    package func removeFile(_ path: String) -> Int { result(unsafe unlink(path.native)) }

    package func synchronizeFolder(_ path: String) -> Int {
        let descriptor = unsafe open(path.native, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return -Int(errno) }
        defer { close(descriptor) }
        // Some file systems do not support this call for folders, and do not need it.
        if fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP { return 0 }
        return -Int(errno)
    }

    package func lockFile(_ path: String) -> Int {
        // Does not block: the path may be a pipe.
        var descriptor = unsafe open(path.native, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        if descriptor < 0, errno == EACCES || errno == EROFS || errno == EPERM {
            descriptor = unsafe open(path.native, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        }
        guard descriptor >= 0 else { return -Int(errno) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            close(descriptor)
            return -Int(code)
        }
        return Int(descriptor)
    }

    package func unlockFile(_ descriptor: Int32) -> Int {
        // A child process that is about to start a program still has the descriptor, and with it the lock.
        _ = flock(descriptor, LOCK_UN)
        return closeFile(descriptor)
    }

    package func truncateFile(_ descriptor: Int32) -> Int { result(ftruncate(descriptor, 0)) }

    private func result(_ value: some BinaryInteger) -> Int { value < 0 ? -Int(errno) : Int(value) }
}
