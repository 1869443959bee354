internal import RealmLayout
internal import RealmSystem

/// A folder that has a temporary name beside its final one until its content is complete.
///
/// Nothing changes under the final name before `commit`.
package final class PendingFolder {
    /// The final path.
    package let path: String
    /// The temporary path.
    package let temporaryPath: String
    private var isPending = true
    private let permissions: UInt32
    /// Marks the folder as in use.
    private let lock: FolderLock?

    /// The ending of the temporary names of files and folders.
    package static let ending = ".partial"
    /// The ending of the folder that receives the replaced content, beside the new folder.
    static let replacedEnding = ".replaced"
    /// The ending of that folder after the new folder has its final name and until the old content is removed.
    static let removedEnding = ".removed"
    /// The endings of all temporary names in a folder; these names begin with a full stop.
    package static let endings = [ending, replacedEnding, removedEnding]
    /// The number of bytes of the final name at the beginning of temporary ones; file systems allow 255.
    static let nameBytes = 60
    private static let attempts = 100

    /// Creates the temporary folder.
    ///
    /// - Parameter permissions: the maximum permissions of the folder.
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

    /// The beginning of the temporary name of a folder.
    static func start(of name: String) -> String { String(decoding: name.utf8.prefix(nameBytes), as: UTF8.self) }

    /// Replaces the ending of a temporary path.
    static func path(_ path: String, endingWith other: String) -> String {
        for ending in endings where path.hasSuffix(ending) { return path.dropLast(ending.utf8.count) + other }
        return path
    }

    /// The path, until `commit`, of a file in the folder. Creates the folders above it.
    ///
    /// - Throws: `StorageError`.
    package func path(of name: String) throws(StorageError) -> String {
        var folder = temporaryPath
        let parts = name.split(separator: "/")
        for part in parts.dropLast() {
            folder += "/\(part)"
            if Folder.exists(folder) { continue }
            try OutputFile.makeFolder(folder, permissions: permissions)
        }
        let path = "\(folder)/\(parts.last ?? "")"
        InterruptedOutput.add(path)
        return path
    }

    /// Moves the folder to its final name, replacing other entries beside it with all of their content.
    ///
    /// - Parameters:
    ///   - others: names in the parent folder.
    ///   - files: the removable files in them, by paths relative to the parent folder.
    /// - Throws: `StorageError`; nothing has changed then.
    package func commit(replacing others: [String], with files: [String]) throws(StorageError) {
        // An interruption from here on leaves one folder too many, not one too few.
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

    /// Removes the replaced content, renamed to indicate that its replacement is complete.
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
        guard PlatformRename.rename(path, other) == 0 else {
            throw errno == ENOTEMPTY || errno == EEXIST || errno == ENOENT
                ? .isContested(output) : .last("cannot write", output)
        }
    }

    /// Removes the folder and all of its content, unless it has its final name.
    package func discard() {
        guard isPending else { return }
        isPending = false
        Folder.remove(Folder.tree(temporaryPath).files, in: temporaryPath)
        InterruptedOutput.forgetAdded()
    }
}

/// The system call, which a method of the same name hides.
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
    /// Deeper than any export nests folders. Anything deeper is treated as an unknown file.
    private static let depth = 8

    /// The files and folders in a folder, by relative paths; folders after those that contain them. Does not follow
    /// links.
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

    /// Removes files of a folder, then the folder and its subfolders if they are empty.
    package static func remove(_ files: [String], in path: String) {
        for file in files { unsafe unlink("\(path)/\(file)".native) }
        for folder in tree(path).folders.reversed() { unsafe rmdir("\(path)/\(folder)".native) }
        unsafe rmdir(path.native)
    }
}
