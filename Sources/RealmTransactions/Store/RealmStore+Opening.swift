internal import RealmLayout
internal import RealmReader
package import RealmStorage
public import RealmWriter

extension RealmStore {
    /// Opens the file at `path`, or makes it.
    ///
    /// Nobody else can have it open for writing meanwhile: a lock beside it, `NAME.realm.lock`, keeps out other processes, apps with a Realm
    /// SDK among them. Who reads only, as `RealmDatabase` does, is not kept out.
    ///
    /// - Throws: `StorageError` when it cannot be opened, `isInUse` when a process has it open; `FormatError` when it is not a
    ///   database that can be changed in place; `WriteError` when the system refuses.
    public convenience init(path: String, options: Options = Options()) throws {
        try self.init(path: path, options: options, system: RealSystem())
    }

    /// The same.
    ///
    /// - Parameter system: the calls that change files.
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

    /// A new database in memory, which is gone with the store and its snapshots. `Snapshot.write(to:)` saves it.
    ///
    /// ```swift
    /// let store = try RealmStore(inMemory: schema)
    /// try await store.write { _ = try $0.add("Dog", ["_id": 1, "name": "Rex"]) }
    /// try store.snapshot().write(to: NewFile("saved.realm"))
    /// ```
    ///
    /// - Parameter schema: its classes.
    /// - Throws: `WriteError` for a schema that the format cannot hold.
    public convenience init(inMemory schema: SchemaDefinition) throws {
        let output = MemoryOutput()
        try RealmBuilder(schema, at: NewFile(in: output)).finish()
        try self.init(bytes: output.bytes)
    }

    /// A database in memory, with the content of a file.
    ///
    /// - Throws: as `init(path:options:)`.
    public convenience init(bytes: [UInt8]) throws {
        self.init(try OpenDatabase(MemoryDevice(bytes), .none), .none)
    }

    /// Opens what lies on a device.
    ///
    /// - Parameter key: the key of an encrypted database. Only pages that are needed are decrypted.
    package convenience init(
        on device: any DatabaseDevice, key: EncryptionKey? = nil, durability: Durability = .full
    ) throws {
        let device: any DatabaseDevice = if let key { try EncryptedDevice(device, key: key) } else { device }
        self.init(try OpenDatabase(device, durability), durability)
    }
}
