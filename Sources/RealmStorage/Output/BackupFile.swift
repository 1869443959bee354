internal import RealmLayout
internal import RealmSystem

/// An additional name for a file that is about to be replaced.
package enum BackupFile {
    /// The number of names to try; earlier backups may have the first ones.
    private static let attempts = 1000

    /// Gives the file at `path` an additional name, or copies it if the file system does not support that. The name is
    /// on the disk afterwards: it must not be lost with the power when the file has already been replaced.
    ///
    /// - Parameter suffix: appended to the name of the file, and followed by a number if there is such a file already.
    /// - Returns: the path of the backup.
    /// - Throws: `StorageError`.
    package static func make(
        of path: String, suffix: String, system: any OutputSystem = RealSystem()
    ) throws(StorageError) -> String {
        let path = OutputFile.followed(path)
        for number in 1...attempts {
            let backup = path + suffix + (number == 1 ? "" : "-\(number)")
            let code = -Int32(system.linkFile(path, as: backup))
            switch code {
            case ...0: break
            case EEXIST: continue
            case EPERM, EOPNOTSUPP, ENOTSUP, EMLINK, ENOSYS:
                guard !OutputFile.exists(backup) else { continue }
                try OutputFile.copy(path, to: backup, system)
            default: throw StorageError(code: code, action: "cannot make the backup \(backup)", path: path)
            }
            do {
                try synchronizeName(of: backup, system)
            } catch {
                remove(backup, system)
                throw error
            }
            return backup
        }
        throw .alreadyThere(path + suffix)
    }

    private static func synchronizeName(of backup: String, _ system: any OutputSystem) throws(StorageError) {
        let folder = OutputFile.split(backup).folder
        let result = system.synchronizeFolder(folder.isEmpty ? "." : folder)
        guard result >= 0 else {
            throw StorageError(
                code: Int32(-result), action: "cannot bring the name of the backup to the disk", path: backup)
        }
    }

    /// Removes a backup that is no longer needed.
    package static func remove(_ backup: String, _ system: any OutputSystem = RealSystem()) {
        _ = system.removeFile(backup)
    }
}
