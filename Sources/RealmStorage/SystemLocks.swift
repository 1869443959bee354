internal import RealmSystem

/// A process that has a database open.
///
/// ```swift
/// do {
///     try snapshot.write(to: NewFile("app.realm", overwrite: true))
/// } catch {
///     guard case .storage(let error) = error else { return }
///     for holder in error.holders { print(holder.processID, holder.name ?? "") }
/// }
/// ```
public struct LockHolder: Equatable, Sendable, CustomStringConvertible {
    /// Its process number.
    public let processID: Int32
    /// The name of its program, if the system reports it.
    public let name: String?

    /// Whether it is this process.
    public var isThisProcess: Bool { processID == getpid() }

    /// The number and the name.
    public var description: String {
        isThisProcess ? "this process" : "process \(processID)\(name.map { " (\($0))" } ?? "")"
    }
}

/// The locks of other processes, as listed by the system. Listing them does not block other processes.
package enum SystemLocks {
    /// The list of all locks, one per line: number, kind, advisory or mandatory, access, process, device and file,
    /// range.
    private static let list = "/proc/locks"
    /// The maximum number of bytes to read; a line has a hundred.
    private static let listBytes = 4 << 20

    /// Whether a process holds a lock on the whole file at `path` (`flock`); nil if the system does not report it.
    package static func areHeld(on path: String) -> Bool? {
        var status = stat()
        guard unsafe stat(path.native, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
        #if canImport(Darwin)
            return isLocked(path)
        #else
            return isListed(inode: UInt64(status.st_ino))
        #endif
    }

    /// The processes that hold a lock on the whole file at `path`, if the system reports them.
    package static func holders(of path: String) -> [LockHolder] {
        var status = stat()
        guard unsafe stat(path.native, &status) == 0 else { return [] }
        #if canImport(Darwin)
            // The system reports such locks, but not their holders.
            return []
        #else
            var holders: [LockHolder] = []
            for lock in locks() ?? [] where lock.inode == UInt64(status.st_ino) && lock.process > 0 {
                if !holders.contains(where: { $0.processID == lock.process }) {
                    holders.append(LockHolder(processID: lock.process, name: name(ofProcess: lock.process)))
                }
            }
            return holders
        #endif
    }

    #if canImport(Darwin)
        /// On this system, locks of both kinds exclude and report each other.
        private static func isLocked(_ path: String) -> Bool? {
            let descriptor = unsafe open(path.native, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
            guard descriptor >= 0 else { return nil }
            defer { close(descriptor) }
            var lock = flock(
                l_start: 0, l_len: 0, l_pid: 0, l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET))
            guard unsafe fcntl(descriptor, F_GETLK, &lock) == 0 else { return nil }
            return lock.l_type != Int16(F_UNLCK)
        }
    #else
        /// Does not compare devices: those of stacked file systems are listed with other numbers.
        private static func isListed(inode: UInt64) -> Bool? { locks()?.contains { $0.inode == inode } }

        /// All locks on whole files; nil if the system does not report them.
        private static func locks() -> [(process: Int32, inode: UInt64)]? {
            guard let lines = text(of: list, listBytes)?.split(separator: "\n") else { return nil }
            return lines.compactMap { line in
                let words = line.split(separator: " ")
                guard words.count > 5, words[1] == "FLOCK", let inode = words[5].split(separator: ":").last,
                    let inode = UInt64(inode)
                else { return nil }
                return (Int32(words[4]) ?? 0, inode)
            }
        }

        private static func name(ofProcess process: Int32) -> String? {
            text(of: "/proc/\(process)/comm", 256).map { String($0.prefix { $0 != "\n" }) }
        }

        private static func text(of path: String, _ most: Int) -> String? {
            do throws(StorageError) {
                return String(decoding: try OpenedFile(path: path).contents(at: 0, count: most), as: UTF8.self)
            } catch {
                return nil
            }
        }
    #endif
}
