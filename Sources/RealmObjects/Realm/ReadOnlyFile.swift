internal import RealmCore
internal import RealmLayout
internal import RealmStorage

/// A file that is only read, while other processes may write it. No lock keeps them out (Spec 140): a reader would find
/// the file changed under its objects.
struct ReadOnlyFile {
    let path: String
    /// Maximum time to retry while another process keeps committing.
    private static let longest = Duration.seconds(10)

    /// Returns the bytes of the file, which do not change while they are in use: if the file may be written, those of
    /// an unnamed copy.
    ///
    /// - Throws: `StorageError` if it cannot be read; `Realm.Error` if a process writes it and there is no room for a
    ///   copy, or if every copy mixed several commits.
    func source() throws -> ByteSource {
        guard mayChange else { return try ByteSource(path: path) }
        let end = ContinuousClock.now + Self.longest
        while true {
            do {
                return try ByteSource.privateCopy(ofFileAt: path, attempts: 1)
            } catch let error as FormatError where error.code == .fileChanged {
                guard ContinuousClock.now < end else { throw busy }
            } catch let error as StorageError {
                // Without room for a copy, the file itself is read unless a process has it open.
                guard locks.allSatisfy({ SystemLocks.areHeld(on: $0) == false }) else { throw uncopied(error) }
                return try ByteSource(path: path)
            }
        }
    }

    /// Opens the database in the file.
    ///
    /// - Throws: as `source`; `FormatError` if the file is not a database.
    func database(_ key: EncryptionKey?) throws -> RealmDatabase { try Self.database(source(), key) }

    private static func database(_ source: ByteSource, _ key: EncryptionKey?) throws -> RealmDatabase {
        try key.map { try RealmDatabase(source: source, key: $0) } ?? RealmDatabase(source: source)
    }

    /// Runs a short read. No copy is made unless the file changes meanwhile.
    ///
    /// - Throws: as `database`, and the errors of `body`.
    func read<R>(_ key: EncryptionKey?, _ body: (RealmDatabase) throws -> R) throws -> R {
        let source = try ByteSource(path: path)
        let mark = try? CommitMark.now(of: source)
        do {
            let database = try Self.database(source, key)
            let result = try body(database)
            try database.checkUnchanged()
            return result
        } catch let error as FormatError {
            // The read may have mixed two commits. If nothing has changed, the error is in the file.
            if error.code != .fileChanged, let mark, (try? mark.check(source)) != nil { throw error }
            return try body(database(key))
        }
    }

    /// Whether the file may change: this process may write it, so others may too, or a lock file shows that a process
    /// has opened it for writing.
    private var mayChange: Bool { FileSystem.isWritable(path) || locks.contains { FileSystem.exists($0) } }

    private var locks: [String] { ["\(path).lock", "\(OutputFile.identity(path)).lock"] }

    private var busy: Realm.Error { failure("changes it all the time; close that, or open a copy") }

    private func uncopied(_ error: StorageError) -> Realm.Error {
        failure("has it open, and no copy can be made to read: \(error)")
    }

    /// Returns an error that names the process that has the file open, if the system reports it.
    private func failure(_ text: String) -> Realm.Error {
        let holder = locks.lazy.flatMap { SystemLocks.holders(of: $0) }.first.map { "\($0)" } ?? "another process"
        return Realm.Error(.fileAccess, "Failed to open file at path '\(path)': \(holder) \(text)", path)
    }
}
