internal import RealmCore
internal import RealmLayout
internal import RealmStorage

/// The surroundings of a file in its folder.
enum FileContext {
    /// The maximum depth of nested folders to search: an app's data has its databases two or three levels deep.
    private static let depth = 6
    /// The maximum number of names to look at.
    private static let most = 100_000

    /// The files in a folder and its subfolders that may be databases.
    ///
    /// - Returns: the files, and the parts of the folder that were not searched.
    /// - Throws: `StorageError` when the folder itself cannot be read.
    static func databases(in folder: String) throws(StorageError) -> (files: [String], unsearched: Unsearched) {
        var (files, unsearched, seen): ([String], Unsearched, Int) = ([], Unsearched(), 0)
        var waiting = [(path: folder, depth: 0)]
        while let (path, depth) = waiting.popLast() {
            let names: [String]
            do throws(StorageError) {
                names = try Folder.names(path)
            } catch {
                guard depth > 0 else { throw error }
                unsearched.errors.append(error)
                continue
            }
            for name in names {
                let inner = path.hasSuffix("/") ? path + name : "\(path)/\(name)"
                seen += 1
                guard seen <= most else {
                    unsearched.isBeyondLimits = true
                    return (files.inOrder(), unsearched)
                }
                if name.hasSuffix(".realm"), Folder.hasRegularFile(inner) { files.append(inner) }
                guard Folder.exists(inner), !OutputFile.isLink(inner), !name.hasSuffix(".management") else { continue }
                if depth + 1 < Self.depth {
                    waiting.append((inner, depth + 1))
                } else {
                    unsearched.isBeyondLimits = true
                }
            }
        }
        return (files.inOrder(), unsearched)
    }

    /// The parts of a folder that were not searched.
    struct Unsearched {
        /// Errors of folders that could not be read.
        var errors: [StorageError] = []
        /// Whether there were folders nested too deeply, or too many names.
        var isBeyondLimits = false

        var isEmpty: Bool { errors.isEmpty && !isBeyondLimits }
    }

    /// The database to which a lock file may belong: from its name, `NAME.realm.lock`, or because the database is in
    /// the same folder. Nil for other files, such as the lock files of package managers.
    static func lockedDatabase(of file: String) -> String? {
        guard file.hasSuffix(".lock") else { return nil }
        let database = String(file.dropLast(5))
        if database.hasSuffix(".realm") { return database }
        guard Folder.hasRegularFile(database), let bytes = try? ByteSource(path: database) else { return nil }
        return isNoDatabase(bytes) ? nil : database
    }

    /// Whether a file has no sign of being a database.
    static func isNoDatabase(_ bytes: ByteSource) -> Bool {
        guard let problem = DatabaseImage.headerProblem(bytes) else { return false }
        return [.notARealm, .tooShort, .emptyFile, .zeroedFile, .zeroedHeader].contains(problem.code)
    }

    /// The backups that SDKs made of a file before upgrades: `NAME.vN.backup.realm`.
    static func backups(of file: String) -> [String] {
        let end = file.lastIndex(of: "/").map { file.index(after: $0) } ?? file.startIndex
        let (folder, name) = (file[..<end], file[end...])
        let stem = name.hasSuffix(".realm") ? name.dropLast(6) : name
        let names = (try? Folder.names(folder.isEmpty ? "." : String(folder))) ?? []
        return names.filter { $0.hasPrefix("\(stem).v") && $0.hasSuffix(".backup.realm") && $0 != name }.map {
            folder + $0
        }
    }
}
