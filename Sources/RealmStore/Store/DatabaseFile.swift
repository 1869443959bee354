internal import RealmCore
internal import RealmLayout
internal import RealmStorage

/// The file of a store, and the lock that excludes other processes.
struct DatabaseFile: Sendable {
    let path: String
    let session: ExclusiveSession
    let key: EncryptionKey?
    /// The system calls that write.
    private let system: any OutputSystem

    /// Locks the file at `path`, and converts it to a database that can be changed in place, as far as the options
    /// allow.
    ///
    /// - Throws: as `RealmStore.init(path:options:)`.
    init(_ path: String, _ options: RealmStore.Options, _ system: any OutputSystem) throws {
        guard options.schema != nil || options.seedPath != nil || OutputFile.exists(path) else {
            throw StorageError(code: StorageError.noSuchFile, action: "cannot open", path: path)
        }
        (self.path, self.system) = (path, system)
        key = options.key
        session = try ExclusiveSession(path, waitLimit: options.waitLimit)
        if let seed = options.seedPath, !OutputFile.exists(path) { try OutputFile.copy(seed, to: path, system) }
        if let schema = options.schema, try isEmpty() {
            try RealmBuilder(schema, at: replacement).finish()
        } else {
            try upgrade(options.upgrade)
        }
    }

    /// A new file that replaces this one.
    var replacement: NewFile {
        var file = NewFile(path)
        file.overwrite = true
        file.key = key
        file.session = session
        file.system = system
        return file
    }

    /// Opens the file for changes.
    ///
    /// - Parameter former: the previous device of the content.
    /// - Throws: `StorageError`.
    func device(replacing former: DeviceIdentity?) throws(StorageError) -> any DatabaseDevice {
        let device = try FileDevice(path: path, session: session, replacing: former, system: system)
        return if let key { try EncryptedDevice(device, key: key) } else { device }
    }

    private func database() throws -> RealmDatabase {
        if let key { return try RealmDatabase(path: path, key: key) }
        return try RealmDatabase(path: path)
    }

    /// Whether there is no file, or no class in it.
    private func isEmpty() throws -> Bool {
        guard OutputFile.exists(path) else { return true }
        guard try OpenedFile(path: path).size() > 0 else { return true }
        return try database().snapshot().tables.isEmpty
    }

    /// Replaces a file of an older format with a new one that has its content.
    private func upgrade(_ upgrade: RealmStore.Upgrade) throws {
        guard upgrade == .withBackup else { return }
        let old = try database()
        // Checked first, because usually there is nothing to do.
        let selected = old.header.slots[old.header.selectedSlot]
        guard selected.topRef != 0, selected.format.number < RealmStore.format else { return }
        let snapshot = try old.snapshot()
        guard snapshot.topRef != nil else { return }
        try OpenDatabase.checkHistory(of: snapshot)
        let backup = try BackupFile.make(of: path, suffix: ".format-\(snapshot.version).backup", system: system)
        do throws(WriteError) {
            try Rebuild(snapshot).write(to: replacement)
        } catch {
            // If only the wait for the new file's name failed, the file already has that name.
            if try database().snapshot().version == snapshot.version { BackupFile.remove(backup, system) }
            throw error
        }
    }
}
