internal import RealmSystem

/// Marks a folder as in use for other processes, until it is released or the process ends in any way.
final class FolderLock {
    private var descriptor: Int32

    /// Locks a folder.
    ///
    /// - Returns: nil if the folder is in use, or the file system does not support locks.
    init?(_ path: String) {
        descriptor = unsafe open(path.native, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            return nil
        }
    }

    deinit { release() }

    /// Releases the lock.
    func release() {
        guard descriptor >= 0 else { return }
        _ = RealSystem().unlockFile(descriptor)
        descriptor = -1
    }
}
