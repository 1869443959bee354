internal import RealmSystem

/// An exclusive lock on a database, held as long as the object lives (Spec 140, R140.5 to R140.8).
///
/// Programs of Realm share a lock on `NAME.realm.lock` while they have `NAME.realm` open, and create that file if it is
/// missing. The exclusive holder knows that no other process uses the database.
package final class ExclusiveSession: Sendable {
    private let lock: SessionLock

    /// The first and the longest pause between two attempts.
    private static let (firstPause, longestPause) = (Duration.milliseconds(1), Duration.milliseconds(50))

    /// Locks the database at `path`.
    ///
    /// - Parameter waitLimit: how long to wait for other holders.
    /// - Throws: `StorageError`: `EBUSY` if a process, or this one, still has it open after that time.
    package init(_ path: String, waitLimit: Duration = .zero) throws(StorageError) {
        let end = ContinuousClock.now + waitLimit
        var pause = Self.firstPause
        while true {
            do throws(StorageError) {
                lock = try Self.lock(path)
                break
            } catch {
                guard error.isInUse else { throw error }
                let left = end - ContinuousClock.now
                guard left > .zero else {
                    throw error.held(by: SystemLocks.holders(of: OutputFile.followed(path) + ".lock"))
                }
                // The system offers no lock request with a time limit, so this polls.
                usleep(UInt32(min(pause, left) / .microseconds(1)))
                pause = min(pause * 2, Self.longestPause)
            }
        }
        // Clears the state that an earlier session left in the lock file.
        lock.endSession()
    }

    private static func lock(_ path: String) throws(StorageError) -> SessionLock {
        let followed = OutputFile.followed(path)
        // Creates the file, so that processes that come later find it locked.
        let descriptor = unsafe open((followed + ".lock").native, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o666)
        guard descriptor >= 0 else { throw .last("cannot open its lock file", path) }
        close(descriptor)
        return try SessionLock(followed, alsoKnownAs: path, system: RealSystem(), for: "cannot open for writing")
    }
}
