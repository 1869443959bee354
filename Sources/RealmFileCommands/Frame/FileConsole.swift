internal import RealmLayout
internal import RealmStorage
internal import Synchronization

/// A console whose output goes to a file, which appears when it is complete. Messages go to another console.
final class FileConsole: Console {
    /// The path as it was given.
    let path: String
    private let messages: any Console
    private let file: Mutex<OutputFile>

    /// - Parameters:
    ///   - replacing: whether an existing file may be replaced.
    ///   - permissions: those of the file that is read, which this one does not exceed; nil for the usual ones.
    /// - Throws: `CommandFailure`: there is a file already, or none can be made.
    init(path: String, replacing: Bool, permissions: UInt32?, messages: any Console) throws {
        self.path = path
        self.messages = messages
        file = Mutex(
            try OutputFile(
                path: path, replacing: replacing, permissions: permissions.map { $0 & 0o666 | 0o600 } ?? 0o666))
    }

    func write(_ bytes: [UInt8]) throws {
        try file.withLock { file in
            try ByteView.with(bytes) { view throws(StorageError) in try file.write(view) }
        }
    }

    func flush() throws {}

    /// Gives the file its name.
    ///
    /// - Throws: `StorageError`.
    func commit() throws { try file.withLock { try $0.commit() } }

    func message(_ line: String) { messages.message(line) }
    func progress(_ text: String) { messages.progress(text) }
    var errorOutputWidth: Int? { messages.errorOutputWidth }
    func environmentKey(_ name: String) throws(KeyError) -> EncryptionKey? { try messages.environmentKey(name) }
}
