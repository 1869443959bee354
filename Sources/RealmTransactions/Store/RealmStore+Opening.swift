internal import RealmLayout
internal import RealmReader
package import RealmStorage
internal import RealmWriter

extension RealmStore {
    /// Opens the file at `path`, or makes it.
    ///
    /// Nobody else can have it open for writing meanwhile: a lock beside it, `NAME.realm.lock`, keeps out other processes, apps with a Realm
    /// SDK among them. Who reads only, as `RealmDatabase` does, is not kept out.
    ///
    /// - Throws: `StorageError` when it cannot be opened, `isInUse` when a process has it open; `FormatError` when it is not a
    ///   database that can be changed in place; `WriteError` when the system refuses.
    public convenience init(path: String, options: Options = Options()) throws {
        if options.key != nil {
            throw FormatError(
                .encrypted, "encrypted databases are not changed in place yet: decrypt a copy, and encrypt it again")
        }
        let session = try ExclusiveSession(path)
        let device = try FileDevice(path: path, session: session)
        self.init(try OpenDatabase(device, options.durability), options.durability)
    }

    /// Opens the file at `path`.
    package convenience init(path: String, durability: Durability) throws {
        try self.init(path: path, options: Options(durability: durability))
    }

    /// A database in memory, with the content of a file.
    ///
    /// - Throws: as `init(path:options:)`.
    public convenience init(bytes: [UInt8]) throws {
        self.init(try OpenDatabase(MemoryDevice(bytes), .none), .none)
    }

    /// Opens what lies on a device.
    package convenience init(on device: any DatabaseDevice, durability: Durability = .full) throws {
        self.init(try OpenDatabase(device, durability), durability)
    }
}
