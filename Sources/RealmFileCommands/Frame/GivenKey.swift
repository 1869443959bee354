internal import RealmLayout
internal import RealmReader
internal import RealmStorage

/// The key of an encrypted file, and where the user gave it.
struct GivenKey {
    let key: EncryptionKey
    /// Whether it is of the environment: of there it is for encrypted files, without being in the way of others.
    let isAmbient: Bool
}

extension GivenKey? {
    /// Calls `body` with the key; without one when there is none, or when it is of the environment and the file turns out
    /// not to be encrypted.
    func using<R>(_ body: (EncryptionKey?) throws -> R) throws -> R {
        guard let self else { return try body(nil) }
        do {
            return try body(self.key)
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
