internal import RealmCore
internal import RealmLayout
internal import RealmStorage

/// The key of an encrypted file, with its origin.
struct GivenKey {
    private let found: Result<EncryptionKey, CommandFailure>
    /// Whether the key is from the environment. Such a key applies to encrypted files and is ignored for other files,
    /// even if it is invalid.
    let isAmbient: Bool

    private init(_ found: Result<EncryptionKey, CommandFailure>, isAmbient: Bool) {
        self.found = found
        self.isAmbient = isAmbient
    }

    init(key: EncryptionKey, isAmbient: Bool) { self.init(.success(key), isAmbient: isAmbient) }

    /// Creates a key that fails with the problem of the environment variable.
    init(ambient failure: CommandFailure) { self.init(.failure(failure), isAmbient: true) }

    /// The same key, ignored if the file is not encrypted.
    var asAmbient: GivenKey { GivenKey(found, isAmbient: true) }

    /// The key.
    ///
    /// - Throws: `CommandFailure` when it is invalid.
    var key: EncryptionKey {
        get throws(CommandFailure) { try found.get() }
    }
}

extension GivenKey? {
    /// Calls `body` with the key, or without one if there is none, or if it is from the environment and the file turns
    /// out not to be encrypted.
    func using<R>(_ body: (EncryptionKey?) throws -> R) throws -> R {
        guard let self else { return try body(nil) }
        let key: EncryptionKey
        do {
            key = try self.key
        } catch {
            do { return try body(nil) } catch let other as FormatError where other.code == .encrypted { throw error }
        }
        do {
            return try body(key)
        } catch let error as FormatError where error.code == .notEncrypted && self.isAmbient {
            return try body(nil)
        }
    }
}

extension RealmDatabase {
    /// Opens a file, with the key if there is one.
    ///
    /// - Throws: `FormatError`, `StorageError`.
    static func open(_ bytes: ByteSource, _ key: GivenKey?) throws -> RealmDatabase {
        try key.using { key in
            try key.map { try RealmDatabase(source: bytes, key: $0) } ?? RealmDatabase(source: bytes)
        }
    }
}
