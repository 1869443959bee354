internal import RealmSystem

/// Proof that no process has a database open for writing, for as long as it is held (Spec 140, R140.5 to R140.8).
///
/// Processes that have `NAME.realm` open share a lock on `NAME.realm.lock`. No lock file is made: where there is none,
/// nobody has the database open.
struct SessionLock: ~Copyable {
    private let descriptors: [Int32]
    private let system: any OutputSystem

    /// Locks the lock files of the database at `path`.
    ///
    /// - Parameters:
    ///   - other: a name of the same database, which is a link to it or the same.
    ///   - action: what the lock is for, e.g. "cannot replace".
    /// - Throws: `StorageError`, `EBUSY` when a process has the database open.
    init(
        _ path: String, alsoKnownAs other: String, system: any OutputSystem, for action: String = "cannot replace"
    ) throws(StorageError) {
        var descriptors: [Int32] = []
        for name in other == path ? [path] : [path, other] {
            let result = system.lockFile("\(name).lock")
            switch Int32(clamping: -result) {
            case ENOENT, ENOTDIR, ENAMETOOLONG: continue
            case let code where code <= 0: descriptors.append(Int32(result))
            case let code:
                for descriptor in descriptors { _ = system.unlockFile(descriptor) }
                if code == EWOULDBLOCK { throw .inUse(path, action) }
                throw StorageError(
                    code: code, action: "cannot tell from its lock file whether a process has it open", path: path)
            }
        }
        self.descriptors = descriptors
        self.system = system
    }

    deinit {
        for descriptor in descriptors { _ = system.unlockFile(descriptor) }
    }

    /// Tells processes that wait for the lock that there is no session to join: what a crash left in the lock file is of
    /// the database as it was. To be called before the lock is released, when the database has been replaced.
    ///
    /// A lock file that may not be written keeps what it has; only who opens the database in this very moment sees that.
    func endSession() {
        for descriptor in descriptors { _ = system.truncateFile(descriptor) }
    }
}
