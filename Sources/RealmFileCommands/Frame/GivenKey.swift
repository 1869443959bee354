internal import RealmLayout
internal import RealmReader
internal import RealmStorage

/// The key of an encrypted file, and where the user gave it.
struct GivenKey {
    let key: EncryptionKey
    /// Whether it is of the environment: of there it is for encrypted files, without being in the way of others.
    let isAmbient: Bool
}

extension RealmDatabase {
    /// Opens a file with the key that was given, if any.
    ///
    /// - Throws: `FormatError`, `StorageError`.
    static func open(_ bytes: ByteSource, _ key: GivenKey?) throws -> RealmDatabase {
        guard let key else { return try RealmDatabase(source: bytes) }
        do {
            return try RealmDatabase(source: bytes, key: key.key)
        } catch let error as FormatError where error.code == .notEncrypted && key.isAmbient {
            return try RealmDatabase(source: bytes)
        }
    }
}
