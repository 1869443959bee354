internal import RealmLayout
internal import RealmSystem

/// A folder that has a temporary name beside its final one until everything in it is complete.
///
/// Until `commit`, and for ever when it is not called, nothing has changed under the final name.
package final class PendingFolder {
    /// The final path.
    package let path: String
    /// The path until then.
    package let temporaryPath: String
    private var isPending = true
    private let permissions: UInt32
    /// Says that somebody is at work on the folder.
    private let lock: FolderLock?

    /// What the temporary names of files and folders end with.
    package static let ending = ".partial"
    /// What the name of the folder ends with that takes what is replaced, beside the one that replaces it.
    static let replacedEnding = ".replaced"
    /// What it ends with from when the new folder has its final name until the old one is gone.
    static let removedEnding = ".removed"
    /// What names in a folder end with that are not what they will be; all of them begin with a full stop.
    package static let endings = [ending, replacedEnding, removedEnding]
    /// Bytes of the final name that temporary ones begin with: file systems allow 255.
    static let nameBytes = 60
    private static let attempts = 100

    /// Makes the temporary folder.
    ///
    /// - Parameter permissions: what the folder may be used for at most.
    /// - Throws: `StorageError`.
    package init(path: String, permissions: UInt32 = 0o777) throws(StorageError) {
        let (folder, name) = OutputFile.split(path)
        let start = Self.start(of: name)
        self.path = path
        self.permissions = permissions
        var number = 0
        while true {
            let suffix = number == 0 ? "" : "-\(number)"
            let temporary = "\(folder).\(start).\(getpid())\(suffix)"
            let isTaken = [Self.replacedEnding, Self.removedEnding].contains { Folder.exists(temporary + $0) }
            if !isTaken, unsafe mkdir((temporary + Self.ending).native, mode_t(permissions)) == 0 {
                temporaryPath = temporary + Self.ending
                lock = FolderLock(temporaryPath)
                InterruptedOutput.add(temporaryPath)
                return
            }
            number += 1
            guard isTaken || errno == EEXIST, number < Self.attempts else {
                throw .last("cannot make a folder there", path)
            }
        }
    }

    deinit { discard() }

    /// What the temporary name of a folder begins with.
    static func start(of name: String) -> String { String(decoding: name.utf8.prefix(nameBytes), as: UTF8.self) }

    /// A temporary path with another ending.
    static func path(_ path: String, endingWith other: String) -> String {
        for ending in endings where path.hasSuffix(ending) { return path.dropLast(ending.utf8.count) + other }
        return path
    }

    /// The path of a file that is to be in the folder, until `commit`. Folders around it are made.
    ///
    /// - Throws: `StorageError`.
    package func path(of name: String) throws(StorageError) -> String {
        var folder = temporaryPath
        let parts = name.split(separator: "/")
        for part in parts.dropLast() {
            folder += "/\(part)"
            if Folder.exists(folder) { continue }
            try OutputFile.makeFolder(folder, permissions: permissions)
            InterruptedOutput.add(folder)
        }
        let path = "\(folder)/\(parts.last ?? "")"
        InterruptedOutput.add(path)
        return path
    }

    /// Gives the folder its final name, in place of others beside it, which go with all that is in them.
    ///
    /// - Parameters:
    ///   - others: names in the folder around.
    ///   - files: the files in them that may be removed, by paths in the folder around.
    /// - Throws: `StorageError`; all is as it was then.
    package func commit(replacing others: [String], with files: [String]) throws(StorageError) {
        // What is interrupted from here on leaves a folder too many, not one too few.
        InterruptedOutput.forgetAdded()
        guard !others.isEmpty else { return try rename() }
        let around = OutputFile.split(path).folder
        let old = Self.path(temporaryPath, endingWith: Self.replacedEnding)
        try OutputFile.makeFolder(old)
        let lock = FolderLock(old)
        defer { lock?.release() }
        var moved: [String] = []
        do throws(StorageError) {
            for name in others {
                try Self.rename(around + name, to: "\(old)/\(name)", of: path)
                moved.append(name)
            }
            try rename()
        } catch {
            for name in moved { try? Self.rename("\(old)/\(name)", to: around + name, of: path) }
            Folder.remove([], in: old)
            throw error
        }
        Self.remove(files, old)
    }

    /// Removes what was replaced, under a name that says that what replaces it is there.
    static func remove(_ files: [String], _ old: String) {
        let removed = path(old, endingWith: removedEnding)
        let isRenamed = PlatformRename.rename(old, removed) == 0
        Folder.remove(files, in: isRenamed ? removed : old)
    }

    private func rename() throws(StorageError) {
        try Self.rename(temporaryPath, to: path, of: path)
        isPending = false
        lock?.release()
    }

    static func rename(_ path: String, to other: String, of output: String) throws(StorageError) {
        guard PlatformRename.rename(path, other) == 0 else { throw .last("cannot write", output) }
    }

    /// Removes the folder and all that is in it, unless it has its final name.
    package func discard() {
        guard isPending else { return }
        isPending = false
        Folder.remove(Folder.tree(temporaryPath).files, in: temporaryPath)
        InterruptedOutput.forgetAdded()
    }
}

/// The system's call, which a method of the same name hides.
private enum PlatformRename {
    static func rename(_ path: String, _ other: String) -> Int32 {
        #if canImport(Glibc)
            unsafe Glibc.rename(path.native, other.native)
        #elseif canImport(Musl)
            unsafe Musl.rename(path.native, other.native)
        #else
            unsafe Darwin.rename(path.native, other.native)
        #endif
    }
}

extension Folder {
    /// No export has folders as deep in each other; what is deeper is taken for a file that nobody knows.
    private static let depth = 8

    /// The files and folders in a folder, by paths in it; folders after those around them. Links are not followed.
    package static func tree(_ path: String) -> (files: [String], folders: [String]) {
        var (files, folders): ([String], [String]) = ([], [])
        var waiting = [(name: "", depth: 0)]
        while let (name, depth) = waiting.popLast() {
            for entry in (try? names(name.isEmpty ? path : "\(path)/\(name)")) ?? [] {
                let inner = name.isEmpty ? entry : "\(name)/\(entry)"
                var status = stat()
                let isFolder =
                    unsafe lstat("\(path)/\(inner)".native, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
                if isFolder, depth < Self.depth {
                    folders.append(inner)
                    waiting.append((inner, depth + 1))
                } else {
                    files.append(inner)
                }
            }
        }
        return (files.inOrder(), folders.inOrder())
    }

    /// Removes files of a folder, and the folder with those in it where nothing is left in them.
    package static func remove(_ files: [String], in path: String) {
        for file in files { unsafe unlink("\(path)/\(file)".native) }
        for folder in tree(path).folders.reversed() { unsafe rmdir("\(path)/\(folder)".native) }
        unsafe rmdir(path.native)
    }
}
