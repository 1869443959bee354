internal import RealmSystem

/// A lock on a database for one process alone, as long as it lives (Spec 140, R140.5 to R140.8).
///
/// Programs of Realm share a lock on `NAME.realm.lock` while they have `NAME.realm` open, and make that file when there is
/// none. Who has it alone knows that nobody else is there.
package final class ExclusiveSession: Sendable {
    private let lock: SessionLock

    /// How long to wait before asking again: at first, and at most.
    private static let (firstPause, longestPause) = (Duration.milliseconds(1), Duration.milliseconds(50))

    /// Locks the database at `path`.
    ///
    /// - Parameter waitLimit: how long to wait for who has it open.
    /// - Throws: `StorageError`: `EBUSY` when a process, or this one, has it open until then.
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
                // The system wakes nobody who waits with a limit: one has to ask.
                usleep(UInt32(min(pause, left) / .microseconds(1)))
                pause = min(pause * 2, Self.longestPause)
            }
        }
        // What a session before left in it is of the database as it was.
        lock.endSession()
    }

    private static func lock(_ path: String) throws(StorageError) -> SessionLock {
        let followed = OutputFile.followed(path)
        // Who comes later is to find it locked.
        let descriptor = unsafe open((followed + ".lock").native, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o666)
        guard descriptor >= 0 else { throw .last("cannot open its lock file", path) }
        close(descriptor)
        return try SessionLock(followed, alsoKnownAs: path, system: RealSystem(), for: "cannot open for writing")
    }
}
