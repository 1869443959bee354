internal import RealmLayout
internal import RealmReader
internal import RealmStorage

/// The key of an encrypted file, and where the user gave it.
struct GivenKey {
    private let found: Result<EncryptionKey, CommandFailure>
    /// Whether it is of the environment: of there it is for encrypted files, without being in the way of others, even when it
    /// is no key at all.
    let isAmbient: Bool

    private init(_ found: Result<EncryptionKey, CommandFailure>, isAmbient: Bool) {
        self.found = found
        self.isAmbient = isAmbient
    }

    init(key: EncryptionKey, isAmbient: Bool) { self.init(.success(key), isAmbient: isAmbient) }

    /// What the environment has instead of a key.
    init(ambient failure: CommandFailure) { self.init(.failure(failure), isAmbient: true) }

    /// The same, when it need not be of the file.
    var asAmbient: GivenKey { GivenKey(found, isAmbient: true) }

    /// The key.
    ///
    /// - Throws: what is wrong with it.
    var key: EncryptionKey {
        get throws(CommandFailure) { try found.get() }
    }
}

extension GivenKey? {
    /// Calls `body` with the key; without one when there is none, or when it is of the environment and the file turns out
    /// not to be encrypted.
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
    /// Opens a file with the key that was given, if any.
    ///
    /// - Throws: `FormatError`, `StorageError`.
    static func open(_ bytes: ByteSource, _ key: GivenKey?) throws -> RealmDatabase {
        try key.using { key in
            try key.map { try RealmDatabase(source: bytes, key: $0) } ?? RealmDatabase(source: bytes)
        }
    }
}
