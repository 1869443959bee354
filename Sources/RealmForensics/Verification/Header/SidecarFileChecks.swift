internal import RealmLayout
internal import RealmStorage

/// Checks the files beside a database (Q; Spec 140). Read-only: takes no lock and creates no file.
struct SidecarFileChecks {
    /// The suffix that Realm Core appends to the file name for a copy being compacted.
    private static let compactionSuffix = ".tmp_compaction_space"

    let path: String
    let sink: FindingSink

    func run() {
        checkLock()
        let (folder, name) = Self.parts(of: path)
        let names: [String]
        do throws(StorageError) { names = try Folder.names(folder) } catch { return }
        let base = name.hasSuffix(".realm") ? String(name.dropLast(6)) : name
        for other in names {
            if let version = Self.backupFormat(other, of: base) {
                sink.report(
                    .upgradeBackup, "\(other) is a copy that was made before an upgrade from format \(version)")
            } else if other == name + Self.compactionSuffix {
                sink.report(.compactionRemains, "\(other) is left over from a compaction that was interrupted")
            }
        }
    }

    private func checkLock() {
        let lock = path + ".lock"
        switch SystemLocks.areHeld(on: lock) {
        case true?:
            sink.report(.openElsewhere, "a process has the file open for writing")
        case false?:
            guard let processes = Self.processes(inLockFile: lock), processes > 0 else { return }
            sink.report(
                .staleLock,
                "the lock file says that \(processes) processes have the file open, but none has: they did not close it"
            )
        case nil:
            break
        }
    }

    /// The number of processes in a lock file; nil for layouts in which its position is not known.
    private static func processes(inLockFile path: String) -> UInt32? {
        guard Folder.hasRegularFile(path) else { return nil }
        let bytes: [UInt8]
        do throws(StorageError) { bytes = try OpenedFile(path: path).contents(at: 0, count: 16) } catch { return nil }
        guard bytes.count == 16, bytes[0] == 1, (10...14).contains(bytes[6]), bytes[7] == 0 else { return nil }
        return bytes[12...].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// The folder and the name of a file.
    private static func parts(of path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        let folder = path[..<slash]
        return (folder.isEmpty ? "/" : String(folder), String(path[path.index(after: slash)...]))
    }

    /// The format in the name `NAME.vN.backup.realm`.
    private static func backupFormat(_ name: String, of base: String) -> Int? {
        let (start, end) = (base + ".v", ".backup.realm")
        guard name.hasPrefix(start), name.hasSuffix(end), name.utf8.count > start.utf8.count + end.utf8.count else {
            return nil
        }
        return Int(name.dropFirst(start.count).dropLast(end.count))
    }
}
