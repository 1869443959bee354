internal import RealmLayout
internal import RealmSystem

/// A second name for a file that is about to be replaced by another one.
package enum BackupFile {
    /// Names that are tried: others are of earlier backups.
    private static let attempts = 1000

    /// Gives the file at `path` another name as well, or makes a copy of it where the file system has one name a file.
    ///
    /// - Parameter suffix: what the name has behind that of the file; a number follows where there is such a file already.
    /// - Returns: the path of the backup.
    /// - Throws: `StorageError`.
    package static func make(of path: String, suffix: String) throws(StorageError) -> String {
        let path = OutputFile.followed(path)
        for number in 1...attempts {
            let backup = path + suffix + (number == 1 ? "" : "-\(number)")
            if unsafe link(path, backup) == 0 { return backup }
            switch errno {
            case EEXIST: continue
            case EPERM, EOPNOTSUPP, ENOTSUP, EMLINK, ENOSYS:
                guard !OutputFile.exists(backup) else { continue }
                try copy(path, to: backup)
                return backup
            default: throw .last("cannot make the backup \(backup)", path)
            }
        }
        throw .alreadyThere(path + suffix)
    }

    /// Takes a backup back for which there is no need any more.
    package static func remove(_ backup: String) { _ = RealSystem().removeFile(backup) }

    private static func copy(_ path: String, to backup: String) throws(StorageError) {
        let source = try ByteSource(path: path)
        let output = try OutputFile(path: backup, replacing: false)
        try output.write(source.view)
        try output.synchronize()
        try output.commit()
        withExtendedLifetime(source) {}
    }
}
