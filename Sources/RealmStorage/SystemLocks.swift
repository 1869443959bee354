internal import RealmSystem

/// The locks of other processes, as the system lists them: nobody has to wait because somebody looks.
package enum SystemLocks {
    /// The list of all locks, a line each: number, kind, how binding, for what, process, device and file, range.
    private static let list = "/proc/locks"
    /// Lines of the list that are read: a hundred bytes each.
    private static let listBytes = 4 << 20

    /// Whether a process holds a lock on the whole file at `path` (`flock`); nil when the system does not say.
    package static func areHeld(on path: String) -> Bool? {
        var status = stat()
        guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
        #if canImport(Darwin)
            return isLocked(path)
        #else
            return isListed(inode: UInt64(status.st_ino))
        #endif
    }

    #if canImport(Darwin)
        /// Locks of both kinds exclude each other there, and each tells of the other.
        private static func isLocked(_ path: String) -> Bool? {
            let descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
            guard descriptor >= 0 else { return nil }
            defer { close(descriptor) }
            var lock = flock(
                l_start: 0, l_len: 0, l_pid: 0, l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET))
            guard unsafe fcntl(descriptor, F_GETLK, &lock) == 0 else { return nil }
            return lock.l_type != Int16(F_UNLCK)
        }
    #else
        /// Devices are not compared: those of stacked file systems are listed under other numbers.
        private static func isListed(inode: UInt64) -> Bool? {
            let bytes: [UInt8]
            do throws(StorageError) {
                bytes = try OpenedFile(path: list).contents(at: 0, count: listBytes)
            } catch {
                return nil
            }
            return String(decoding: bytes, as: UTF8.self).split(separator: "\n").contains { line in
                let words = line.split(separator: " ")
                guard words.count > 5, words[1] == "FLOCK" else { return false }
                return words[5].split(separator: ":").last.flatMap { UInt64($0) } == inode
            }
        }
    #endif
}
