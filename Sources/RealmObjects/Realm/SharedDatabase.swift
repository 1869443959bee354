internal import RealmLayout
internal import RealmReader
internal import RealmStorage
internal import RealmTransactions
internal import RealmWriter
internal import Synchronization

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A database that is open in this process: once, however many realms show it.
final class SharedDatabase: Sendable {
    let identity: String
    /// Nil for a file that is only read.
    let store: RealmStore?
    /// What the file was opened with.
    private let encryptionKey: Data?
    private let readOnly: Snapshot?
    /// Realms are used where they belong: this is only where they are found.
    private let realms = Mutex<[Confinement.Identity: RealmAnchor]>([:])
    /// Classes of the program and tables that were found to be the same, the last ones first: realms are opened again and again, also where
    /// nobody keeps one.
    private static let fitting = Mutex<[Fitting]>([])
    private let closing = Closing()

    private struct Fitting: Sendable {
        let tables: [TableSchema]
        let classes: [ObjectIdentifier]
    }

    private init(_ configuration: Realm.Configuration, _ store: RealmStore?, readOnly: Snapshot?) {
        (identity, encryptionKey) = (configuration.identity, configuration.encryptionKey)
        (self.store, self.readOnly) = (store, readOnly)
    }

    deinit { closing.start.withLock { $0 = .now } }

    /// The last version.
    func snapshot() -> Snapshot {
        if let store { return store.snapshot() }
        guard let readOnly else { Failure.stop("a database that is neither read nor written") }
        return readOnly
    }

    /// What is to be done for classes of the program, where that is not known already to be nothing.
    func steps(_ schema: StoredSchema, _ models: [ModelClass], _ find: () -> [SchemaStep]) -> [SchemaStep] {
        let classes = models.map { ObjectIdentifier($0) }
        let known = Self.fitting.withLock { $0 }
        if known.contains(where: { $0.classes == classes && $0.tables == schema.tables }) { return [] }
        let steps = find()
        guard steps.isEmpty else { return steps }
        Self.fitting.withLock { $0 = Array(([Fitting(tables: schema.tables, classes: classes)] + $0).prefix(8)) }
        return []
    }

    // MARK: Realms

    /// The realm of a place: the one that is there, or a new one.
    func realm(
        _ configuration: Realm.Configuration, _ confinement: Confinement, _ models: [ModelClass]
    ) -> RealmState {
        let realm = realms.withLock { realms in
            let identity = confinement.identity
            if let known = realms[identity]?.realm, known.models.elementsEqual(models, by: { $0 === $1 }) {
                return known
            }
            let realm = RealmState(self, configuration, confinement, models, snapshot())
            realms[identity] = realm.anchor
            return realm
        }
        realm.confinement.notice()
        return realm
    }

    /// Whether somebody has a realm of it.
    var hasRealms: Bool { realms.withLock { $0.values.contains { $0.realm != nil } } }

    /// Calls `body` with the realms of all places.
    func forEachRealm(_ body: (RealmState) -> Void) {
        let open = realms.withLock { realms in
            realms = realms.filter { $0.value.realm != nil }
            return Array(realms.values)
        }
        for realm in open.compactMap(\.realm) { body(realm) }
    }

    // MARK: Opening

    /// When a database began to be let go of; nil until then.
    private final class Closing: Sendable {
        static let longest = Duration.seconds(10)
        let start = Mutex<ContinuousClock.Instant?>(nil)
    }

    /// A database that is open, or was.
    private struct Opened: Sendable {
        weak var database: SharedDatabase?
        let closing: Closing

        /// Whether it may still hold its file, as another thread is about to let go of it.
        var isClosing: Bool {
            database == nil && closing.start.withLock { $0.map { .now < $0 + Closing.longest } ?? true }
        }
    }

    private static let known = Mutex<[String: Opened]>([:])
    /// Held while one is opened.
    private static let opening = Mutex<Void>(())

    /// The database that is open; nil for none.
    static func find(_ identity: String) -> SharedDatabase? { known.withLock { $0[identity]?.database } }

    /// The database of a configuration, with the classes of the program.
    ///
    /// - Throws: `Realm.Error`.
    static func open(_ configuration: Realm.Configuration, _ models: [ModelClass]) throws -> SharedDatabase {
        let identity = configuration.identity
        return try opening.withLock { _ in
            let known = find(identity)
            if let known, (known.store == nil) != configuration.readOnly {
                throw Realm.Error(.fail, "Realm at path '\(identity)' already opened with different read permissions")
            }
            if configuration.path == nil, configuration.encryptionKey != nil {
                throw Realm.Error(.fail, "Encryption is not supported for in-memory realms")
            }
            if let known, known.encryptionKey != configuration.encryptionKey {
                throw Realm.Error(.fail, "Realm at path '\(identity)' already opened with a different encryption key.")
            }
            // Who opens what is open need not know the version, as in RealmSwift.
            var wanted = configuration
            wanted.schemaVersion = max(wanted.schemaVersion, known?.snapshot().schema.version ?? 0)
            let schema = FileSchema(models, wanted)
            func opened() throws -> SharedDatabase {
                let database =
                    try known ?? translatingErrors(configuration.path ?? identity) { try make(configuration, models) }
                try schema.update(database)
                return database
            }
            let database: SharedDatabase
            do { database = try opened() } catch Realm.Error.schemaMismatch where mayStartAfresh(configuration, known) {
                try FileSystem.remove(configuration.path ?? "")
                database = try opened()
            }
            Self.known.withLock { known in
                known = known.filter { $0.value.database != nil || $0.value.isClosing }
                known[identity] = Opened(database: database, closing: database.closing)
            }
            return database
        }
    }

    private static func mayStartAfresh(_ configuration: Realm.Configuration, _ known: SharedDatabase?) -> Bool {
        configuration.deleteRealmIfMigrationNeeded && known == nil && !configuration.readOnly
            && configuration.path != nil
    }

    private static func make(_ configuration: Realm.Configuration, _ models: [ModelClass]) throws -> SharedDatabase {
        let schema = FileSchema(models, configuration)
        Logger.log(.detail, "DB: Open file: \(configuration.path ?? configuration.identity)")
        guard let path = configuration.path else {
            return SharedDatabase(configuration, try RealmStore(bytes: schema.bytesOfNewFile()), readOnly: nil)
        }
        if configuration.readOnly {
            let database =
                try key(configuration).map { try RealmDatabase(path: path, key: $0) } ?? RealmDatabase(path: path)
            return SharedDatabase(configuration, nil, readOnly: try database.snapshot())
        }
        let isClosing = known.withLock { $0[configuration.identity]?.isClosing ?? false }
        let options = try RealmStore.Options(
            key: key(configuration), waitLimit: isClosing ? Closing.longest : .zero, upgrade: .withBackup,
            compactWhen: configuration.shouldCompactOnLaunch)
        let isNew = !FileSystem.exists(path)
        if isNew || FileSystem.isEmpty(path) {
            if isNew, let seed = configuration.seedPath {
                try FileSystem.copy(seed, to: path)
            } else {
                try schema.writeNewFile(path, key: options.key)
            }
        }
        return SharedDatabase(configuration, try RealmStore(path: path, options: options), readOnly: nil)
    }

    static func key(_ configuration: Realm.Configuration) throws -> EncryptionKey? {
        guard let bytes = configuration.encryptionKey else { return nil }
        guard bytes.count == 64 else {
            throw Realm.Error(.invalidDatabase, "Encryption key must be exactly 64 bytes long, not \(bytes.count)")
        }
        return try EncryptionKey(bytes: [UInt8](bytes))
    }
}
