internal import RealmSystem

/// The kind of file at an output path.
enum OutputTarget {
    /// Nothing exists there.
    case free
    /// A regular file, or a link that leads nowhere.
    case file
    /// A pipe or a device.
    case special

    /// Determines the kind of file at `path`.
    ///
    /// - Throws: `StorageError`, `EISDIR` for a folder.
    init(_ path: String) throws(StorageError) {
        var status = stat()
        guard unsafe stat(path.native, &status) == 0 else {
            self = OutputFile.exists(path) ? .file : .free
            return
        }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: throw StorageError(code: EISDIR, action: "cannot write", path: path)
        case S_IFREG: self = .file
        default: self = .special
        }
    }

    /// Checks whether a database may be written here.
    ///
    /// - Throws: `StorageError`, `EEXIST` for a file that may not be replaced, `ESPIPE` for a pipe or a device.
    func check(overwrite: Bool, _ path: String) throws(StorageError) {
        switch self {
        case .free: break
        case .file: if !overwrite { throw .alreadyThere(path) }
        case .special:
            throw StorageError(code: ESPIPE, action: "cannot write a database into a pipe or device", path: path)
        }
    }
}

extension OutputFile {
    /// Splits a path into its folder, with the slash at its end, and the name.
    static func split(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return ("", path) }
        return (String(path[...slash]), String(path[path.index(after: slash)...]))
    }

    /// Whether there is something at `path`.
    package static func exists(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path.native, &status) == 0
    }

    /// Whether there is a link at `path`.
    package static func isLink(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path.native, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    /// Whether both paths lead to the same file, possibly by different names.
    package static func isSameFile(_ path: String, _ other: String) -> Bool {
        var (first, second) = (stat(), stat())
        guard unsafe stat(path.native, &first) == 0, unsafe stat(other.native, &second) == 0 else { return false }
        return first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }

    /// The permissions of the file at `path`; nil if there is none.
    package static func permissions(ofFileAt path: String) -> UInt32? {
        var status = stat()
        return unsafe stat(path.native, &status) == 0 ? UInt32(status.st_mode) & 0o777 : nil
    }

    /// The target of a link; `path` itself if it is not a link, or leads nowhere.
    static func followed(_ path: String) -> String {
        var status = stat()
        guard unsafe lstat(path.native, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return path }
        return withoutLinks(path) ?? path
    }

    /// The canonical path of a file, absolute and without links, whether the file exists or not; `path` itself if
    /// neither it nor a folder above it exists.
    package static func identity(_ path: String) -> String {
        if let found = withoutLinks(path) { return found }
        let (folder, name) = split(path)
        guard !name.isEmpty, folder != "/" else { return path }
        let found = identity(folder.isEmpty ? "." : String(folder.dropLast()))
        return found.hasSuffix("/") ? found + name : "\(found)/\(name)"
    }

    /// The absolute path of an existing file, without links; nil if it does not exist.
    private static func withoutLinks(_ path: String) -> String? {
        guard let found = unsafe realpath(path.native, nil) else { return nil }
        defer { unsafe free(found) }
        return unsafe NativePath.text(cString: found)
    }

    /// Creates the folder at `path` and those above it, unless they exist.
    ///
    /// - Parameter permissions: the maximum permissions of a new folder at `path` itself.
    /// - Returns: the paths of the new folders, the outermost first. If the process is interrupted, they are removed
    ///   unless something is in them.
    /// - Throws: `StorageError` if a folder cannot be created.
    @discardableResult
    package static func makeFolder(_ path: String, permissions: UInt32 = 0o777) throws(StorageError) -> [String] {
        if path.isEmpty || path == "/" { return [] }
        var status = stat()
        if unsafe stat(path.native, &status) == 0 {
            if status.st_mode & S_IFMT == S_IFDIR { return [] }
            throw StorageError(code: ENOTDIR, action: "cannot make a folder there", path: path)
        }
        let trimmed = path.hasSuffix("/") ? String(path.dropLast()) : path
        let above = try makeFolder(String(split(trimmed).folder.dropLast()))
        guard unsafe mkdir(trimmed.native, mode_t(permissions)) == 0 else {
            guard errno == EEXIST else { throw .last("cannot make a folder there", path) }
            return above
        }
        InterruptedOutput.add(trimmed)
        return above + [trimmed]
    }

    /// Removes folders that `makeFolder` created, the outermost first, unless something is in them.
    package static func removeFolders(_ made: [String]) {
        for folder in made.reversed() { unsafe rmdir(folder.native) }
    }
}
