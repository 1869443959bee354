public import RealmCore
internal import RealmLayout
package import RealmStorage

extension RealmStore {
    /// Opens or creates the file at `path`.
    ///
    /// The store has exclusive write access: a lock beside the file, `NAME.realm.lock`, excludes other processes,
    /// including apps with a Realm SDK. Read-only access, as with `RealmDatabase`, remains possible.
    ///
    /// - Throws: `StorageError` if it cannot be opened, with `isInUse` if a process has it open; `FormatError` if it is
    ///   not a database that can be changed in place; `WriteError` for errors of the system.
    public convenience init(path: String, options: Options = Options()) throws {
        try self.init(path: path, options: options, system: RealSystem())
    }

    /// Opens or creates the file at `path`, as the public initialiser does.
    ///
    /// - Parameter system: the system calls that change files.
    package convenience init(path: String, options: Options, system: any OutputSystem) throws {
        let database = try OpenDatabase(DatabaseFile(path, options, system), options.durability)
        self.init(try database.compacted(where: options.compactWhen), options.durability)
    }

    /// The format of databases that are changed in place.
    static let format: UInt8 = 24

    /// Opens the file at `path`.
    package convenience init(path: String, durability: Durability) throws {
        try self.init(path: path, options: Options(durability: durability))
    }

    /// Creates a database in memory, which exists as long as the store and its snapshots. `Snapshot.write(to:)` saves
    /// it.
    ///
    /// ```swift
    /// let store = try RealmStore(inMemory: schema)
    /// try await store.write { _ = try $0.add("Dog", ["_id": 1, "name": "Rex"]) }
    /// try store.snapshot().write(to: NewFile("saved.realm"))
    /// ```
    ///
    /// - Parameter schema: the classes.
    /// - Throws: `WriteError` for a schema that the format cannot represent.
    public convenience init(inMemory schema: SchemaDefinition) throws {
        let output = MemoryOutput()
        try RealmBuilder(schema, at: NewFile(in: output)).finish()
        try self.init(bytes: output.bytes)
    }

    /// Creates a database in memory with the content of a file.
    ///
    /// - Throws: as `init(path:options:)`.
    public convenience init(bytes: [UInt8]) throws {
        self.init(try OpenDatabase(MemoryDevice(bytes), .none), .none)
    }

    /// Opens the database on a device.
    ///
    /// - Parameter key: the key of an encrypted database. Only pages that are needed are decrypted.
    package convenience init(
        on device: any DatabaseDevice, key: EncryptionKey? = nil, durability: Durability = .full
    ) throws {
        let device: any DatabaseDevice = if let key { try EncryptedDevice(device, key: key) } else { device }
        self.init(try OpenDatabase(device, durability), durability)
    }
}
