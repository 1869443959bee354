internal import RealmSystem

/// A lock on a database for one process alone, as long as it lives (Spec 140, R140.5 to R140.8).
///
/// Programs of Realm share a lock on `NAME.realm.lock` while they have `NAME.realm` open, and make that file when there is
/// none. Who has it alone knows that nobody else is there.
package final class ExclusiveSession: Sendable {
    private let lock: SessionLock

    /// Locks the database at `path`.
    ///
    /// - Throws: `StorageError`: `EBUSY` when a process, or this one, has it open.
    package init(_ path: String) throws(StorageError) {
        let followed = OutputFile.followed(path)
        // Who comes later is to find it locked.
        let descriptor = unsafe open(followed + ".lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o666)
        guard descriptor >= 0 else { throw .last("cannot open its lock file", path) }
        close(descriptor)
        lock = try SessionLock(followed, alsoKnownAs: path, system: RealSystem(), for: "cannot open for writing")
        // What a session before left in it is of the database as it was.
        lock.endSession()
    }
}
