internal import RealmCore
internal import RealmStorage
internal import RealmStore
internal import Synchronization

extension SharedDatabase {
    /// A database that is open, was open, or is about to be opened.
    private struct Entry: Sendable {
        weak var database: SharedDatabase?
        var closing: Closing?
        let turn = Turn()
        /// Number of callers that have the turn or wait for it.
        var users = 0

        var isClosing: Bool { database == nil && closing?.isGoingOn ?? false }
        var isNeeded: Bool { database != nil || users > 0 || isClosing }
    }

    private static let entries = Mutex<[String: Entry]>([:])

    /// Returns the open database; nil if there is none.
    static func find(_ identity: String) -> SharedDatabase? { entries.withLock { $0[identity]?.database } }

    /// Whether a released database may still hold its file.
    private static func isClosing(_ identity: String) -> Bool {
        entries.withLock { $0[identity]?.isClosing ?? false }
    }

    /// Serialises opening and deleting a database that is not open. An open database needs no turn, and no holder of a
    /// turn waits for a transaction to end: code of the program, such as a migration, may run meanwhile.
    private final class Turn: Sendable {
        private let lock = Mutex<Void>(())
        private let thread = Atomic<UInt64>(0)

        func take<R: Sendable>(_ identity: String, _ body: () throws -> R) throws -> R {
            guard thread.load(ordering: .relaxed) != CurrentThread.number else {
                throw Realm.Error(
                    .alreadyOpen,
                    "Realm at path '\(identity)' is being opened: what runs meanwhile, as a migration does, cannot open or delete it."
                )
            }
            return try lock.withLock { _ in
                thread.store(CurrentThread.number, ordering: .relaxed)
                defer { thread.store(0, ordering: .relaxed) }
                return try body()
            }
        }
    }

    private static func inTurn<R: Sendable>(_ identity: String, _ body: () throws -> R) throws -> R {
        let turn = entries.withLock { entries in
            var entry = entries[identity] ?? Entry()
            entry.users += 1
            entries[identity] = entry
            return entry.turn
        }
        defer {
            entries.withLock { entries in
                entries[identity]?.users -= 1
                entries = entries.filter { $0.value.isNeeded }
            }
        }
        return try turn.take(identity, body)
    }

    // MARK: Opening

    /// Returns the realm of a configuration for a confinement.
    ///
    /// - Throws: `Realm.Error`.
    static func realm(
        _ configuration: Realm.Configuration, _ confinement: Isolation, _ models: [ModelClass]
    ) throws -> RealmInstance {
        try open(configuration, models).realm(configuration, confinement, models)
    }

    /// Returns the database of a configuration, with the classes of the program.
    ///
    /// - Throws: `Realm.Error`.
    static func open(_ configuration: Realm.Configuration, _ models: [ModelClass]) throws -> SharedDatabase {
        configuration.check()
        let identity = configuration.identity
        if let known = find(identity) { return try known.opened(again: configuration, models) }
        if configuration.path == nil, configuration.encryptionKey != nil {
            throw Realm.Error(.fail, "Encryption is not supported for in-memory realms")
        }
        Logger.log(.detail, "DB: Open file: \(configuration.path ?? identity)")
        let (database, isOpen) = try inTurn(identity) {
            if let known = find(identity) { return (known, true) }
            let database = try openedFirst(configuration, models)
            entries.withLock { entries in
                entries[identity]?.database = database
                entries[identity]?.closing = database.closing
            }
            return (database, false)
        }
        return isOpen ? try database.opened(again: configuration, models) : database
    }

    /// Opens an open database with another configuration. As in RealmSwift it is not migrated, whatever schema version
    /// the configuration has: existing users keep their classes.
    private func opened(again configuration: Realm.Configuration, _ models: [ModelClass]) throws -> SharedDatabase {
        guard (store == nil) == configuration.readOnly else {
            throw Realm.Error(.fail, "Realm at path '\(identity)' already opened with different read permissions")
        }
        guard encryptionKey == configuration.encryptionKey else {
            throw Realm.Error(.fail, "Realm at path '\(identity)' already opened with a different encryption key.")
        }
        if !isKnownToFit(models) {
            try FileSchema(models, configuration).add(to: self)
            noteFitting(models)
        }
        return self
    }

    /// Opens a database that is not open, and updates it to the program's needs before anything else uses it.
    private static func openedFirst(
        _ configuration: Realm.Configuration, _ models: [ModelClass]
    ) throws -> SharedDatabase {
        let schema = FileSchema(models, configuration)
        func opened(_ configuration: Realm.Configuration, _ waitLimit: Duration) throws -> SharedDatabase {
            let database = try translatingErrors(configuration.path) { try make(configuration, schema, waitLimit) }
            try schema.update(database)
            database.noteFitting(models)
            return database
        }
        let waitLimit = isClosing(configuration.identity) ? Closing.longest : .zero
        do {
            return try opened(configuration, waitLimit)
        } catch Realm.Error.schemaMismatch where configuration.mayStartAfresh {
            _ = try remove(configuration.path ?? "", Closing.longest)
            // The new file is empty; the seed did not fit.
            var afresh = configuration
            afresh.seedFilePath = nil
            return try opened(afresh, .zero)
        }
    }

    private static func make(
        _ configuration: Realm.Configuration, _ schema: FileSchema, _ waitLimit: Duration
    ) throws -> SharedDatabase {
        guard let path = configuration.path else {
            return SharedDatabase(
                configuration, try RealmStore(bytes: EmptyDatabase.bytes(of: schema.definition)), readOnly: nil)
        }
        let (key, isThere) = (try key(configuration), FileSystem.exists(path))
        if configuration.readOnly {
            if let seed = configuration.seedPath, !isThere {
                let session = try ExclusiveSession(path, waitLimit: waitLimit)
                try OutputFile.copy(seed, to: path)
                withExtendedLifetime(session) {}
            }
            let database = try ReadOnlyFile(path: path).database(key)
            return SharedDatabase(configuration, nil, readOnly: try database.snapshot())
        }
        var options = RealmStore.Options(
            key: key, waitLimit: waitLimit, upgrade: .withBackup, compactWhen: configuration.shouldCompactOnLaunch)
        if let seed = configuration.seedPath, !isThere {
            options.seedPath = seed
        } else if !isThere || FileSystem.isEmpty(path) {
            options.schema = schema.definition
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

    // MARK: Deleting

    /// Deletes a file that is not open, and the files beside it.
    ///
    /// - Returns: whether the file existed.
    /// - Throws: `Realm.Error`.
    static func delete(_ path: String, _ identity: String) throws -> Bool {
        try inTurn(identity) {
            guard find(identity) == nil else { throw Realm.Error(deletingOpen: path) }
            return try remove(path, isClosing(identity) ? Closing.longest : .zero)
        }
    }

    private static func remove(_ path: String, _ waitLimit: Duration) throws -> Bool {
        try translatingErrors(path) {
            do {
                return try DatabaseFiles.remove(path, ExclusiveSession(path, waitLimit: waitLimit))
            } catch let error as StorageError where error.isInUse {
                throw Realm.Error(deletingOpen: path)
            } catch let error as StorageError where error.code == StorageError.noSuchFile {
                // The folder of its lock file does not exist.
                return false
            }
        }
    }
}

extension Realm.Configuration {
    /// Whether a file that does not fit is replaced by a new one.
    fileprivate var mayStartAfresh: Bool { deleteRealmIfMigrationNeeded && !readOnly && path != nil }
}

extension Realm.Error {
    fileprivate init(deletingOpen path: String) {
        self.init(.alreadyOpen, "Cannot delete files of an open Realm: '\(path)' is still in use.", path)
    }
}
