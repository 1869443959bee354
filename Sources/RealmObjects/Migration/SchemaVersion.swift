internal import RealmCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Returns the schema version of a file.
///
/// - Throws: `Realm.Error` if the file cannot be read or has no version.
public func schemaVersionAtURL(_ fileURL: URL, encryptionKey: Data? = nil) throws -> UInt64 {
    var configuration = Realm.Configuration(fileURL: fileURL)
    configuration.encryptionKey = encryptionKey
    let path = fileURL.path
    guard FileSystem.exists(path) else {
        throw Realm.Error(.invalidDatabase, "Realm at path '\(path)' has not been initialized.", path)
    }
    return try translatingErrors(path) {
        let key = try SharedDatabase.key(configuration)
        let version = try ReadOnlyFile(path: path).read(key) { try $0.snapshot().schema.version }
        guard let version else {
            throw Realm.Error(.fail, "Cannot open an uninitialized realm in read-only mode")
        }
        return version
    }
}

extension Realm {
    /// Migrates the file of a configuration, as opening it does.
    ///
    /// - Throws: `Realm.Error`.
    public static func performMigration(for configuration: Configuration = .defaultConfiguration) throws {
        guard SharedDatabase.find(configuration.identity) == nil else { throw FileSchema.isOpen }
        _ = try Realm(configuration: configuration)
    }
}
