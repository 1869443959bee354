internal import RealmStorage
internal import Synchronization

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Migrates the content of a file with an older schema; receives the schema version of the file.
public typealias MigrationBlock = @Sendable (_ migration: Migration, _ oldSchemaVersion: UInt64) -> Void

extension Realm {
    /// The file or in-memory database to open, and how to open it.
    public struct Configuration: Sendable {
        /// The file; nil for a database in memory, which has a name instead. Setting it clears `inMemoryIdentifier`.
        public var fileURL: URL? {
            didSet { if fileURL != nil { memoryName = nil } }
        }
        private var memoryName: String?
        /// The name of a database in memory, which lives as long as a realm of it. Setting it clears `fileURL`.
        public var inMemoryIdentifier: String? {
            get { memoryName }
            set {
                memoryName = newValue
                if newValue != nil { fileURL = nil }
            }
        }
        /// The 64-byte encryption key; nil for a plain file.
        ///
        /// A commit writes whole pages of 4096 bytes, and never to a page that already holds other data: after many
        /// small commits an encrypted file is many times as large as its content. `shouldCompactOnLaunch` reclaims the
        /// space.
        public var encryptionKey: Data?
        /// Whether the file is only read. It is never changed then, and other processes may use it: the realm shows the
        /// file as it was when opened. If the file may be written, a copy in the folder for temporary files (`TMPDIR`)
        /// is read instead, which is removed with the realm.
        public var readOnly: Bool
        /// The schema version of the program's classes; increase it with each change of them.
        public var schemaVersion: UInt64
        /// Migrates the content of an older schema version.
        public var migrationBlock: MigrationBlock?
        /// Whether a file with other classes is deleted instead of migrated: for use during development.
        public var deleteRealmIfMigrationNeeded: Bool
        /// Decides whether to compact a file on first opening; receives its size and the number of bytes in use.
        public var shouldCompactOnLaunch: (@Sendable (Int, Int) -> Bool)?
        /// The model classes; nil for all classes of the program.
        public var objectTypes: [ObjectBase.Type]?
        /// Maximum number of versions when a transaction begins, from the oldest one still being read to the latest;
        /// nil for no limit. Exceeding it is an error: the file would grow, because space that is still being read
        /// cannot be reused. The error reveals realms that are not refreshed, and frozen objects that are kept too
        /// long.
        public var maximumNumberOfActiveVersions: UInt?
        /// A file to copy if the file does not exist yet.
        public var seedFilePath: URL?

        /// Creates a configuration; without arguments, for the file `default.realm`.
        public init(
            fileURL: URL? = Configuration.defaultFile, inMemoryIdentifier: String? = nil, encryptionKey: Data? = nil,
            readOnly: Bool = false, schemaVersion: UInt64 = 0, migrationBlock: MigrationBlock? = nil,
            deleteRealmIfMigrationNeeded: Bool = false, shouldCompactOnLaunch: (@Sendable (Int, Int) -> Bool)? = nil,
            objectTypes: [ObjectBase.Type]? = nil, seedFilePath: URL? = nil
        ) {
            self.fileURL = inMemoryIdentifier == nil ? fileURL : nil
            memoryName = inMemoryIdentifier
            self.encryptionKey = encryptionKey
            self.readOnly = readOnly
            self.schemaVersion = schemaVersion
            self.migrationBlock = migrationBlock
            self.deleteRealmIfMigrationNeeded = deleteRealmIfMigrationNeeded
            self.shouldCompactOnLaunch = shouldCompactOnLaunch
            self.objectTypes = objectTypes
            self.seedFilePath = seedFilePath
        }

        private static let common = Mutex<Configuration?>(nil)

        /// The configuration that `Realm()` opens.
        public static var defaultConfiguration: Configuration {
            get { common.withLock { $0 } ?? Configuration() }
            set { common.withLock { $0 = newValue } }
        }

        /// `default.realm`, in the same place as in RealmSwift: the documents folder on iOS, watchOS and visionOS, the
        /// caches folder on tvOS, application support on macOS and in Catalyst, in a subfolder of the application
        /// unless it is sandboxed. Elsewhere in the current directory.
        public static var defaultFile: URL {
            #if os(tvOS)
                URL.cachesDirectory.appending(path: "default.realm")
            #elseif canImport(Darwin) && !os(macOS) && !targetEnvironment(macCatalyst)
                URL.documentsDirectory.appending(path: "default.realm")
            #elseif canImport(Darwin)
                defaultFile(
                    in: URL.applicationSupportDirectory, ProcessInfo.processInfo.environment,
                    Bundle.main.bundleIdentifier ?? Bundle.main.executableURL?.lastPathComponent)
            #else
                URL(filePath: FileManager.default.currentDirectoryPath).appending(path: "default.realm")
            #endif
        }

        /// Returns the default file of an application inside a shared folder, and creates the application's subfolder.
        ///
        /// - Parameter name: the bundle identifier, or the name of the program.
        package static func defaultFile(in folder: URL, _ environment: [String: String], _ name: String?) -> URL {
            guard environment["APP_SANDBOX_CONTAINER_ID"] == nil, let name else {
                return folder.appending(path: "default.realm")
            }
            let own = folder.appending(path: name)
            try? FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
            return own.appending(path: "default.realm")
        }

        /// Identity of the database within the process. A file is the same whatever symbolic links a path contains,
        /// such as `/var` on Apple's systems.
        ///
        /// - Precondition: the configuration names a file or a database in memory.
        var identity: String {
            if let memoryName { return "memory:\(memoryName)" }
            guard let fileURL else {
                Failure.stop("A Realm Configuration must specify a path or an in-memory identifier.")
            }
            return OutputFile.identity(fileURL.path)
        }

        var seedPath: String? { seedFilePath?.path }
        var path: String? { memoryName == nil ? fileURL?.path : nil }

        /// The model classes.
        ///
        /// - Throws: `Realm.Error` if they are inconsistent.
        var models: [ModelClass] {
            get throws { try ModelClass.closed(objectTypes) }
        }
    }
}

extension Realm.Configuration: Equatable, CustomStringConvertible {
    /// Whether both open the same database in the same way. Other options, such as migration, are not compared.
    public static func == (left: Realm.Configuration, right: Realm.Configuration) -> Bool {
        left.encryptionKey == right.encryptionKey && left.fileURL == right.fileURL
            && left.inMemoryIdentifier == right.inMemoryIdentifier && left.readOnly == right.readOnly
            && left.schemaVersion == right.schemaVersion
    }

    /// The configuration as text. The key is not included, only whether there is one.
    public var description: String {
        let lines = [
            "fileURL = \(fileURL.map { "\($0)" } ?? "(null)");",
            "inMemoryIdentifier = \(inMemoryIdentifier ?? "(null)");",
            "encryptionKey = \(encryptionKey == nil ? "(null)" : "given");", "readOnly = \(readOnly ? 1 : 0);",
            "schemaVersion = \(schemaVersion);", "migrationBlock = \(migrationBlock == nil ? "(null)" : "given");",
            "deleteRealmIfMigrationNeeded = \(deleteRealmIfMigrationNeeded ? 1 : 0);",
            "shouldCompactOnLaunch = \(shouldCompactOnLaunch == nil ? "(null)" : "given");",
            "objectTypes = \(objectTypes.map { "\($0)" } ?? "(null)");",
        ]
        return "Realm.Configuration {\n" + lines.map { "\t\($0)\n" }.joined() + "}"
    }
}

extension ClassDiscovery {
    /// The classes for configurations that name none.
    static let defaultTypes = modelClasses().filter { $0.shouldIncludeInDefaultSchema() }
}
