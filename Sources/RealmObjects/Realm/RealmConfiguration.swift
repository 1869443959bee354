internal import RealmStorage
internal import Synchronization

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Changes the content of a file whose schema is an older one; gets the version that the file had.
public typealias MigrationBlock = @Sendable (_ migration: Migration, _ oldSchemaVersion: UInt64) -> Void

extension Realm {
    /// Which file, or which database in memory, and how it is opened.
    public struct Configuration: Sendable {
        /// The file; nil for a database in memory, which has a name instead. Setting it takes `inMemoryIdentifier` away.
        public var fileURL: URL? {
            didSet { if fileURL != nil { memoryName = nil } }
        }
        private var memoryName: String?
        /// The name of a database in memory, which lives as long as a realm of it. Setting it takes `fileURL` away.
        public var inMemoryIdentifier: String? {
            get { memoryName }
            set {
                memoryName = newValue
                if newValue != nil { fileURL = nil }
            }
        }
        /// The 64 bytes that the file is encrypted with; nil for a plain file.
        ///
        /// A commit writes whole pages of 4096 bytes, and none that has something else already: after many small commits an encrypted file
        /// is many times as large as its content. `shouldCompactOnLaunch` takes the room back.
        public var encryptionKey: Data?
        /// Whether the file is only read. It is not changed at all then, and other processes may have it: the realm stays as the file was
        /// when it was opened. Where anybody may write the file, a copy of it is read, in the folder for temporary files (`TMPDIR`),
        /// which goes with the realm.
        public var readOnly: Bool
        /// The version of the classes of the program; raised with each change of them.
        public var schemaVersion: UInt64
        /// What carries the content of an older version over.
        public var migrationBlock: MigrationBlock?
        /// Whether a file with other classes is deleted instead of migrated: for programs that are being written.
        public var deleteRealmIfMigrationNeeded: Bool
        /// Says whether the file is to be compacted when it is opened first, by its size and the bytes that are used of it.
        public var shouldCompactOnLaunch: (@Sendable (Int, Int) -> Bool)?
        /// The model classes; nil for all of the program.
        public var objectTypes: [ObjectBase.Type]?
        /// How many versions there may be when a transaction begins, from the oldest that somebody still reads to the last one; nil for any
        /// number. More is an error: the file would grow, as the space of what is read is not used again. That tells where realms are
        /// not refreshed, or frozen objects are kept too long.
        public var maximumNumberOfActiveVersions: UInt?
        /// A file that is copied where there is none yet.
        public var seedFilePath: URL?

        /// Describes a realm; without parameters the file `default.realm`.
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

        /// What `Realm()` opens.
        public static var defaultConfiguration: Configuration {
            get { common.withLock { $0 } ?? Configuration() }
            set { common.withLock { $0 = newValue } }
        }

        /// `default.realm`, where RealmSwift has it: on iOS, watchOS and visionOS in the folder of documents, on tvOS in that of caches, on macOS
        /// and in Catalyst in that of application support, in a folder of the application's own unless it runs in a sandbox. Elsewhere in
        /// the folder that the program runs in.
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

        /// The default file of an application in the folder that it shares with others, which is made.
        ///
        /// - Parameter name: the identifier of its bundle, or the name of the program.
        package static func defaultFile(in folder: URL, _ environment: [String: String], _ name: String?) -> URL {
            guard environment["APP_SANDBOX_CONTAINER_ID"] == nil, let name else {
                return folder.appending(path: "default.realm")
            }
            let own = folder.appending(path: name)
            try? FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
            return own.appending(path: "default.realm")
        }

        /// What tells databases of a process apart: a file is the same by whatever links a path leads to it, as `/var` is one on Apple's
        /// systems.
        ///
        /// - Precondition: it names a file or a database in memory.
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
        /// - Throws: `Realm.Error`: where they do not go together.
        var models: [ModelClass] {
            get throws { try ModelClass.closed(objectTypes) }
        }
    }
}

extension Realm.Configuration: Equatable, CustomStringConvertible {
    /// Whether both open the same database in the same way. What they do beside that, such as migrating, is not compared.
    public static func == (left: Realm.Configuration, right: Realm.Configuration) -> Bool {
        left.encryptionKey == right.encryptionKey && left.fileURL == right.fileURL
            && left.inMemoryIdentifier == right.inMemoryIdentifier && left.readOnly == right.readOnly
            && left.schemaVersion == right.schemaVersion
    }

    /// The configuration for people. Of the key it tells only that there is one.
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
    /// The classes of configurations that name none.
    static let defaultTypes = modelClasses().filter { $0.shouldIncludeInDefaultSchema() }
}
