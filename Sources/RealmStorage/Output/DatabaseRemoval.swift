internal import RealmSystem

/// What of a database is on the disk.
package enum DatabaseFiles {
    /// Removes a file, and what Realm keeps beside it: `NAME.realm.note`, `NAME.realm.log` and the folder `NAME.realm.management`. The lock
    /// file stays: who is about to open the database would have another one than who comes later.
    ///
    /// - Parameter session: the proof that nobody has it open.
    /// - Returns: whether there was such a file.
    /// - Throws: `StorageError`.
    package static func remove(_ path: String, _ session: ExclusiveSession) throws(StorageError) -> Bool {
        defer { withExtendedLifetime(session) {} }
        let wasThere = try removeFile(path)
        for suffix in [".note", ".log"] { _ = try removeFile(path + suffix) }
        try removeFolder(path + ".management")
        return wasThere
    }

    private static func removeFile(_ path: String) throws(StorageError) -> Bool {
        if unsafe unlink(path.native) == 0 { return true }
        guard errno == ENOENT || errno == ENOTDIR else { throw .last("cannot remove", path) }
        return false
    }

    /// Removes a folder with what is in it; links are not followed.
    private static func removeFolder(_ path: String, depth: Int = 0) throws(StorageError) {
        var status = stat()
        guard unsafe lstat(path.native, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            _ = try removeFile(path)
            return
        }
        // Realm makes one folder without others.
        guard depth < 32 else { throw StorageError(code: ELOOP, action: "cannot remove", path: path) }
        for name in try Folder.names(path) { try removeFolder("\(path)/\(name)", depth: depth + 1) }
        guard unsafe rmdir(path.native) == 0 || errno == ENOENT else { throw .last("cannot remove", path) }
    }
}
