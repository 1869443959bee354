internal import RealmSystem

/// Says to other processes that somebody is at work on a folder, until it is released or the process ends, however that is.
final class FolderLock {
    private var descriptor: Int32

    /// Locks a folder.
    ///
    /// - Returns: nil when somebody else is at work on it, or the file system has no locks.
    init?(_ path: String) {
        descriptor = unsafe open(path.native, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            return nil
        }
    }

    deinit { release() }

    /// Gives it up.
    func release() {
        guard descriptor >= 0 else { return }
        _ = RealSystem().unlockFile(descriptor)
        descriptor = -1
    }
}
