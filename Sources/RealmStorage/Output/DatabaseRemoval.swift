internal import RealmSystem

/// The files of a database on the disk.
package enum DatabaseFiles {
    /// Removes a file and its companions: `NAME.realm.note`, `NAME.realm.log` and the folder `NAME.realm.management`.
    /// The lock file stays: otherwise a process that is about to open the database and one that comes later would lock
    /// different files.
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

    /// Removes a folder and its content; does not follow links.
    private static func removeFolder(_ path: String, depth: Int = 0) throws(StorageError) {
        var status = stat()
        guard unsafe lstat(path.native, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            _ = try removeFile(path)
            return
        }
        // Realm creates a single folder without subfolders.
        guard depth < 32 else { throw StorageError(code: ELOOP, action: "cannot remove", path: path) }
        for name in try Folder.names(path) { try removeFolder("\(path)/\(name)", depth: depth + 1) }
        guard unsafe rmdir(path.native) == 0 || errno == ENOENT else { throw .last("cannot remove", path) }
    }
}
