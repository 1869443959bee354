internal import RealmSystem

// Temporary files of processes that were killed, which nothing else would ever remove.
extension PendingFile {
    /// Removes temporary files beside a path that were to become it, unless a process may still be writing them.
    ///
    /// A file is removed only if no process has its number, and no process, perhaps of another machine, holds its lock.
    static func removeAbandoned(besides path: String) {
        let (folder, name) = OutputFile.split(path)
        guard !folder.hasSuffix(PendingFolder.ending + "/") else { return }
        let start = ".\(PendingFile.start(of: name))."
        for other in (try? Folder.names(folder.isEmpty ? "." : folder)) ?? []
        where other.hasPrefix(start) && other.hasSuffix(PendingFolder.ending) {
            let number = other.dropFirst(start.count).dropLast(PendingFolder.ending.count)
            guard isAbandoned(number), Folder.hasRegularFile(folder + other), !OutputFile.isLink(folder + other) else {
                continue
            }
            let lock = RealSystem().lockFile(folder + other)
            guard lock >= 0 else { continue }
            unsafe unlink((folder + other).native)
            _ = RealSystem().unlockFile(Int32(lock))
        }
    }

    /// Whether there is no process of the number in a temporary name: `4711`, or `4711-2`.
    static func isAbandoned(_ number: Substring) -> Bool {
        guard let process = number.split(separator: "-", maxSplits: 1).first.flatMap({ Int32($0) }), process > 1 else {
            return false
        }
        return kill(process, 0) != 0 && errno == ESRCH
    }
}
