package import RealmLayout
internal import RealmSystem

/// The calls of the system that make a file: what tests replace to let each of them fail.
///
/// All return what the system's call returns, or the error number with a minus.
package protocol OutputSystem: Sendable {
    /// Creates a file for writing; `EEXIST` when there is something of that name, even a link that leads nowhere.
    func createFile(_ path: String, permissions: UInt32) -> Int
    /// Opens what is there already, as a pipe, for writing.
    func openFile(_ path: String) -> Int
    /// Writes `bytes`, one or more and at most 1 GiB, or only the first of them: at `offset`, or at the end with nil.
    func writeBytes(_ bytes: ByteView, to descriptor: Int32, at offset: Int?) -> Int
    /// Waits until what was written is on the disk.
    func synchronize(_ descriptor: Int32) -> Int
    /// Waits until what was written is on the disk, but not for what only tells of the file, as the time of the change.
    func synchronizeData(_ descriptor: Int32) -> Int
    /// Lets nothing that is written later come to the disk before what was written so far.
    func order(_ descriptor: Int32) -> Int
    /// Gives a file more bytes, zeros for which there is room on the disk.
    func growFile(_ descriptor: Int32, to size: Int) -> Int
    /// Closes a descriptor, which is gone afterwards in any case.
    func closeFile(_ descriptor: Int32) -> Int
    /// Gives a file another name, and replaces what has that name.
    func renameFile(_ path: String, to other: String) -> Int
    /// Gives a file one more name, which nothing has.
    func linkFile(_ path: String, as other: String) -> Int
    /// Removes a file.
    func removeFile(_ path: String) -> Int
    /// Waits until the names in a folder are on the disk.
    func synchronizeFolder(_ path: String) -> Int
    /// Opens a file that is there and locks it alone, without waiting.
    func lockFile(_ path: String) -> Int
    /// Gives up what `lockFile` locked, and closes its descriptor.
    func unlockFile(_ descriptor: Int32) -> Int
    /// Shortens a file to no bytes.
    func truncateFile(_ descriptor: Int32) -> Int
}

extension OutputSystem {
    package func synchronizeData(_ descriptor: Int32) -> Int { synchronize(descriptor) }
    package func order(_ descriptor: Int32) -> Int { synchronizeData(descriptor) }
}

/// The calls as the system has them.
package struct RealSystem: OutputSystem {
    /// Makes the value.
    package init() {}

    package func createFile(_ path: String, permissions: UInt32) -> Int {
        // Neither a file of somebody else's nor a link to one is ever written to.
        result(unsafe open(path.native, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode_t(permissions)))
    }

    package func openFile(_ path: String) -> Int { result(unsafe open(path.native, O_WRONLY | O_CLOEXEC)) }

    package func writeBytes(_ bytes: ByteView, to descriptor: Int32, at offset: Int?) -> Int {
        guard let offset else { return result(unsafe write(descriptor, bytes.base, bytes.count)) }
        return result(unsafe pwrite(descriptor, bytes.base, bytes.count, off_t(offset)))
    }

    package func synchronize(_ descriptor: Int32) -> Int {
        #if canImport(Darwin)
            // fsync hands the data to the disk, which may keep it in its memory.
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
            // What is there is left alone: reserving it again takes as long as the file is large.
            var status = stat()
            guard unsafe fstat(descriptor, &status) == 0 else { return -Int(errno) }
            guard status.st_size < off_t(size) else { return 0 }
            var failure = EINTR
            while failure == EINTR {
                failure = posix_fallocate(descriptor, status.st_size, off_t(size) - status.st_size)
            }
            // Some file systems cannot reserve room.
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
        // Some file systems know no such call for folders, and need none.
        if fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP { return 0 }
        return -Int(errno)
    }

    package func lockFile(_ path: String) -> Int {
        // Not waiting: somebody may have put a pipe there.
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
        // A child process that is about to start a program still has the descriptor, and the lock with it.
        _ = flock(descriptor, LOCK_UN)
        return closeFile(descriptor)
    }

    package func truncateFile(_ descriptor: Int32) -> Int { result(ftruncate(descriptor, 0)) }

    private func result(_ value: some BinaryInteger) -> Int { value < 0 ? -Int(errno) : Int(value) }
}
