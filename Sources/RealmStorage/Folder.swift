internal import RealmLayout
internal import RealmSystem

/// Queries about folders and their entries.
package enum Folder {
    /// Whether there is a folder at `path`.
    package static func exists(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path.native, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Whether there is something other than a folder at `path`.
    package static func hasFile(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path.native, &status) == 0 && status.st_mode & S_IFMT != S_IFDIR
    }

    /// Whether there is a regular file at `path`, as opposed to a pipe or device, which may block.
    package static func hasRegularFile(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path.native, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// The names of everything in a folder, in the order of their bytes.
    ///
    /// - Throws: `StorageError`.
    package static func names(_ path: String) throws(StorageError) -> [String] {
        guard let folder = unsafe opendir(path.native) else { throw .last("cannot open", path) }
        defer { unsafe closedir(folder) }
        var names: [String] = []
        while let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe NativePath.text(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.inOrder { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}
