internal import RealmSystem

/// A lock on a database for one process alone, as long as it lives (Spec 140, R140.5 to R140.8).
///
/// Programs of Realm share a lock on `NAME.realm.lock` while they have `NAME.realm` open, and make that file when there is
/// none. Who has it alone knows that nobody else is there.
package final class ExclusiveSession: Sendable {
    private let descriptor: Int32

    /// Locks the database at `path`.
    ///
    /// - Throws: `StorageError`: `EBUSY` when a process, or this one, has it open.
    package init(_ path: String) throws(StorageError) {
        let name = OutputFile.followed(path) + ".lock"
        let descriptor = unsafe open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o666)
        guard descriptor >= 0 else { throw .last("cannot open its lock file", path) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            close(descriptor)
            throw StorageError(code: code == EWOULDBLOCK ? EBUSY : code, action: "cannot open for writing", path: path)
        }
        // What a session before left in it is of the database as it was.
        _ = ftruncate(descriptor, 0)
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }
}
