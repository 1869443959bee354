internal import RealmSystem

// Recovery after a process was killed while it replaced folders.
extension PendingFolder {
    /// Completes or undoes interrupted commits in a folder: restores the old content if the new one has no final name
    /// yet, and removes it otherwise. Folders in use stay.
    ///
    /// - Parameter files: returns the removable files in a folder of old content, by their relative paths.
    package static func recover(in folder: String, _ files: (String) -> [String]) {
        for name in (try? Folder.names(folder)) ?? [] where name.hasPrefix(".") {
            let path = "\(folder)/\(name)"
            if name.hasSuffix(ending) { removeAbandoned(name, in: folder) }
            guard name.hasSuffix(replacedEnding) || name.hasSuffix(removedEnding), let lock = FolderLock(path) else {
                continue
            }
            if name.hasSuffix(removedEnding) {
                Folder.remove(files(path), in: path)
            } else if isReplaced(name, in: folder) {
                remove(files(path), path)
            } else {
                restore(path, to: folder)
            }
            lock.release()
        }
    }

    /// Removes new content whose process was killed before it replaced anything.
    private static func removeAbandoned(_ name: String, in folder: String) {
        let path = "\(folder)/\(name)"
        let number = name.dropLast(ending.count).split(separator: ".").last ?? ""
        guard Folder.exists(path), !OutputFile.isLink(path), PendingFile.isAbandoned(number),
            !Folder.exists(self.path(path, endingWith: replacedEnding)), let lock = FolderLock(path)
        else { return }
        Folder.remove(Folder.tree(path).files, in: path)
        lock.release()
    }

    /// Whether the new content has its final name.
    ///
    /// - Parameter name: the name of the folder with the old content.
    private static func isReplaced(_ name: String, in folder: String) -> Bool {
        guard !Folder.exists("\(folder)/\(path(name, endingWith: ending))") else { return false }
        // `.START.PROCESS.replaced`
        let start = name.dropFirst().dropLast(replacedEnding.utf8.count).split(
            separator: ".", omittingEmptySubsequences: false
        ).dropLast().joined(separator: ".")
        guard start.utf8.count >= nameBytes - 3 else { return Folder.exists("\(folder)/\(start)") }
        return ((try? Folder.names(folder)) ?? []).contains { $0.hasPrefix(start) }
    }

    /// Restores the old content, and removes the new one.
    private static func restore(_ path: String, to folder: String) {
        let new = self.path(path, endingWith: ending)
        let lock = FolderLock(new)
        // Another process has just begun to write it.
        guard lock != nil || !Folder.exists(new) else { return }
        defer { lock?.release() }
        for name in (try? Folder.names(path)) ?? [] where !OutputFile.exists("\(folder)/\(name)") {
            try? rename("\(path)/\(name)", to: "\(folder)/\(name)", of: folder)
        }
        guard unsafe rmdir(path.native) == 0 else { return }
        Folder.remove(Folder.tree(new).files, in: new)
    }
}
