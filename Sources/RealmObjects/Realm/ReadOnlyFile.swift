internal import RealmLayout
internal import RealmReader
internal import RealmStorage

/// A file that is only read, beside others that may write it. No lock keeps them out (Spec 140): who reads along would find it changed below its
/// objects.
struct ReadOnlyFile {
    let path: String
    /// How long to try while another process commits all the time.
    private static let longest = Duration.seconds(10)

    /// The bytes of the file, which stay as they are for as long as they are there: those of a copy without a name, where anybody may write
    /// the file.
    ///
    /// - Throws: `StorageError` where it cannot be read; `Realm.Error` where a process writes it and there is no room for a copy, or
    ///   no copy was of one commit.
    func source() throws -> ByteSource {
        guard mayChange else { return try ByteSource(path: path) }
        let end = ContinuousClock.now + Self.longest
        while true {
            do {
                return try ByteSource.privateCopy(ofFileAt: path, attempts: 1)
            } catch let error as FormatError where error.code == .fileChanged {
                guard ContinuousClock.now < end else { throw busy }
            } catch let error as StorageError {
                // Without room for a copy the file itself will do, unless somebody has it open.
                guard locks.allSatisfy({ SystemLocks.areHeld(on: $0) == false }) else { throw uncopied(error) }
                return try ByteSource(path: path)
            }
        }
    }

    /// The database in the file.
    ///
    /// - Throws: as `source`; `FormatError` where it is none.
    func database(_ key: EncryptionKey?) throws -> RealmDatabase { try Self.database(source(), key) }

    private static func database(_ source: ByteSource, _ key: EncryptionKey?) throws -> RealmDatabase {
        try key.map { try RealmDatabase(source: source, key: $0) } ?? RealmDatabase(source: source)
    }

    /// Reads a little, for which no copy is made unless the file changes meanwhile.
    ///
    /// - Throws: as `database`, and what `body` throws.
    func read<R>(_ key: EncryptionKey?, _ body: (RealmDatabase) throws -> R) throws -> R {
        let source = try ByteSource(path: path)
        let mark = try? CommitMark.now(of: source)
        do {
            let database = try Self.database(source, key)
            let result = try body(database)
            try database.checkUnchanged()
            return result
        } catch let error as FormatError {
            // What was read may be of two commits; where nothing has changed, it is the file that is wrong.
            if error.code != .fileChanged, let mark, (try? mark.check(source)) != nil { throw error }
            return try body(database(key))
        }
    }

    /// Who has opened the file to write left a lock file beside it; who has not may do so, where this process may.
    private var mayChange: Bool { FileSystem.isWritable(path) || locks.contains { FileSystem.exists($0) } }

    private var locks: [String] { ["\(path).lock", "\(OutputFile.identity(path)).lock"] }

    private var busy: Realm.Error { failure("changes it all the time; close that, or open a copy") }

    private func uncopied(_ error: StorageError) -> Realm.Error {
        failure("has it open, and no copy can be made to read: \(error)")
    }

    /// An error that names the process that has the file open, as far as the system says which.
    private func failure(_ text: String) -> Realm.Error {
        let holder = locks.lazy.flatMap { SystemLocks.holders(of: $0) }.first.map { "\($0)" } ?? "another process"
        return Realm.Error(.fileAccess, "Failed to open file at path '\(path)': \(holder) \(text)", path)
    }
}
