internal import RealmSystem

/// Proof that no process has a database open for writing, for as long as the lock is held (Spec 140, R140.5 to R140.8).
///
/// Processes that have `NAME.realm` open share a lock on `NAME.realm.lock`. This does not create a lock file: if there
/// is none, nobody has the database open.
struct SessionLock: ~Copyable {
    private let descriptors: [Int32]
    private let system: any OutputSystem

    /// Locks the lock files of the database at `path`.
    ///
    /// - Parameters:
    ///   - other: another path of the same database, such as a link to it, or the same path.
    ///   - action: the purpose of the lock, such as "cannot replace".
    /// - Throws: `StorageError`, `EBUSY` if a process has the database open.
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

    /// Shows waiting processes that there is no session to join: a crash may have left data in the lock file that
    /// describes the database before it was replaced. Call this after replacing the database, before the lock is
    /// released.
    ///
    /// A lock file that cannot be written keeps its content, which only matters to a process that opens the database at
    /// this very moment.
    func endSession() {
        for descriptor in descriptors { _ = system.truncateFile(descriptor) }
    }
}
